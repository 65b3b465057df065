"""Travel: the protocol of providers, what they offer, and the sample world that ships."""

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
