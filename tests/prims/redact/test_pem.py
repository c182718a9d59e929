"""Private keys of many lines: whole, cut off, quoted, escaped, numbered, wrapped in base64."""

from __future__ import annotations

from base64 import b64encode
from random import Random
from re import sub
from typing import NamedTuple

import pytest

from nodwyn.prims.redact import redact
from nodwyn.prims.redact.example import make_up

MARK = "[redacted:private-key]"


def make_body(lines: int = 12) -> list[str]:
    random = Random(lines)
    return [make_up("<64 base64>", random)[0] for _ in range(lines)] + [make_up("<22 base64>==", random)[0]]


BODY = make_body()
BEGIN, END = "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----"
LINES = [BEGIN, *BODY, END]
KEY = "\n".join(LINES)
DEFINITION = [f'"{line}\\n"' for line in LINES]


class Case(NamedTuple):
    title: str
    text: str


WHOLE = [
    Case("alone", KEY),
    Case("with carriage returns", "\r\n".join(LINES)),
    Case("indented", "\n".join("    " + line for line in LINES)),
    Case("in JSON", '{"private_key": "' + "\\n".join(LINES) + '\\n", "id": 1}'),
    Case("in JSON in JSON", '{"body": "{\\"private_key\\": \\"' + "\\\\n".join(LINES) + '\\\\n\\"}"}'),
    Case("with escaped slashes", KEY.replace("/", "\\/")),
    Case(
        "in an address", "key=" + KEY.replace("+", "%2B").replace("/", "%2F").replace("=", "%3D").replace("\n", "%0A")
    ),
    Case("in a C string", "const char *key =\n" + "\n".join(DEFINITION) + ";\n"),
    Case("joined with plus", "key = " + " +\n      ".join(DEFINITION)),
    Case("in a list", "key = [\n" + ",\n".join(f"  '{line}'" for line in LINES) + "\n]"),
    Case("in a comment", "\n".join("# " + line for line in LINES)),
    Case("in a difference", "\n".join("+" + line for line in LINES)),
    Case("in a quotation", "\n".join("> " + line for line in LINES)),
    Case("numbered as cat does", "\n".join(f"{number:6}\t{line}" for number, line in enumerate(LINES, 1))),
    Case("numbered as grep does", "\n".join(f"{number}:{line}" for number, line in enumerate(LINES, 1))),
    Case("on one line", " ".join(LINES)),
    Case("encrypted", KEY.replace(BEGIN, f"{BEGIN}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0673309A6ACCAB4B\n")),
    Case("OpenSSH", KEY.replace("RSA", "OPENSSH")),
    Case("PKCS 8", KEY.replace("RSA ", "")),
    Case("OpenPGP", KEY.replace("RSA PRIVATE KEY", "PGP PRIVATE KEY BLOCK").replace(END, "=aB3d\n" + END)),
    Case("SSH2", KEY.replace("-----BEGIN RSA", "---- BEGIN SSH2 ENCRYPTED").replace("KEY-----", "KEY ----")),
    Case(
        "PuTTY",
        "PuTTY-User-Key-File-2: ssh-rsa\nEncryption: none\nPublic-Lines: 1\nAAAAB3NzaC1yc2E=\nPrivate-Lines: 13\n"
        + "\n".join(BODY)
        + "\nPrivate-MAC: 00ff\n",
    ),
    Case("wrapped in base64", "client-key-data: " + b64encode(KEY.encode()).decode() + "\n"),
    Case("wrapped in base64 after one byte", "data: " + b64encode(b"{" + KEY.encode()).decode() + "\n"),
    Case("wrapped in base64 after two bytes", "data: " + b64encode(b'{"' + KEY.encode()).decode() + "\n"),
    Case(
        "wrapped in base64 in lines",
        "\n".join(b64encode(KEY.encode()).decode()[start : start + 76] for start in range(0, 1500, 76)),
    ),
]

CUT = [
    Case("without its end", "\n".join(LINES[:-1])),
    Case("without its beginning", "\n".join(LINES[1:])),
    Case("inside its first line", KEY[len(BEGIN) + 20 :]),
    Case("inside its last line", KEY[: -len(END) - 40]),
    Case("inside the mark of its beginning", KEY[6:]),
    Case("inside the mark of its end", KEY[:-12]),
    Case("at both ends", KEY[len(BEGIN) + 30 : -len(END) - 30] + "\n" + END),
    Case("with an ellipsis", "\n".join([BEGIN, *BODY[:3], "...", *BODY[8:], END])),
]


@pytest.mark.parametrize("case", WHOLE + CUT, ids=lambda case: case.title)
def test_a_key_is_covered(case: Case) -> None:
    redacted = redact(f"before: 1\n{case.text}\nafter: 2\n")
    assert "before: 1" in redacted
    assert "after: 2" in redacted
    left = sub(r"\[redacted:[a-z-]+\]", "", redacted)
    for line in BODY:
        for form in (line, b64encode(line.encode()).decode()):
            assert [form[place : place + 8] for place in range(len(form) - 8) if form[place : place + 8] in left] == []


PUBLIC = [
    "-----BEGIN CERTIFICATE-----\n" + "\n".join(BODY) + "\n-----END CERTIFICATE-----\n",
    "-----BEGIN PUBLIC KEY-----\n" + "\n".join(BODY) + "\n-----END PUBLIC KEY-----\n",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl me@home\n",
    'if line.startswith("-----BEGIN RSA PRIVATE KEY-----"):\n    return load_pem_private_key(data)\n',
    "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----\n",
    'raise ValueError("no PRIVATE KEY in the file")\n',
    b64encode(b"-----BEGIN CERTIFICATE-----\n" + "\n".join(BODY).encode()).decode(),
]


@pytest.mark.parametrize("text", PUBLIC)
def test_what_is_public_or_only_about_keys_stays(text: str) -> None:
    assert redact(text) == text


def test_two_keys_and_what_is_between_them() -> None:
    assert redact(f"{KEY}\nbetween: the keys\n{KEY}\n") == f"{MARK}\nbetween: the keys\n{MARK}\n"
