"""Finds Japanese statements about the traveller that are worth keeping."""
