"""When two notes say the same, when one says more, and when one takes the other's place (S1.3)."""

from models.offline.statements.form import Form
from models.offline.statements.keywords import key_words
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
)  # fmt: skip

__all__ = [
    "Form",
    "answered_in",
    "concepts",
    "contradict",
    "covers",
    "ends",
    "form_of",
    "items_of",
    "key_words",
    "read",
    "replaces",
    "same_statement",
    "says_more",
]
