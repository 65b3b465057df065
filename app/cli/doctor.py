"""Runs `concierge doctor` and `concierge reindex`: check an installation, and rebuild the search index."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import typer

from app.cli.exits import FAILED
from app.cli.json_records import print_json
from app.cli.options import Json
from app.cli.screen import Screen
from app.cli.wording import read_settings, say
from config.errors import SettingsError
from config.redact import redact
from config.settings import Settings

if TYPE_CHECKING:
    from app.cli.system.checks import Check


def examine(as_json: Json = False) -> None:
    """Check the installation and all that is kept, and say what to do; exits with 1 where something failed."""
    from app.cli.system.checks import Check, check_all

    try:
        found = asyncio.run(_all(check_all(read_settings())))
    except SettingsError as error:
        found = [Check("settings", "failed", str(error))]
    failed = any(check.status == "failed" for check in found)
    if as_json:
        print_json([asdict(check) for check in found])
    else:
        screen = Screen()
        for check in found:
            screen.line(f"{check.status:8}{check.what}: {check.told}", style="bold" if check.status == "failed" else "")
        screen.aside(say("unwell" if failed else "well"))
    raise typer.Exit(FAILED if failed else 0)


async def _all(checks: AsyncIterator[Check]) -> list[Check]:
    return [replace(check, told=redact(check.told)) async for check in checks]


def rebuild_index() -> None:
    """Rebuild the search index from what is stored; needed only when a search finds less than there is."""
    count = asyncio.run(_rebuilt(read_settings()))
    Screen().aside(say("indexed", count=count))


async def _rebuilt(settings: Settings) -> int:
    from stores.lifespan import open_store

    async with open_store(settings) as store:
        return await asyncio.to_thread(store.reindex)
