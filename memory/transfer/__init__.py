"""Exports and imports the complete memory of a user."""
