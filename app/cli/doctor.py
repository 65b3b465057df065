"""Runs `concierge doctor` and `concierge reindex`: name what can't be read, and rebuild the search index."""

from __future__ import annotations

import asyncio

from app.cli.json_records import print_json
from app.cli.opening import with_concierge
from app.cli.options import Json
from app.cli.screen import Screen
from app.cli.wording import read_settings, say
from config.settings import Settings


def examine(as_json: Json = False) -> None:
    """Name every record and conversation that is damaged; nothing is changed, and everything else still works."""
    found = with_concierge(lambda concierge: concierge.damaged())
    if as_json:
        print_json([{"what": name, "fault": fault} for name, fault in found])
        return
    screen = Screen()
    for name, fault in found:
        screen.line(f"{name}: {fault}")
    screen.aside(say("damaged" if found else "undamaged"))


def rebuild_index() -> None:
    """Rebuild the search index from what is stored; needed only when a search finds less than there is."""
    count = asyncio.run(_rebuilt(read_settings()))
    Screen().aside(say("indexed", count=count))


async def _rebuilt(settings: Settings) -> int:
    from stores.lifespan import open_store

    async with open_store(settings) as store:
        return await asyncio.to_thread(store.reindex)
