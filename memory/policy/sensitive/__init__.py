"""Detects sensitive data, by kind."""
