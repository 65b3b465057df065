"""Holds the tools the model may call. Prompts describe them; code decides what they do."""

from nodes.tools.memory import MEMORY_GUARDS, memory_tools
from nodes.tools.toolbox import Acting, acting, explain_tool_error, with_own_tools

__all__ = ["MEMORY_GUARDS", "Acting", "acting", "explain_tool_error", "memory_tools", "with_own_tools"]
