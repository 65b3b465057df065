"""Defines the graph: its state, context, wiring and routing.

The public names are imported on first use, so that `import graph` is fast and has no side effects.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graph.builder import build_graph
    from graph.context import Context
    from graph.parts import Parts
    from graph.state import State, StopReason
    from graph.trace import Trace

__all__ = ["Context", "Parts", "State", "StopReason", "Trace", "build_graph"]

_MODULES = {
    "Context": "context",
    "Parts": "parts",
    "State": "state",
    "StopReason": "state",
    "Trace": "trace",
    "build_graph": "builder",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'graph' has no attribute {name!r}")
    return getattr(import_module(f"graph.{_MODULES[name]}"), name)
