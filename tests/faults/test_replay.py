"""Repeating a session adds nothing.

That is: no note, no version of a note, no wording and no superseding. A repeat in a new conversation may confirm notes
(once per session), and adds an episode and a record of the shown notes, as for any conversation. A repeat in the same
conversation does not even do that.
"""

from __future__ import annotations

from typing import Any

import pytest

from config.errors import NotFoundError
from memory.records.notes import Note
from tests.faults.account import everything
from tests.faults.child import end, first_session, settings_of, turns
from tests.faults.parts import StruckConcierge, struck_concierge
from tests.faults.story import SECOND, THREAD, USER, say


def _settings(tmp_path: Any) -> Any:
    return settings_of({"data_dir": tmp_path, "embedder": "none"})


async def _whole(concierge: StruckConcierge) -> None:
    for part in (first_session, turns, end):
        await part(concierge)


async def _statements(concierge: StruckConcierge) -> list[dict[str, Any]]:
    """Return every note of every status, without the fields that a confirmation changes."""
    moving = {"confirmations", "last_update_date", "last_used_at", "expires_at", "evidence"}
    notes: list[Note] = await concierge.memory(USER).notes(include_inactive=True)
    return sorted((note.model_dump(exclude=moving) for note in notes), key=lambda note: str(note["id"]))


async def test_ending_again_and_resuming_after_the_end_change_nothing(tmp_path: Any) -> None:
    async with struck_concierge(_settings(tmp_path)) as concierge:
        await _whole(concierge)
        before = await everything(concierge, THREAD)
        for _ in range(2):
            await concierge.end_session(user_id=USER, thread_id=THREAD)
            with pytest.raises(NotFoundError):
                await concierge.resume(user_id=USER, thread_id=THREAD)
        assert await everything(concierge, THREAD) == before


async def test_same_messages_in_a_new_conversation_only_confirm(tmp_path: Any) -> None:
    async with struck_concierge(_settings(tmp_path)) as concierge:
        await _whole(concierge)
        before, known = await _statements(concierge), await concierge.memory(USER).journal()
        for again in ("t2", "t3"):
            for number, text in enumerate(SECOND):
                await say(concierge, text, name=f"again {number}", thread_id=again)
            await concierge.end_session(user_id=USER, thread_id=again)
        assert await _statements(concierge) == before
        actions = [entry.action for entry in (await concierge.memory(USER).journal())[len(known) :]]
        assert set(actions) <= {"used", "blocked", "confirm", "drop", "episode", "promote", "plan_refused"}
        # One confirmation per session for each of the four lasting statements.
        assert actions.count("confirm") == 8


async def test_same_messages_in_the_same_conversation_only_confirm(tmp_path: Any) -> None:
    async with struck_concierge(_settings(tmp_path)) as concierge:
        await _whole(concierge)
        before = await _statements(concierge)
        for number, text in enumerate(SECOND):
            await say(concierge, text, name=f"second {number}")
        await concierge.end_session(user_id=USER, thread_id=THREAD)
        assert await _statements(concierge) == before
        journal = await concierge.memory(USER).journal()
        assert [entry.seq for entry in journal] == list(range(1, len(journal) + 1))
