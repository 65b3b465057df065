"""Reads a message into clauses and values: `models.offline.reading.read`."""

from models.offline.reading.draft import may_count_people
from models.offline.reading.read import is_dreamt, read, read_values

__all__ = ["is_dreamt", "may_count_people", "read", "read_values"]
