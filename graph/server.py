"""The graph that `langgraph.json` names: without checkpointer and store, which the server brings."""

from graph.builder import build_graph

graph = build_graph()
