"""``python docs/reference.py`` brings the part of docs/primitives.md that is made from declarations up to date."""

from __future__ import annotations

from pathlib import Path

from nodwyn.loop.primitives import PRIMITIVES
from nodwyn.prims.families import ALL
from nodwyn.prims.help import renewed

PAGE = Path(__file__).resolve().parent / "primitives.md"

if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8"), (*ALL, *PRIMITIVES)), encoding="utf-8")
