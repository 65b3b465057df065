"""Forgetting: what is said, what is forgotten, and what must stay."""
