"""Ranks offers by the wishes of a traveller, with reasons."""
