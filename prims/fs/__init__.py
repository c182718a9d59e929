"""Files: reading, listing, finding, writing and editing them, and taking changes back."""

from __future__ import annotations

from nodwyn.prims.fs.edit import fs_edit
from nodwyn.prims.fs.find import fs_find
from nodwyn.prims.fs.list import fs_list
from nodwyn.prims.fs.read import fs_read
from nodwyn.prims.fs.undo import undo
from nodwyn.prims.fs.write import fs_write

__all__ = ["PRIMITIVES", "fs_edit", "fs_find", "fs_list", "fs_read", "fs_write", "undo"]

PRIMITIVES = (fs_read, fs_list, fs_find, fs_write, fs_edit, undo)
