"""``python -m nodwyn.prims docs/primitives.md`` brings the part of it that is made from declarations up to date."""

from __future__ import annotations

import sys
from pathlib import Path

from nodwyn.prims.families import ALL
from nodwyn.prims.help import renewed

for name in sys.argv[1:]:
    page = Path(name)
    page.write_text(renewed(page.read_text(encoding="utf-8"), ALL), encoding="utf-8")
