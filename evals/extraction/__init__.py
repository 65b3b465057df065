"""Measures the notes that a model extracts from plain statements in the `turn` mode, after the gates."""
