"""Holds one step of the graph per file, and the tools the model may call."""
