"""Holds the tools the model may call. Prompts describe them; code decides what they do."""

from nodes.tools.memory import memory_guards, memory_tools
from nodes.tools.toolbox import Acting, acting, explain_tool_error, with_own_tools

__all__ = ["Acting", "acting", "explain_tool_error", "memory_guards", "memory_tools", "with_own_tools"]
