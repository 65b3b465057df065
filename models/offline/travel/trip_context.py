"""The running turn as far as it is about offers and bookings: what is asked, what is planned, what was answered."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cached_property

from models.offline.dialogue.briefing import Memory
from models.offline.dialogue.transcript import Outcome, Turn
from models.offline.dialogue.trip import Trip
from models.offline.dialogue.turn_context import Step, Talk
from models.offline.languages import tongue_of, tongues
from models.offline.travel.decisions import decided
from models.offline.travel.offers import of_travel
from models.offline.travel.plan import Plan
from models.offline.travel.request import Ask, Kind

QUESTIONS = (
    "travel_shall_book", "travel_hotel_too", "travel_extras", "travel_which_place", "travel_which_booking",
    "travel_what_change", "travel_sure", "travel_leave_wish",
)  # fmt: skip
"""Questions about offers and bookings that a reply may end with."""
_COURTESIES = frozenset({"greeting", "thanks", "goodbye", "help", "profile", "source", "forget", "forget_all"})
_AHEAD = 30
_AROUND = 3
_MID = 10


@dataclass(frozen=True)
class Scene:
    """What the travel side of a reply is made from."""

    talk: Talk

    @property
    def on(self) -> bool:
        """True where flights can be searched at all."""
        return "search_flights" in self.talk.tools

    @cached_property
    def _plans(self) -> tuple[Plan, Plan]:
        plan = before = Plan(settled=decided(self.talk.transcript.summary))
        question = ""
        for step in self.talk.steps:
            before, plan = plan, plan.told(step, ask_of(step), question)
            question = question_in(step.turn) or ("" if step.turn.reply else question)
        return before, plan

    @property
    def before(self) -> Plan:
        """The plan before the running message."""
        return self._plans[0]

    @property
    def plan(self) -> Plan:
        """The plan now, with all that was answered in this turn so far."""
        return self._plans[1]

    @cached_property
    def ask(self) -> Ask:
        """What the running message asks."""
        return ask_of(self.talk.steps[-1]) if self.talk.steps else Ask()

    @cached_property
    def question(self) -> str:
        """What the last reply asked, or an empty string. A turn that was left without a reply keeps it open."""
        for step in self.talk.steps[-2::-1]:
            if step.turn.reply:
                return question_in(step.turn)
        return ""

    @property
    def aside(self) -> bool:
        """True for thanks, a question who is talking, and the like, which answer no question."""
        return self.talk.request.intent in _COURTESIES | {"chat", "recall", "decline", "restart"}

    @property
    def outcomes(self) -> list[Outcome]:
        """What the travel tools answered in this turn."""
        return of_travel(self.talk.now)

    @property
    def moved(self) -> bool:
        """True when the running message says something new of the journey."""
        return self.talk.trip != self.talk.trip_before or self.talk.reading.opens

    @property
    def home(self) -> str | None:
        """Where the traveller lives."""
        return self.talk.home

    @cached_property
    def trip(self) -> Trip:
        """The trip with what is known without asking: who usually travels, and a day where any will do."""
        trip = self.talk.trip
        if trip.open and not trip.people and (usual := self.usual_party):
            trip = replace(trip, people=usual)
        if trip.flexible and not trip.start:
            today = self.talk.briefing.today
            start = trip.month.replace(day=_MID) if trip.month and trip.month > today else today + timedelta(_AHEAD)
            trip = replace(trip, start=start, end=start + timedelta(trip.nights) if trip.nights else None)
        return trip

    @cached_property
    def usual_party(self) -> int | None:
        """How many usually travel, by a memory that always holds."""
        for memory in self.talk.briefing.memories:
            if memory.topic == "companions" and not memory.condition:
                found = tongue_of(memory.text).read_trip(memory.text, date(2000, 1, 1), None, None, True).people
                if found:
                    return found
        return None

    @property
    def around(self) -> int:
        """By how many days a search may shift, because the traveller named none."""
        return _AROUND if self.talk.trip.flexible and not self.talk.trip.start else 0

    @property
    def complete(self) -> bool:
        """True when all is known that a search needs."""
        return self.trip.open and self.trip.missing(self.home) is None and self.trip.start is not None

    @property
    def next_kind(self) -> Kind | None:
        """What to look for next."""
        return self.plan.next_kind(self.trip)

    def asked_before(self, key: str) -> bool:
        """True when an earlier reply said `key`."""
        return any(_says(turn, key) for turn in self.talk.transcript.before)

    def memory_for(self, wish: str) -> Memory | None:
        """The memory that a wish ("aisle seat") comes from."""
        from models.offline.statements import items_of, key_words

        own = key_words(wish) | {item.name for item in items_of(wish) if item.role in ("value", "number")}
        scored = [
            (len(own & (key_words(each.text) | {item.name for item in items_of(each.text)})), place)
            for place, each in enumerate(self.talk.briefing.memories)
        ]
        best = max(scored, key=lambda pair: (pair[0], -pair[1]), default=(0, 0))
        return self.talk.briefing.memories[best[1]] if best[0] else None


def ask_of(step: Step) -> Ask:
    """What the message of a turn asks; words that move the journey itself ask for no other offers."""
    speech = tongue_of(step.turn.said)
    ask = speech.read_ask(step.turn.said)
    intent = speech.request(step.turn.said).intent
    if intent in _COURTESIES and not (intent == "forget" and ask.cabin):
        return Ask(yes=False) if ask.yes is False else Ask()
    if step.reading.shift or step.reading.longer:
        return replace(ask, sort=None, other=False)
    return ask


def question_in(turn: Turn) -> str:
    """The key of the travel question that the turn's reply asks, or an empty string."""
    return next((key for key in QUESTIONS if _says(turn, key)), "")


def _says(turn: Turn, key: str) -> bool:
    return bool(turn.reply) and any(
        max(re.split(r"\{\w+\}", speech.say(key)), key=len).strip() in turn.reply for speech in tongues()
    )
