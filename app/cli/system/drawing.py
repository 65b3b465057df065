"""Draws the graph as Mermaid, from the wiring itself."""

from __future__ import annotations

from config.settings import load_settings


def drawing() -> str:
    """Return the nodes and edges of the graph as a Mermaid flowchart, ending in a newline."""
    from graph.builder import build_graph

    # The drawing is of the wiring, so that no setting of the machine may change it.
    settings = load_settings(_env_file=None, model_provider="offline")
    drawn = build_graph(settings).get_graph().draw_mermaid(with_styles=False)
    return drawn.strip() + "\n"


def show_graph() -> None:
    """Print the drawing of the graph as Mermaid."""
    print(drawing(), end="")
