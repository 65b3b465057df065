"""Travel: the protocol of providers, what they offer, and the sample world that ships.

The names that a provider of your own needs are loaded when first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from travel.flights import FlightOffer
    from travel.local_time import LocalTime
    from travel.money import Money
    from travel.offers import ActivityOffer, CarOffer, HotelOffer, InsuranceOffer
    from travel.provider import TravelProvider

__all__ = [
    "ActivityOffer",
    "CarOffer",
    "FlightOffer",
    "HotelOffer",
    "InsuranceOffer",
    "LocalTime",
    "Money",
    "TravelProvider",
]

_MODULES = {"FlightOffer": "flights", "LocalTime": "local_time", "Money": "money", "TravelProvider": "provider"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'travel' has no attribute {name!r}")
    return getattr(import_module(f"travel.{_MODULES.get(name, 'offers')}"), name)
