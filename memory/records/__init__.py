"""Stores the records of a user, and writes each change together with its journal entry."""
