"""Measures consolidation on scenarios: repeats, changed minds, passing mentions, trip notes and hard constraints."""
