"""Measures how many values of a trip the offline model reads in messages."""
