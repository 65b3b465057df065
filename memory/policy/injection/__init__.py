"""Detects text that tries to instruct the assistant instead of saying something about the traveller."""
