"""Detects text that tries to instruct the assistant."""
