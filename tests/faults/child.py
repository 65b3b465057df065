"""A process that goes through a part of the story, to be killed on the way.

It is forked from a server that has imported everything, so a hundred of them take seconds and not minutes.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from typing import Any

from app.api.concierge import Concierge
from config.errors import ConciergeError
from config.settings import Settings, load_settings
from tests.faults import together
from tests.faults.parts import Blow, StruckConcierge, struck_concierge
from tests.faults.story import SETTINGS, THREAD, USER, begin, go_on
from tests.faults.story import models as story_models
from tests.warm import context

Part = Callable[[StruckConcierge], Awaitable[Any]]
Models = Callable[[], dict[Any, Any]]
Where = dict[str, Any]
"""Settings that say where the stores are."""


async def first_session(concierge: StruckConcierge) -> None:
    """The first session, and its end."""
    await begin(concierge, concierge.store)


async def turns(concierge: StruckConcierge) -> None:
    """The turns of the second session, as far as they are not told already."""
    await go_on(concierge)


async def end(concierge: StruckConcierge) -> None:
    """The end of the second session, of which something may be done already."""
    if (await concierge.graph.aget_state({"configurable": {"thread_id": THREAD}})).tasks:
        await concierge.resume(user_id=USER, thread_id=THREAD)
    await concierge.end_session(user_id=USER, thread_id=THREAD)


PARTS: dict[str, Part] = {"first session": first_session, "turns": turns, "end": end}


def settings_of(where: Where) -> Settings:
    """The story's settings on stores that are at `where`."""
    return load_settings(**{**SETTINGS, **where})


async def search(concierge: StruckConcierge) -> list[tuple[str, float | None]]:
    """A search by meaning, which makes the vectors that are missing; texts and scores, less their last digits.

    Those depend on how many vectors are made at once.
    """
    hits = await concierge.memory(USER).search("where to sit in the plane", limit=10)
    return [(note.text, score and round(score, 2)) for note, score in hits]


def run_and_kill(
    parts: Sequence[Part],
    where: Where,
    *,
    models: Models = story_models,
    ahead: Sequence[Part] = (),
    after: float | None = None,
    at: int = 0,
) -> bool:
    """Run these parts of a story and kill the process: ahead of write number `at`, or `after` so many seconds.

    What is `ahead` is done before the time and the writes count.
    True when it was killed, False when it had ended by then.
    """
    ours, theirs = context.Pipe()
    process = context.Process(target=_live, args=(parts, where, models, ahead, at, theirs))
    process.start()
    theirs.close()
    with ours:
        _told(ours)
        if after is not None:
            ours.poll(after)
            process.kill()
        process.join()
        is_done = _told(ours) == "done"
    code = process.exitcode
    process.close()
    assert code in (0, -signal.SIGKILL)
    assert is_done or code
    return not is_done  # one that is done may be killed on its way out


async def end_together(concierge: Concierge, names: Sequence[str]) -> None:
    """End the sessions of these threads, all at once."""
    await asyncio.gather(*(concierge.end_session(user_id=USER, thread_id=name) for name in names))


def end_in_processes(where: Where, parts: Sequence[Sequence[str]]) -> None:
    """End the sessions of threads, each part of them in a process of its own, at the same moment."""
    ended = at_once(where, [partial(end_together, names=part) for part in parts], models=together.models)
    assert ended == ["None"] * len(parts)


def at_once(where: Where, parts: Sequence[Part], *, models: Models) -> list[str]:
    """Go through these parts, each in a process of its own, at the same moment: what each gave, or its error."""
    barrier = context.Barrier(len(parts))
    pipes = [context.Pipe() for _ in parts]
    running = [
        context.Process(target=_at_once, args=(where, part, models, barrier, theirs))
        for part, (_, theirs) in zip(parts, pipes, strict=True)
    ]
    for process in running:
        process.start()
    for _, theirs in pipes:
        theirs.close()
    told = [_told(ours) for ours, _ in pipes]
    for process in running:
        process.join()
        assert process.exitcode == 0
        process.close()
    for ours, _ in pipes:
        ours.close()
    return told


def _at_once(where: Where, part: Part, models: Models, barrier: Barrier, told: Connection) -> None:
    async def go() -> None:
        async with struck_concierge(settings_of(where), models=models()) as concierge:
            await asyncio.to_thread(barrier.wait)
            try:
                told.send(str(await part(concierge)))
            except ConciergeError as error:
                told.send(f"{type(error).__name__}: {error}")

    asyncio.run(go())


def _told(pipe: Connection) -> str:
    try:
        return str(pipe.recv())
    except EOFError:
        return ""


def _live(
    parts: Sequence[Part], where: Where, models: Models, ahead: Sequence[Part], at: int, told: Connection
) -> None:
    async def go() -> None:
        blow = Blow(_die)
        async with struck_concierge(settings_of(where), blow, models=models()) as concierge:
            if where["embedder"] != "none":
                await search(concierge)
            for part in ahead:
                await part(concierge)
            told.send("ready")
            blow.next(at)
            for part in parts:
                await part(concierge)
            told.send("done")

    asyncio.run(go())


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)
