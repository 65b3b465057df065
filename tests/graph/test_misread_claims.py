"""Claims that a model read wrongly: no single one removes a constraint, or undoes what other claims decided."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.messages import AIMessage

from app.api.concierge import Concierge
from tests.conftest import Opener
from tests.scripted import Step, calls, scripted

ANA = "ana"
VEGETARIAN = "I'm vegetarian"
NICE = "The hotel restaurant was really nice"
MEAT = "I eat meat again"


def _saves(text: str, stance: str = "excludes") -> list[Step]:
    claims = [{"attribute": "diet", "value": "vegetarian", "stance": stance}]
    call = calls("save_memory_note", "c1", text=text, quote=text, topic="meal", claims=claims)
    return [call, AIMessage("Noted.")]


async def _end_sessions(concierge: Concierge, *texts: str) -> list[str]:
    for number, text in enumerate(texts):
        ids: dict[str, Any] = {"user_id": ANA, "thread_id": f"t{number}"}
        await concierge.send(text, **ids)
        await concierge.end_session(**ids)
    return [note.text for note in await concierge.memory(ANA).notes()]


def _plan(op: str, text: str | None, targets: list[str]) -> AIMessage:
    operation = {"session_notes": ["s1"], "global_notes": targets, "reason": "r", "op": op, "text": text}
    return calls("PlanProposal", operations=[operation])


@pytest.mark.parametrize(
    ("text", "plan", "kept"),
    [
        (NICE, _plan("ADD", NICE, []), {VEGETARIAN, NICE}),
        (MEAT, _plan("SUPERSEDE", MEAT, ["g1"]), {MEAT}),
        (MEAT, _plan("ADD", MEAT, []), {MEAT, VEGETARIAN}),
    ],
)
async def test_second_reading_decides_whether_other_words_replace_a_constraint(
    concierge_with: Opener, text: str, plan: AIMessage, kept: set[str]
) -> None:
    models = {"agent": scripted(*_saves(VEGETARIAN, "requires"), *_saves(text)), "consolidation": scripted(plan)}
    async with concierge_with(models) as concierge:
        assert set(await _end_sessions(concierge, VEGETARIAN, text)) == kept
        assert len(await concierge.memory(ANA).conflicts()) == len(kept) - 1
