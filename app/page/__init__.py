"""Serves the web page: its files, and the JSON routes behind it."""
