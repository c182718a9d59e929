"""The forms that a value has inside encoded text."""

from __future__ import annotations

from binascii import b2a_base64

_PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_HEX = frozenset(b"0123456789abcdefABCDEF")


def in_base64(value: bytes) -> tuple[bytes, bytes, bytes]:
    """Return what every base64 of a text that holds ``value`` holds, for the three places in a group of three bytes.

    The characters at either end that depend on the neighbours of ``value`` are left out.
    """
    return _at(value, 0), _at(value, 1), _at(value, 2)


def _at(value: bytes, shift: int) -> bytes:
    encoded = b2a_base64(bytes(shift) + value, newline=False)
    return encoded[(shift * 8 + 5) // 6 : (shift + len(value)) * 8 // 6]


def percent_encoded(value: bytes, also_plain: bytes = b"", *, upper: bool = True) -> bytes:
    """Return ``value`` as an address has it (RFC 3986, section 2.1).

    also_plain: what stays besides letters, digits and ``-._~``.
    upper: whether the digits are capitals.
    """
    form = "%%%02X" if upper else "%%%02x"
    return "".join(chr(octet) if octet in _PLAIN or octet in also_plain else form % octet for octet in value).encode()


def percent_decoded(value: bytes) -> bytes:
    """Return what ``value`` stands for in an address; what is no escape stays."""
    first, *others = value.split(b"%")
    pieces = [first]
    for piece in others:
        if len(piece) >= 2 and _HEX.issuperset(piece[:2]):
            pieces += bytes.fromhex(piece[:2].decode()), piece[2:]
        else:
            pieces += b"%", piece
    return b"".join(pieces)
