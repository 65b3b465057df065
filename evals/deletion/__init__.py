"""Measures forgetting: whether a deleted note leaves no trace, and other notes stay."""
