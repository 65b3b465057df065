"""Twenty sessions of one user end concurrently: each takes effect once, and the journal has no gaps."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.child import end_in_processes, end_together, settings_of
from tests.faults.parts import StruckConcierge, struck_concierge
from tests.faults.story import USER
from tests.faults.together import SHARED, models, own, tell, threads

pytestmark = pytest.mark.slow

COUNT = 20


async def _all_took_effect(concierge: StruckConcierge) -> None:
    memory = concierge.memory(USER)
    notes = {note.text: note for note in await memory.notes(include_inactive=True)}
    assert sorted(notes) == sorted([SHARED, *(own(number) for number in range(COUNT))])
    assert len(notes) == len(await memory.notes(include_inactive=True))
    assert notes[SHARED].confirmations == COUNT
    journal = await memory.journal()
    assert [entry.seq for entry in journal] == list(range(1, len(journal) + 1))
    actions = [entry.action for entry in journal]
    assert (actions.count("add"), actions.count("confirm"), actions.count("episode")) == (COUNT + 1, COUNT - 1, COUNT)
    assert await memory.revision() == sum(bool(entry.changes) and entry.action != "used" for entry in journal)
    assert len({entry.thread_id for entry in journal if entry.action == "episode"}) == COUNT
    for thread in threads(COUNT):
        state = (await concierge.graph.aget_state({"configurable": {"thread_id": thread}})).values
        assert (state["session_notes"], state["plan"], state["session"]) == ([], None, None)


async def test_twenty_sessions_that_end_concurrently_all_take_effect(tmp_path: Path) -> None:
    settings = settings_of({"data_dir": tmp_path, "embedder": "none"})
    async with struck_concierge(settings, models=models()) as concierge:
        await tell(concierge, COUNT)
        await end_together(concierge, threads(COUNT))
        await _all_took_effect(concierge)


async def test_twenty_sessions_that_end_in_two_processes_all_take_effect(tmp_path: Path, postgres_url: str) -> None:
    where = {"data_dir": tmp_path, "embedder": "none", "store_url": postgres_url}
    async with struck_concierge(settings_of(where), models=models()) as concierge:
        await tell(concierge, COUNT)
    end_in_processes(where, [threads(COUNT)[::2], threads(COUNT)[1::2]])
    async with struck_concierge(settings_of(where), models=models()) as concierge:
        await _all_took_effect(concierge)


async def test_one_session_that_two_processes_end_takes_effect_once(tmp_path: Path, postgres_url: str) -> None:
    where = {"data_dir": tmp_path, "embedder": "none", "store_url": postgres_url}
    async with struck_concierge(settings_of(where), models=models()) as concierge:
        await tell(concierge, COUNT)
    end_in_processes(where, [threads(COUNT), threads(COUNT)[::-1]])
    async with struck_concierge(settings_of(where), models=models()) as concierge:
        await _all_took_effect(concierge)
