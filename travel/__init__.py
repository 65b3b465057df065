"""Travel: the provider protocol, the types of offers, ranking, bookings, and the bundled sample world."""

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
