"""Gives a user on request a made-up profile and past trips."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from app.cli.opening import with_concierge
from app.cli.screen import Screen
from app.cli.wording import say
from config.errors import InvalidInputError
from memory.records.notes import note_id
from memory.records.profile import Insurance, Profile
from memory.records.trips import Car, Flight, Hotel, Trip

if TYPE_CHECKING:
    from memory.records.repository import UserMemory

_CUSTOMER = "demo-traveller"


def make_demo(user_id: str) -> None:
    """The command `demo`.

    Raises:
        InvalidInputError: the user has a profile of their own.
    """
    made = with_concierge(lambda concierge: give_demo(concierge.memory(user_id)))
    Screen().aside(say("demo_made" if made else "demo_already", user=user_id))


async def give_demo(memory: UserMemory) -> bool:
    """Give a user without a profile the made-up one and its trips; False when they were there before.

    Raises:
        InvalidInputError: the user has a profile of their own.
    """
    known = await memory.profile()
    if known not in (Profile(), demo_profile()) and known.customer_id != _CUSTOMER:
        raise InvalidInputError(f"{memory.user_id} has a profile already; make the demo traveller under another user.")
    made = await memory.set_profile(demo_profile(), step="demo:profile")
    for trip in demo_trips(memory.user_id):
        made = await memory.add_trip(trip) or made
    return made


def demo_profile() -> Profile:
    """Return a traveller who does not exist."""
    return Profile(
        customer_id=_CUSTOMER,
        name="Robin Vale",
        date_of_birth=date(1988, 4, 17),
        home_city="Lisbon",
        currency="EUR",
        passport_country="PT",
        passport_expiry=date(2031, 9, 30),
        loyalty_status={"Star Alliance": "Silver"},
        loyalty_ids={"Star Alliance": "DEMO-0000"},
        tone="friendly",
        tight_connections=False,
        insurance=Insurance(travel_medical=True, level="basic"),
    )


def demo_trips(user_id: str) -> list[Trip]:
    """Three journeys that the demo traveller never made; their ids are the user's own."""

    def key(name: str) -> str:
        return note_id("demo-trip", user_id, name)

    return [
        Trip(
            id=key("kyoto"), origin="Lisbon", destination="Kyoto", start=date(2026, 4, 2), end=date(2026, 4, 14),
            party=2, price=312_000, currency="EUR",
            flight=Flight(airline="ANA", cabin="premium_economy", seat="12A", layovers=("Frankfurt",), checked_bags=1),
            hotel=Hotel(name="Kamo River Inn", neighborhood="Gion", bed="twin", floor=3),
        ),
        Trip(
            id=key("berlin"), origin="Lisbon", destination="Berlin", start=date(2026, 2, 9), end=date(2026, 2, 11),
            purpose="business", price=68_000, currency="EUR",
            flight=Flight(airline="TAP", seat="7C"),
            hotel=Hotel(brand="Motel One", name="Motel One Spittelmarkt", neighborhood="Mitte", bed="queen", floor=8),
        ),
        Trip(
            id=key("azores"), origin="Lisbon", destination="Ponta Delgada", start=date(2025, 8, 20),
            end=date(2025, 8, 27), purpose="family", party=4, price=154_000, currency="EUR",
            flight=Flight(airline="SATA", checked_bags=2),
            hotel=Hotel(name="Casa das Furnas", neighborhood="Furnas"),
            car=Car(company="Ilha Verde", category="compact"),
        ),
    ]  # fmt: skip
