"""Another schema through the whole graph, the three distillation modes, and the common prefix of a session's calls."""

from __future__ import annotations

from itertools import pairwise, takewhile
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from graph.state import StopReason
from tests.conftest import Opener
from tests.graph.test_conversation import ANA, NO_PLAN, save
from tests.memory.schema.gardener import GARDENER
from tests.samples import claim
from tests.scripted import calls, scripted

PROPOSED: dict[str, Any] = {
    "quote": "I am vegetarian", "text": "Is vegetarian", "topic": "meal", "claims": [], "when": [], "about": "user",
    "kind": "traveller", "holds": "always", "until": None, "confidence": 1.0,
}  # fmt: skip


async def test_gardener_is_remembered_with_another_schema(concierge_with: Opener) -> None:
    none = {"attribute": "poison", "value": "none", "stance": "requires"}
    agent = scripted(save("No poison in my garden", "pests", claims=[none]), AIMessage("Noted."))
    models: Any = {"agent": agent, "consolidation": NO_PLAN}
    async with concierge_with(models, memory_schema=GARDENER, travel="off") as concierge:
        await concierge.send("No poison in my garden", **ANA, end_session=True)
        memory = concierge.memory(ANA["user_id"])
        (kept,) = await memory.notes()
        assert (kept.topic, kept.hard, kept.claims) == ("pests", True, (claim("poison", "none", "requires"),))
        await concierge.send("hi", user_id=ANA["user_id"], thread_id="t2")
        system = str(agent.asked[-1][0].content)
        assert "poison none|bought" in system
        assert "seat_side" not in system
        assert (await memory.deny("pests")).denied == ("pests",)


@pytest.mark.parametrize("distillation", ["turn", "session"])
async def test_tools_save_no_notes_if_extraction_does(concierge_with: Opener, distillation: str) -> None:
    agent, reader = scripted(AIMessage("Hello.")), scripted(calls("ExtractedNotes", notes=[PROPOSED]))
    async with concierge_with(
        {"agent": agent, "consolidation": reader}, distillation=distillation, episodes="off"
    ) as concierge:
        for text in ("I am vegetarian", "Rome in May"):
            await concierge.send(text, **ANA)
        assert len(reader.asked) == (2 if distillation == "turn" else 0)
        await concierge.end_session(**ANA)
        assert len(reader.asked) == (2 if distillation == "turn" else 1)
        assert not any("save_memory_note" in names for names in agent.offered)
        assert all("recall_memory" in names for names in agent.offered)
        assert [one.text for one in await concierge.memory(ANA["user_id"]).notes()] == ["Is vegetarian"]


@pytest.mark.parametrize(
    ("sorted_as", "scopes"),
    [
        (PROPOSED, ["user"]),
        ({**PROPOSED, "holds": "this_trip"}, ["trip"]),
        ({"kind": "small_talk"}, []),
        ({"kind": "someone_else"}, []),
    ],
    ids=["always", "this_trip", "small_talk", "someone_else"],
)
async def test_extraction_keeps_notes_classified_as_about_the_traveller(
    concierge_with: Opener, sorted_as: dict[str, Any], scopes: list[str]
) -> None:
    reader = scripted(calls("ExtractedNotes", notes=[sorted_as]))
    models: Any = {"agent": scripted(AIMessage("Hello.")), "consolidation": reader}
    async with concierge_with(models, distillation="turn") as concierge:
        await concierge.send("I am vegetarian", **ANA)
        staged = await concierge.staged_notes(**ANA)
        assert [note.scope for note in staged] == scopes


async def test_extraction_without_a_restatement_keeps_the_original_words(concierge_with: Opener) -> None:
    reader = scripted(calls("ExtractedNotes", notes=[{**PROPOSED, "text": ""}]))
    models: Any = {"agent": scripted(AIMessage("Hello.")), "consolidation": reader}
    async with concierge_with(models, distillation="turn") as concierge:
        await concierge.send("I am vegetarian", **ANA)
        assert [note.text for note in await concierge.staged_notes(**ANA)] == ["I am vegetarian"]


async def test_every_call_offers_the_same_tools_and_the_last_round_may_call_none(
    concierge_with: Opener,
) -> None:
    agent = scripted(lambda messages: calls("list_memories", f"call_{len(messages)}", topic=None))
    async with concierge_with({"agent": agent}, max_tool_rounds=2) as concierge:
        reply = await concierge.send("list", **ANA)
        assert reply.stop_reason == StopReason.TOOL_LIMIT
        assert len(agent.asked) == 3
        assert agent.choices == [None, None, "none"]
        assert agent.offered[0]
        assert agent.offered == agent.offered[:1] * 3


async def test_calls_of_a_session_share_their_prefix_through_saves_and_recalls(concierge_with: Opener) -> None:
    steps = [
        step
        for turn in range(10)
        for step in (
            save(f"I like tram {turn}", "transport", f"s{turn}") if turn % 3 == 0 else calls(
                "recall_memory", f"r{turn}", query="trams"
            ),
            AIMessage(f"Answer {turn}, in a sentence or two.\n<used>nffff</used>"),
        )
    ]  # fmt: skip
    agent = scripted(*steps)
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}) as concierge:
        for turn in range(10):
            await concierge.send(f"I like tram {turn}", **ANA)
    prompts = ["\n".join(f"{one.type}: {one.content}" for one in asked) for asked in agent.asked]
    assert len({str(asked[0].content) for asked in agent.asked}) == 1
    for one, following in pairwise(prompts):
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, following, strict=False)))
        assert shared >= 0.95 * min(len(one), len(following))
