"""One running turn as the offline concierge sees it: conversation, briefing, language and tools, read once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from langchain_core.messages import BaseMessage

from models.offline.dialogue.briefing import Briefing, Memory, read_briefing
from models.offline.dialogue.conflict_question import decides, is_option, left_open, options_asked, picked, picked_cases
from models.offline.dialogue.earlier_statements import earlier_statements
from models.offline.dialogue.transcript import Transcript, Turn, read_transcript
from models.offline.dialogue.trip import Trip
from models.offline.language import Language
from models.offline.languages import all_languages, language_of
from models.offline.readings import RULES_MEMORY, Intent, Reading, Request, Slot, Statement, Undecided
from models.offline.travel.offers import offer_names, without_offer_names

_QUESTIONS: tuple[tuple[str, Slot], ...] = (
    ("ask_end", "dates"),
    ("ask_days", "dates"),
    ("ask_dates", "dates"),
    ("ask_people", "people"),
    ("ask_origin", "origin"),
    ("ask_destination", "destination"),
)

_BESIDE: frozenset[Intent] = frozenset(
    (
        "greeting", "thanks", "goodbye", "help", "profile", "recall", "source", "forget", "forget_all", "private",
        "public", "decline", "restart", "chat",
    )
)  # fmt: skip
"""What a message may want that no choice between memories stands in the way of."""
_ANY_DAY = date(2000, 1, 1)
"""Where somebody lives does not depend on the day."""
_SHORT = 24
_CERTAIN = 0.95
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class Step:
    """One turn of the conversation, with what it says of a trip, and the trip before and after it."""

    turn: Turn
    before: Trip
    reading: Reading
    after: Trip


@dataclass(frozen=True)
class TurnContext:
    """The running turn. `tools` are the names of the bound tools."""

    transcript: Transcript
    briefing: Briefing
    language: Language
    tools: frozenset[str]

    @property
    def now(self) -> Turn:
        """The running turn's message and what was done for it."""
        return self.transcript.now

    def say(self, key: str, **values: object) -> str:
        """Return the reply `key` in the language of the turn, filled with `values`."""
        return self.language.say(key, **values)

    @cached_property
    def request(self) -> Request:
        """What the user wants."""
        return self.language.request(self.now.said)

    @cached_property
    def statements(self) -> list[Statement]:
        """What the message says that is worth keeping; a short answer to the trip's question says nothing lasting."""
        if self.settled:
            chosen = [_restated(memory, when, self.now.said) for memory, when in self.settled]
            return [*chosen, *(each for each in self._said_beside if each.topic != chosen[0].topic)]
        if self.undecided or self.request.intent in RULES_MEMORY:
            return []
        slot = dict(_QUESTIONS).get(self.asked or "")
        if _is_answer(self.now.said, slot, self.language, self.briefing.today):
            return []
        return self._said_beside

    @cached_property
    def _said_beside(self) -> list[Statement]:
        return self.language.statements(self.now.said)

    @cached_property
    def undecided(self) -> Undecided:
        """How the message leaves the question open which of two memories holds; empty where it doesn't."""
        before = self.transcript.before
        return left_open(before[-1], self.now.said, self.language) if before else ""

    @cached_property
    def settled(self) -> list[tuple[Memory, str | None]]:
        """The memories that the message decides for, after being asked which of two holds, each with when it does."""
        before = self.transcript.before
        if not before:
            return []
        chosen = picked(before[-1], self.now.said, self.language)
        taken = [(chosen, None)] if chosen else picked_cases(before[-1], self.now.said, self.language)
        known = self.briefing.memories
        return [
            (memory, when or memory.condition)
            for text, when in taken
            if (memory := next((each for each in known if is_option(text, each)), None))
        ]

    @cached_property
    def conflict(self) -> tuple[Memory, Memory] | None:
        """Two memories of which one has to be picked before either is relied on; each pair is asked about once."""
        if self.request.intent in _BESIDE:
            return None
        asked = [options_asked(turn) for turn in self.transcript.before]
        return next((pair for pair in self.briefing.conflicts if not _was_asked(pair, asked)), None)

    @cached_property
    def earlier(self) -> list[Statement]:
        """What earlier visible turns said that is worth keeping, the newest first."""
        return earlier_statements(self.transcript.before)

    @cached_property
    def asked(self) -> str | None:
        """Key of the question that the last reply ended with, or None."""
        return trip_question_in(self.transcript.before[-1]) if self.transcript.before else None

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """All visible turns, the running one last."""
        trip = Trip()
        if self.transcript.summary:
            language = language_of(self.transcript.summary)
            trip = trip.updated(language.read_summary(self.transcript.summary, self.briefing.today))
        found: list[Step] = []
        question: str | None = None
        names: frozenset[str] = frozenset()
        for place, turn in enumerate(self.transcript.turns):
            language = language_of(turn.said)
            chose = place > 0 and decides(self.transcript.turns[place - 1], turn.said, language)
            heard = replace(turn, said=without_offer_names(turn.said, names))
            before, reading = trip, Reading() if chose else self._read(heard, trip, question)
            trip = Trip() if language.starts_over(turn.said) else trip.updated(reading)
            found.append(Step(turn, before, reading, trip))
            question, names = trip_question_in(turn), names | offer_names(turn)
        return tuple(found)

    @property
    def _last(self) -> Step:
        return self.steps[-1] if self.steps else Step(self.now, Trip(), Reading(), Trip())

    def _read(self, turn: Turn, trip: Trip, question: str | None) -> Reading:
        intent = language_of(turn.said).request(turn.said).intent
        slot = dict(_QUESTIONS).get(question or "") if intent not in _BESIDE else None
        month = trip.start.replace(day=1) if trip.start else trip.month
        language = language_of(turn.said)
        said = turn.said
        if not _is_answer(said, slot, language, self.briefing.today):
            said = about_trips(said, language)
        reading = language.read_trip(said, self.briefing.today, slot, month, trip.open) if said else Reading()
        if reading == Reading() and said and not question and trip.open and intent not in _BESIDE:
            # Between two questions an answer to the one before is still an answer ("from Lisbon").
            reading = replace(language.read_trip(said, self.briefing.today, "people", month, True), people=None)
        if trip.start and reading.end and not reading.start and reading.end <= trip.start:
            reading = language.read_trip(said, trip.start, slot, month, trip.open)
        if question == "ask_end" and reading.start and not reading.end and trip.start and reading.start > trip.start:
            return replace(reading, start=None, end=reading.start)
        return reading

    @property
    def reading(self) -> Reading:
        """What the running message says of a trip."""
        return self._last.reading

    @cached_property
    def home(self) -> str | None:
        """The city where the traveller lives, by their profile or a memory ("I'm based in Dublin")."""
        told = (_origin(each.text, language_of(each.text)) for each in self.briefing.memories if not each.condition)
        return self.briefing.profile.get("home_city") or next((home for home in told if home), None)

    @property
    def trip(self) -> Trip:
        """The trip after the running message."""
        return self._last.after

    @property
    def trip_before(self) -> Trip:
        """The trip before it."""
        return self._last.before


def read_turn_context(messages: Sequence[BaseMessage], tools: frozenset[str]) -> TurnContext:
    """Read `messages`; the language is that of the latest user message with a word in it."""
    transcript = read_transcript(messages)
    worded = next((turn.said for turn in transcript.turns[::-1] if _LETTER.search(turn.said)), "")
    return TurnContext(transcript, read_briefing(transcript.system), language_of(worded), tools)


def _is_answer(said: str, slot: Slot | None, language: Language, today: date) -> bool:
    """True for a few words that answer the question for days or people ("two of us", "3 nights")."""
    if slot not in {"dates", "people"} or not 0 < len(said) <= _SHORT:
        return False
    reading = language.read_trip(said, today, slot, None, True)
    if slot == "people":
        return reading.people is not None
    return any((reading.start, reading.end, reading.nights, reading.vague_dates))


def about_trips(said: str, language: Language) -> str:
    """Return the message without its lasting statements; empty for a mere wish to be remembered.

    Where somebody lives stays in it: it is where their journey starts, too.
    """
    for each in language.statements(said):
        if not each.trip_only and not (each.topic == "other" and _origin(each.text, language)):
            said = said.replace(each.quote, " ")
    return "" if language.asks_to_remember(said) else said.strip(" ,.;:!")


def _origin(text: str, language: Language) -> str | None:
    """The place that a statement says a journey starts from."""
    return language.read_trip(text, _ANY_DAY, None, None, False).origin


def trip_question_in(turn: Turn) -> str | None:
    """Key of the trip question in the turn's reply, or None."""
    for language in all_languages():
        for key, _ in _QUESTIONS:
            literal = max(re.split(r"\{\w+\}", language.say(key)), key=len)
            if literal in turn.reply:
                return key
    return None


def _was_asked(pair: Sequence[Memory], asked: Sequence[Sequence[str]]) -> bool:
    return any(options and all(any(is_option(o, memory) for o in options) for memory in pair) for options in asked)


def _restated(memory: Memory, when: str | None, said: str) -> Statement:
    """A memory said anew, by an answer that decides for it."""
    return Statement(memory.text, said.strip(), memory.topic, False, when, _CERTAIN)
