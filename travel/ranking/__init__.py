"""Rank offers by a traveller's wishes, with reasons."""
