"""Two conflicting active notes: shown with the relevant message, asked about once, and settled by the answer."""

from __future__ import annotations

from typing import Any

from langchain_core.messages import AIMessage, HumanMessage

from app.api.concierge import Concierge
from graph.context import Context
from memory.records.journal import Change, Step
from memory.records.repository import UserMemory
from tests.conftest import Opener
from tests.samples import claim, note
from tests.scripted import calls, scripted

ANA: dict[str, Any] = {"user_id": "ana.maria@example.com", "thread_id": "t1"}
AISLE = note("I prefer aisle seats", claim("seat_side", "aisle"), topic="seat")
WINDOW = note("I prefer window seats", claim("seat_side", "window"), topic="seat")
QUESTION = AIMessage("You told me that you prefer aisle seats, and that you prefer window seats. Which one holds?")


async def _seed(concierge: Concierge) -> None:
    added = tuple(Change(kind="note", key=each.id, before=None, after=each.dump()) for each in (AISLE, WINDOW))
    await concierge.memory(ANA["user_id"]).commit([Step("seed", "user", "added", added)])


def _pick(quote: str) -> AIMessage:
    return calls("save_memory_note", "call_1", text=AISLE.text, topic="seat", quote=quote)


async def test_offline_model_asks_once_and_the_answer_supersedes_the_other_note(concierge_with: Opener) -> None:
    async with concierge_with({}) as concierge:
        await _seed(concierge)
        asked = await concierge.send("I need a flight to Rome in May", **ANA)
        assert asked.text.count("?") == 1
        assert "aisle" in asked.text
        assert "window" in asked.text
        assert asked.memory.used == ()
        reply = await concierge.send("the aisle", **ANA)
        assert [written.text for written in reply.memory.written] == [AISLE.text]
        again = await concierge.send("Find me a flight, then", **ANA)
        assert "window" not in again.text
        assert "aisle" in again.text
        await concierge.end_session(**ANA)
        assert [kept.text for kept in await concierge.memory(ANA["user_id"]).notes()] == [AISLE.text]


async def test_later_of_two_statements_in_one_session_wins(concierge_with: Opener) -> None:
    async with concierge_with({}) as concierge:
        for said in ("ベジタリアンです", "実はもう菜食はやめたんです。お肉も食べます"):
            await concierge.send(said, **ANA)
        await concierge.end_session(**ANA)
        texts = [each.text for each in await concierge.memory(ANA["user_id"]).notes()]
        assert sorted(texts) == ["お肉も食べます", "もう菜食はやめたんです"]


async def test_unanswered_question_is_not_repeated_until_a_note_changes(concierge_with: Opener) -> None:
    later: dict[str, Any] = {**ANA, "thread_id": "later"}
    async with concierge_with({}) as concierge:
        await _seed(concierge)
        memory = concierge.memory(ANA["user_id"])
        assert "window" in (await concierge.send("I need a flight to Rome in May", **ANA)).text
        await concierge.send("it depends", **ANA)
        assert "window" not in (await concierge.send("Let's leave that", **ANA)).text
        await concierge.end_session(**ANA)
        assert len(await memory.notes()) == 2
        for thread in ("later", ANA["thread_id"]):
            reply = await concierge.send("I need a flight to Oslo in June", user_id=ANA["user_id"], thread_id=thread)
            assert "aisle" not in reply.text
            assert "window" not in reply.text
        await memory.edit(AISLE.id, text="I always prefer aisle seats", claims=[AISLE.claims[0].dump()])
        assert (
            "window" in (await concierge.send("I need a flight to Rome in July", **{**later, "thread_id": "new"})).text
        )


async def test_answer_against_a_workspace_note_holds_in_the_next_conversation(concierge_with: Opener) -> None:
    user = ANA["user_id"]
    async with concierge_with({}) as concierge:

        async def say(text: str, thread: str) -> str:
            given: Any = {"messages": [HumanMessage(text)]}
            config: Any = {"configurable": {"thread_id": thread}}
            state = await concierge.graph.ainvoke(given, config, context=Context(user_id=user, workspace="team"))
            return str(state["messages"][-1].text)

        memory = concierge.memory(user)
        team = UserMemory.of_workspace(memory.store, "team", clock=lambda: AISLE.created_at)
        for kept, own in ((memory, AISLE), (team, WINDOW.model_copy(update={"scope": "workspace"}))):
            added = Change(kind="note", key=own.id, before=None, after=own.dump())
            await kept.commit([Step("seed", "user", "added", (added,))])
        assert "window" in await say("I need a flight to Rome in May", "t1")
        await say("the aisle", "t1")
        await concierge.end_session(**ANA)
        reply = await say("I need a flight to Oslo in June", "later")
        assert "window" not in reply
        assert "aisle" in reply
        assert len([*await memory.notes(), *await team.notes()]) == 2


async def test_answer_by_position_may_repeat_the_question(concierge_with: Opener) -> None:
    agent = scripted(QUESTION, _pick("the first"), AIMessage("Good."))
    async with concierge_with({"agent": agent}) as concierge:
        await _seed(concierge)
        await concierge.send("I need a flight to Rome in May", **ANA)
        reply = await concierge.send("the first", **ANA)
        assert [written.text for written in reply.memory.written] == [AISLE.text]


async def test_pick_without_the_question_is_ungrounded(concierge_with: Opener) -> None:
    agent = scripted(AIMessage("From where?"), _pick("the first"), AIMessage("Good."))
    async with concierge_with({"agent": agent}) as concierge:
        await _seed(concierge)
        await concierge.send("I need a flight to Rome in May", **ANA)
        reply = await concierge.send("the first", **ANA)
        assert reply.memory.written == ()
        assert [refused["code"] for refused in reply.memory.blocked] == ["ungrounded"]
