"""Each wire's decoder: what streams come to, and that a stream which is not whole is never a reply."""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodwyn.loop.providers.anthropic import Anthropic
from nodwyn.loop.providers.base import ProviderError, Reply
from nodwyn.loop.providers.chat import Chat
from nodwyn.loop.providers.collecting import LARGEST, Decoder
from nodwyn.loop.providers.names import Names
from nodwyn.loop.providers.ollama import Ollama
from nodwyn.loop.providers.responses import Responses
from nodwyn.loop.providers.wire import Wire
from tests.loop.providers import streams
from tests.loop.providers.streams import ALL, Stream

WIRES: dict[str, Wire] = {
    "anthropic": Anthropic(),
    "chat": Chat(),
    "responses": Responses(),
    "ollama": Ollama(),
}
NO_NAMES = Names({"tools": [], "messages": []})

each_stream = pytest.mark.parametrize("stream", ALL, ids=[f"{each.wire}: {each.name}" for each in ALL])


def decoder(wire: str) -> Decoder:
    return WIRES[wire].decoder(NO_NAMES)


def decoded(wire: str, *pieces: bytes) -> Reply:
    decoding = decoder(wire)
    for piece in pieces:
        for _ in decoding.feed(piece):
            pass
    return decoding.finish()


def outcome(wire: str, octets: bytes) -> Reply | ProviderError:
    try:
        return decoded(wire, octets)
    except ProviderError as error:
        return error


def failure(wire: str, octets: bytes) -> ProviderError:
    failed = outcome(wire, octets)
    assert isinstance(failed, ProviderError)
    return failed


@each_stream
def test_a_stream_is_the_reply_that_it_is_meant_to_be(stream: Stream) -> None:
    reply = decoded(stream.wire, stream.octets)
    assert (reply.content, reply.stop, reply.usage) == (stream.content, stream.stop, stream.usage)


each_wire = pytest.mark.parametrize("wire", WIRES)


@each_wire
@pytest.mark.parametrize("reason", ["content_filter", "CONTENT_FILTER", "refusal", "safety", "sensitive"])
def test_on_every_wire_an_end_because_of_what_was_said_is_a_refusal(wire: str, reason: str) -> None:
    reply = decoded(wire, streams.ending(wire, reason))
    assert (reply.stop, reply.content) == ("refusal", [streams.text("Now:")])


@each_wire
@pytest.mark.parametrize(
    ("reason", "kept"),
    [("of_the_future", "of_the_future"), ("Grund", "Grund"), ("x" * 5000, "x" * 100), ("\ud800", "\ufdd0d800")],
)
def test_on_every_wire_a_reason_that_is_not_known_is_kept_and_what_it_cut_off_is_not(
    wire: str, reason: str, kept: str
) -> None:
    reply = decoded(wire, streams.ending(wire, reason))
    assert (reply.stop, reply.content) == (kept, [streams.text("Now:")])


@each_wire
@pytest.mark.parametrize("reason", ["max_tokens", "length", "max_output_tokens", "model_context_window_exceeded"])
def test_on_every_wire_a_limit_is_a_limit_by_whichever_wires_word(wire: str, reason: str) -> None:
    assert decoded(wire, streams.ending(wire, reason)).stop == "length"


@each_wire
@pytest.mark.parametrize("reason", ["error", "failed", "network_error"])
def test_on_every_wire_a_reply_that_the_server_says_failed_is_none(wire: str, reason: str) -> None:
    failed = failure(wire, streams.ending(wire, reason))
    assert (failed.kind, str(failed)) == ("broken", "the server said that its reply failed")
    assert failed.partial[0] == streams.text("Now:")


@each_stream
def test_it_does_not_matter_where_a_stream_is_divided(stream: Stream) -> None:
    whole = decoded(stream.wire, stream.octets)
    single = decoded(stream.wire, *(stream.octets[place : place + 1] for place in range(len(stream.octets))))
    assert single._replace(first=0) == whole._replace(first=0)


@each_stream
def test_a_mark_of_the_encoding_before_a_stream_is_none_of_it(stream: Stream) -> None:
    marked = b"\xef\xbb\xbf" + stream.octets
    assert decoded(stream.wire, marked).content == stream.content
    assert decoded(stream.wire, *(marked[place : place + 1] for place in range(len(marked)))).content == stream.content


@each_stream
def test_a_stream_that_is_cut_anywhere_is_broken_or_was_over(stream: Stream) -> None:
    whole = decoded(stream.wire, stream.octets)
    for place in range(len(stream.octets)):
        cut = outcome(stream.wire, stream.octets[:place])
        if isinstance(cut, Reply):
            assert (cut.content, cut.stop) == (whole.content, whole.stop)
        else:
            assert cut.kind == "broken"
            assert all(block["type"] != "call" or isinstance(block["arguments"], str) for block in cut.partial)


@each_stream
def test_what_clients_are_shown_is_what_the_reply_says(stream: Stream) -> None:
    decoding = decoder(stream.wire)
    deltas = list(decoding.feed(stream.octets))
    reply = decoding.finish()
    for kind in ("text", "thinking"):
        shown = "".join(delta.text for delta in deltas if delta.kind == kind)
        said = "".join(block["text"] for block in reply.content if block["type"] == kind)
        assert shown == said.removesuffix("\ufdd0d83c")  # half a character is waited for


def is_reply_or_error(wire: str, octets: bytes) -> bool:
    """Return whether a stream is an error of ours, or a reply of blocks that JSON can hold."""
    try:
        content = decoded(wire, octets).content
    except ProviderError:
        return True
    json.dumps(content, allow_nan=False, ensure_ascii=False).encode("utf-8", "surrogatepass")
    texts = [block["text"] if block["type"] in ("text", "thinking") else block["name"] for block in content]
    return all(isinstance(text, str) for text in texts)


@given(st.sampled_from(ALL), st.data())
def test_a_stream_that_is_changed_is_a_reply_or_an_error_of_ours(stream: Stream, data: st.DataObject) -> None:
    octets = bytearray(stream.octets)
    for _ in range(data.draw(st.integers(1, 5))):
        place = data.draw(st.integers(0, len(octets) - 1))
        octets[place : place + data.draw(st.integers(0, 30))] = data.draw(st.binary(max_size=8))
        if not octets:
            break
    assert is_reply_or_error(stream.wire, bytes(octets))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
)


@given(st.sampled_from(ALL), st.data())
def test_members_of_unexpected_types_are_an_error_of_ours(stream: Stream, data: st.DataObject) -> None:
    messages = [json.loads(part) for part in stream.octets.replace(b"data: ", b"").split(b"\n") if part[:1] == b"{"]
    if not messages:
        return
    message: Any = data.draw(st.sampled_from(messages))
    while isinstance(message, dict) and message:
        name = data.draw(st.sampled_from(sorted(message)))
        if not isinstance(message[name], (dict, list)) or data.draw(st.booleans()):
            message[name] = data.draw(json_values)
            break
        message = message[name][0] if isinstance(message[name], list) and message[name] else message[name]
    octets = streams.lines(*messages) if stream.wire == "ollama" else streams.events(*messages)
    assert is_reply_or_error(stream.wire, octets)


BEGUN: dict[str, bytes] = {
    "anthropic": streams.events(
        streams.begin(), streams.block(0, type="text", text=""), streams.delta(0, type="text_delta", text="So")
    ),
    "chat": streams.events(streams.said("So")),
    "responses": streams.events(streams.piece("output_text", 0, "So")),
    "ollama": streams.lines(streams.line({"content": "So"})),
}
ERRORS = [
    ("anthropic", {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, "busy"),
    ("anthropic", {"type": "error", "error": {"type": "invalid_request_error", "message": "no"}}, "bad-request"),
    ("chat", {"error": {"message": "The context length is exceeded", "code": 400}}, "overflow"),
    ("chat", {"error": {"code": "rate_limit_exceeded", "message": "slow down"}}, "busy"),
    ("chat", {"error": "it went wrong"}, "broken"),
    ("responses", {"type": "error", "code": "server_error", "message": "sorry"}, "busy"),
    ("responses", {"type": "response.failed", "response": {"error": {"code": "context_length_exceeded"}}}, "overflow"),
    ("ollama", {"error": "model runner has unexpectedly stopped"}, "broken"),
]


@pytest.mark.parametrize(("wire", "message", "kind"), ERRORS)
def test_an_error_in_the_midst_of_a_stream_keeps_what_had_arrived(wire: str, message: Any, kind: str) -> None:
    cut = streams.lines(message) if wire == "ollama" else streams.events(message)
    error = failure(wire, BEGUN[wire] + cut)
    assert error.kind == kind
    assert error.partial == [streams.text("So")]


@pytest.mark.parametrize("wire", sorted(WIRES))
def test_what_is_no_json_is_broken_and_shown(wire: str) -> None:
    error = failure(wire, BEGUN[wire] + (b"{oops}\n" if wire == "ollama" else b"data: {oops}\n\n"))
    assert error.kind == "broken"
    assert "{oops}" in str(error)


@pytest.mark.parametrize("wire", sorted(WIRES))
def test_nothing_at_all_is_broken(wire: str) -> None:
    assert failure(wire, b"").kind == "broken"


def test_an_end_mark_alone_is_no_reply() -> None:
    assert failure("chat", b"data: [DONE]\n\n").kind == "broken"


def test_a_reply_without_bounds_is_ended() -> None:
    much = streams.events(streams.said("x" * (1 << 20)))
    error = failure("chat", much * (LARGEST // (1 << 20) + 1))
    assert error.kind == "refused"
    assert "longer than" in str(error)


def test_a_message_without_an_end_is_ended() -> None:
    error = failure("chat", b"data: " + b"x" * (17 << 20))
    assert "larger than" in str(error)


@pytest.mark.parametrize(
    "arguments",
    ["[" * 50_000, '{"a":' * 50_000, '{"a": 1' + "0" * 2000 + "}", '{"a": NaN}', '{"a": 1e999}', "[1]", "7", '"x"'],
)
def test_arguments_that_the_log_could_not_hold_stay_text(arguments: str) -> None:
    stream = streams.events(streams.called(0, arguments, name="fs-read", id="c"), streams.chunk({}, "tool_calls"))
    assert decoded("chat", stream).content == [streams.call("c", "fs-read", arguments)]


def test_a_tool_has_its_own_name_again() -> None:
    names = Names({"tools": [{"name": "ready?"}], "messages": []})
    decoding = Chat().decoder(names)
    for _ in decoding.feed(streams.events(streams.called(0, "{}", name=names.wire("ready?"), id="c"),
                                          streams.chunk({}, "tool_calls"))):  # fmt: skip
        pass
    assert decoding.finish().content == [streams.call("c", "ready?", {})]


def test_the_time_to_the_first_piece_is_measured() -> None:
    clock = iter([10.0, 10.25])
    decoding = type(decoder("chat"))(decoder("chat")._frames, str, lambda: next(clock))
    for _ in decoding.feed(streams.events(streams.said("Yes."), streams.chunk({}, "stop"))):
        pass
    assert decoding.finish().first == 250


def asked(**call: Any) -> Any:
    return {"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]}


FILL = "x" * 60
LONG: dict[str, tuple[str, Callable[[int], Any]]] = {
    "a signature in pieces": ("anthropic", lambda n: streams.delta(0, type="signature_delta", signature=FILL)),
    "arguments that begin again and again": (
        "anthropic",
        lambda n: (
            streams.delta(0, type="input_json_delta", partial_json="{" + FILL)
            if n
            else streams.block(0, type="tool_use", id="t", name="f", input={"path": FILL})
        ),
    ),
    "the name of a call with each piece": (
        "chat",
        lambda n: asked(index=0, function={"name": "f", "arguments": "1," * 30 if n else "["}),
    ),
    "calls without a number": ("chat", lambda n: asked(id=f"c{n}", function={"name": "f", "arguments": "{}"})),
    "pieces of calls without a number": (
        "chat",
        lambda n: asked(id=f"c{n // 2}", function={"name": "f" if n % 2 else "", "arguments": "{}"}),
    ),
    "words": ("chat", lambda n: streams.said(FILL)),
    "items that are done": ("responses", lambda n: streams.item("done", n, type="reasoning", **streams.REASONING)),
    "lines with calls": (
        "ollama",
        lambda n: streams.line({"tool_calls": [{"function": {"name": "f", "arguments": {"a": FILL}}}]}),
    ),
}


@pytest.mark.parametrize("kind", LONG)
def test_a_stream_takes_time_in_proportion_to_its_length(kind: str) -> None:
    wire, make = LONG[kind]

    def seconds(count: int) -> float:
        framed = streams.lines if wire == "ollama" else streams.events
        octets = framed(*map(make, range(count)))
        times = []
        for _ in range(3):
            begin = time.process_time()
            outcome(wire, octets)
            times.append(time.process_time() - begin)
        return min(times)

    gc.disable()  # the collector's time depends on what all other tests have left
    try:
        assert seconds(4000) < 3 * 8 * max(seconds(500), 0.002)
    finally:
        gc.enable()


@pytest.mark.parametrize("odd", [5, True, [], ["x"], {"a": 1}])
@pytest.mark.parametrize("stream", ["a summary", "a signature", "an id"])
def test_pieces_that_are_no_text_are_an_error_of_ours_or_text(stream: str, odd: Any) -> None:
    messages = {
        "a summary": ("responses", [streams.item("done", 0, type="reasoning", summary=[{"text": odd}]),
                                    streams.response("completed")]),
        "a signature": ("anthropic", [streams.begin(), streams.delta(0, type="signature_delta", signature=odd),
                                      *streams.finish("end_turn")]),
        "an id": ("chat", [asked(id=odd, function={"name": "f", "arguments": "{}"}), streams.chunk({}, "stop")]),
    }  # fmt: skip
    wire, sent = messages[stream]
    came = outcome(wire, streams.events(*sent))
    assert isinstance(came, ProviderError) or all(
        isinstance(block.get(name, ""), str) for block in came.content for name in ("text", "id", "signature")
    )


def test_a_whole_call_may_end_in_blanks() -> None:
    sent = [asked(index=0, id="c", function={"name": "f", "arguments": piece}) for piece in ('{"a": 1}', "\n", " ")]
    reply = decoded("chat", streams.events(*sent, streams.chunk({}, "length")))
    assert [block["arguments"] for block in reply.content] == [{"a": 1}]
