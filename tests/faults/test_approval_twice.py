"""One question that is answered more than once, concurrently, or too briefly."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage

from app.api.reply import Reply
from config.errors import InvalidInputError, NotFoundError
from tests.faults.child import at_once, settings_of
from tests.faults.journey import ANA, book, check, decide, decide_unguarded, decisions, models, propose, reserved
from tests.faults.parts import struck_concierge
from tests.faults.story import USER
from tests.scripted import calls, scripted


@pytest.mark.parametrize("other", ["ara", "rrr", "aaa"])
async def test_only_one_of_concurrent_answers_counts(tmp_path: Path, other: str) -> None:
    settings = settings_of({"data_dir": tmp_path, "embedder": "none"})
    async with struck_concierge(settings, models=models()) as concierge:
        offers = await propose(concierge, 3)
        answers: list[Any] = await asyncio.gather(
            *(concierge.resume(decisions(letters), **ANA) for letters in ("ara", other)), return_exceptions=True
        )
        assert isinstance(answers[0], Reply)
        assert isinstance(answers[1], NotFoundError)
        await check(concierge, tmp_path, offers, "ara")


async def test_only_one_of_concurrent_answers_from_two_processes_counts(tmp_path: Path, postgres_url: str) -> None:
    where = {"data_dir": tmp_path, "embedder": "none", "store_url": postgres_url}
    async with struck_concierge(settings_of(where), models=models()) as concierge:
        offers = await propose(concierge, 3)
    results = at_once(where, [partial(decide, letters=letters) for letters in ("ara", "rrr")], models=models)
    won = next(at for at, text in enumerate(results) if text == "Done.")
    assert results[1 - won].startswith("NotFoundError: ")
    assert "decided already" in results[1 - won] or "Nothing waits" in results[1 - won]
    async with struck_concierge(settings_of(where), models=models()) as concierge:
        await check(concierge, tmp_path, offers, ("ara", "rrr")[won])


async def test_ledger_books_once_without_the_lock_of_the_conversation(tmp_path: Path, postgres_url: str) -> None:
    where = {"data_dir": tmp_path, "embedder": "none", "store_url": postgres_url}
    async with struck_concierge(settings_of(where), models=models()) as concierge:
        offers = await propose(concierge, 3)
    results = at_once(where, [partial(decide_unguarded, letters="aaa")] * 2, models=models)
    assert results == ["Done.", "Done."]
    async with struck_concierge(settings_of(where), models=models()) as concierge:
        booked = await concierge.bookings(USER).all()
        assert sorted(one.offer["id"] for one in booked) == sorted(offers)
        assert [(len(one.receipts), len(one.keys)) for one in booked] == [(1, 1)] * 3
        assert [entry.action for entry in await concierge.memory(USER).journal()] == ["booked"] * 3
    assert len(reserved(tmp_path)) == 3


async def test_one_key_from_four_processes_books_once(tmp_path: Path, postgres_url: str) -> None:
    where = {"data_dir": tmp_path, "embedder": "none", "store_url": postgres_url}
    async with struck_concierge(settings_of(where), models=models()) as concierge:
        (offer,) = await propose(concierge, 1)
    assert len(set(at_once(where, [partial(book, offer=offer)] * 4, models=models))) == 1
    async with struck_concierge(settings_of(where), models=models()) as concierge:
        (booked,) = await concierge.bookings(USER).all()
    assert len(booked.receipts) == 1
    assert reserved(tmp_path) == [(booked.reserved_as, offer, "confirmed")]


async def test_incomplete_answer_leaves_the_question_open(tmp_path: Path) -> None:
    settings = settings_of({"data_dir": tmp_path, "embedder": "none"})
    async with struck_concierge(settings, models=models()) as concierge:
        offers = await propose(concierge, 3)
        answers: list[Any] = await asyncio.gather(
            *(concierge.resume(decisions(letters), **ANA) for letters in ("aa", "rar", "aaaa")), return_exceptions=True
        )
        assert [isinstance(answer, InvalidInputError) for answer in answers] == [True, False, True]
        await check(concierge, tmp_path, offers, "rar")


async def test_answer_does_not_apply_to_the_next_question(tmp_path: Path) -> None:
    settings = settings_of({"data_dir": tmp_path, "embedder": "none"})
    results: list[str] = []

    def agent(messages: Sequence[BaseMessage]) -> AIMessage:
        if messages[-1].type == "human":
            return calls("search_hotels", "search", city="Lisbon", check_in="2026-12-08", check_out="2026-12-11")
        results[:] = results or [one["offer_id"] for one in json.loads(str(messages[-1].content))["results"]]
        asked = sum(message.type == "tool" for message in messages)
        return calls("book_offer", f"book {asked}", offer_id=results[asked - 1])

    async with struck_concierge(settings, models={**models(), "agent": scripted(agent)}) as concierge:
        await concierge.send("Book", **ANA)
        answers: list[Any] = await asyncio.gather(
            *(concierge.resume("approve", **ANA) for _ in range(2)), return_exceptions=True
        )
        assert isinstance(answers[1], NotFoundError)
        (next_one,) = answers[0].interrupts[0]["action_requests"]
        assert next_one["args"]["offer_id"] == results[1]
        assert [one.offer["id"] for one in await concierge.bookings(USER).all()] == results[:1]
