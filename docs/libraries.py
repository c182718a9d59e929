"""``python docs/libraries.py`` brings the table of libraries in docs/scheme.md up to date; ``--check`` says if it is.

A library's line is the first sentence of the comment at the head of its file.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "scheme.md"
BEGIN = "<!-- made from the heads of stdlib/**/*.sld: make reference -->\n"
END = "<!-- end -->\n"
INTERNAL = ("nodwyn/prelude",)
"""Libraries that only others of the standard library are meant to import."""


def name_of(file: Path) -> str:
    """Return the name of a library as programs write it."""
    return f"({' '.join(file.relative_to(ROOT / 'stdlib').with_suffix('').parts)})"


def sentence_of(file: Path) -> str:
    """Return the first sentence of the comment at the head of a file, without the number of an SRFI."""
    lines = []
    for line in file.read_text(encoding="utf-8").splitlines():
        if not line.startswith(";"):
            break
        lines.append(line.lstrip("; "))
    found = re.match(r"(?:SRFI \d+: )?(.+?)\.(?:\s|$)", " ".join(lines))
    if found is None:
        raise SystemExit(f"{file} has no comment at its head that says what the library is")
    return found[1]


def order_of(file: Path) -> tuple[str, int, str]:
    """Return what libraries are sorted by: the scheme ones first, SRFIs by number."""
    family, stem = file.parent.name, file.stem
    return {"scheme": "", "srfi": "1"}.get(family, family), int(stem) if stem.isdigit() else 0, stem


def table() -> str:
    """Return the table in the format of the page."""
    lines = ["| library | is |", "| --- | --- |"]
    for file in sorted((ROOT / "stdlib").glob("*/*.sld"), key=order_of):
        if file.relative_to(ROOT / "stdlib").with_suffix("").as_posix() not in INTERNAL:
            lines.append(f"| `{name_of(file)}` | {sentence_of(file)} |")
    return "\n".join(lines) + "\n"


def renewed(page: str) -> str:
    """Return the page with the table as the libraries are now."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


def main(arguments: list[str]) -> int:
    """Write the page, or with ``--check`` say whether it is up to date."""
    page = PAGE.read_text(encoding="utf-8")
    current = renewed(page)
    if arguments == ["--check"]:
        return 0 if page == current else 1
    PAGE.write_text(current, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
