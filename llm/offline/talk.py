"""One running turn as the offline concierge sees it: conversation, briefing, language and tools, read once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from langchain_core.messages import BaseMessage

from llm.offline.briefing import Briefing, read_briefing
from llm.offline.languages import tongue_of
from llm.offline.staged import said_before
from llm.offline.tongue import Reading, Request, Slot, Statement, Tongue
from llm.offline.transcript import Transcript, Turn, read_transcript
from llm.offline.trip import Trip

_QUESTIONS: tuple[tuple[str, Slot], ...] = (
    ("ask_end", "dates"),
    ("ask_days", "dates"),
    ("ask_dates", "dates"),
    ("ask_people", "people"),
    ("ask_origin", "origin"),
    ("ask_destination", "destination"),
)

_SHORT = 24
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True)
class Talk:
    """The running turn. `tools` are the names of the bound tools."""

    transcript: Transcript
    briefing: Briefing
    speech: Tongue
    tools: frozenset[str]

    @property
    def now(self) -> Turn:
        """The running turn's message and what was done for it."""
        return self.transcript.now

    @cached_property
    def request(self) -> Request:
        """What the user wants."""
        return self.speech.request(self.now.said)

    @cached_property
    def statements(self) -> list[Statement]:
        """What the message says that is worth keeping; a short answer to the trip's question says nothing lasting."""
        slot = dict(_QUESTIONS).get(self.asked or "")
        if _is_answer(self.now.said, slot, self.speech, self.briefing.today):
            return []
        return self.speech.statements(self.now.said)

    @cached_property
    def earlier(self) -> list[Statement]:
        """What earlier visible turns said that is worth keeping, the newest first."""
        return said_before(self.transcript.before)

    @cached_property
    def asked(self) -> str | None:
        """Key of the question that the last reply ended with, or None."""
        return asked_in(self.transcript.before[-1]) if self.transcript.before else None

    @cached_property
    def _story(self) -> tuple[Trip, Reading, Trip]:
        trip = before = Trip()
        reading = Reading()
        if self.transcript.summary:
            speech = tongue_of(self.transcript.summary)
            told = speech.read_summary(self.transcript.summary, self.briefing.today)
            trip = before = trip.told(told)
        question: str | None = None
        for turn in self.transcript.turns:
            before, reading = trip, self._read(turn, trip, question)
            trip = Trip() if tongue_of(turn.said).starts_over(turn.said) else trip.told(reading)
            question = asked_in(turn)
        return before, reading, trip

    def _read(self, turn: Turn, trip: Trip, question: str | None) -> Reading:
        slot = dict(_QUESTIONS).get(question or "")
        month = trip.start.replace(day=1) if trip.start else trip.month
        speech = tongue_of(turn.said)
        said = turn.said
        if not _is_answer(said, slot, speech, self.briefing.today):
            said = about_trips(said, speech)
        reading = speech.read_trip(said, self.briefing.today, slot, month, trip.open) if said else Reading()
        if trip.start and reading.end and not reading.start and reading.end <= trip.start:
            reading = speech.read_trip(said, trip.start, slot, month, trip.open)
        if question == "ask_end" and reading.start and not reading.end and trip.start and reading.start > trip.start:
            return replace(reading, start=None, end=reading.start)
        return reading

    @property
    def reading(self) -> Reading:
        """What the running message says of a trip."""
        return self._story[1]

    @property
    def trip(self) -> Trip:
        """The trip after the running message."""
        return self._story[2]

    @property
    def trip_before(self) -> Trip:
        """The trip before it."""
        return self._story[0]


def open_talk(messages: Sequence[BaseMessage], tools: frozenset[str]) -> Talk:
    """Read `messages`; the language is that of the latest user message with a word in it."""
    transcript = read_transcript(messages)
    worded = next((turn.said for turn in transcript.turns[::-1] if _LETTER.search(turn.said)), "")
    return Talk(transcript, read_briefing(transcript.system), tongue_of(worded), tools)


def _is_answer(said: str, slot: Slot | None, speech: Tongue, today: date) -> bool:
    """True for a few words that answer the question for days or people ("two of us", "3 nights")."""
    if slot not in {"dates", "people"} or not 0 < len(said) <= _SHORT:
        return False
    reading = speech.read_trip(said, today, slot, None, True)
    if slot == "people":
        return reading.people is not None
    return any((reading.start, reading.end, reading.nights, reading.vague_dates))


def about_trips(said: str, speech: Tongue) -> str:
    """The message without its lasting statements; empty for a secret, an order or a mere wish to be remembered."""
    if speech.sensitive(said) or speech.instruction(said):
        return ""
    for each in speech.statements(said):
        if not each.trip_only:
            said = said.replace(each.quote, " ")
    return "" if speech.wants_kept(said) else said.strip(" ,.;:!")


def asked_in(turn: Turn) -> str | None:
    """Key of the trip question in the turn's reply, or None."""
    speech = tongue_of(turn.reply)
    for key, _ in _QUESTIONS:
        literal = max(re.split(r"\{\w+\}", speech.say(key)), key=len)
        if literal in turn.reply:
            return key
    return None
