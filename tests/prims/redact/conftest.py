"""What the tests of redaction share: made-up secrets in texts."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest


def _load_planting() -> ModuleType:
    # Test modules cannot import their neighbours: nothing of the tests is on the path.
    spec = importlib.util.spec_from_file_location("planting", Path(__file__).with_name("planting.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["planting"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def planting() -> ModuleType:
    """The module of made-up secrets in texts."""
    return _load_planting()
