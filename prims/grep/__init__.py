"""Searching files for lines that match a pattern."""
