"""Turns what a message says into values: days, people, money, places, wishes and which offer is meant."""
