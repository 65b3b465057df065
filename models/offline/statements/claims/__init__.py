"""Reads what a statement claims, under which conditions, and of whom."""
