"""Code applies memory to searches and bookings, except in temporary chats."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage

from app.api.concierge import Concierge
from memory.records.journal import Step, changed
from memory.records.notes import Note
from memory.records.profile import Insurance, Profile
from memory.schema import TRAVEL
from nodes.tools.travel.terms import with_days_in_words
from tests.conftest import Opener
from tests.samples import claim, note
from tests.scripted import ScriptedModel, calls, scripted

ANA: dict[str, Any] = {"user_id": "ana", "thread_id": "t"}
FLIGHTS = calls("search_flights", origin="Berlin", destination="Lisbon", departing="2026-12-08", returning="2026-12-12")
COVER = calls("search_insurance", destination="Lisbon", start="2026-12-08", end="2026-12-12")
NOTES = (
    note("Prefers aisle seats", claim("seat_side", "aisle"), topic="seat"),
    note("Packs only a carry-on", claim("checked_bags", "0"), topic="baggage"),
    note("Allergic to peanuts", claim("allergy", "peanuts", "requires"), topic="meal", hard=True),
)


async def remember(concierge: Concierge, *notes: Note, **profile: Any) -> None:
    memory = concierge.memory("ana")
    for number, one in enumerate(notes):
        await memory.commit([Step(f"n{number}", "user", "created", (changed(None, one),))])
    await memory.set_profile(Profile(**profile), step="profile")


def latest_answer(model: ScriptedModel) -> dict[str, Any]:
    """Return the latest answer of a tool that the model read."""
    answers = [message for message in model.asked[-1] if message.type == "tool"]
    data: dict[str, Any] = json.loads(str(answers[-1].content))
    return data


def book(messages: Sequence[BaseMessage]) -> AIMessage:
    first = json.loads(str(messages[-1].content))["results"][0]
    return AIMessage(
        "", tool_calls=[{"name": "book_offer", "args": {"offer_id": first["offer_id"], "requests": ["window shade"]},
                         "id": "b"}]
    )  # fmt: skip


async def test_results_say_which_wishes_they_meet(concierge_with: Opener) -> None:
    model = scripted(FLIGHTS, AIMessage("Done."))
    async with concierge_with({"agent": model}) as concierge:
        await remember(concierge, *NOTES)
        await concierge.send("Flights?", **ANA)
    results = latest_answer(model)["results"]
    assert len({one["summary"] for one in results}) == 3
    assert "best" in results[0]["why"]
    for one in results:
        assert {*one["meets"], *one["misses"], *one["ask_for"]} == {
            "aisle seat", "cabin bag included", "Allergic to peanuts",
        }  # fmt: skip
        assert "Allergic to peanuts" in one["ask_for"]
    assert "documents" not in latest_answer(model)


async def test_temporary_chat_applies_no_wishes(concierge_with: Opener) -> None:
    model = scripted(FLIGHTS, book, AIMessage("Done."))
    async with concierge_with({"agent": model}) as concierge:
        await remember(concierge, *NOTES, passport_expiry=date(2026, 12, 1))
        reply = await concierge.send("Flights?", **ANA, memory_mode="off")
        assert {(*one["meets"], *one["misses"], *one["ask_for"]) for one in latest_answer(model)["results"]} == {()}
        assert "documents" not in latest_answer(model)
        assert "peanuts" not in reply.interrupts[0]["action_requests"][0]["description"]


async def test_allergy_is_shown_before_and_sent_with_every_booking(concierge_with: Opener) -> None:
    async with concierge_with({"agent": scripted(FLIGHTS, book, AIMessage("Done."))}) as concierge:
        await remember(concierge, *NOTES)
        reply = await concierge.send("Book", **ANA)
        description = reply.interrupts[0]["action_requests"][0]["description"]
        assert "Requests: window shade, Allergic to peanuts." in description
        await concierge.resume("approve", **ANA)
        (kept,) = await concierge.bookings("ana").all()
        assert kept.requests == ("window shade", "Allergic to peanuts")


async def test_hard_topic_of_a_custom_schema_ranks_first_and_is_sent_with_a_booking(
    concierge_with: Opener, tmp_path: Path
) -> None:
    own = TRAVEL.read_text(encoding="utf-8").replace("checked_bags = {", "checked_bags = { hard = true,")
    schema = tmp_path / "own.toml"
    schema.write_text(own.replace("airline_kind = {", "airline_kind = { hard = true,"), encoding="utf-8")
    cheapest = calls("search_flights", origin="Berlin", destination="Lisbon", departing="2026-12-08", sort="cheapest")
    model = scripted(cheapest, book, AIMessage("Done."))
    async with concierge_with({"agent": model}, memory_schema=schema) as concierge:
        wishes = claim("checked_bags", "1", "requires"), claim("airline_kind", "low-cost", "requires")
        await remember(concierge, *(note(f"Needs {one.value}", one, topic="airline") for one in wishes))
        reply = await concierge.send("Book", **ANA)
    assert any("checked bag" in met for met in latest_answer(model)["results"][0]["meets"])
    assert "low-cost airline" in reply.interrupts[0]["action_requests"][0]["description"]


async def test_expiring_passport_is_reported_with_results_and_before_booking(concierge_with: Opener) -> None:
    model = scripted(FLIGHTS, book, AIMessage("Done."))
    async with concierge_with({"agent": model}) as concierge:
        await remember(concierge, passport_country="JP", passport_expiry=date(2027, 3, 1))
        reply = await concierge.send("Book", **ANA)
        (warning,) = latest_answer(model)["documents"]
        assert "ends on 2027-03-01, within 6 months of the return" in warning
        assert with_days_in_words(warning, "en") in reply.interrupts[0]["action_requests"][0]["description"]


async def test_cover_that_the_traveller_has_is_not_offered(concierge_with: Opener) -> None:
    model = scripted(COVER, AIMessage("Done."))
    async with concierge_with({"agent": model}) as concierge:
        await remember(concierge, insurance=Insurance(travel_medical=True))
        await concierge.send("Cover?", **ANA)
    assert "covers medical costs" in latest_answer(model)["advice"]
    assert latest_answer(model)["results"][0]["summary"].startswith("Sample Assurance Cancellation Only")


async def test_domestic_trip_requires_no_passport(concierge_with: Opener) -> None:
    asked = calls("search_flights", origin="Berlin", destination="Munich", departing="2026-12-08")
    model = scripted(asked, book, AIMessage("Done."))
    async with concierge_with({"agent": model}) as concierge:
        await remember(concierge, passport_country="FR", passport_expiry=date(2026, 12, 1))
        reply = await concierge.send("Flights?", **ANA)
    assert "documents" not in latest_answer(model)
    assert "passport" not in reply.interrupts[0]["action_requests"][0]["description"]


async def test_currency_without_a_rate_does_not_stop_a_search(concierge_with: Opener) -> None:
    model = scripted(FLIGHTS, AIMessage("Done."))
    async with concierge_with({"agent": model}) as concierge:
        await remember(concierge, currency="XAF")
        await concierge.send("Flights?", **ANA)
    assert len(latest_answer(model)["results"]) == 3
    assert not any("about" in one for one in latest_answer(model)["results"])


async def test_excessive_amount_is_rejected_with_the_allowed_range(concierge_with: Opener) -> None:
    stay = {"city": "Lisbon", "check_in": "2026-12-08", "check_out": "2026-12-11"}
    model = scripted(calls("search_hotels", max_per_night=1e30, **stay), AIMessage("Done."))
    async with concierge_with({"agent": model}) as concierge:
        await concierge.send("Rooms?", **ANA)
    (answer,) = (str(message.content) for message in model.asked[-1] if message.type == "tool")
    assert "max_per_night" in answer
    assert "less than or equal to 1000000000" in answer
