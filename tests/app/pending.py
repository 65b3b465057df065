"""Creates a conversation with actions that wait for approval by the command line."""

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
    """Let Ana ask for `count` flights on one thread; return the ids of the offers that wait, in order."""
    return asyncio.run(_wait(concierge, count, thread, tool))


async def _wait(concierge: CommandLine, count: int, thread: str, tool: str) -> list[str]:
    def book(messages: Sequence[BaseMessage]) -> AIMessage:
        flights = json.loads(str(messages[-1].content))["results"][:count]
        return AIMessage(
            "",
            tool_calls=[
                {"name": tool, "args": {"offer_id": flight["offer_id"]}, "id": f"{tool}{place}"}
                for place, flight in enumerate(flights)
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
    return [action["args"]["offer_id"] for action in waiting]


def booked(concierge: CommandLine, user: str = "ana") -> list[dict[str, Any]]:
    """Return the bookings of a user, as `trips list` prints them."""
    outcome = concierge("trips", "list", "--user", user, "--json")
    assert outcome.code == 0, outcome.err
    bookings: list[dict[str, Any]] = outcome.json["bookings"]
    return bookings
