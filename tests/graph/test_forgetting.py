"""Forgetting and consent in whole conversations: a forgotten note returns only if the user asks to keep it again."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.tools import tool

from app.api import open_concierge
from config.settings import load_settings
from memory.control.forget import users_unreached
from memory.records.profile import Profile
from tests.conftest import Opener
from tests.faults.residue import residue
from tests.graph.test_conversation import NO_PLAN, save
from tests.scripted import calls, scripted

FIRST: dict[str, Any] = {"user_id": "ana", "thread_id": "first"}
SECOND: dict[str, Any] = {"user_id": "ana", "thread_id": "second"}


async def test_forgetting_in_one_conversation_erases_from_the_others(concierge_with: Opener) -> None:
    agent = scripted(
        save("I love Liechtenstein", "activity"),
        AIMessage("Noted: you love Liechtenstein."),
        AIMessage("Liechtenstein is lovely in May."),
        calls("forget_memory", "call_9", query="Liechtenstein", mentions=False),
        AIMessage("I have forgotten that you love Liechtenstein."),
    )
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}) as concierge:
        await concierge.send("I love Liechtenstein", **FIRST, end_session=True)
        await concierge.send("Tell me of Liechtenstein", **SECOND)
        reply = await concierge.send("Forget that I love Liechtenstein", user_id="ana", thread_id="third")
        assert reply.text == "I have forgotten that you love Liechtenstein."
        assert len(reply.memory.forgotten) == 1
        for thread in ("first", "second", "third"):
            texts = [entry.text for entry in await concierge.full_history(user_id="ana", thread_id=thread)]
            assert texts
            assert not any("Liechtenstein" in text for text in texts)
        memory = concierge.memory("ana")
        assert "Liechtenstein" not in repr([await memory.notes(), await memory.episodes(), await memory.journal()])


@pytest.mark.slow
async def test_forgetting_does_not_wait_for_a_running_turn_which_erases_when_it_ends(
    concierge_with: Opener, tmp_path: Path
) -> None:
    started, may_answer = asyncio.Event(), asyncio.Event()

    @tool
    async def dawdle() -> str:
        """Take a long time."""
        started.set()
        await may_answer.wait()
        return "done"

    agent = scripted(save("I love Liechtenstein"), AIMessage("Noted."), calls("dawdle"), AIMessage("Ready."))
    busy: dict[str, Any] = {"user_id": "ana", "thread_id": "busy"}
    async with open_concierge(
        load_settings(data_dir=tmp_path / "own", model_provider="offline"), models={"agent": agent}, tools=[dawdle]
    ) as concierge:
        memory = concierge.memory("ana")
        await concierge.send("I love Liechtenstein", **FIRST, end_session=True)
        turn = asyncio.create_task(concierge.send("I love Liechtenstein, so dawdle", **busy))
        await started.wait()
        (note,) = await memory.notes()
        report = await memory.forget(note.id)
        assert (report.threads, report.waiting) == (("first",), ("busy",))
        assert await memory.notes() == []
        may_answer.set()
        assert (await turn).text == "Ready."
        for thread in ("first", "busy"):
            texts = [entry.text for entry in await concierge.full_history(user_id="ana", thread_id=thread)]
            assert not any("Liechtenstein" in text for text in texts), thread
        assert await users_unreached(memory.store) == []
    assert residue(tmp_path / "own", "Liechtenstein") == []


def _repeat_result(messages: Sequence[BaseMessage]) -> AIMessage:
    return AIMessage(messages[-1].text)


@pytest.mark.parametrize("said", ["Liechtenstein", "07700 900123"])
async def test_words_without_a_note_are_offered_for_erasing_and_erased(concierge_with: Opener, said: str) -> None:
    ask = calls("forget_memory", "call_1", query=said, mentions=False)
    agreed = calls("forget_memory", "call_2", query=said, mentions=True)
    agent = scripted(AIMessage("I see."), ask, _repeat_result, agreed, AIMessage("Gone."))
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}) as concierge:
        await concierge.send(f"My ex-wife lives in {said}", **FIRST)
        reply = await concierge.send(f"Forget what I said of {said}", **FIRST)
        assert reply.text == '{"status": "mentions", "count": 1}'
        asked = await concierge.send("Yes, erase it", **FIRST)
        assert "2" in asked.interrupts[0]["action_requests"][0]["description"]
        await concierge.resume("approve", **FIRST)
        texts = [entry.text for entry in await concierge.full_history(user_id="ana", thread_id="first")]
        assert texts
        assert not any(said in text for text in texts)


async def test_note_named_by_its_handle_is_forgotten_after_approval(concierge_with: Opener) -> None:
    def forget(messages: Sequence[BaseMessage]) -> AIMessage:
        handle = str(messages[0].content).split("- [")[1].split("]")[0]
        return calls("forget_memory", "call_2", query=handle, mentions=False)

    agent = scripted(save("I prefer aisle seats", "seat"), AIMessage("Noted."), forget, AIMessage("Forgotten."))
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}) as concierge:
        await concierge.send("I prefer aisle seats", **FIRST, end_session=True)
        asked = await concierge.send("Drop what you know of how I like to travel", **SECOND)
        assert asked.interrupts[0]["action_requests"][0]["description"] == "Forget for good: I prefer aisle seats"
        reply = await concierge.resume("approve", **SECOND)
        assert len(reply.memory.forgotten) == 1
        assert await concierge.memory("ana").notes() == []


async def test_forgotten_note_is_kept_again_only_on_request(concierge_with: Opener) -> None:
    agent = scripted(
        save("I am vegetarian"),
        AIMessage("Noted."),
        save("I am vegetarian", id_="call_2"),
        AIMessage("Fine."),
        save("I am vegetarian", id_="call_3", asked=True),
        AIMessage("Noted again."),
    )
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}) as concierge:
        await concierge.send("I am vegetarian", **FIRST, end_session=True)
        memory = concierge.memory("ana")
        await memory.forget((await memory.notes())[0].id)
        reply = await concierge.send("I am vegetarian", **SECOND)
        assert [refused["code"] for refused in reply.memory.blocked] == ["consent_denied"]
        reply = await concierge.send("Please remember: I am vegetarian", **SECOND, end_session=True)
        assert [note.text for note in await memory.notes()] == ["I am vegetarian"]


async def test_topic_without_consent_is_neither_kept_nor_used(concierge_with: Opener) -> None:
    agent = scripted(
        save("I am vegetarian"),
        AIMessage("Noted."),
        save("I am vegan", id_="call_2"),
        AIMessage("Fine."),
        AIMessage("Hi."),
    )
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}) as concierge:
        await concierge.send("I am vegetarian", **FIRST, end_session=True)
        memory = concierge.memory("ana")
        await memory.change_consent(deny=["meal"])
        reply = await concierge.send("I am vegan", **SECOND)
        assert [refused["code"] for refused in reply.memory.blocked] == ["consent_denied"]
        assert reply.memory.shown == ()
        await memory.change_consent(allow=["meal"])
        reply = await concierge.send("Hi", **SECOND)
        assert [note.text for note in reply.memory.shown] == ["I am vegetarian"]


async def test_topic_without_consent_hides_its_fields_of_the_profile(concierge_with: Opener) -> None:
    prompts: list[str] = []

    def agent(messages: Sequence[BaseMessage]) -> AIMessage:
        prompts.append(messages[0].text)
        return AIMessage("Hi.")

    profile = Profile(name="Ana", seat_preference="aisle", passport_country="PT", home_city="Lisbon")
    async with concierge_with({"agent": scripted(agent)}) as concierge:
        memory = concierge.memory("ana")
        await memory.set_profile(profile, step="import")
        await memory.deny("seat", "document")
        await concierge.send("Hi", **FIRST)
        assert "seat_preference" not in prompts[-1]
        assert "passport_country" not in prompts[-1]
        assert "home_city: Lisbon" in prompts[-1]
        await memory.allow("seat")
        await concierge.send("Hi", **FIRST)
        assert "seat_preference: aisle" in prompts[-1]
        assert await memory.profile() == profile


async def test_notes_are_dropped_if_consent_is_withdrawn_before_the_session_ends(concierge_with: Opener) -> None:
    agent = scripted(save("I am vegetarian"), save("I hate trains", "transport", "call_2"), AIMessage("Noted."))
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}) as concierge:
        await concierge.send("I am vegetarian. I hate trains", **FIRST)
        memory = concierge.memory("ana")
        await memory.change_consent(deny=["meal"])
        await concierge.end_session(**FIRST)
        assert [note.text for note in await memory.notes()] == ["I hate trains"]
        assert "consent_denied" in [entry.code for entry in await memory.journal()]


async def test_memory_of_a_paused_user_is_read_only(concierge_with: Opener) -> None:
    agent = scripted(save("I am vegetarian"), AIMessage("Noted."), save("I am vegan", id_="call_2"), AIMessage("Fine."))
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}) as concierge:
        await concierge.send("I am vegetarian", **FIRST, end_session=True)
        memory = concierge.memory("ana")
        await memory.change_consent(paused=True)
        before = await memory.journal()
        reply = await concierge.send("I am vegan", **SECOND)
        assert [refused["code"] for refused in reply.memory.blocked] == ["paused"]
        assert [note.text for note in reply.memory.shown] == ["I am vegetarian"]
        assert [entry for entry in await memory.journal() if entry.action == "used"] == [
            entry for entry in before if entry.action == "used"
        ]


async def test_unremembered_conversation_leaves_nothing(concierge_with: Opener) -> None:
    agent = scripted(
        save("I am vegetarian"),
        AIMessage("Noted."),
        calls("remember_conversation", "call_2", remember=False),
        AIMessage("I won't remember this conversation."),
        save("I hate trains", "transport", "call_3"),
        AIMessage("Ok."),
    )
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}) as concierge:
        await concierge.send("I am vegetarian", **FIRST)
        asked = await concierge.send("Don't remember this conversation", **FIRST)
        assert "Learn nothing" in asked.interrupts[0]["action_requests"][0]["description"]
        await concierge.resume("approve", **FIRST)
        reply = await concierge.send("I hate trains", **FIRST)
        assert [refused["code"] for refused in reply.memory.blocked] == ["paused"]
        await concierge.end_session(**FIRST)
        memory = concierge.memory("ana")
        assert (await memory.notes(), await memory.episodes()) == ([], [])
        assert await concierge.recall("vegetarian trains", user_id="ana") == []
        assert len(await concierge.full_history(**FIRST)) == 12  # the person may still read it


@pytest.mark.parametrize(("answer", "learnt"), [("", False), ("later", False), ("reject", True)])
async def test_request_to_learn_nothing_lasts_until_it_is_revoked(
    concierge_with: Opener, answer: str, learnt: bool
) -> None:
    agent = scripted(
        save("I am vegetarian"),
        AIMessage("Noted."),
        calls("remember_conversation", "call_2", remember=False),
        AIMessage("Well then."),
    )
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}) as concierge:
        await concierge.send("I am vegetarian", **FIRST)
        await concierge.send("Off the record: I meet my lover in Nice", **FIRST)
        if answer == "later":
            await concierge.send("Any trains?", **FIRST)
        elif answer:
            await concierge.resume(answer, **FIRST)
        await concierge.end_session(**FIRST)
        memory = concierge.memory("ana")
        assert (bool(await memory.notes()), bool(await memory.episodes())) == (learnt, learnt)
        assert bool(await concierge.recall("vegetarian lover", user_id="ana")) is learnt


async def test_each_turn_journals_the_notes_shown_and_used(concierge_with: Opener) -> None:
    def used(messages: Any) -> AIMessage:
        handle = str(messages[0].content).split("- [")[1].split("]")[0]
        return AIMessage(f"A vegetarian meal it is.\n<used>{handle} nope</used>")

    agent = scripted(save("I am vegetarian"), AIMessage("Noted."), used)
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}) as concierge:
        await concierge.send("I am vegetarian", **FIRST, end_session=True)
        memory = concierge.memory("ana")
        (stored,) = await memory.notes()
        revision = await memory.revision()
        await concierge.send("What shall I eat?", **SECOND)
        (entry,) = [entry for entry in await memory.journal() if entry.action == "used"]
        assert entry.usage is not None
        assert (entry.usage.shown, entry.usage.used) == ((stored.id,), (stored.id,))
        assert entry.usage.violations == ({"code": "memory_out_of_context", "handle": "nope"},)
        assert (await memory.note(stored.id)).last_used_at is not None
        assert await memory.revision() == revision
