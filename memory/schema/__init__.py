"""Reads the memory schema: a data file that says what may be remembered in a domain."""

from memory.schema.schema import TRAVEL, Attribute, Schema, Topic, load_schema

__all__ = ["TRAVEL", "Attribute", "Schema", "Topic", "load_schema"]
