"""Holds the tools with which a model reads and changes what is remembered."""

from nodes.tools.memory.asking import memory_guards
from nodes.tools.memory.tools import memory_tools

__all__ = ["memory_guards", "memory_tools"]
