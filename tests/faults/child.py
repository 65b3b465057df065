"""A process that runs a part of the story and is killed on the way.

It is forked from a server that has imported everything, so that a hundred of them take seconds instead of minutes.
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
"""The settings that locate the stores."""


async def first_session(concierge: StruckConcierge) -> None:
    await begin(concierge, concierge.store)


async def turns(concierge: StruckConcierge) -> None:
    await go_on(concierge)


async def end(concierge: StruckConcierge) -> None:
    """End the second session, which may be ending already."""
    if (await concierge.graph.aget_state({"configurable": {"thread_id": THREAD}})).tasks:
        await concierge.resume(user_id=USER, thread_id=THREAD)
    await concierge.end_session(user_id=USER, thread_id=THREAD)


PARTS: dict[str, Part] = {"first session": first_session, "turns": turns, "end": end}


def settings_of(where: Where) -> Settings:
    """Return the story's settings with the stores at `where`."""
    return load_settings(**{**SETTINGS, **where})


async def search(concierge: StruckConcierge) -> list[tuple[str, float | None]]:
    """Search by meaning, which creates missing vectors; return texts and rounded scores.

    The last digits of a score depend on the number of vectors that are created at once.
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
    """Run parts of a story, and kill the process before write number `at`, or after so many seconds (`after`).

    The parts of `ahead` run before, and do not count. Return False if the process ended before the kill.
    """
    parent, child = context.Pipe()
    process = context.Process(target=_live, args=(parts, where, models, ahead, at, child))
    process.start()
    child.close()
    with parent:
        _received(parent)
        if after is not None:
            parent.poll(after)
            process.kill()
        process.join()
        is_done = _received(parent) == "done"
    code = process.exitcode
    process.close()
    assert code in (0, -signal.SIGKILL)
    assert is_done or code
    return not is_done  # a process that is done may be killed while it exits


async def end_together(concierge: Concierge, names: Sequence[str]) -> None:
    await asyncio.gather(*(concierge.end_session(user_id=USER, thread_id=name) for name in names))


def end_in_processes(where: Where, parts: Sequence[Sequence[str]]) -> None:
    """End the sessions of threads, each group in its own process, at the same moment."""
    ended = at_once(where, [partial(end_together, names=part) for part in parts], models=together.models)
    assert ended == ["None"] * len(parts)


def at_once(where: Where, parts: Sequence[Part], *, models: Models) -> list[str]:
    """Run each part in its own process, at the same moment; return the result or the error of each."""
    barrier = context.Barrier(len(parts))
    pipes = [context.Pipe() for _ in parts]
    running = [
        context.Process(target=_at_once, args=(where, part, models, barrier, child))
        for part, (_, child) in zip(parts, pipes, strict=True)
    ]
    for process in running:
        process.start()
    for _, child in pipes:
        child.close()
    results = [_received(parent) for parent, _ in pipes]
    for process in running:
        process.join()
        assert process.exitcode == 0
        process.close()
    for parent, _ in pipes:
        parent.close()
    return results


def _at_once(where: Where, part: Part, models: Models, barrier: Barrier, pipe: Connection) -> None:
    async def go() -> None:
        async with struck_concierge(settings_of(where), models=models()) as concierge:
            await asyncio.to_thread(barrier.wait)
            try:
                pipe.send(str(await part(concierge)))
            except ConciergeError as error:
                pipe.send(f"{type(error).__name__}: {error}")

    asyncio.run(go())


def _received(pipe: Connection) -> str:
    try:
        return str(pipe.recv())
    except EOFError:
        return ""


def _live(
    parts: Sequence[Part], where: Where, models: Models, ahead: Sequence[Part], at: int, pipe: Connection
) -> None:
    async def go() -> None:
        blow = Blow(_die)
        async with struck_concierge(settings_of(where), blow, models=models()) as concierge:
            if where["embedder"] != "none":
                await search(concierge)
            for part in ahead:
                await part(concierge)
            pipe.send("ready")
            blow.next(at)
            for part in parts:
                await part(concierge)
            pipe.send("done")

    asyncio.run(go())


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)
