"""What a failing tool tells the model, so that the turn goes on (S3.5)."""

from __future__ import annotations

import logging
from typing import Any

from langchain_core.tools import ToolException

from config.errors import ConciergeError

_log = logging.getLogger(__name__)


def explain_tool_error(error: Exception) -> str:
    """A sentence the model can act on. Faults of our own making are told as they are, others only named."""
    if isinstance(error, (ConciergeError, ToolException)):
        return f"Error: {error}"
    _log.error("a tool failed", exc_info=error)
    return f"Error: the tool failed ({type(error).__name__}). Go on without it, and tell the user what did not work."


def explain_arguments(error: Any) -> str:
    """Which arguments of a call do not fit, and what to do."""
    faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
    return f"The arguments do not fit: {faults}. Correct them and call the tool again."
