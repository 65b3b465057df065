"""Reads a message into clauses and values: `models.offline.reading.read`."""

from models.offline.reading.read import read, read_values

__all__ = ["read", "read_values"]
