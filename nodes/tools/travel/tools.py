"""Names the travel tools that a model may call: those of what the provider sells."""

from collections.abc import Mapping

from langchain_core.tools import BaseTool

from nodes.services import Services
from nodes.tools.call import call_tool
from nodes.tools.toolbox import Describe
from nodes.tools.travel.acting import ACTS
from nodes.tools.travel.reading import READS
from nodes.tools.travel.searching import SEARCHES
from travel.provider import Capability

_NEEDS: Mapping[str, frozenset[Capability]] = {
    "search_flights": frozenset({"flights"}),
    "search_hotels": frozenset({"hotels"}),
    "search_cars": frozenset({"cars"}),
    "search_activities": frozenset({"activities"}),
    "search_insurance": frozenset({"insurance"}),
    "seat_map": frozenset({"seat_maps"}),
    "hold_offer": frozenset({"hold"}),
    "book_offer": frozenset({"reserve"}),
    "cancel_booking": frozenset({"reserve"}),
    "change_booking": frozenset({"reserve", "flights"}),
    "add_bags": frozenset({"reserve", "flights"}),
    "choose_seats": frozenset({"reserve", "seat_maps"}),
}


def travel_tools(services: Services) -> tuple[list[BaseTool], dict[str, tuple[BaseTool, Describe]]]:
    """Return the tools that read, and by name those that act, as far as the provider declares what they need."""
    sold = services.seller.capabilities
    reading = [call_tool(each, services) for each in (*SEARCHES, *READS)]
    acting = {tool.name: (tool, describe) for act, describe in ACTS.items() for tool in [call_tool(act, services)]}
    free = [tool for tool in reading if _NEEDS.get(tool.name, frozenset()) <= sold]
    return free, {name: one for name, one in acting.items() if _NEEDS[name] <= sold}
