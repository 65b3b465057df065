"""Adds to a booking what memory knows: the needs to pass on, and what speaks against the passport."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from memory.policy import screen
from nodes.services import Run
from travel.booking.documents import check_documents
from travel.booking.record import days_of
from travel.flights import FlightOffer
from travel.places import Place
from travel.provider import AnyOffer, TravelProvider
from travel.ranking.wishes import requests_of, wishes_of


def remembers(run: Run) -> bool:
    """Return whether this run may read what is remembered of its user."""
    return run.mode != "off" and run.user_id is not None


async def with_needs(run: Run, offer: AnyOffer, requests: Sequence[str]) -> tuple[str, ...]:
    """Return `requests` followed by the needs in the traveller's notes, so that an allergy is never left out."""
    if not remembers(run):
        return tuple(requests)
    wishes = wishes_of(await run.notes(), await run.profile())
    needs = requests_of([wish for wish in wishes if wish.hard], offer.kind)
    said = {request.casefold() for request in requests}
    return (*requests, *(need for need in needs if need.casefold() not in said and screen(need) is None))


async def passport_faults(
    run: Run, places: tuple[Place, Place], start: date, end: date, today: date
) -> tuple[str, ...]:
    """Return what speaks against a journey on the passport on file; nothing within a country."""
    origin, destination = places
    if not remembers(run) or origin.country == destination.country:
        return ()
    checked = check_documents(await run.profile(), destination.country, start=start, end=end, today=today)
    return (*checked.errors, *(checked.warnings if checked.passport == "renew" else ()))


async def offer_faults(run: Run, offer: AnyOffer, provider: TravelProvider, today: date) -> tuple[str, ...]:
    """Return what speaks against a flight on offer, as `passport_faults` does; nothing for anything else."""
    if not isinstance(offer, FlightOffer):
        return ()
    there = offer.outbound.segments
    places = await provider.place(there[0].origin), await provider.place(there[-1].destination)
    return await passport_faults(run, places, *days_of(offer), today)
