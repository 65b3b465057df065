"""Holds the tools with which a model reads and changes what is remembered."""

from nodes.tools.memory.known_notes import MEMORY_GUARDS
from nodes.tools.memory.tools import memory_tools

__all__ = ["MEMORY_GUARDS", "memory_tools"]
