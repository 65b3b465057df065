"""Holds the travel tools: thin over a provider and the ledger of whoever is speaking."""

from nodes.tools.travel.acting import acting_tools
from nodes.tools.travel.call import is_sold
from nodes.tools.travel.reading import reading_tools
from nodes.tools.travel.searching import searching_tools

__all__ = ["acting_tools", "is_sold", "reading_tools", "searching_tools"]
