"""Holds the tools with which a model reads and changes what is remembered."""
