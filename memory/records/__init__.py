"""Keeps the records of a user, and writes them together with the journal."""
