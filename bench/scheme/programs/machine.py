text = "let total = price * 42 + tax27 ; a comment runs to the end\nprint total " * 15000
end = len(text)

OUTSIDE, WORD, NUMBER, COMMENT = range(4)


def run() -> int:
    words = numbers = comments = i = 0
    state = OUTSIDE
    while True:
        if state == OUTSIDE:
            if i == end:
                return words + 1000 * numbers + 1000000 * comments
            c = text[i]
            if c.isalpha():
                words += 1
                state = WORD
            elif c.isdigit():
                numbers += 1
                state = NUMBER
            elif c == ";":
                comments += 1
                state = COMMENT
            i += 1
        elif state == WORD:
            if i < end and ((c := text[i]).isalpha() or c.isdigit()):
                i += 1
            else:
                state = OUTSIDE
        elif state == NUMBER:
            if i < end and text[i].isdigit():
                i += 1
            else:
                state = OUTSIDE
        elif i == end:
            state = OUTSIDE
        else:
            if text[i] == "\n":
                state = OUTSIDE
            i += 1
