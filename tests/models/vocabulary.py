"""The closed lists of the shipped schema, for the schemas of the models."""

from __future__ import annotations

from memory.schema import load_schema
from nodes.capture import vocabulary

WORDS = vocabulary(load_schema())
