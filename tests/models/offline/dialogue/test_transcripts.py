"""Whole conversations on the real tools: from a wish to what is booked, a changed mind, a cancellation."""

from __future__ import annotations

from typing import Any

import pytest

from app.api.concierge import Concierge
from graph.state import StopReason
from memory.records.profile import Profile
from tests.conftest import Opener

ANA: dict[str, Any] = {"user_id": "ana", "thread_id": "t"}


class Line:
    """One conversation of Ana's; what is asked for approval waits in `pending`."""

    def __init__(self, concierge: Concierge) -> None:
        self._concierge = concierge
        self.pending: list[dict[str, Any]] = []

    async def say(self, text: str) -> str:
        reply = await self._concierge.send(text, **ANA)
        self.pending = [dict(action) for each in reply.interrupts for action in each["action_requests"]]
        assert reply.stop_reason in (StopReason.ANSWERED, StopReason.AWAITING_APPROVAL)
        assert reply.memory.violations == ()
        return str(reply.text)

    async def decide(self, *decisions: dict[str, Any]) -> str:
        reply = await self._concierge.resume({"decisions": list(decisions)}, **ANA)
        assert reply.memory.violations == ()
        return str(reply.text)

    async def approve(self) -> str:
        return await self.decide(*({"type": "approve"} for _ in self.pending))


async def _statuses(concierge: Concierge) -> dict[str, str]:
    return {one.kind: one.status for one in await concierge.bookings("ana").all(cancelled=True)}


async def test_a_week_in_lisbon(concierge_with: Opener) -> None:
    async with concierge_with() as concierge:
        profile = Profile(name="Ana Sousa", home_city="Berlin", currency="EUR", seat_preference="aisle")
        await concierge.memory("ana").set_profile(profile, step="profile")
        line = Line(concierge)
        table = await line.say("I need to be in Lisbon the second week of next month")
        assert table.count("\n| ") == 4
        assert "**Berlin (your home city) → Lisbon, 8–14 Dec, 1 adult" in table
        assert "aisle seat" in table
        for text in ("cheaper", "later", "no stops please"):
            assert "Shall I book it?" in await line.say(text)
        restated = await line.say("I quite like the second one")
        assert restated.endswith("Shall I book that?")
        assert "¥" in await line.say("how much is that in yen")
        await line.say("yes")
        assert [action["name"] for action in line.pending] == ["book_offer"]
        assert await _statuses(concierge) == {}
        assert "The flight is booked" in await line.approve()
        hotels = await line.say("yes please, a hotel too")
        assert "These hotels fit" in hotels
        assert await line.say("a different hotel") != hotels
        assert "closest to the centre" in await line.say("closer to the centre")
        await line.say("the first one")
        await line.say("yes please")
        refused = await line.decide({"type": "reject", "message": "too expensive"})
        assert "too expensive" in refused
        assert await _statuses(concierge) == {"flight": "booked"}
        assert "it costs the least" in await line.say("cheaper")
        await line.say("book it")
        assert "Would you like travel insurance" in await line.approve()
        assert "insurance" not in await line.say("no thanks")
        listed = await line.say("what have I booked?")
        assert listed.count("TC-") == 2
        assert "Lisbon" in await line.say("show my itinerary")
        await line.say("cancel the hotel")
        assert [action["name"] for action in line.pending] == ["cancel_booking"]
        assert "Paid back" in line.pending[0]["description"]
        assert "The hotel is cancelled" in await line.approve()
        assert await _statuses(concierge) == {"flight": "booked", "hotel": "cancelled"}
        assert "entries: 1" in await line.say("export to calendar")


async def test_a_journey_in_japanese(concierge_with: Opener) -> None:
    async with concierge_with() as concierge:
        profile = Profile(name="田中花子", home_city="東京", currency="JPY")
        await concierge.memory("ana").set_profile(profile, step="profile")
        line = Line(concierge)
        table = await line.say("来月の第2週にリスボンに行きたいです")
        assert "**東京（お住まいの街）→ リスボン、12月8日〜14日、大人1名" in table
        assert "最も安い" in await line.say("もっと安いのはありますか")
        assert "直行" in await line.say("直行便がいいです")
        assert "よろしいですか" in await line.say("2番目でお願いします")
        assert "¥" in await line.say("円だといくらですか")
        await line.say("はい、お願いします")
        assert line.pending[0]["description"].startswith("予約：")
        assert "航空券の予約" in await line.approve()
        await line.say("はい、ホテルもお願いします")
        assert "中心に最も近い" in await line.say("もっと中心に近いところ")
        await line.say("予約してください")
        assert "高すぎる" in await line.decide({"type": "reject", "message": "高すぎる"})
        await line.say("もっと安く")
        await line.say("お願いします")
        assert "旅行保険" in await line.approve()
        assert "整いました" in await line.say("結構です")
        assert (await line.say("何を予約しましたか")).count("TC-") == 2
        await line.say("ホテルをキャンセルして")
        assert "払い戻し$" in line.pending[0]["description"]
        assert "ホテルの取消" in await line.approve()
        assert await _statuses(concierge) == {"flight": "booked", "hotel": "cancelled"}


@pytest.mark.parametrize(
    ("said", "asked", "answer"),
    [
        (
            "flight from Berlin to San Jose, 8 to 14 December, just me",
            "2. San Jose, California, US (SJC)",
            "the second",
        ),
        ("flight from Berlin to Lisbon, 2026-10-08 to 2026-10-12, just me", "in the past", "8 to 14 December"),
    ],
)
async def test_one_question_mends_a_search(concierge_with: Opener, said: str, asked: str, answer: str) -> None:
    async with concierge_with() as concierge:
        line = Line(concierge)
        assert asked in await line.say(said)
        assert "These flights fit" in await line.say(answer)


async def test_a_hotel_by_part_of_town_feature_and_chain(concierge_with: Opener) -> None:
    async with concierge_with() as concierge:
        line = Line(concierge)
        await line.say("I need a hotel in Lisbon from 8 to 12 December")
        assert "These hotels fit" in await line.say("just the two of us, my wife and me")
        there = await line.say("something in Alfama please, with breakfast")
        rows = [text for text in there.splitlines() if text.startswith("| ")][1:]
        assert len(rows) > 0
        assert all("Alfama" in row for row in rows)
        assert "with breakfast" in there
        none = await line.say("a Four Seasons?")
        assert "None of what I found meets all of that (" in none
        assert "Four Seasons" in none.split("nearest")[0]
        assert "still the ones" in none
        hilton = await line.say("a Hilton then")
        assert "| Alfama" not in hilton
        await line.say("yes")
        assert line.pending[0]["args"]["offer_id"].startswith("HT.LIS")


async def test_breakfast_in_japanese_is_no_early_flight(concierge_with: Opener) -> None:
    async with concierge_with() as concierge:
        line = Line(concierge)
        await line.say("来月の第2週に東京からリスボンに行きたいです。一人です。")
        await line.say("予約して")
        await line.approve()
        shown = await line.say("朝食付きで中心部のホテルがいいです")
        assert "次のホテルがあります" in shown
        assert "朝食付き" in shown
        assert "中心に最も近い" in await line.say("なぜこれを選んだのですか")


async def test_later_shows_three_hours_and_then_says_that_there_is_nothing_later(concierge_with: Opener) -> None:
    async with concierge_with() as concierge:
        line = Line(concierge)
        await line.say("rome next friday to sunday, from munich")
        await line.say("2")
        later = await line.say("later please")
        rows = [text.split("|")[3] for text in later.splitlines() if text.startswith("| ")][1:]
        assert len(set(rows)) == 3
        again = await line.say("even later")
        assert "The offers above are already the best" in again
        assert "| # |" not in again


async def test_a_reason_asked_for_after_the_booking_starts_no_new_search(concierge_with: Opener) -> None:
    async with concierge_with() as concierge:
        line = Line(concierge)
        await line.say("a hotel in Lisbon from 8 to 12 December for one person")
        await line.say("yes")
        await line.approve()
        assert "what have I booked" in await line.say("why did you pick that hotel?")
        assert list((await _statuses(concierge)).values()) == ["booked"]
