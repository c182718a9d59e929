"""Summaries: a person's own text in place of a span of a conversation, as long as the person wants it."""
