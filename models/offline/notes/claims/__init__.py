"""Reads what a statement claims, under which conditions, and of whom."""

from models.offline.notes.claims.meaning import Meaning, meaning_of, names_condition, parted
from models.offline.notes.claims.subjects import by_person

__all__ = ["Meaning", "by_person", "meaning_of", "names_condition", "parted"]
