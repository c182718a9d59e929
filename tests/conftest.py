"""What all tests share."""

from __future__ import annotations

from hypothesis import settings

# How long one example takes says more about the machine than about the code; pytest-timeout bounds the whole test.
settings.register_profile("patient", parent=settings(), deadline=None)
settings.load_profile("patient")
