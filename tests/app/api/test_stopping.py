"""A run that is cancelled at any checkpoint can be taken back or resumed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from langgraph.checkpoint.memory import InMemorySaver

from app.api.concierge import Concierge
from app.api.history import ThreadStatus
from app.api.opening import open_concierge
from config.settings import Settings

MESSAGE = "Please remember that I am vegetarian."


class StuckSaver(InMemorySaver):
    """Blocks at one checkpoint, `stuck_at` puts from now, and sets `stuck` then."""

    def __init__(self) -> None:
        super().__init__()
        self.stuck_at = 0
        self.stuck = asyncio.Event()

    async def aput(self, *args: Any, **kwargs: Any) -> Any:
        self.stuck_at -= 1
        if not self.stuck_at:
            self.stuck.set()
            await asyncio.Event().wait()
        return await super().aput(*args, **kwargs)


async def _was_stopped(concierge: Concierge, saver: StuckSaver, thread_id: str) -> bool:
    """Send a message and cancel the run at the blocked checkpoint; return False if the run ended before."""
    saver.stuck.clear()
    running = asyncio.create_task(concierge.send(MESSAGE, user_id="ana", thread_id=thread_id))
    stuck = asyncio.create_task(saver.stuck.wait())
    await asyncio.wait([running, stuck], return_when=asyncio.FIRST_COMPLETED)
    was_stopped = not running.done()
    for task in (running, stuck):
        task.cancel()
    await asyncio.gather(running, stuck, return_exceptions=True)
    saver.stuck_at = 0
    return was_stopped


async def test_run_cancelled_at_any_checkpoint_is_taken_back_or_finished(
    make_settings: Callable[..., Settings],
) -> None:
    saver, at = StuckSaver(), 2
    async with open_concierge(make_settings(), checkpointer=saver) as concierge:
        while True:
            thread, user = f"t{at}", "ana"
            saver.stuck_at = at
            if not await _was_stopped(concierge, saver, thread):
                break
            if at % 2:
                assert await concierge.drop_unfinished_turn(user_id=user, thread_id=thread) in (MESSAGE, None), at
                reply = await concierge.send("Hello", user_id=user, thread_id=thread)
            else:
                assert (await concierge.thread_status(user_id=user, thread_id=thread)).is_unfinished, at
                reply = await concierge.resume(user_id=user, thread_id=thread)
            entries = await concierge.full_history(user_id=user, thread_id=thread)
            assert [one.text for one in entries if one.role == "user"] == ["Hello" if at % 2 else MESSAGE], at
            assert entries[-1].text == reply.text, at
            assert await concierge.thread_status(user_id=user, thread_id=thread) == ThreadStatus(), at
            at += 1
    assert at > 6
