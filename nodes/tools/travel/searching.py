"""Travel tools that search (S9.2): thin over the provider, ranked by the traveller's wishes (S9.6)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from langchain_core.tools import BaseTool

from memory.records.notes import Note
from memory.records.profile import Profile
from nodes.messages.turns import latest_user_message
from nodes.services import Run, Services
from nodes.tools.making import tool_of
from nodes.tools.memory.known_notes import MemoryRuntime
from nodes.tools.travel.arguments import (
    ActivitySearch,
    CarSearch,
    FlightSearch,
    HotelSearch,
    InsuranceSearch,
)  # fmt: skip
from nodes.tools.travel.known import passport_faults, remembers
from nodes.tools.travel.shown import shown_offer
from travel.desk import TravelDesk
from travel.insurance import fitting_insurance
from travel.money import Money, convert, shipped_rates
from travel.provider import AnyOffer
from travel.queries import ActivityQuery, CarQuery, FlightQuery, HotelQuery, InsuranceQuery, Party
from travel.ranking.fit_stays import hotel_fits
from travel.ranking.rank import Ranked, Sort
from travel.ranking.shortlist import choose
from travel.ranking.wishes import wishes_of

_WEIGHED = 40
"""Journeys, houses and the like that a search weighs against each other."""


def searching_tools(services: Services, desk: TravelDesk) -> list[BaseTool]:
    """The five searches."""
    provider = desk.provider

    async def search_flights(runtime: MemoryRuntime, **given: Any) -> str:
        asked = FlightSearch(**given)
        party = Party(adults=asked.adults, children=asked.children, infants=asked.infants)
        found = await provider.search_flights(
            FlightQuery(
                origin=asked.origin,
                destination=asked.destination,
                departing=asked.departing,
                returning=asked.returning,
                flexible_days=asked.flexible_days,
                party=party,
                cabin=asked.cabin,
                max_stops=asked.max_stops,
                limit=_WEIGHED,
            )
        )
        run, today = Run.of(runtime, services), services.clock().date()
        places = await provider.place(asked.origin), await provider.place(asked.destination)
        faults = await passport_faults(run, places, asked.departing, asked.returning or asked.departing, today)
        papers = {"documents": faults} if faults else {}
        return await _ranked(found, runtime, asked.sort, asked.limit, **papers)

    async def search_hotels(runtime: MemoryRuntime, **given: Any) -> str:
        asked = HotelSearch(**given)
        query = HotelQuery(
            city=asked.city,
            check_in=asked.check_in,
            check_out=asked.check_out,
            guests=asked.guests,
            rooms=asked.rooms,
            limit=_WEIGHED,
        )
        every = await provider.search_hotels(query)
        found = tuple(one for one in every if all(hotel_fits(wish, one) for wish in asked.needed))
        if not found:
            parts = ", ".join(sorted({one.neighborhood for one in every}))
            wanted = ", ".join(wish.text for wish in asked.needed)
            return _nothing(f"No room that is free then has all of this: {wanted}. There are rooms in {parts}.")
        if asked.max_per_night is not None:
            most = await _in_own_currency(asked.max_per_night, runtime)
            kept = [one for one in found if convert(one.per_night, most.currency).result.amount <= most.amount]
            if not kept:
                least = min(found, key=lambda one: one.per_night.amount)
                return _nothing(f"No room costs {most} a night or less; the cheapest costs {least.per_night}.")
            found = tuple(kept)
        return await _ranked(found, runtime, asked.sort, asked.limit)

    async def search_cars(runtime: MemoryRuntime, **given: Any) -> str:
        asked = CarSearch(**given)
        query = CarQuery(city=asked.city, pick_up=asked.pick_up, drop_off=asked.drop_off, category=asked.category)
        return await _ranked(await provider.search_cars(query), runtime, "best", asked.limit)

    async def search_activities(runtime: MemoryRuntime, **given: Any) -> str:
        asked = ActivitySearch(**given)
        query = ActivityQuery(
            city=asked.city,
            first_day=asked.first_day,
            last_day=asked.last_day,
            people=asked.people,
            interests=tuple(asked.interests),
            limit=_WEIGHED,
        )
        return await _ranked(await provider.search_activities(query), runtime, "best", asked.limit)

    async def search_insurance(runtime: MemoryRuntime, **given: Any) -> str:
        asked = InsuranceSearch(**given)
        cost = await _in_own_currency(asked.trip_cost, runtime) if asked.trip_cost else None
        query = InsuranceQuery(
            destination=asked.destination,
            start=asked.start,
            end=asked.end,
            party=Party(adults=asked.adults, children=asked.children),
            trip_cost=cost,
            parts=tuple(asked.parts),
        )
        found = await provider.search_insurance(query)
        run = Run.of(runtime, services)
        cover = (await run.profile()).insurance
        booked = await desk.bookings(run.memory).all() if run.user_id is not None else []
        car = any(one.kind == "car" and one.starts <= asked.end and asked.start <= one.ends for one in booked)
        advice = fitting_insurance(found, cover, car=car or "car_rental" in asked.parts)
        listed = [shown_offer(offer) for offer in advice.offers[: asked.limit]]
        return _answer(listed, len(found) - len(listed), advice=advice.text)

    async def _ranked(found: Sequence[AnyOffer], runtime: MemoryRuntime, sort: Sort, limit: int, **more: Any) -> str:
        run = Run.of(runtime, services).speaking(latest_user_message(runtime.state["messages"]))
        notes, profile = await _known(runtime, run)
        wishes = wishes_of(notes, profile, language=run.language)
        chosen = await choose(provider, found, wishes, sort=sort, limit=limit)
        listed = [await _shown(one, runtime) for one in chosen]
        return _answer(listed, len(found) - len(listed), **more)

    async def _known(runtime: MemoryRuntime, run: Run) -> tuple[list[Note], Profile]:
        """What the traveller's memory says, what was said in this conversation included."""
        if not remembers(run):
            return [], Profile()
        now = services.clock()
        said = [*(runtime.state.get("candidates") or []), *runtime.state.get("session_notes", [])]
        staged = [Note.model_validate(note) for note in said]
        return [*(note for note in staged if note.is_live(now)), *await run.notes()], await run.profile()

    async def _shown(one: Ranked, runtime: MemoryRuntime) -> dict[str, Any]:
        currency = await _currency(runtime)
        price = one.offer.price
        is_known = currency != price.currency and currency in shipped_rates().per_dollar
        own = {"about": str(convert(price, currency).result)} if currency and is_known else {}
        stands = {"why": one.labels, "meets": one.meets, "misses": one.misses, "ask_for": one.unknown}
        return {**shown_offer(one.offer), **own, **{name: list(texts) for name, texts in stands.items()}}

    async def _currency(runtime: MemoryRuntime) -> str | None:
        return (await Run.of(runtime, services).profile()).currency

    async def _in_own_currency(amount: float, runtime: MemoryRuntime) -> Money:
        return Money.of(str(amount), await _currency(runtime) or "USD")

    def _answer(listed: list[dict[str, Any]], left_out: int, **more: Any) -> str:
        told = {"source": provider.name, "results": listed, "left_out": max(0, left_out), **more}
        return json.dumps(told, ensure_ascii=False)

    def _nothing(why: str) -> str:
        return json.dumps({"source": provider.name, "results": [], "note": why}, ensure_ascii=False)

    tools = (
        (search_flights, FlightSearch),
        (search_hotels, HotelSearch),
        (search_cars, CarSearch),
        (search_activities, ActivitySearch),
        (search_insurance, InsuranceSearch),
    )
    return [tool_of(function, arguments) for function, arguments in tools]
