"""A conversation in which actions wait for approval, left behind for the command line to decide on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage

from app.api.opening import open_concierge
from config.settings import load_settings
from tests.app.commandline import CommandLine
from tests.scripted import calls, scripted

LEAVES = (datetime.now(UTC) + timedelta(days=40)).date()
RETURNS = LEAVES + timedelta(days=4)


def bookings_wait(concierge: CommandLine, count: int = 1, *, thread: str = "t", tool: str = "book_offer") -> list[str]:
    """Have Ana ask for `count` flights on one thread; gives the offers that wait, in order."""
    return asyncio.run(_wait(concierge, count, thread, tool))


async def _wait(concierge: CommandLine, count: int, thread: str, tool: str) -> list[str]:
    def book(messages: Sequence[BaseMessage]) -> AIMessage:
        found = json.loads(str(messages[-1].content))["results"][:count]
        return AIMessage(
            "",
            tool_calls=[
                {"name": tool, "args": {"offer_id": one["offer_id"]}, "id": f"{tool}{place}"}
                for place, one in enumerate(found)
            ],
        )

    search = calls(
        "search_flights", origin="Berlin", destination="Lisbon", limit=5,
        departing=LEAVES.isoformat(), returning=RETURNS.isoformat(),
    )  # fmt: skip
    settings = load_settings(data_dir=concierge.data_dir, model_provider="offline")
    async with open_concierge(settings, models={"agent": scripted(search, book)}) as opened:
        reply = await opened.send("Book me a flight to Lisbon", user_id="ana", thread_id=thread)
    waiting: list[dict[str, Any]] = reply.interrupts[0]["action_requests"]
    return [one["args"]["offer_id"] for one in waiting]


def booked(concierge: CommandLine, user: str = "ana") -> list[dict[str, Any]]:
    """What a user has booked, as `trips list` tells."""
    outcome = concierge("trips", "list", "--user", user, "--json")
    assert outcome.code == 0, outcome.err
    found: list[dict[str, Any]] = outcome.json["bookings"]
    return found
