"""Holds the tools with which a model reads and changes what is remembered."""

from nodes.tools.memory.tools import memory_tools

__all__ = ["memory_tools"]
