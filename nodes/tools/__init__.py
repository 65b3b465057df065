"""Holds the tools the model may call. Prompts describe them; code decides what they do."""

from nodes.tools.definition import explain_tool_error
from nodes.tools.memory import memory_tools

__all__ = ["explain_tool_error", "memory_tools"]
