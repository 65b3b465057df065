"""Brings statements into a canonical form, and tells when two say the same, one says more, or one replaces another."""

from models.offline.notes.meaning.items import items_of
from models.offline.notes.meaning.reading import read
from models.offline.notes.meaning.relations import contradict, covers, replaces

__all__ = ["contradict", "covers", "items_of", "read", "replaces"]
