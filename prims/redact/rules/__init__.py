"""The one table of rules, the more particular before the more general."""

from __future__ import annotations

from nodwyn.prims.redact.rule import Rule
from nodwyn.prims.redact.rules import clouds, code, general, messages, models, services

RULES: tuple[Rule, ...] = (
    *models.RULES,
    *clouds.RULES,
    *code.RULES,
    *services.RULES,
    *messages.RULES,
    *general.RULES,
)
