"""Forgotten words are in no database, journal of a database, index or file, with the stores open or closed."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from app.api.concierge import Concierge
from app.api.opening import open_concierge
from config.settings import Settings
from graph.context import Context
from memory.records.reading import read_under
from tests.conftest import Clock
from tests.faults.residue import residue
from tests.samples import HistorySummary
from tests.scripted import calls, scripted

pytestmark = pytest.mark.slow

USER = "ana.maria@example.com"
BASE = {"context_limit": 3, "keep_last_n_turns": 2}

ENGLISH = {
    "told": "I love hiking in Liechtenstein",
    "before": "I love hiking",
    "beside": "My sister plays the marimba",
    "neighbour": "I never fly with Ryanair",
    "topic": "activity",
    "word": "Liechtenstein",
}
JAPANESE = {
    "told": "屋久島の森が大好きです",
    "before": "森が好きです",
    "beside": "姉は木琴を弾きます",
    "neighbour": "全日空の便が好きです",
    "topic": "activity",
    "word": "屋久島",
}
Words = dict[str, str]


def _models(words: Words) -> dict[Any, Any]:
    """Return an agent that saves, forgets, lists and recalls on request and repeats what it read, and summarisers."""

    def agent(messages: Sequence[BaseMessage]) -> AIMessage:
        last = messages[-1]
        if isinstance(last, ToolMessage):
            return AIMessage(f"Done: {last.text}")
        kind, _, rest = str(last.text).partition(": ")
        id_ = f"call {last.id}"
        if kind == "Save":
            text = rest.partition(". ")[0]
            topic = words["topic"] if text != words["neighbour"] else "airline"
            return calls("save_memory_note", id_, text=text, topic=topic, quote=text)
        if kind == "Forget":
            return calls("forget_memory", id_, query=rest)
        if kind == "List":
            return calls("list_memories", id_)
        if kind == "Recall":
            return calls("recall_memory", id_, query=rest)
        return AIMessage(f"I heard: {last.text}")

    def summary(messages: Sequence[BaseMessage]) -> AIMessage:
        heard = f"{words['told']}. {words['beside']}."
        if "key_facts" in str(messages[0].content):
            facts = [words["told"], words["beside"]]
            return calls("EpisodeSummary", summary=heard, topics=[words["word"].lower()], key_facts=facts)
        return calls(
            "HistorySummary", **dict.fromkeys(HistorySummary.model_fields, "UNVERIFIED") | {"preferences": heard}
        )

    return {"agent": scripted(agent), "summary": scripted(summary), "consolidation": scripted(AIMessage("no plan"))}


async def _live(concierge: Concierge, words: Words) -> None:
    """Run four conversations: one summarised and ended twice, one ended, one with a staged note, one that read it."""

    async def say(thread: str, *texts: str) -> None:
        for text in texts:
            await concierge.send(text, user_id=USER, thread_id=thread)

    told, beside, neighbour = words["told"], words["beside"], words["neighbour"]
    await say("old", f"Save: {words['before']}", f"Save: {neighbour}", "Hm")
    await concierge.end_session(user_id=USER, thread_id="old")
    await say("long", f"Save: {told}. {beside}.", "Hm", "List: all", f"Recall: {told}", "Hm", "Hm")
    await concierge.end_session(user_id=USER, thread_id="long")
    await say("long", "Hm", "Hm", f"What of {told}?", "Hm")
    await say("ended", f"So {told}. {beside}.", "Hm")
    await concierge.end_session(user_id=USER, thread_id="ended")
    await say("staged", f"Save: {told}", "Hm")
    await say("heard", f"{told}. {beside}.", "List: all")
    await concierge.memory(USER).search("hiking")  # creates vectors


async def _by_hand(concierge: Concierge, words: Words) -> None:
    memory = concierge.memory(USER)
    (note,) = [note for note in await memory.notes() if words["word"] in note.text]
    forgotten = await memory.forget(note.id)
    assert forgotten.waiting == ()


async def _in_chat(concierge: Concierge, words: Words) -> None:
    reply = await concierge.send(f"Forget: {words['told']}", user_id=USER, thread_id="heard")
    assert reply.memory.forgotten


async def _staged_only(concierge: Concierge, words: Words) -> None:
    (note,) = await concierge.staged_notes(user_id=USER, thread_id="staged")
    await concierge.memory(USER).forget_note(note)


WAYS = pytest.mark.parametrize("forget", [_by_hand, _in_chat, _staged_only])
TONGUES = pytest.mark.parametrize("words", [ENGLISH, JAPANESE], ids=["en", "ja"])
Way = Callable[[Concierge, Words], Any]


async def _records(concierge: Concierge) -> dict[str, str]:
    items = await read_under(concierge._store, ("users",))
    return {"/".join((*i.namespace, i.key)): json.dumps(i.value, ensure_ascii=False, sort_keys=True) for i in items}


def _tells(told: str, words: Words) -> bool:
    return words["word"] in told or words["before"] in told


@WAYS
@TONGUES
async def test_forgotten_words_are_nowhere_in_the_data_directory(
    make_settings: Callable[..., Settings], clock: Clock, words: Words, forget: Way
) -> None:
    settings = make_settings(**BASE)
    async with open_concierge(settings, models=_models(words), clock=clock) as concierge:
        await _live(concierge, words)
        assert residue(settings.data_dir, words["word"])
        before = await _records(concierge)
        await forget(concierge, words)
        assert residue(settings.data_dir, words["word"], words["told"]) == []
        after = await _records(concierge)
        # Records without the forgotten words are unchanged, byte for byte, and so is text next to them.
        others = {place: entries for place, entries in before.items() if not _tells(entries, words)}
        moved = {place for place, entries in others.items() if after.get(place) != entries}
        assert {place.rpartition("/")[2] for place in moved} <= {"revision", "archive", "screened"}
        for thread in ("long", "ended"):
            entries = await concierge.full_history(user_id=USER, thread_id=thread)
            assert any(words["beside"] in entry.text for entry in entries), thread
        assert [n.text for n in await concierge.memory(USER).notes() if n.topic == "airline"] == [words["neighbour"]]
    assert residue(settings.data_dir, words["word"], words["told"]) == []


@TONGUES
async def test_cleared_conversation_leaves_no_words(
    make_settings: Callable[..., Settings], clock: Clock, words: Words
) -> None:
    settings = make_settings(**BASE)
    async with open_concierge(settings, models=_models(words), clock=clock) as concierge:
        for text in (f"What of {words['told']}?", "Hm", "Hm", "Hm", f"Save: {words['told']}"):
            await concierge.send(text, user_id=USER, thread_id="cleared")
        await concierge.send(words["beside"], user_id=USER, thread_id="other")
        before = await concierge.full_history(user_id=USER, thread_id="other")
        assert residue(settings.data_dir, words["word"])
        await concierge.clear_thread(user_id=USER, thread_id="cleared")
        assert residue(settings.data_dir, words["word"], words["told"]) == []
        assert await concierge.full_history(user_id=USER, thread_id="other") == before
    assert residue(settings.data_dir, words["word"], words["told"]) == []


async def test_interrupted_conversation_erases_the_words_in_its_next_turn(
    make_settings: Callable[..., Settings], clock: Clock
) -> None:
    settings, words = make_settings(**BASE), ENGLISH
    async with open_concierge(settings, models=_models(words), clock=clock) as concierge:
        await _live(concierge, words)
        config: Any = {"configurable": {"thread_id": "cut"}}
        given: Any = {"messages": [HumanMessage(f"What of {words['told']}?")]}
        await concierge.graph.ainvoke(given, config, context=Context(user_id=USER), interrupt_before=["agent"])
        (note,) = [note for note in await concierge.memory(USER).notes() if words["word"] in note.text]
        assert (await concierge.memory(USER).forget(note.id)).waiting == ("cut",)
        assert residue(settings.data_dir, words["word"]) != []
        await concierge.send("Hm", user_id=USER, thread_id="cut")
        assert residue(settings.data_dir, words["word"], words["told"]) == []


def _extracting(words: Words) -> Any:
    """Return a model that makes a note of every mention of this word."""

    def extract(messages: Sequence[BaseMessage]) -> AIMessage:
        if words["word"] not in str(messages[-1].content):
            return calls("ExtractedNotes", notes=[])
        extracted = {"quote": words["told"], "text": words["told"], "topic": words["topic"], "claims": [], "when": []}
        sorted_as = {"kind": "traveller", "holds": "always", "about": "user", "until": None, "confidence": 1.0}
        return calls("ExtractedNotes", notes=[{**sorted_as, **extracted}])

    return scripted(extract)


@TONGUES
@pytest.mark.parametrize("distillation", ["tool", "turn", "session"])
async def test_forgotten_words_are_not_extracted_again(
    make_settings: Callable[..., Settings], clock: Clock, words: Words, distillation: Any
) -> None:
    settings = make_settings(**BASE)
    async with open_concierge(settings, models=_models(words), clock=clock) as concierge:
        await _live(concierge, words)
        await _by_hand(concierge, words)
    again = make_settings(**BASE, distillation=distillation)
    models = {**_models(words), "consolidation": _extracting(words)}
    async with open_concierge(again, models=models, clock=clock) as concierge:
        for thread in ("long", "ended", "staged", "heard"):
            await concierge.send("Hm", user_id=USER, thread_id=thread)
            await concierge.end_session(user_id=USER, thread_id=thread)
        assert residue(settings.data_dir, words["word"]) == []
        for text in (f"{words['told']}.", f"Save: {words['told']}"):
            await concierge.send(text, user_id=USER, thread_id="anew")
            await concierge.end_session(user_id=USER, thread_id="anew")
        memory = concierge.memory(USER)
        assert not any(words["word"] in note.text for note in await memory.notes(include_inactive=True))
        refused = [entry for entry in await memory.journal() if entry.code == "consent_denied"]
        assert refused
        assert not any(words["word"] in entry.model_dump_json() for entry in await memory.journal() if entry.code)
