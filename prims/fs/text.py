"""What bytes that are no UTF-8 text are, in words for whoever asked for text."""

from __future__ import annotations

from typing import Final

from nodwyn.prims.counting import counted

_BEGINNINGS: Final = (
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "gzip data"),
    (b"BZh", "bzip2 data"),
    (b"\xfd7zXZ\x00", "xz data"),
    (b"\x28\xb5\x2f\xfd", "Zstandard data"),
    (b"\x7fELF", "an ELF program or library"),
    (b"\xcf\xfa\xed\xfe", "a Mach-O program or library"),
    (b"\xca\xfe\xba\xbe", "a Java class or a universal Mach-O file"),
    (b"MZ", "a Windows program"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"\x00asm", "a WebAssembly module"),
    (b"wOF2", "a font"),
    (b"OggS", "Ogg audio or video"),
    (b"ID3", "MP3 audio"),
    (b"\xff\xfe\x00\x00", "UTF-32 text"),
    (b"\xff\xfe", "UTF-16 text"),
    (b"\xfe\xff", "UTF-16 text"),
)

BINARY_LOOK = 8192
"""How many bytes of the start decide whether data is binary."""


class NotText(ValueError):
    """Bytes are no UTF-8 text; the message says what they are."""


def text_of(data: bytes) -> str:
    """Return the text that UTF-8 bytes are.

    Raises: NotText.
    """
    if is_binary(data):
        raise NotText(_binary(data))
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        known = _known(data)
        if known:
            raise NotText(f"it is {known}, {counted(len(data), 'byte')}") from None
        line = data.count(b"\n", 0, error.start) + 1
        byte = data[error.start]
        raise NotText(
            f"it is not UTF-8: the byte 0x{byte:02X} in line {line} starts no character. Text in another encoding, such"
            f" as Latin-1, must be converted first."
        ) from None
    return text


def is_binary(data: bytes) -> bool:
    """Return whether bytes are taken for binary data: a NUL is among the first of them."""
    return data.find(b"\0", 0, BINARY_LOOK) >= 0


def _binary(data: bytes) -> str:
    return f"it is {_known(data) or 'binary data'}, {counted(len(data), 'byte')}"


def _known(data: bytes) -> str | None:
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "a WebP image"
    for beginning, kind in _BEGINNINGS:
        if data.startswith(beginning):
            return kind
    return None
