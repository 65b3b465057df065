"""Reads what a statement claims, under which conditions, and of whom."""

from models.offline.notes.claims.meaning import USER, Meaning, meaning_of, names_condition, parted

__all__ = ["USER", "Meaning", "meaning_of", "names_condition", "parted"]
