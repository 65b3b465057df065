"""Finds English statements about the traveller that are worth keeping."""
