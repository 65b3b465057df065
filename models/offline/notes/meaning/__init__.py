"""Parses statements into a canonical form, and decides whether one covers, contradicts or replaces another."""

from models.offline.notes.meaning.items import items_of
from models.offline.notes.meaning.reading import read
from models.offline.notes.meaning.relations import contradict, covers, replaces

__all__ = ["contradict", "covers", "items_of", "read", "replaces"]
