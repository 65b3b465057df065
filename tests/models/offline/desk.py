"""A traveller's side of a conversation at a desk: travel tools whose answers a test writes."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.tools import StructuredTool

from models.offline import OfflineConcierge
from models.offline.trips.offers import TOOLS
from tests.models.offline.talker import PROFILE, SYSTEM

Answer = dict[str, Any] | str
"""What a tool answers; a text is an error."""


def flight(number: int, *, price: str = "", leaves: str = "09:00", stops: list[str] | None = None, **more: Any) -> Any:
    """A flight as a search answers it."""
    way = {
        "flights": [f"XX{number}"], "from": "BER", "to": "LIS", "departs": f"2026-12-08 {leaves}",
        "arrives": "2026-12-08 12:30", "duration": f"{3 + number} h 00", "stops": stops or [],
    }  # fmt: skip
    return {
        "offer_id": f"FL.{number}", "kind": "flight", "summary": f"Air {number}", "price": price or f"${number}00.00",
        "airline": ["Iberia", "Lufthansa", "Finnair"][(number - 1) % 3], "fare": "Economy Basic", "outbound": way,
        "inbound": {**way, "departs": "2026-12-14 18:00", "arrives": "2026-12-14 22:00"}, "stops": len(stops or []),
        "checked_bags": 0, "changes": "for $60.00 each", "refund": "not refundable", "meets": [], "misses": [], **more,
    }  # fmt: skip


def hotel(number: int, name: str, **more: Any) -> Any:
    """A hotel as a search answers it."""
    return {
        "offer_id": f"HT.{number}", "kind": "hotel", "summary": f"{name}, Lisbon, 2026-12-08 to 2026-12-14",
        "price": f"${number}00.00", "name": name, "neighborhood": "Baixa", "centre_km": 0.1 * number, "stars": 4,
        "guest_score": 8.0, "room": "standard", "bed": "king", "per_night": f"${number}0.00", "nights": 6,
        "breakfast": True, "free_cancellation_until": "2026-12-06 18:00", "meets": [], "misses": [], **more,
    }  # fmt: skip


def found(*offers: Any, **more: Any) -> dict[str, Any]:
    """A search's answer."""
    return {"source": "Sample World (sample data)", "results": list(offers), "left_out": 0, **more}


def booked(kind: str = "flight", status: str = "booked", reference: str = "TC-ABCDEF", **more: Any) -> dict[str, Any]:
    """A booking as an act answers it."""
    return {"status": status, "booking": reference, "kind": kind, "what": f"the {kind}", "paid": "$100.00", **more}


FLIGHTS = found(flight(1, leaves="07:15"), flight(2, leaves="14:00", stops=["MAD 1 h 00"]), flight(3, leaves="20:30"))
HOTELS = found(hotel(1, "Park Inn"), hotel(2, "Grand Linden"), hotel(3, "Casa Azul"))


@dataclass
class Desk:
    """One conversation. `answers` are what the tools answer, by name; a list gives its answers one after another."""

    answers: dict[str, Any] = field(default_factory=dict)
    system: str = SYSTEM + PROFILE.replace("Lisbon", "Berlin")
    messages: list[AnyMessage] = field(default_factory=list)
    calls: list[dict[str, Any]] = field(default_factory=list)

    def say(self, text: str) -> str:
        """Send `text`; `calls` then holds the calls of this turn."""
        model = OfflineConcierge().bind_tools([_tool(name) for name in sorted({*TOOLS, "save_memory_note"})])
        self.messages.append(HumanMessage(text, id=f"human-{len(self.messages)}"))
        self.calls = []
        for _ in range(6):
            answer = model.invoke([SystemMessage(self.system), *self.messages])
            assert isinstance(answer, AIMessage)
            self.messages.append(answer)
            if not answer.tool_calls:
                return str(answer.text)
            for call in answer.tool_calls:
                self.calls.append({"name": call["name"], **call["args"]})
                self.messages.append(self._answered(call["name"], call["args"], str(call["id"])))
        raise AssertionError("it does not stop calling tools")

    def _answered(self, name: str, given: dict[str, Any], call_id: str) -> ToolMessage:
        usual: dict[str, Any] = {
            "search_flights": FLIGHTS, "search_hotels": HOTELS, "book_offer": booked(),
            "list_bookings": {"bookings": []},
            "save_memory_note": {"status": "kept", "id": "n1", "text": given.get("text")},
            "convert_money": {"given": "$100.00", "result": "¥15,000", "rate": "150.000000", "day": "2026-11-02"},
        }  # fmt: skip
        answer = self.answers.get(name, usual.get(name, {}))
        if isinstance(answer, list):
            answer = answer.pop(0)
        failed = isinstance(answer, str)
        text = f"Error: {answer}" if failed else json.dumps(answer, ensure_ascii=False)
        return ToolMessage(text, tool_call_id=call_id, name=name, status="error" if failed else "success")

    def called(self, name: str) -> dict[str, Any]:
        """The one call of `name` in this turn."""
        (call,) = [each for each in self.calls if each["name"] == name]
        return call


def _tool(name: str) -> StructuredTool:
    def act() -> str:
        """A tool of the desk."""
        return ""

    return StructuredTool.from_function(act, name=name)


def at_flights(**answers: Any) -> Desk:
    """A desk at which three flights to Lisbon are on the table."""
    desk = Desk(answers)
    desk.say("I need a flight to Lisbon from 8 to 14 December, just me")
    return desk
