"""Tells when two notes say the same, when one says more, and when one takes the other's place.

This is the one door through which `memory` and `travel` read language by rule, until notes keep what they mean as data.
"""

from models.offline.statements.english import Item
from models.offline.statements.form import Form
from models.offline.statements.japanese import is_japanese
from models.offline.statements.keywords import key_words
from models.offline.statements.lexicon import single_valued_topics
from models.offline.statements.plan import PROMOTED_AFTER, plan_operations
from models.offline.statements.profile_fields import Field, stated_field
from models.offline.statements.reading import form_of, items_of, read
from models.offline.statements.relations import (
    answered_in,
    concepts,
    contradict,
    covers,
    ends,
    replaces,
    same_statement,
    says_more,
)

__all__ = [
    "PROMOTED_AFTER", "Field", "Form", "Item", "answered_in", "concepts", "contradict", "covers", "ends", "form_of",
    "is_japanese", "items_of", "key_words", "plan_operations", "read", "replaces", "same_statement", "says_more",
    "single_valued_topics", "stated_field",
]  # fmt: skip
