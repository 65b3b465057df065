"""Holds the travel tools: thin over a provider and the ledger of whoever is speaking."""

from nodes.tools.travel.tools import travel_tools

__all__ = ["travel_tools"]
