"""Holds the tools the model may call. Prompts describe them; code decides what they do."""

from nodes.tools.toolbox import Acting, acting

__all__ = ["Acting", "acting"]
