"""The version of nodwyn, once for all that must know it without asking the installation, which takes milliseconds."""

from __future__ import annotations

from typing import Final

VERSION: Final = "0.1.0"
PROGRAM: Final = f"nodwyn {VERSION}"
"""The program's name and version, as logs have it."""
