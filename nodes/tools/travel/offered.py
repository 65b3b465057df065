"""Says which travel tools a provider can serve."""

from __future__ import annotations

from collections.abc import Mapping

from travel.provider import Capability, TravelProvider

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


def is_sold(tool: str, provider: TravelProvider) -> bool:
    """Return whether the provider declares what the tool of this name needs; most tools that read need nothing."""
    return _NEEDS.get(tool, frozenset()) <= provider.capabilities
