"""One running turn: the conversation read message by message, what is known of the traveller, and what was asked."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, get_args

from langchain_core.messages import BaseMessage

from models.offline.dialogue.conflicts import left_open, picked, picked_cases
from models.offline.dialogue.legs import with_next_leg
from models.offline.dialogue.transcript import (
    HELD,
    Briefing,
    Memory,
    Outcome,
    Transcript,
    Turn,
    by_heading,
    read_briefing,
    read_transcript,
)
from models.offline.notes import Companions, Statement, companions_in, content_words, memory_wish, statements
from models.offline.notes.claims import meaning_of
from models.offline.notes.proposals import objection
from models.offline.notes.statements import said_of_trip
from models.offline.reading import read
from models.offline.reading.form import language_of
from models.offline.reading.understanding import Clause, Kind, ReadingContext, Slot, Understanding
from models.offline.trips.choosing import decided, pick_again, taken_up
from models.offline.trips.family import with_named
from models.offline.trips.frames import Frame, State
from models.offline.trips.merging import Hearing, place_meant, without_sights
from models.offline.trips.offers import SEARCHES, TOOLS, name_of
from models.offline.trips.outcomes import answered
from models.offline.trips.searching import Standing
from models.offline.trips.tracking import hear
from models.offline.wording.sentences import Sentences, question_in, sentences

LIMITS = frozenset({"meal", "accessibility", "document"})
"""Topics of what the traveller can't do without."""
_RULES_MEMORY = frozenset({"private", "public", "source", "forget_all", "withhold"})
_LETTER = re.compile(r"[^\W\d_]")
_CODED = re.compile(r"[^\s,、→*][^,、→*]*(?:, [A-Z]{2})* \(([A-Z]{3})\)")
"""A place with the code of its airport, in a line of what was understood."""
_SLOTS: dict[str, Slot | None] = {
    "": None, "ask_extras": None, "ask_change_what": None, "ask_new_days": None, "ask_destination": "destination",
    "ask_origin": "origin", "ask_dates": "dates", "ask_days": "dates", "ask_other_days": "dates", "ask_end": "end",
    "ask_people": "people", "ask_place": "which", "ask_either": "which", "ask_booking": "which", "ask_number": "which",
}  # fmt: skip
"""What a question asks for; the others ask for a yes."""


@dataclass(frozen=True, slots=True)
class Step:
    """A turn: what its message says, what was asked before it, and the state before, after the message, and now."""

    said: Understanding
    question: str
    before: State
    heard: State
    after: State

    @property
    def only_tells(self) -> bool:
        """Return whether the message only tells something, where there is no trip: then it changes none."""
        told = {clause.act for clause in self.said.clauses} == {"tell"}
        placed = any(clause.places for clause in self.said.clauses)
        return told and not (placed or self.question or self.before.trip.begun or self.before.bookings)

    def only_notes(self, turn: Turn | None) -> bool:
        """Return whether the turn noted something and changed no trip."""
        return self.heard.known == self.before.known and bool(turn and turn.noted)


@dataclass(frozen=True)
class Dialogue:
    """The running turn with all that came before it. `tools` are the names of the bound tools."""

    transcript: Transcript
    briefing: Briefing
    words: Sentences
    tools: frozenset[str]

    @property
    def now(self) -> Turn:
        """Return the running turn's message and what was done for it."""
        return self.transcript.now

    @cached_property
    def earlier_statements(self) -> list[Statement]:
        """Return what earlier turns said that is worth keeping and still holds, the newest first, saved or not.

        What was forgotten since, and what the policy refused, is left out.
        """
        found: list[Statement] = []
        for before, turn in zip((None, *self.transcript.before), self.transcript.before, strict=False):
            forgotten = [each.answer for each in turn.outcomes if each.tool == "forget_memory"]
            gone = [content_words(str(each.get("text"))) for each in forgotten if each.get("status") == "forgotten"]
            found = [each for each in found if content_words(each.text) not in gone]
            if before is None or not left_open(before, turn.said):
                found += _stated(turn)
        return found[::-1]

    @cached_property
    def standing(self) -> Standing:
        """Return what is known of the traveller: what this conversation told before, then what is remembered."""
        lasting = [each for each in self.earlier_statements if not each.trip_only]
        whens = (" ".join(item["value"] for item in meaning_of(each.text, each.topic).when) for each in lasting)
        told = (
            Memory("", each.topic, each.text, condition=when or None, hard=each.topic in LIMITS)
            for each, when in zip(lasting, whens, strict=True)
        )
        return Standing(replace(self.briefing, memories=(*told, *self.briefing.memories)))

    @cached_property
    def companions(self) -> Companions:
        """Return those who travel along as far as they were called by name."""
        return companions_in(self._told)

    @cached_property
    def _told(self) -> list[str]:
        return [*(each.text for each in self.briefing.memories), *(turn.said for turn in self.transcript.turns)]

    @property
    def step(self) -> Step:
        """Return the running turn."""
        return self.steps[-1]

    @property
    def state(self) -> State:
        """Return all that the conversation has come to."""
        return self.step.after

    @property
    def travels(self) -> bool:
        """Return whether trips can be searched at all."""
        return "search_flights" in self.tools

    @property
    def outcomes(self) -> list[Outcome]:
        """Return what the travel tools answered in this turn."""
        return [each for each in self.now.outcomes if each.tool in TOOLS]

    def last_of(self, tool: str) -> Outcome | None:
        """Return what a tool answered last in this turn; None where it was not called."""
        return next((each for each in self.now.outcomes[::-1] if each.tool == tool), None)

    def say(self, key: str, **values: Any) -> str:
        """Return a sentence in the language of the turn; of several wordings the one for this turn."""
        return self.words.say(key, turn=len(self.transcript.turns), **values)

    def said_before(self, key: str) -> bool:
        """Return whether an earlier reply said the sentence `key`."""
        return any(self.words.is_in(key, turn.reply) for turn in self.transcript.before)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Return all visible turns, the running one last."""
        state, question, before, found = self._beginning(), "", None, list[Step]()
        for number, turn in enumerate(self.transcript.turns or (Turn("", ""),)):
            step = self._step(state, turn, question, before, number, found[-1].said if found else None)
            undoes = any(each.act == "undo" for each in step.said.clauses) and not (
                found and found[-1].only_notes(before)
            )
            found.append(_undone(step, found) if undoes else step)
            state, before = found[-1].after, turn
            if turn.reply:
                question = question_in(turn.reply)
            elif turn.calls:  # seats that wait for approval are asked about, a hotel that was agreed to no more
                question = "ask_seats" if turn.calls[-1]["name"] == "choose_seats" else question
                question = "" if question == "ask_hotel_too" else question
        return tuple(found)

    def _step(
        self, state: State, turn: Turn, question: str, before: Turn | None, number: int, last: Understanding | None
    ) -> Step:
        said, context = Understanding(self.words.code), self._context(state, question)
        if not (before and (picked(before, turn.said) or picked_cases(before, turn.said))):
            said = read(turn.said, context, said.language)
            if not said.is_courtesy:
                said = with_named(said, turn.said, context, self._told) if self.companions else said
                said = said_of_trip(turn.said, said, self.companions, begun=state.trip.begun)
            if before and any(objection(turn.said, before.noted, self.briefing.today)):
                said = replace(said, clauses=(Clause(turn.said, "tell"),))  # "Oops, Bergen" after "I live in Oslo"
        if (step := Step(said, question, state, state, state)).only_tells:
            return step
        said = with_next_leg(state.trip.value("later"), turn.said, said, context, asked=question == "ask_leg")
        said = decided(state, without_sights(state, taken_up(said, last)))
        known, (name, places) = state, state.unclear
        if name and (meant := place_meant(turn.said, said, places)):
            known = replace(state, meant={**state.meant, name.casefold(): meant}, unclear=("", ()))
            said = replace(said, clauses=tuple(replace(clause, places=(), choice=None) for clause in said.clauses))
        hearing = Hearing(
            number, self.briefing.today, question, lambda: self.standing.family, lambda: self.standing.party
        )
        after = heard = hear(known, said, hearing)
        for outcome in turn.outcomes:
            after = answered(after, outcome, self.standing, heard)
            if outcome.tool in SEARCHES:
                after = pick_again(after, said, heard)
        return Step(said, question, state, heard, after)

    def _context(self, state: State, question: str) -> ReadingContext:
        trip, kind = state.trip, state.focus
        city, offers = trip.value("destination") or "", [each for frame in trip.frames.values() for each in frame.shown]
        ends = [slot for each in ("start", "end") if (slot := trip.slot(each, kind))]
        names = (" ".join(name_of(each).replace(city, " ").split()) if city else name_of(each) for each in offers)
        return ReadingContext(
            today=self.briefing.today, asked=_SLOTS.get(question, "confirm"), start=trip.value("start", kind),
            end=trip.value("end", kind), window=trip.value("window"), one_way=bool(trip.value("one_way")),
            trip_open=trip.begun, offers_shown=bool(offers), booked=bool(state.bookings), about=kind,
            settled=any(each.live for each in state.bookings.values()) and not trip.shown,
            names=tuple(dict.fromkeys(names)),
            days=frozenset(day for slot in ends for day in (slot.value, slot.first, slot.former) if day),
        )  # fmt: skip

    def _beginning(self) -> State:
        """Return the state that a history summary tells of."""
        parts = by_heading(self.transcript.summary) if self.transcript.summary else {}
        if "trip" not in parts:
            return State()
        told = _CODED.sub(r"\1", f"{parts.get('travellers', '')}, {parts['trip'].split('. Superseded:')[0]}")
        context = ReadingContext(self.briefing.today, asked="destination")
        clauses = tuple(
            replace(clause, act="inform", kinds=(kind,) if kind else clause.kinds)
            for kind, text in self._by_part(told)
            for clause in read(text, context, self.words.code).clauses
        )
        state = hear(State(), Understanding(self.words.code, clauses), Hearing(-1, self.briefing.today))
        for text, (kind, status) in self.words.decided.items():
            if text in parts.get("decisions", ""):
                state = state.with_frame(replace(state.trip.frames.get(kind) or Frame(kind), status=status))
        waiting = [frame.kind for frame in state.trip.of_status("open")]
        return replace(state, focus=waiting[-1]) if waiting else state

    def _by_part(self, line: str) -> Iterator[tuple[Kind | None, str]]:
        """Yield what a line of what was understood says of the trip, and then of each part that it names."""
        labels = {self.words.say("part_wishes", kind=kind, wishes=""): kind for kind in get_args(Kind)}
        cuts = re.split(f"({'|'.join(map(re.escape, labels))})", line)
        yield None, cuts[0]
        yield from ((labels[label], told) for label, told in zip(cuts[1::2], cuts[2::2], strict=True))


def _stated(turn: Turn) -> list[Statement]:
    saved = [each for each in turn.outcomes if each.tool == "save_memory_note"]
    if saved or not all(call["args"].get("words") for call in turn.calls):  # what is withheld counts still
        held = (each for each in saved if each.answer.get("status") in HELD or each.answer.get("code") == "paused")
        given = [{"text": "", "quote": "", "topic": "other", "scope": "user", **each.given} for each in held]
        return [Statement(each["text"], each["quote"], each["topic"], each["scope"] == "trip") for each in given]
    wish = memory_wish(turn.said)
    return [] if wish and wish.kind in _RULES_MEMORY else list(statements(turn.said))


def _undone(step: Step, earlier: Sequence[Step]) -> Step:
    """Return a step in which the last change of the trip is taken back; one that began the trip or booked stays."""
    changed = next((each for each in reversed(earlier) if each.heard.known != each.before.known), None)
    if changed is None or not changed.before.trip.begun or changed.before.bookings != step.before.bookings:
        return step
    known = replace(changed.before, meant=step.before.meant, names=step.before.names, rates=step.before.rates)
    return replace(step, heard=known, after=known)


def read_dialogue(messages: Sequence[BaseMessage], tools: frozenset[str]) -> Dialogue:
    """Read `messages`; the language is that of the latest user message with a word in it."""
    transcript = read_transcript(messages)
    briefing = read_briefing(transcript.system)
    code = "en"
    for turn in transcript.turns:
        code = language_of(turn.said, code) if _LETTER.search(turn.said) else code
    return Dialogue(transcript, briefing, sentences(code), tools)
