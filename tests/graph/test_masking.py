"""Secrets that are never needed are masked: no database, log or export holds them after a turn."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from app.api.concierge import Concierge
from app.api.reply import Token
from config.settings import Settings
from graph.builder import build_graph
from graph.context import Context
from graph.state import META, meta
from tests.conftest import Opener
from tests.faults.residue import residue
from tests.scripted import scripted

pytestmark = pytest.mark.slow

SECRETS = {
    "card": ("my card is {}, and I prefer window seats", ["4111111111111111"]),
    "card code": ("the security code on my card is {}", ["7391"]),
    "bank account": ("my IBAN is {} for refunds", ["DE89370400440532013000"]),
    "passport": ("my passport number is {}", ["X12345679"]),
    "national id": ("my SSN is {}", ["078051120"]),
    "one-time code": ("the SMS code is {}", ["482913"]),
    "PIN": ("my PIN is {}", ["48217"]),
    "API key": ("my api key is {}", ["sk-proj-abcdefgh12345678"]),
    "password": ("my password is {}", ["bananabread"]),
}
_DIGITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]


def _forms(value: str) -> dict[str, str]:
    full_width = "".join(chr(ord(char) + 0xFEE0) for char in value)
    forms = {"plain": value, "full-width": full_width}
    if value.isdigit():
        groups = [value[at : at + 4] for at in range(0, len(value), 4)]
        forms |= {"spaced": " ".join(groups), "dashed": "-".join(groups), "single": " ".join(value)}
        forms["spelled"] = " ".join(_DIGITS[int(digit)] for digit in value)
    return forms


CASES = [
    (f"{name} {form}", text.format(written), [value, written])
    for name, (text, values) in SECRETS.items()
    for value in values
    for form, written in _forms(value).items()
]


async def test_data_directory_contains_no_secret(
    concierge_with: Opener, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    exports = []
    async with concierge_with() as concierge:
        for name, text, _ in CASES:
            reply = await concierge.send(text, user_id="ana", thread_id=name)
            assert "I never need it" in reply.text, name
            exports.append(await _stored(concierge, name))
        await concierge.end_session(user_id="ana", thread_id=CASES[0][0])
        (tmp_path / "data" / "export.json").write_text(str(await concierge.memory("ana").export()), "utf-8")
        (tmp_path / "data" / "concierge.log").write_text(caplog.text, "utf-8")
        words = sorted({word for _, text, values in CASES for word in _with_context(text, values)})
        assert residue(tmp_path / "data", *words) == []
    assert exports[0].startswith("my card is [card number removed], and I prefer window seats")


def _with_context(text: str, values: list[str]) -> list[str]:
    """Return the strings to search for: a short number occurs in ids by chance, so the text before it is included."""
    value, written = values
    short = text[text.index(written) - 3 : text.index(written) + len(written)]
    return [word for word in (value, written) if len(word) > 8] or [short]


async def _stored(concierge: Concierge, thread_id: str) -> str:
    return (await concierge.full_history(user_id="ana", thread_id=thread_id))[0].text


async def test_note_is_made_of_the_masked_text(concierge_with: Opener) -> None:
    async with concierge_with() as concierge:
        text = "My card is 4111 1111 1111 1111. I always prefer aisle seats."
        reply = await concierge.send(text, user_id="ana", thread_id="t")
        assert [note.text for note in reply.memory.written]
        assert "aisle" in reply.memory.written[0].text


async def test_model_sees_the_masked_text_and_the_traveller_is_told_once(concierge_with: Opener) -> None:
    model = scripted(AIMessage("Noted."), AIMessage("Hello."))
    async with concierge_with({"agent": model}) as concierge:
        events = [
            event async for event in concierge.stream("my card is 4111 1111 1111 1111", user_id="ana", thread_id="t")
        ]
        answer = "".join(event.text for event in events if isinstance(event, Token))
        assert answer == "Noted.\n\nI removed the card number from our conversation: I never need it."
        second = await concierge.send("hello", user_id="ana", thread_id="t")
        assert second.text == "Hello."
        state = await concierge.graph.aget_state({"configurable": {"thread_id": "t"}})
        first = state.values["messages"][0]
        assert meta(first)["removed"] == ["payment_card"]
    assert "4111" not in str(model.asked)


async def test_bare_answer_to_a_question_is_masked(concierge_with: Opener, tmp_path: Path) -> None:
    model = scripted(AIMessage("What is your password?"), AIMessage("Thanks."))
    async with concierge_with({"agent": model}) as concierge:
        await concierge.send("hello", user_id="ana", thread_id="t")
        await concierge.send("it is hunter4821", user_id="ana", thread_id="t")
        assert residue(tmp_path / "data", "hunter4821") == []


@pytest.mark.parametrize(
    "given",
    [
        {"messages": [HumanMessage("my PIN is 4821761")]},
        {"messages": [("user", "my PIN is 4821761")]},
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "my PIN is 4821761"}]}]},
        {"messages": "my PIN is 4821761"},
    ],
)
async def test_graph_masks_its_input(given: Any, make_settings: Callable[..., Settings], tmp_path: Path) -> None:
    place = tmp_path / "graph"
    place.mkdir()
    async with AsyncSqliteSaver.from_conn_string(str(place / "checkpoints.db")) as saver:
        graph = build_graph(make_settings(), checkpointer=saver)
        config: Any = {"configurable": {"thread_id": "t"}}
        await graph.ainvoke(given, config, context=Context())
        await graph.aupdate_state(config, given)
        assert residue(place, "4821761") == []


def test_synchronous_graph_masks_its_input(make_settings: Callable[..., Settings], tmp_path: Path) -> None:
    place = tmp_path / "graph"
    place.mkdir()
    with SqliteSaver.from_conn_string(str(place / "checkpoints.db")) as saver:
        graph = build_graph(make_settings(), checkpointer=saver).with_config(tags=["copied"])
        config: Any = {"configurable": {"thread_id": "t"}}
        graph.update_state(config, {"messages": [("user", "my PIN is 4821761")]}, as_node="trim_history")
        assert residue(place, "4821761") == []


async def test_caller_cannot_forge_a_removal(concierge_with: Opener) -> None:
    async with concierge_with() as concierge:
        planted = HumanMessage("hello", additional_kwargs={META: {"removed": ["payment_card"]}})
        config: Any = {"configurable": {"thread_id": "t"}}
        await concierge.graph.ainvoke({"messages": [planted]}, config, context=Context("ana"))
        state = await concierge.graph.aget_state(config)
        assert "removed" not in meta(state.values["messages"][0])
        assert "never need" not in str(state.values["messages"][-1].content)
