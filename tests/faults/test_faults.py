"""A fault at every step of a session's end and of forgetting loses nothing and repeats nothing.

After the fault, the operation is repeated, and the stored data must be the same as without it.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatResult

from config.errors import ModelError, NotFoundError, StorageError
from graph.state import StopReason
from tests.faults.account import everything
from tests.faults.child import end, settings_of
from tests.faults.parts import Blow, StruckConcierge, struck_concierge
from tests.faults.story import LEARNT, THREAD, USER, begin, go_on, models, say
from tests.scripted import ScriptedModel, calls, scripted

pytestmark = pytest.mark.slow

MUSEUMS = "I love museums"
THREADS = (THREAD, "t2", "t3")
LASTING = pytest.mark.parametrize("lasting", [False, True], ids=["once", "until space is made"])


def _full() -> None:
    raise StorageError("The disk is full. Free some space and try again.")


async def _run_story(folder: Path, told: Any = None, **more: Any) -> None:
    """Run the story up to the end of the second session, and two further conversations that mention the museums."""
    settings = settings_of({"data_dir": folder, "embedder": "none", **more})
    async with struck_concierge(settings, Blow(_full), models=told) as concierge:
        await begin(concierge, concierge.store)
        await go_on(concierge)
        for thread in THREADS[1:]:
            await say(concierge, f"Do you know that {MUSEUMS}?", name=f"ask {thread}", thread_id=thread)


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run the story once and return its data, of which each round copies."""
    folder = tmp_path_factory.mktemp("story") / "data"
    asyncio.run(_run_story(folder))
    return folder


@asynccontextmanager
async def _concierge(story: Path, blow: Blow, *, told: Any = None, **more: Any) -> AsyncIterator[StruckConcierge]:
    """Open a concierge on a copy of the story."""
    with TemporaryDirectory() as folder:
        settings = settings_of({"data_dir": Path(folder) / "data", "embedder": "none", **more})
        shutil.copytree(story, settings.data_dir)
        async with struck_concierge(settings, blow, models=told) as concierge:
            yield concierge


async def _museums(concierge: StruckConcierge) -> str:
    (note,) = [note for note in await concierge.memory(USER).notes() if note.text == MUSEUMS]
    return note.id


@LASTING
async def test_fault_at_any_write_of_the_session_end_is_recovered(story: Path, lasting: bool) -> None:
    whole = Blow(_full)
    async with _concierge(story, whole) as concierge:
        before = whole.count
        await end(concierge)
        outcome, writes = await everything(concierge, THREAD), whole.count - before
    for number in range(1, writes + 1):
        blow = Blow(_full, lasting=lasting)
        async with _concierge(story, blow) as concierge:
            blow.next(number)
            with pytest.raises(StorageError, match="disk is full"):
                await end(concierge)
            if lasting:
                with pytest.raises(StorageError, match="disk is full"):
                    await end(concierge)
            blow.at = 0
            await end(concierge)
            assert await everything(concierge, THREAD) == outcome, f"write {number}"


class Silent(ScriptedModel):
    """A model that never answers."""

    async def _agenerate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        self.asked.append(messages)
        await asyncio.Event().wait()
        raise AssertionError("nobody gave up waiting")


MODEL_FAULTS: dict[str, Any] = {
    "error": scripted(ModelError("Wrong key.", fault="auth")),
    "crash": scripted(ConnectionError("reset by peer")),
    "nothing": scripted(AIMessage("")),
    "prose": scripted(AIMessage("Sure! Here is the plan: keep everything.")),
    "half": scripted(AIMessage('{"operations": [')),
    "wrong shape": scripted(calls("PlanProposal", operations="all of them")),
    "wrong call": scripted(calls("drop_tables", sure=True)),
    "silence": Silent(script=[], asked=[], offered=[]),
}


@pytest.mark.parametrize("role", ["summary", "consolidation"])
@pytest.mark.parametrize("fault", MODEL_FAULTS)
async def test_failing_model_at_the_session_end_loses_nothing(tmp_path: Path, role: str, fault: str) -> None:
    told = {**models(), role: MODEL_FAULTS[fault]}
    patience = 1 if fault == "silence" else 60
    await _run_story(tmp_path, told, model_timeout=patience)
    async with _concierge(tmp_path, Blow(_full), told=told, model_timeout=patience) as concierge:
        ended = await concierge.end_session(user_id=USER, thread_id=THREAD)
        assert ended.stop_reason == StopReason.SESSION_ENDED
        memory = concierge.memory(USER)
        # Without a planner, notes that claims can't decide on are added beside the known ones.
        expected = LEARNT if role == "summary" else sorted([*LEARNT, "I am vegetarian"])
        assert sorted(note.text for note in await memory.notes()) == expected
        assert len(await memory.episodes()) == 2
        before = await everything(concierge, THREAD)
        await end(concierge)
        assert await everything(concierge, THREAD) == before


async def _by_hand(concierge: StruckConcierge, note_id: str) -> None:
    await concierge.memory(USER).forget(note_id)


async def _in_chat(concierge: StruckConcierge, note_id: str) -> None:
    """Ask to forget it in a conversation; after a fault, finish the turn and sweep."""
    if (await concierge.graph.aget_state({"configurable": {"thread_id": "t2"}})).tasks:
        await concierge.resume(user_id=USER, thread_id="t2")
    elif any(note.id == note_id for note in await concierge.memory(USER).notes()):
        await concierge.send(f"Forget {note_id}", user_id=USER, thread_id="t2")
    await concierge.sweep(idle=timedelta(days=1))


@LASTING
async def test_fault_at_any_write_of_forgetting_is_recovered(story: Path, lasting: bool) -> None:
    whole = Blow(_full)
    async with _concierge(story, whole) as concierge:
        note_id = await _museums(concierge)
        before = whole.count
        await _by_hand(concierge, note_id)
        outcome, writes = await everything(concierge, *THREADS), whole.count - before
        assert b"museum" not in outcome
    for number in range(1, writes + 1):
        blow = Blow(_full, lasting=lasting)
        async with _concierge(story, blow) as concierge:
            note_id = await _museums(concierge)
            blow.next(number)
            with pytest.raises(StorageError, match="disk is full"):
                await _by_hand(concierge, note_id)
            blow.at = 0
            await _by_hand(concierge, note_id)
            assert await everything(concierge, *THREADS) == outcome, f"write {number}"


async def test_sweep_finishes_a_forgetting_that_a_crash_interrupted(story: Path) -> None:
    blow = Blow(_full)
    async with _concierge(story, blow) as concierge:
        note_id = await _museums(concierge)
        blow.next(2)
        with pytest.raises(StorageError, match="disk is full"):
            await _by_hand(concierge, note_id)
        assert b"museum" in await everything(concierge, *THREADS)
        await concierge.sweep(idle=timedelta(days=1))
        assert b"museum" not in await everything(concierge, *THREADS)
        with pytest.raises(NotFoundError, match="There is no note"):
            await _by_hand(concierge, note_id)


@LASTING
async def test_fault_at_any_write_of_forgetting_in_chat_is_recovered(story: Path, lasting: bool) -> None:
    whole = Blow(_full)
    async with _concierge(story, whole) as concierge:
        note_id = await _museums(concierge)
        before = whole.count
        await _in_chat(concierge, note_id)
        writes = whole.count - before
    for number in range(1, writes + 1):
        blow = Blow(_full, lasting=lasting)
        async with _concierge(story, blow) as concierge:
            note_id = await _museums(concierge)
            blow.next(number)
            # The model is told of a tool's error, so not every fault raises.
            with contextlib.suppress(StorageError):
                await _in_chat(concierge, note_id)
            blow.at = 0
            await _in_chat(concierge, note_id)
            assert b"museum" not in await everything(concierge, *THREADS), f"write {number}"
            journal = await concierge.memory(USER).journal()
            assert [entry.action for entry in journal].count("forgotten") == 1
            assert [entry.seq for entry in journal] == list(range(1, len(journal) + 1))
            texts = sorted(note.text for note in await concierge.memory(USER).notes())
            assert texts == ["I am vegetarian", "I prefer aisle seats"]


async def test_private_message_stays_private_after_an_interrupted_run(story: Path) -> None:
    blow = Blow(_full)
    async with _concierge(story, blow) as concierge:
        cut_short = 0
        for number in range(1, 13):
            where: Any = {"user_id": USER, "thread_id": f"private {number}"}
            blow.next(number)
            with contextlib.suppress(StorageError):
                await concierge.send("I travel with my cat and my dog", memory_mode="off", **where)
            blow.at = 0
            if (await concierge.graph.aget_state({"configurable": {"thread_id": where["thread_id"]}})).tasks:
                cut_short += 1
                await concierge.resume(**where)
                assert await concierge.staged_notes(**where) == [], f"write {number}"
        assert cut_short
