"""The closed lists of the shipped schema, for the schemas of the models."""

from __future__ import annotations

from memory.records.notes import SCOPES, STANCES
from memory.schema import load_schema
from models.schemas import Vocabulary

_SCHEMA = load_schema()
WORDS = Vocabulary(
    topics=tuple(_SCHEMA.topics),
    attributes=tuple(_SCHEMA.attributes),
    conditions=tuple(_SCHEMA.when),
    stances=STANCES,
    scopes=SCOPES,
)
