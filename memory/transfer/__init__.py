"""Exports and imports all that is kept of a user."""
