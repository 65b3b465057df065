"""The running turn as far as it is about offers and bookings: what is asked, what is planned, what was answered."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cached_property

from models.offline.dialogue.briefing import Memory
from models.offline.dialogue.transcript import Outcome, Turn
from models.offline.dialogue.trip import Trip
from models.offline.dialogue.turn_context import Step, TurnContext
from models.offline.language import Language
from models.offline.languages import all_languages, language_of
from models.offline.travel.decisions import decided_kinds
from models.offline.travel.offers import travel_outcomes
from models.offline.travel.plan import Plan
from models.offline.travel.request import Kind, OfferRequest

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
class TripContext:
    """What the travel side of a reply is made from."""

    dialogue: TurnContext

    @property
    def language(self) -> Language:
        """The language of the turn."""
        return self.dialogue.language

    def say(self, key: str, **values: object) -> str:
        """Return the reply `key` in that language, filled with `values`."""
        return self.language.say(key, **values)

    @property
    def on(self) -> bool:
        """True where flights can be searched at all."""
        return "search_flights" in self.dialogue.tools

    @cached_property
    def _plans(self) -> tuple[Plan, Plan]:
        plan = before = Plan(settled=decided_kinds(self.dialogue.transcript.summary))
        question = ""
        for step in self.dialogue.steps:
            before, plan = plan, plan.updated(step, offer_request_of(step), question)
            question = travel_question_in(step.turn) or ("" if step.turn.reply else question)
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
    def ask(self) -> OfferRequest:
        """What the running message asks."""
        return offer_request_of(self.dialogue.steps[-1]) if self.dialogue.steps else OfferRequest()

    @cached_property
    def question(self) -> str:
        """What the last reply asked, or an empty string. A turn that was left without a reply keeps it open."""
        for step in self.dialogue.steps[-2::-1]:
            if step.turn.reply:
                return travel_question_in(step.turn)
        return ""

    @property
    def aside(self) -> bool:
        """True for thanks, a question who is talking, and the like, which answer no question."""
        return self.dialogue.request.intent in _COURTESIES | {"chat", "recall", "decline", "restart"}

    @property
    def outcomes(self) -> list[Outcome]:
        """What the travel tools answered in this turn."""
        return travel_outcomes(self.dialogue.now)

    @property
    def moved(self) -> bool:
        """True when the running message says something new of the journey."""
        return self.dialogue.trip != self.dialogue.trip_before or self.dialogue.reading.opens

    @property
    def home(self) -> str | None:
        """Where the traveller lives."""
        return self.dialogue.home

    @cached_property
    def trip(self) -> Trip:
        """The trip with what is known without asking: who usually travels, and a day where any will do."""
        trip = self.dialogue.trip
        if trip.open and not trip.people and (usual := self.usual_party):
            trip = replace(trip, people=usual)
        if trip.flexible and not trip.start:
            today = self.dialogue.briefing.today
            start = trip.month.replace(day=_MID) if trip.month and trip.month > today else today + timedelta(_AHEAD)
            trip = replace(trip, start=start, end=start + timedelta(trip.nights) if trip.nights else None)
        return trip

    @cached_property
    def usual_party(self) -> int | None:
        """How many usually travel, by a memory that always holds."""
        for memory in self.dialogue.briefing.memories:
            if memory.topic == "companions" and not memory.condition:
                found = language_of(memory.text).read_trip(memory.text, date(2000, 1, 1), None, None, True).people
                if found:
                    return found
        return None

    @property
    def around(self) -> int:
        """By how many days a search may shift, because the traveller named none."""
        return _AROUND if self.dialogue.trip.flexible and not self.dialogue.trip.start else 0

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
        return any(_says(turn, key) for turn in self.dialogue.transcript.before)

    def memory_for(self, wish: str) -> Memory | None:
        """The memory that a wish ("aisle seat") comes from."""
        from models.offline.statements import items_of

        words = self.dialogue.language.content_words
        own = words(wish) | {item.name for item in items_of(wish) if item.role in ("value", "number")}
        scored = [
            (len(own & (words(each.text) | {item.name for item in items_of(each.text)})), place)
            for place, each in enumerate(self.dialogue.briefing.memories)
        ]
        best = max(scored, key=lambda pair: (pair[0], -pair[1]), default=(0, 0))
        return self.dialogue.briefing.memories[best[1]] if best[0] else None


def offer_request_of(step: Step) -> OfferRequest:
    """What the message of a turn asks; words that move the journey itself ask for no other offers."""
    language = language_of(step.turn.said)
    ask = language.read_offer_request(step.turn.said)
    intent = language.request(step.turn.said).intent
    if intent in _COURTESIES and not (intent == "forget" and ask.cabin):
        return OfferRequest(yes=False) if ask.yes is False else OfferRequest()
    if step.reading.shift or step.reading.longer:
        return replace(ask, sort=None, other=False)
    return ask


def travel_question_in(turn: Turn) -> str:
    """The key of the travel question that the turn's reply asks, or an empty string."""
    return next((key for key in QUESTIONS if _says(turn, key)), "")


def _says(turn: Turn, key: str) -> bool:
    return bool(turn.reply) and any(
        max(re.split(r"\{\w+\}", language.say(key)), key=len).strip() in turn.reply for language in all_languages()
    )
