"""Reads a message into clauses and values: `models.offline.reading.read`."""

from models.offline.reading.read import is_dreamt, may_count_people, read, read_values

__all__ = ["is_dreamt", "may_count_people", "read", "read_values"]
