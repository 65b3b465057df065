"""Tells which questions ask for offers, as an order would, and not about what is known already."""

from models.offline.reading.understanding import Clause
from models.offline.tables import DIALOGUE
from models.offline.trips.frames import State
from models.offline.trips.wishes import said_wishes

TOPICS = DIALOGUE.table("topics")


def seeks_offers(state: State, clause: Clause) -> bool:
    """Return whether a question asks for offers, as an order would ("what would business be?")."""
    if clause.act != "ask" or clause.topic in TOPICS["beside_trips"] or clause.conversion:
        return False
    shown = any(frame.shown or frame.booking for frame in state.trip.frames.values())
    choice, moves = clause.choice, bool(clause.dates or clause.places)
    if choice and choice.compares:
        return False
    if choice and choice.every and clause.wishes.is_timed:
        return True  # "which ones leave after six?"
    pointed = choice and (choice.that or choice.name or choice.every or choice.ordinal is not None)
    if pointed and not clause.dates:
        flight, cabin = state.trip.frames.get("flight"), clause.wishes.cabin  # "what would that be in business?"
        return bool(
            flight
            and flight.chosen
            and clause.topic == "price"
            and cabin not in (None, flight.chosen.get("cabin", cabin))
        )
    car = state.trip.frames.get("car")
    if clause.topic == "insurance" and car and car.status == "open" and not clause.dates and not clause.party:
        return False
    if clause.topic == "distance" and not moves:
        return False
    if clause.topic in TOPICS["of_offers"] and shown:
        return moves and (bool(clause.kinds) or clause.topic in {"duration", "total", "airline"})
    wishes = said_wishes(clause.wishes) or clause.wishes.others
    return bool(clause.dates or clause.kinds or clause.party or wishes or (moves and state.trip.frames and not shown))
