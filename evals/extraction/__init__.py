"""Extraction: what a model reads out of plain statements in the `turn` mode, after the gates."""
