"""What the model may call. Descriptions come from the prompts; what a tool does is decided in code."""

from nodes.tools.definition import explain_tool_error
from nodes.tools.memory import memory_tools

__all__ = ["explain_tool_error", "memory_tools"]
