"""Reads statements by rule: what they claim, and when two say the same, one says more, or one replaces the other."""

from models.offline.statements.claims.meaning import Meaning, meaning_of, names_condition, parted
from models.offline.statements.lexicon import single_valued_topics
from models.offline.statements.plan import plan_operations
from models.offline.statements.reading import items_of, read
from models.offline.statements.relations import contradict, covers, replaces

__all__ = [
    "Meaning", "contradict", "covers", "items_of", "meaning_of", "names_condition", "parted", "plan_operations",
    "read", "replaces", "single_valued_topics",
]  # fmt: skip
