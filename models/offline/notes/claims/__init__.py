"""Reads what a statement claims, under which conditions, and of whom."""

from models.offline.notes.claims.meaning import Meaning, meaning_of, names_condition, parted

__all__ = ["Meaning", "meaning_of", "names_condition", "parted"]
