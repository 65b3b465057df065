"""Makes a travel tool of a function: gives it what one call may use, and returns its answer as JSON."""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property
from inspect import Parameter, signature
from typing import Any, get_type_hints

from langchain_core.messages import HumanMessage
from langchain_core.tools import BaseTool
from pydantic import BaseModel, create_model

from memory.records.notes import note_id
from nodes.messages.turns import latest_user_message
from nodes.services import Run, Services
from nodes.tools.memory.known_notes import MemoryRuntime, call_id
from nodes.tools.toolbox import define_tool
from prompts.loader import Language
from travel.booking.ledger import Bookings
from travel.provider import Capability, TravelProvider


@dataclass(frozen=True)
class Call:
    """One call of a travel tool: who is speaking, and where travel is found and booked."""

    run: Run
    runtime: MemoryRuntime
    services: Services

    @cached_property
    def message(self) -> HumanMessage | None:
        """Return the message that the call helps to answer."""
        return latest_user_message(self.runtime.state["messages"])

    @property
    def language(self) -> Language:
        """Return the language of that message, where it tells one, else that of the run."""
        return self.run.speaking(self.message).language

    @property
    def provider(self) -> TravelProvider:
        """Return the provider that sells travel."""
        return self.services.seller

    @property
    def ledger(self) -> Bookings:
        """Return the bookings of whoever is speaking. Raises SetupError where nobody is named."""
        return self.services.bookings(self.run.memory)

    @property
    def today(self) -> date:
        """Return the day, in UTC."""
        return self.services.clock().date()

    @property
    def key(self) -> str:
        """Return the key of an act, of thread, message and call: a call that runs again after a crash acts once."""
        message_id = (self.message.id or "") if self.message else ""
        return note_id("act", self.run.thread_id, message_id, call_id(self.runtime))


Carry = Callable[..., Awaitable[dict[str, Any]]]
"""Carries out a call with its arguments, and returns the answer as plain JSON values."""


def travel_tool(function: Carry, services: Services) -> BaseTool:
    """Return the tool that `function` carries out, under its name.

    After the call, the function takes its arguments by name, or all of them as `asked`, a model of its own.
    """
    arguments, given_whole = arguments_of(function), "asked" in signature(function).parameters

    async def carry_out(runtime: MemoryRuntime, **given: Any) -> str:
        call = Call(await Run.of(runtime.state, runtime, services), runtime, services)
        answer = function(call, arguments(**given)) if given_whole else function(call, **given)
        return json.dumps(await answer, ensure_ascii=False)

    return define_tool(carry_out, arguments, name=getattr(function, "__name__", ""))


@cache
def arguments_of(function: Callable[..., Any]) -> type[BaseModel]:
    """Return a model of the arguments that the function of a travel tool takes after its call."""
    hints = get_type_hints(function, include_extras=True)
    if whole := hints.get("asked"):
        model: type[BaseModel] = whole
        return model
    asked = [*signature(function).parameters.values()][1:]
    fields: Any = {one.name: (hints[one.name], ... if one.default is Parameter.empty else one.default) for one in asked}
    return create_model(getattr(function, "__name__", ""), **fields)


_NEEDS: Mapping[str, frozenset[Capability]] = {
    "search_flights": frozenset({"flights"}),
    "search_hotels": frozenset({"hotels"}),
    "search_cars": frozenset({"cars"}),
    "search_activities": frozenset({"activities"}),
    "search_insurance": frozenset({"insurance"}),
    "seat_map": frozenset({"seat_maps"}),
    "hold_offer": frozenset({"hold"}),
    "book_offer": frozenset({"reserve"}),
    "cancel_booking": frozenset({"reserve"}),
    "change_booking": frozenset({"reserve", "flights"}),
    "add_bags": frozenset({"reserve", "flights"}),
    "choose_seats": frozenset({"reserve", "seat_maps"}),
}


def is_sold(tool: str, provider: TravelProvider) -> bool:
    """Return whether the provider declares what the tool of this name needs; most tools that read need nothing."""
    return _NEEDS.get(tool, frozenset()) <= provider.capabilities
