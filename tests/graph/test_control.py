"""The user's control through the concierge: changes by hand apply to all conversations."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from app.api.sync import open_concierge_sync
from config.errors import AccessDeniedError, ConflictError, InvalidInputError, NotFoundError
from config.settings import Settings
from tests.conftest import Clock, Opener
from tests.graph.test_conversation import ANA, NO_PLAN, save
from tests.memory.control.test_edit import keep
from tests.samples import note
from tests.scripted import calls, scripted

USER = ANA["user_id"]
AISLE = note("I prefer aisle seats", topic="seat")


def system(agent: Any) -> str:
    return str(agent.asked[-1][0].content).rpartition("<memories>")[2]


async def test_edited_retired_and_undone_notes_apply_to_the_next_turn(concierge_with: Opener) -> None:
    agent = scripted(AIMessage("Hello."))
    async with concierge_with({"agent": agent}) as concierge:
        memory = concierge.memory(USER)
        await keep(memory, AISLE)
        await memory.edit(AISLE.id, text="I prefer window seats")
        await concierge.send("hi", **ANA)
        assert "window seats" in system(agent)
        assert "aisle" not in system(agent)
        await memory.retire(AISLE.id)
        await concierge.send("hi", **ANA)
        assert "window seats" not in system(agent)
        await memory.undo()
        await memory.restore(AISLE.id)
        await concierge.send("hi", **ANA)
        assert "aisle seats" in system(agent)
        assert [version.action for version in await memory.history(AISLE.id)][-1] == "restored"


async def test_denied_topic_is_neither_used_nor_kept_until_it_is_allowed(concierge_with: Opener) -> None:
    agent = scripted(AIMessage("Hello."))
    async with concierge_with({"agent": agent}) as concierge:
        memory = concierge.memory(USER)
        await keep(memory, AISLE)
        assert (await memory.deny("seat", "meal")).denied == ("seat", "meal")
        await concierge.send("hi", **ANA)
        assert "aisle" not in system(agent)
        assert await memory.notes() == [AISLE]
        agent.script[:] = [AIMessage("Hello."), save("I am vegetarian"), AIMessage("Ok.")]
        reply = await concierge.send("I am vegetarian", **ANA)
        assert [one["code"] for one in reply.memory.blocked] == ["consent_denied"]
        await memory.allow("seat")
        await concierge.send("hi", **ANA)
        assert "aisle" in system(agent)
        with pytest.raises(InvalidInputError, match="no topic 'weather'"):
            await memory.deny("weather")


async def test_pause_applies_to_every_conversation_until_resume(concierge_with: Opener) -> None:
    agent = scripted(save("I am vegetarian"), AIMessage("Ok."), save("I like trams", "transport"), AIMessage("Ok."))
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}) as concierge:
        memory = concierge.memory(USER)
        await memory.pause()
        assert (await concierge.send("I am vegetarian", **ANA)).memory.written == ()
        await memory.resume()
        other = {"user_id": USER, "thread_id": "t2"}
        assert len((await concierge.send("I like trams", **other)).memory.written) == 1
        assert (await memory.journal())[0].action == "consent"


async def test_conversation_can_be_made_private_before_and_after_it_begins(concierge_with: Opener) -> None:
    agent = scripted(save("I am vegetarian"), AIMessage("Ok."), AIMessage("Ok."), save("I like trams", "transport"))
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}) as concierge:
        await concierge.send("I am vegetarian", **ANA)
        change = await concierge.set_remembered(False, **ANA)
        assert (change.remembered, change.dropped, change.kept) == (False, 1, ())
        await concierge.end_session(**ANA)
        assert await concierge.memory(USER).notes() == []
        assert await concierge.recall("vegetarian", user_id=USER) == []
        fresh = {"user_id": USER, "thread_id": "t2"}
        await concierge.set_remembered(False, **fresh)
        assert (await concierge.send("hi", **fresh)).memory.written == ()
        await concierge.set_remembered(True, **fresh)
        agent.script[:] = [*agent.script[:1] * len(agent.asked), save("I like trams", "transport"), AIMessage("Ok.")]
        assert len((await concierge.send("I like trams", **fresh)).memory.written) == 1
        with pytest.raises(AccessDeniedError):
            await concierge.set_remembered(False, user_id="eve", thread_id="t2")
        with pytest.raises(InvalidInputError):
            await concierge.set_remembered(False, user_id="", thread_id="t3")


def residue(folder: Path, *words: str) -> list[str]:
    """Return the files under `folder` that contain one of `words`."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path.name for path in files if any(word.encode() in path.read_bytes() for word in words)]


async def test_clearing_leaves_no_word_in_the_data_directory(
    concierge_with: Opener, make_settings: Callable[..., Settings]
) -> None:
    agent = scripted(
        save("I love Liechtenstein"), AIMessage("Ok."), save("I adore Madagascar", id_="c2"), AIMessage("Ok.")
    )
    folder = make_settings().data_dir
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}) as concierge:
        memory = concierge.memory(USER)
        await concierge.send("I love Liechtenstein", **ANA)
        await concierge.end_session(**ANA)
        await concierge.send("I adore Madagascar", user_id=USER, thread_id="t2")
        await memory.search("Liechtenstein")
        eve: dict[str, Any] = {"user_id": "eve", "thread_id": "t3"}
        agent.script[:] = [*agent.script, AIMessage("Hi Eve.")]
        await concierge.send("Hello from Eve", **eve)
        with pytest.raises(InvalidInputError):
            await memory.clear("eve")
        cleared = await memory.clear(USER)
        assert (cleared.notes, cleared.conversations) == (1, 2)
        assert [entry.action for entry in await memory.journal()] == ["cleared"]
        with pytest.raises(NotFoundError):
            await concierge.full_history(**ANA)
        assert len(await concierge.history(**eve)) == 2
    assert residue(folder, "Liechtenstein", "Madagascar") == []
    assert residue(folder, "Hello from Eve") != []


async def test_exported_memory_can_be_imported_after_clearing(concierge_with: Opener) -> None:
    agent = scripted(save("I am vegetarian"), AIMessage("Ok."), AIMessage("Hello."))
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}) as concierge:
        memory = concierge.memory(USER)
        await concierge.send("I am vegetarian", **ANA)
        await concierge.end_session(**ANA)
        data = json.loads(json.dumps(await memory.export()))
        await memory.clear(USER)
        assert await concierge.recall("vegetarian", user_id=USER) == []
        report = await memory.import_(data)
        assert (report.notes, report.episodes, report.turns) == (1, 1, 1)
        await concierge.send("hi", user_id=USER, thread_id="t2")
        assert "I am vegetarian" in system(agent)
        hits = await concierge.recall("vegetarian", user_id=USER, limit=6)
        assert {hit.document.kind for hit in hits} == {"note", "episode", "turn"}
        await memory.forget((await memory.notes())[0].id)
        assert await concierge.recall("vegetarian", user_id=USER, limit=6) == []


async def test_import_into_another_user_leaves_the_conversations_of_the_first_unchanged(concierge_with: Opener) -> None:
    agent = scripted(save("I am vegetarian"), AIMessage("Ok."))
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}) as concierge:
        await concierge.send("I am vegetarian", **ANA)
        await concierge.end_session(**ANA)
        eve = concierge.memory("eve")
        await eve.import_(await concierge.memory(USER).export())
        forgotten = await eve.forget((await eve.notes())[0].id)
        assert (forgotten.threads, forgotten.turns) == ((), 1)
        await eve.clear("eve")
        assert [one.text for one in await concierge.memory(USER).notes()] == ["I am vegetarian"]
        assert [one.text for one in await concierge.full_history(**ANA) if one.role == "user"] == ["I am vegetarian"]


async def test_topics_that_the_deployment_excludes_cannot_be_added_by_hand(concierge_with: Opener) -> None:
    async with concierge_with({"agent": scripted(AIMessage("Ok."))}, memory_topics="seat,meal") as concierge:
        memory = concierge.memory(USER)
        await keep(memory, AISLE)
        with pytest.raises(InvalidInputError, match="topic_denied"):
            await memory.edit(AISLE.id, topic="hotel")
        with pytest.raises(InvalidInputError, match="scope_denied"):
            await memory.edit(AISLE.id, scope="workspace")


async def test_unfinished_turn_is_answered_before_its_conversation_becomes_private(concierge_with: Opener) -> None:
    async with concierge_with({"agent": scripted(AIMessage("Ok."))}) as concierge:
        await concierge.send("hi", **ANA)
        config: Any = {"configurable": {"thread_id": "t1"}}
        given: Any = {"messages": [{"role": "user", "content": "again"}]}
        await concierge.graph.ainvoke(given, config, context=_context(), interrupt_before=["agent"])
        with pytest.raises(ConflictError, match="Answer it first"):
            await concierge.set_remembered(False, **ANA)


def _context() -> Any:
    from graph.context import Context

    return Context(user_id=USER)


def test_synchronous_api_has_all_controls(make_settings: Callable[..., Settings], clock: Clock) -> None:
    agent = scripted(calls("list_memories", topic=None), AIMessage("Nothing yet."))
    models: Any = {"agent": agent}
    with open_concierge_sync(make_settings(), models=models, clock=clock) as concierge:
        memory = concierge.memory("ana")
        concierge.send("hi", user_id="ana", thread_id="t")
        imported = memory.import_(_export_of(AISLE))
        assert asdict(imported)["notes"] == 1
        assert memory.edit(AISLE.id, text="I prefer window seats").text == "I prefer window seats"
        assert memory.undo().action == "undone"
        assert [version.action for version in memory.history(AISLE.id)] == ["imported", "edited", "undone"]
        assert memory.retire(AISLE.id).status == "expired"
        assert memory.restore(AISLE.id).status == "active"
        assert memory.pause().paused
        assert not memory.resume().paused
        assert memory.deny("seat").denied == ("seat",)
        assert memory.allow("seat").denied == ()
        assert memory.consent() == memory.allow("seat")
        assert memory.note(AISLE.id) == memory.notes()[0] == memory.notes(include_inactive=True)[0]
        assert concierge.set_remembered(False, user_id="ana", thread_id="t").dropped == 0
        assert memory.export()["counts"]["notes"] == 1
        assert memory.forget(AISLE.id).threads == ("t",)
        assert memory.forget_mentions("submarines").notes == ()
        assert (memory.trips(), memory.episodes(), memory.profile().name) == ([], [], None)
        assert memory.clear("ana").conversations == 1
        assert [entry.action for entry in memory.journal()] == ["cleared"]


def _export_of(*notes: Any) -> dict[str, Any]:
    lists: dict[str, list[Any]] = {"trips": [], "episodes": [], "journal": [], "archive": [], "erasures": []}
    return {
        "format": "concierge-memory", "version": 1, "user": "somebody", "exported_at": "2026-11-20T09:00:00Z",
        "consent": None, "profile": None, "hash_key_id": None, "notes": [one.dump() for one in notes], **lists,
        "counts": {"notes": len(notes)},
    }  # fmt: skip


@pytest.mark.parametrize("other", ["ana", "ana.maria@example.co", "ANA.MARIA@EXAMPLE.COM", "ana.maria%", "ana_", "*"])
async def test_nobody_accesses_memory_of_another_user(concierge_with: Opener, other: str) -> None:
    async with concierge_with({"agent": scripted(AIMessage("Ok."))}) as concierge:
        await keep(concierge.memory(USER), AISLE)
        theirs = concierge.memory(other)
        for act in (
            lambda: theirs.edit(AISLE.id, pinned=True), lambda: theirs.history(AISLE.id), lambda: theirs.undo(),
            lambda: theirs.restore(AISLE.id), lambda: theirs.retire(AISLE.id), lambda: theirs.forget(AISLE.id),
        ):  # fmt: skip
            with pytest.raises(NotFoundError):
                await act()
        assert (await theirs.export())["counts"]["notes"] == 0
        await theirs.clear(other)
        assert await concierge.memory(USER).notes() == [AISLE]


def test_empty_user_id_is_rejected(make_settings: Callable[..., Settings]) -> None:
    with open_concierge_sync(make_settings()) as concierge, pytest.raises(InvalidInputError):
        concierge.memory("")
