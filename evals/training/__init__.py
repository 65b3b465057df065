"""Trains the committed weights, from the texts in this folder."""
