"""Names the travel tools that a model may call: those of what the provider sells."""

from collections.abc import Mapping

from langchain_core.tools import BaseTool

from nodes.services import Services
from nodes.tools.call import call_tool
from nodes.tools.toolbox import Describe
from nodes.tools.travel.acting import ACTS
from nodes.tools.travel.reading import READS
from nodes.tools.travel.searching import SEARCHES
from travel.provider import CAPABILITIES, Capability

_NEEDS: Mapping[str, frozenset[Capability]] = {
    # What only reads needs the capability whose method it is named after, if any.
    **{method: frozenset({capability}) for capability, methods in CAPABILITIES.items() for method in methods},
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
