"""Whole conversations through `open_concierge`, on real stores, with scripted models."""

from __future__ import annotations

import asyncio
import json
from datetime import date
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from app.api.reply import Reply, Token
from config.errors import AccessDeniedError, InvalidInputError, NotFoundError
from graph.context import Context
from graph.state import StopReason
from memory.events import MemoryEvent
from memory.records.journal import Step, changed
from tests.conftest import Clock, Opener
from tests.samples import note, shows_card
from tests.scripted import ScriptedModel, calls, scripted

ANA: dict[str, Any] = {"user_id": "ana.maria@example.com", "thread_id": "t1"}
NO_PLAN = scripted(AIMessage("I would rather not."))


def save(text: str, topic: str = "meal", id_: str = "call_1", **more: Any) -> AIMessage:
    return calls("save_memory_note", id_, **{"text": text, "topic": topic, "quote": text, **more})


def plans(*operations: dict[str, Any]) -> AIMessage:
    return calls("PlanProposal", operations=list(operations))


async def test_preference_from_one_thread_is_known_in_the_next(concierge_with: Opener) -> None:
    agent = scripted(
        save("I am vegetarian"),
        AIMessage("Noted."),
        save("Window seat this time", "seat", "call_2", scope="trip"),
        AIMessage("Noted for this trip."),
        AIMessage("You are vegetarian."),
    )
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}) as concierge:
        reply = await concierge.send("Remember: I am vegetarian", **ANA)
        assert [note.text for note in reply.memory.written] == ["I am vegetarian"]
        assert await concierge.memory(ANA["user_id"]).notes() == []
        await concierge.send("Window seat this time", **ANA)
        ended = await concierge.end_session(**ANA)
        assert ended.stop_reason == StopReason.SESSION_ENDED
        assert sorted(done["op"] for done in ended.memory.consolidated) == ["ADD", "DROP"]

        later = await concierge.send("What do you know?", user_id=ANA["user_id"], thread_id="t2")
        assert [note.text for note in later.memory.shown] == ["I am vegetarian"]
        system = str(agent.asked[-1][0].content)
        assert "I am vegetarian" in system
        assert "Window seat" not in system


FISH = note("Loves fish", topic="meal")


async def test_sound_plan_of_the_model_is_applied(concierge_with: Opener) -> None:
    agent = scripted(save("I like oysters"), AIMessage("Noted."))
    bad = {"session_notes": ["s1"], "global_notes": ["g9"], "reason": "r", "op": "MERGE", "text": "Loves seafood"}
    good = {**bad, "global_notes": ["g1"], "text": "Loves fish and oysters"}
    planner = scripted(plans(bad), plans(good))
    async with concierge_with({"agent": agent, "consolidation": planner}) as concierge:
        memory = concierge.memory(ANA["user_id"])
        await memory.commit([Step("seed", "system", "seed", (changed(None, FISH),))])
        await concierge.send("I like oysters", **ANA)
        ended = await concierge.end_session(**ANA)
        assert [done["op"] for done in ended.memory.consolidated] == ["MERGE"]
        (kept,) = await memory.notes()
        assert (kept.id, kept.text, kept.sayings) == (FISH.id, "Loves fish and oysters", ("I like oysters",))
        assert "there is no note `g9`" in str(planner.asked[1][-1].content)


async def test_note_is_kept_if_the_plan_remains_unsound_and_the_reason_is_journalled(concierge_with: Opener) -> None:
    agent = scripted(save("I like oysters"), AIMessage("Noted."))
    bad = {"session_notes": ["s1"], "global_notes": ["g9"], "reason": "r", "op": "MERGE", "text": "Loves seafood"}
    async with concierge_with({"agent": agent, "consolidation": scripted(plans(bad))}) as concierge:
        memory = concierge.memory(ANA["user_id"])
        await memory.commit([Step("seed", "system", "seed", (changed(None, FISH),))])
        await concierge.send("I like oysters", **ANA)
        await concierge.end_session(**ANA)
        assert {kept.text for kept in await memory.notes()} == {"Loves fish", "I like oysters"}
        refused = next(entry for entry in await memory.journal() if entry.action == "plan_refused")
        assert "there is no note `g9`" in refused.reason


async def test_memory_is_never_written_to_a_checkpoint(concierge_with: Opener) -> None:
    agent = scripted(save("I am vegetarian"), AIMessage("Noted."), AIMessage("Hello."))
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}) as concierge:
        await concierge.send("I am vegetarian", **ANA)
        await concierge.end_session(**ANA)
        await concierge.send("hello", user_id=ANA["user_id"], thread_id="fresh")
        assert "I am vegetarian" in str(agent.asked[-1][0].content)
        config: Any = {"configurable": {"thread_id": "fresh"}}
        checkpoints = [repr(found) async for found in concierge.graph.aget_state_history(config)]
        assert checkpoints
        assert not any("vegetarian" in found for found in checkpoints)


async def test_blocked_text_is_journalled_only_as_a_code(concierge_with: Opener) -> None:
    agent = scripted(save("My card is 4111 1111 1111 1111"), AIMessage("I do not keep card numbers."))
    async with concierge_with({"agent": agent}) as concierge:
        reply = await concierge.send("Remember: my card is 4111 1111 1111 1111", **ANA)
        assert [refused["code"] for refused in reply.memory.blocked] == ["sensitive:payment_card"]
        (entry,) = await concierge.memory(ANA["user_id"]).journal()
        assert entry.code == "sensitive:payment_card"
        assert not shows_card(entry.model_dump_json())


@pytest.mark.parametrize(("mode", "blocked", "tools"), [("paused", ["paused"], True), ("off", [], False)])
async def test_paused_memory_is_read_only_and_temporary_chat_uses_none(
    concierge_with: Opener, mode: Any, blocked: list[str], tools: bool
) -> None:
    agent = scripted(save("I am vegetarian"), AIMessage("Noted."), save("I hate trains", "transport"), AIMessage("Ok."))
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}) as concierge:
        await concierge.send("I am vegetarian", **ANA)
        await concierge.end_session(**ANA)
        if mode == "off":
            agent.script.append(AIMessage("Hello."))
            agent.script[2] = AIMessage("Hello.")
        reply = await concierge.send("I hate trains", user_id=ANA["user_id"], thread_id="t9", memory_mode=mode)
        assert bool(reply.memory.shown) is tools
        assert ("save_memory_note" in agent.offered[-1]) is tools
        assert [refused["code"] for refused in reply.memory.blocked] == blocked
        assert reply.memory.written == ()
        await concierge.end_session(user_id=ANA["user_id"], thread_id="t9")
        assert [note.text for note in await concierge.memory(ANA["user_id"]).notes()] == ["I am vegetarian"]


async def test_ten_concurrent_messages_get_ten_answers(concierge_with: Opener) -> None:
    agent = scripted(lambda messages: AIMessage(f"re {messages[-1].text}"))
    async with concierge_with({"agent": agent}, history_mode="trim") as concierge:
        replies = await asyncio.gather(*(concierge.send(f"message {n}", **ANA) for n in range(10)))
        assert sorted(reply.text for reply in replies) == sorted(f"re message {n}" for n in range(10))
        entries = await concierge.history(**ANA)
        assert sorted(e.text for e in entries if e.role == "user") == sorted(f"message {n}" for n in range(10))
        assert [e.turn for e in entries if e.role == "user"] == list(range(1, 11))


async def test_streamed_answer_has_no_citation_marker(concierge_with: Opener) -> None:
    agent = scripted(AIMessage("Hello there.\n<used>nffff</used>"))
    async with concierge_with({"agent": agent}) as concierge:
        events: list[Any] = [event async for event in concierge.stream("hi", **ANA)]
        assert "".join(event.text for event in events if isinstance(event, Token)) == "Hello there."
        final = events[-1]
        assert isinstance(final, Reply)
        assert final.text == "Hello there."
        assert final.memory.violations == ({"code": "memory_out_of_context", "handle": "nffff"},)


@pytest.mark.parametrize("text", ["", "  \n ", "\x00", "  \u200b "])
async def test_empty_message_is_answered_without_the_model(concierge_with: Opener, text: str) -> None:
    agent = scripted(AIMessage("never"))
    async with concierge_with({"agent": agent}) as concierge:
        reply = await concierge.send(text, **ANA)
        assert reply.stop_reason == StopReason.MESSAGE_EMPTY
        assert "empty" in reply.text
        assert agent.asked == []


async def test_overlong_message_is_shortened_and_not_sent_to_the_model(concierge_with: Opener) -> None:
    agent = scripted(AIMessage("Hello."))
    async with concierge_with({"agent": agent}) as concierge:
        reply = await concierge.send("x" * 100_000, **ANA)
        assert reply.stop_reason == StopReason.MESSAGE_TOO_LONG
        assert "100,000" in reply.text
        assert agent.asked == []
        assert len((await concierge.history(**ANA))[0].text) == 20_000
        await concierge.send("hi", **ANA)
        assert max(len(str(message.content)) for message in agent.asked[-1]) <= 20_000


@pytest.mark.parametrize("form", [str, HumanMessage, lambda text: {"role": "user", "content": text}])
async def test_overlong_message_keeps_no_part_of_a_secret_at_its_end(concierge_with: Opener, form: Any) -> None:
    async with concierge_with({"agent": scripted()}, max_message_chars=100) as concierge:
        for before in range(60, 100):
            said = form("x" * before + ". My card is 4111 1111 1111 1111. " + "y" * 1000)
            thread: Any = {"configurable": {"thread_id": f"t{before}"}}
            given: Any = {"messages": ["Hello", said]}
            done = await concierge.graph.ainvoke(given, thread, context=Context(user_id="ana"))
            stored = (await concierge.graph.aget_state(thread)).values["messages"][1].text
            assert (len(stored), stored[:60], "1" in stored) == (100, "x" * 60, False)
            assert "characters" in done["messages"][-1].text


async def test_overlong_message_stays_private(concierge_with: Opener) -> None:
    async with concierge_with({"agent": scripted()}, max_message_chars=100) as concierge:
        await concierge.send("x" * 200, memory_mode="off", **ANA)
        (entry, _) = await concierge.history(**ANA)
        assert entry.mode == "off"


@pytest.mark.parametrize("text", ["👩‍👩‍👧 ✈️ 🏖", "مرحبا، أريد رحلة", "nul\x00byte", "lone \ud800 one", "a" * 20_000])
async def test_any_text_is_stored_unchanged(concierge_with: Opener, text: str) -> None:
    agent = scripted(AIMessage("Hello."))
    async with concierge_with({"agent": agent}) as concierge:
        assert (await concierge.send(text, **ANA)).text == "Hello."
        text_stored = (await concierge.history(**ANA))[0].text
        assert text_stored == text.replace("\x00", "").replace("\ud800", "?")


async def test_another_user_accesses_nothing_of_a_thread(concierge_with: Opener) -> None:
    agent = scripted(AIMessage("Hello."))
    eve: dict[str, Any] = {"user_id": "ana.maria@example.co", "thread_id": "t1"}
    async with concierge_with({"agent": agent}) as concierge:
        await concierge.send("my secret", **ANA)
        for attempt in (
            concierge.send("hi", **eve),
            concierge.history(**eve),
            concierge.full_history(**eve),
            concierge.end_session(**eve),
            concierge.pop_last_turn(**eve),
            concierge.clear_thread(**eve),
            concierge.set_max_turns(3, **eve),
            concierge.staged_notes(**eve),
        ):
            with pytest.raises(AccessDeniedError):
                await attempt
        assert [entry.text for entry in await concierge.history(**ANA)] == ["my secret", "Hello."]


async def test_graph_refuses_a_thread_of_another_user(concierge_with: Opener) -> None:
    async with concierge_with({"agent": scripted(AIMessage("Hello."))}) as concierge:
        await concierge.send("my secret", **ANA)
        config: Any = {"configurable": {"thread_id": "t1"}}
        for given in ({"messages": [HumanMessage("hi")]}, {"end_session": True}):
            with pytest.raises(AccessDeniedError):
                await concierge.graph.ainvoke(given, config, context={"user_id": "eve"})  # type: ignore[call-overload]


@pytest.mark.parametrize("user_id", ["../x", "x%", "x_", "x/y", "A", "a", "u1", "u10", "*", "[x]", "名前"])
async def test_memories_of_users_with_unusual_ids_are_separate(concierge_with: Opener, user_id: str) -> None:
    agent = scripted(save("I am vegetarian"), AIMessage("Noted."), AIMessage("Hello."))
    others = {"../x", "x%", "x_", "x/y", "A", "a", "u1", "u10", "*", "[x]", "xx", "u", "名"} - {user_id}
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}) as concierge:
        await concierge.send("I am vegetarian", user_id=user_id, thread_id="t")
        await concierge.end_session(user_id=user_id, thread_id="t")
        assert len(await concierge.memory(user_id).notes()) == 1
        for other in others:
            assert await concierge.memory(other).notes() == []
            assert await concierge.memory(other).journal() == []


async def test_wrong_arguments_are_named(concierge_with: Opener) -> None:
    async with concierge_with({"agent": scripted(AIMessage("Hello."))}) as concierge:
        with pytest.raises(InvalidInputError, match="1 to 200"):
            await concierge.send("hi", user_id="", thread_id="t")
        with pytest.raises(InvalidInputError, match="1 to 200"):
            await concierge.send("hi", user_id="ana", thread_id="")
        with pytest.raises(InvalidInputError, match="memory_mode"):
            await concierge.send("hi", user_id="ana", thread_id="t", memory_mode="sometimes")  # type: ignore[arg-type]
        with pytest.raises(NotFoundError, match="nowhere"):
            await concierge.end_session(user_id="ana", thread_id="nowhere")


async def test_model_is_told_of_a_failing_tool_and_the_turn_continues(concierge_with: Opener) -> None:
    agent = scripted(calls("recall_memory", query="x" * 300), AIMessage("I could not look that up."))
    async with concierge_with({"agent": agent}) as concierge:
        reply = await concierge.send("recall", **ANA)
        assert reply.text == "I could not look that up."
        assert "240" in str(agent.asked[-1][-1].content)


async def test_endless_tool_calls_are_stopped(concierge_with: Opener) -> None:
    def again(messages: Any) -> AIMessage:
        return calls("list_memories", f"call_{len(messages)}")

    agent: ScriptedModel = scripted(again)
    async with concierge_with({"agent": agent}, max_tool_rounds=3) as concierge:
        reply = await concierge.send("list", **ANA)
        assert reply.stop_reason == StopReason.TOOL_LIMIT
        assert len(agent.asked) == 4
        assert '{"notes": []}' in str(agent.asked[-1][-1].content)


async def test_note_is_forgotten_in_chat_and_several_matches_are_listed(concierge_with: Opener) -> None:
    agent = scripted(
        save("I love Hilton hotels", "hotel"), save("I love boutique hotels", "hotel", "call_2"), AIMessage("Noted."),
        calls("forget_memory", "call_3", query="hotels"), AIMessage("Which one?"),
        calls("forget_memory", "call_4", query="that I love Hilton"), AIMessage("Forgotten."),
    )  # fmt: skip
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}) as concierge:
        await concierge.send("I love Hilton hotels. I love boutique hotels", **ANA)
        await concierge.send("forget my hotels", **ANA)
        assert "which_one" in str(agent.asked[-1][-1].content)
        await concierge.send("the one that I love Hilton", **ANA)
        assert [note.text for note in await concierge.staged_notes(**ANA)] == ["I love boutique hotels"]


async def test_last_turn_can_be_taken_back_with_its_notes(concierge_with: Opener) -> None:
    agent = scripted(AIMessage("Hello."), save("I am vegetarian"), AIMessage("Noted."), AIMessage("Again."))
    async with concierge_with({"agent": agent}) as concierge:
        await concierge.send("hi", **ANA)
        await concierge.send("I am vegetarian", **ANA)
        assert await concierge.pop_last_turn(**ANA) == "I am vegetarian"
        assert await concierge.staged_notes(**ANA) == []
        assert [entry.text for entry in await concierge.history(**ANA)] == ["hi", "Hello."]
        await concierge.send("again", **ANA)
        assert [entry.turn for entry in await concierge.history(**ANA)] == [1, 1, 2, 2]


async def test_cleared_thread_is_gone_and_memory_remains(concierge_with: Opener) -> None:
    agent = scripted(save("I am vegetarian"), AIMessage("Noted."))
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}) as concierge:
        await concierge.send("I am vegetarian", **ANA)
        await concierge.end_session(**ANA)
        await concierge.clear_thread(**ANA)
        with pytest.raises(NotFoundError):
            await concierge.history(**ANA)
        assert len(await concierge.memory(ANA["user_id"]).notes()) == 1


async def test_expired_note_is_not_shown(concierge_with: Opener, clock: Clock) -> None:
    agent = scripted(save("I avoid trains", "transport", until="2026-11-27"), AIMessage("Noted."), AIMessage("Hello."))
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}) as concierge:
        await concierge.send("I avoid trains", **ANA)
        await concierge.end_session(**ANA)
        assert len((await concierge.send("hi", user_id=ANA["user_id"], thread_id="t2")).memory.shown) == 1
        clock.move(days=8)
        assert (await concierge.send("hi", user_id=ANA["user_id"], thread_id="t2")).memory.shown == ()


async def test_notes_are_listed_from_both_memories(concierge_with: Opener) -> None:
    agent = scripted(
        save("I am vegetarian"), AIMessage("Noted."), save("I hate trains", "transport", "call_2"), AIMessage("Noted."),
        calls("list_memories", "call_3"), AIMessage("Both."), calls("list_memories", "call_4", topic="meal"),
        AIMessage("One."),
    )  # fmt: skip
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}) as concierge:
        await concierge.send("I am vegetarian", **ANA)
        await concierge.end_session(**ANA)
        await concierge.send("I hate trains", **ANA)
        await concierge.send("list", **ANA)
        listed = json.loads(str(agent.asked[5][-1].content))["notes"]
        assert [(note["text"], note["where"]) for note in listed] == [
            ("I hate trains", "this conversation"),
            ("I am vegetarian", "long-term"),
        ]
        await concierge.send("list meals", **ANA)
        assert "trains" not in str(agent.asked[-1][-1].content)


async def test_stream_has_memory_events(concierge_with: Opener) -> None:
    agent = scripted(save("I am vegetarian"), AIMessage("Noted."))
    async with concierge_with({"agent": agent}) as concierge:
        events = [event async for event in concierge.stream("I am vegetarian", **ANA)]
        assert [event.name for event in events if isinstance(event, MemoryEvent)] == ["memory.created"]


async def test_memory_events_are_in_the_custom_stream(concierge_with: Opener) -> None:
    agent = scripted(save("I am vegetarian"), AIMessage("Noted."))
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}) as concierge:
        given: Any = {"messages": [HumanMessage("I am vegetarian")], "end_session": True}
        config: Any = {"configurable": {"thread_id": "t"}}
        context: Any = {"user_id": "ana"}
        parts = concierge.graph.astream(given, config, context=context, stream_mode="custom")
        events = [part async for part in parts]
        assert [event["event"] for event in events] == ["memory.created", "memory.consolidated"]
        assert events[0]["items"][0]["text"] == "I am vegetarian"


async def test_turn_taken_back_after_the_session_is_removed_from_the_archive(concierge_with: Opener) -> None:
    async with concierge_with({"agent": scripted(AIMessage("Hello."))}, episodes="off") as concierge:
        await concierge.send("hi", **ANA)
        await concierge.send("oops", **ANA)
        await concierge.end_session(**ANA)
        await concierge.pop_last_turn(**ANA)
        assert [entry.text for entry in await concierge.full_history(**ANA)] == ["hi", "Hello."]


async def test_of_many_notes_the_relevant_ones_are_shown(concierge_with: Opener, clock: Clock) -> None:
    agent = scripted(AIMessage("Hello."))
    ferry = note("I get seasick on boats", topic="transport", last_update_date=date(2020, 1, 1))
    peanuts = note("Allergic to peanuts", topic="meal", hard=True, last_update_date=date(2019, 1, 1))
    others = [note(f"Likes museum number {n}", topic="activity") for n in range(30)]
    async with concierge_with({"agent": agent}, injection_tokens=120) as concierge:
        steps = [Step(one.id, "system", "seed", (changed(None, one),)) for one in (ferry, peanuts, *others)]
        await concierge.memory(ANA["user_id"]).commit(steps)
        reply = await concierge.send("Is the ferry to Capri fine for me?", **ANA)
        shown = [one.text for one in reply.memory.shown]
        assert shown[-2:] == ["I get seasick on boats", "Allergic to peanuts"]
        assert len(shown) == 7


async def test_keywords_select_notes_if_the_embedder_fails(concierge_with: Opener) -> None:
    agent = scripted(AIMessage("Hello."))
    ferry = note("I get seasick on ferries", topic="transport", last_update_date=date(2020, 1, 1))
    others = [note(f"Likes museum number {n}", topic="activity") for n in range(9)]
    closed = {"embedder": "openai", "openai_base_url": "http://127.0.0.1:9/v1", "model_max_retries": 0}
    async with concierge_with({"agent": agent}, injection_tokens=60, **closed) as concierge:
        steps = [Step(one.id, "system", "seed", (changed(None, one),)) for one in (ferry, *others)]
        await concierge.memory(ANA["user_id"]).commit(steps)
        reply = await concierge.send("Which ferries go to Capri?", **ANA)
        assert reply.text == "Hello."
        assert "I get seasick on ferries" in [one.text for one in reply.memory.shown]
