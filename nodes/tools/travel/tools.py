"""Builds the travel tools that the model may call, as far as the provider supports them."""

from collections.abc import Mapping

from langchain_core.tools import BaseTool

from nodes.services import Services
from nodes.tools.call import call_tool
from nodes.tools.toolbox import Describe
from nodes.tools.travel.acting import ACTS
from nodes.tools.travel.reading import READS
from travel.provider import CAPABILITIES, Capability

_NEEDS: Mapping[str, frozenset[Capability]] = {
    # A read-only tool needs the capability with the provider method of the same name, if any.
    **{method: frozenset({capability}) for capability, methods in CAPABILITIES.items() for method in methods},
    "hold_offer": frozenset({"hold"}),
    "book_offer": frozenset({"reserve"}),
    "cancel_booking": frozenset({"reserve"}),
    "change_booking": frozenset({"reserve", "flights"}),
    "add_bags": frozenset({"reserve", "flights"}),
    "choose_seats": frozenset({"reserve", "seat_maps"}),
}


def travel_tools(services: Services) -> tuple[list[BaseTool], dict[str, tuple[BaseTool, Describe]]]:
    """Return the read-only tools, and the tools that act by name, for which the provider has the capabilities."""
    provided = services.seller.capabilities
    reading = [call_tool(function, services) for function in READS]
    acting = [(call_tool(function, services), describe) for function, describe in ACTS.items()]
    free = [tool for tool in reading if _NEEDS.get(tool.name, frozenset()) <= provided]
    return free, {tool.name: (tool, describe) for tool, describe in acting if _NEEDS[tool.name] <= provided}
