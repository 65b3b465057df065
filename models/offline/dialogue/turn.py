"""The dialogue state of a turn: the conversation, parsed message by message, and the facts about the traveller."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, get_args

from langchain_core.messages import BaseMessage

from models.offline.dialogue.conflicts import left_open, picked, picked_cases
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
from models.offline.reading.values.names import currency_at
from models.offline.trips.choosing import decided, taken_up
from models.offline.trips.family import with_named
from models.offline.trips.frames import Frame, State
from models.offline.trips.legs import heard_by
from models.offline.trips.merging import Hearing, place_meant, without_sights
from models.offline.trips.offers import SEARCHES, TOOLS, name_of, refusal
from models.offline.trips.outcomes import after_all
from models.offline.trips.searching import Standing
from models.offline.trips.tracking import hear
from models.offline.wording.sentences import Sentences, question_in, sentences

LIMITS = frozenset({"meal", "accessibility", "document"})
"""Topics of needs that the traveller can't compromise on."""
_MEMORY_COMMANDS = frozenset({"private", "public", "source", "forget_all", "withhold"})
_CODED_PLACE = re.compile(r"[^\s,、→*][^,、→*]*(?:, [A-Z]{2})* \(([A-Z]{3})\)")
"""A place with its airport code, as a history summary writes it."""
_SLOTS: dict[str, Slot | None] = {
    "": None, "ask_extras": None, "ask_which_extra": None, "ask_change_what": None, "ask_new_days": None,
    "ask_destination": "destination",
    "ask_origin": "origin", "ask_dates": "dates", "ask_days": "dates", "ask_other_days": "dates", "ask_end": "end",
    "ask_people": "people", "ask_place": "which", "ask_either": "which", "ask_booking": "which", "ask_number": "which",
}  # fmt: skip
"""The slot that each question asks for; questions that are not listed ask for a confirmation."""


@dataclass(frozen=True, slots=True)
class Step:
    """One turn: the parsed message, and the key of the question asked before it, empty for none.

    `before` is the state before the message, `heard` that after it, and `after` that after its tools have answered.
    `parts` is what the message says about each journey planned together, `owners` the journey of each tool's outcome.
    """

    said: Understanding
    question: str
    before: State
    heard: State
    after: State
    owners: Sequence[int] = ()
    parts: Mapping[int, Understanding] = field(default_factory=dict)

    @property
    def only_tells(self) -> bool:
        """Return whether the message only states facts while no trip is planned, so that it affects no trip."""
        tells = {clause.act for clause in self.said.clauses} == {"tell"}
        has_place = any(clause.places for clause in self.said.clauses)
        return tells and not (has_place or self.question or self.before.trip.begun or self.before.bookings)

    def only_notes(self, turn: Turn | None) -> bool:
        """Return whether `turn`, this step's, stored a note while its message changed no trip."""
        return self.heard.known == self.before.known and bool(turn and turn.noted)


@dataclass(frozen=True)
class Dialogue:
    """The current turn with everything before it. `tools` are the names of the tools bound to the model."""

    transcript: Transcript
    briefing: Briefing
    words: Sentences
    tools: frozenset[str]

    @property
    def now(self) -> Turn:
        """Return the current turn of the transcript: its message, tool calls and outcomes."""
        return self.transcript.now

    @cached_property
    def earlier_statements(self) -> list[Statement]:
        """Return the lasting statements of earlier turns, newest first, without those since forgotten, or refused."""
        stated: list[Statement] = []
        for before, turn in zip((None, *self.transcript.before), self.transcript.before, strict=False):
            answers = [each.answer for each in turn.outcomes if each.tool == "forget_memory"]
            forgotten = [content_words(str(each.get("text"))) for each in answers if each.get("status") == "forgotten"]
            stated = [each for each in stated if content_words(each.text) not in forgotten]
            if before is None or not left_open(before, turn.said):
                stated += _statements_of(turn)
        return stated[::-1]

    @cached_property
    def standing(self) -> Standing:
        """Return the facts about the traveller: those stated earlier in this conversation, then those remembered."""
        memories = []
        for each in self.earlier_statements:
            if not each.trip_only:
                when = " ".join(item["value"] for item in meaning_of(each.text, each.topic).when)
                memories.append(Memory("", each.topic, each.text, condition=when or None, hard=each.topic in LIMITS))
        return Standing(replace(self.briefing, memories=(*memories, *self.briefing.memories)))

    @cached_property
    def companions(self) -> Companions:
        """Return the companions who were called by name, each with their kinship to the traveller."""
        return companions_in(self._texts)

    @cached_property
    def _texts(self) -> list[str]:
        return [*(each.text for each in self.briefing.memories), *(turn.said for turn in self.transcript.turns)]

    @property
    def step(self) -> Step:
        """Return the step of the current turn."""
        return self.steps[-1]

    @property
    def state(self) -> State:
        """Return the state after everything so far."""
        return self.step.after

    @cached_property
    def journeys(self) -> tuple[Dialogue, ...]:
        """Return the dialogue about each of the journeys that are planned together; itself if there is only one."""
        return tuple(map(self._about, self.state.journeys)) if self.state.journeys[1:] else (self,)

    def _about(self, at: int) -> Dialogue:
        """Return the dialogue with one journey as the current one, with what was said about it and its outcomes."""
        step, now = self.step, self.now
        before, heard, after = (each.on(at) for each in (step.before, step.heard, step.after))
        of_all = "ask_both" if len(before.trip.shown) > 1 else "ask_book"
        question = of_all if step.question == "ask_all" else step.question
        outcomes = [each for owner, each in zip(step.owners, now.outcomes, strict=False)
                    if owner == at or not (each.tool in SEARCHES or each.given.get("offer_id"))]  # fmt: skip
        turns = (*self.transcript.before, replace(now, outcomes=outcomes))
        about = replace(self, transcript=replace(self.transcript, turns=turns))
        said = step.parts.get(at, replace(step.said, clauses=()))
        vars(about)["steps"] = (*self.steps[:-1], Step(said, question, before, heard, after))  # its cache
        return about

    @property
    def travels(self) -> bool:
        """Return whether the travel search tools are bound."""
        return "search_flights" in self.tools

    @property
    def outcomes(self) -> list[Outcome]:
        """Return the outcomes of the travel tools in this turn."""
        return [each for each in self.now.outcomes if each.tool in TOOLS]

    def last_of(self, tool: str) -> Outcome | None:
        """Return the last outcome of a tool in this turn; None if it has none."""
        return next((each for each in self.now.outcomes[::-1] if each.tool == tool), None)

    def say(self, key: str, **values: Any) -> str:
        """Return the sentence `key` in the language of the turn; its variants rotate with the number of the turn."""
        return self.words.say(key, turn=len(self.transcript.turns), **values)

    def said_before(self, key: str) -> bool:
        """Return whether an earlier reply contains the sentence `key`."""
        return any(self.words.is_in(key, turn.reply) for turn in self.transcript.before)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Return a step for each visible turn, the current one last."""
        state, question, before, steps = self._initial_state(), "", None, list[Step]()
        for number, turn in enumerate(self.transcript.turns or (Turn("", ""),)):
            last = steps[-1] if steps else None
            step = self._step(state, turn, question, before, number, last.said if last else None)
            undoes = any(each.act == "undo" for each in step.said.clauses) and not (last and last.only_notes(before))
            steps.append(_undone(step, steps) if undoes else step)
            state, before = steps[-1].after, turn
            if turn.reply:
                question = question_in(turn.reply)
            elif turn.calls:  # no reply: the approval of seats asks about them, and a second hotel question is settled
                question = "ask_seats" if turn.calls[-1]["name"] == "choose_seats" else question
                question = "" if question == "ask_hotel_too" else question
        return tuple(steps)

    def _step(
        self, state: State, turn: Turn, question: str, before: Turn | None, number: int, last: Understanding | None
    ) -> Step:
        said, context = Understanding(self.words.code), self._context(state, question)
        if not (before and (picked(before, turn.said) or picked_cases(before, turn.said))):
            said = read(turn.said, context, said.language)
            if not said.is_courtesy:
                said = with_named(said, turn.said, context, self._texts) if self.companions else said
                said = said_of_trip(turn.said, said, self.companions, begun=state.trip.begun)
            if before and any(objection(turn.said, before.noted, self.briefing.today)):
                said = replace(said, clauses=(Clause(turn.said, "tell"),))  # "Oops, Bergen" after "I live in Oslo"
        if (step := Step(said, question, state, state, state)).only_tells:
            return step
        waits = any(found["undecided"] for each in (before.outcomes if before else ()) if (found := refusal(each)))
        said = decided(state, without_sights(state, taken_up(said, last)), waits=waits)
        resolved, (name, places) = state, state.unclear
        if name and (meant := place_meant(turn.said, said, places)):
            resolved = replace(state, meant={**state.meant, name.casefold(): meant}, unclear=("", ()))
            said = replace(said, clauses=tuple(replace(clause, places=(), choice=None) for clause in said.clauses))
        hearing = Hearing(
            number, self.briefing.today, question, lambda: self.standing.family, lambda: self.standing.party
        )
        heard = hear(resolved, said, hearing)
        parts = heard_by(resolved, heard, said, question)
        return Step(said, question, state, heard, *after_all(heard, turn.outcomes, self.standing, parts), parts)

    def _context(self, state: State, question: str) -> ReadingContext:
        """Return the context in which the next message is read: the last question, the trip and the shown offers."""
        trip, kind = state.trip, state.focus
        legs = [state.trips[at] for at in state.journeys]
        offers = [each for leg in legs for frame in leg.frames.values() for each in frame.shown]
        city = trip.value("destination") or ""
        part = kind if kind != "activity" else None  # "the last day" is one of the trip's
        ends = [slot for each in ("start", "end") if (slot := trip.slot(each, part))]
        flight, home = trip.frames.get("flight"), self.briefing.profile.get("home_city") or trip.value("origin") or ""
        names = (" ".join(name_of(each).replace(city, " ").split()) if city else name_of(each) for each in offers)
        return ReadingContext(
            today=self.briefing.today, asked=_SLOTS.get(question, "confirm"), start=trip.value("start", part),
            end=trip.value("end", part), window=trip.value("window"), one_way=bool(trip.value("one_way")),
            journeys=len(legs), trip_open=trip.begun, counted=bool(trip.value("party", kind)),
            offers_shown=bool(offers), booked=bool(state.bookings), about=kind,
            currencies=(currency_at(city), self.standing.currency or currency_at(home.partition(",")[0])),
            settled=any(each.live for each in state.bookings.values()) and not any(each.shown for each in legs),
            names=tuple(dict.fromkeys(names)), flight_open=flight.status == "open" if flight else not trip.frames,
            days=frozenset(day for slot in ends for day in (slot.value, slot.first, slot.former) if day),
        )  # fmt: skip

    def _initial_state(self) -> State:
        """Return the state that the history summary describes; an empty one if there is none."""
        parts = by_heading(self.transcript.summary) if self.transcript.summary else {}
        if "trip" not in parts:
            return State()
        line = _CODED_PLACE.sub(r"\1", f"{parts.get('travellers', '')}, {parts['trip'].split('. Superseded:')[0]}")
        context = ReadingContext(self.briefing.today, asked="destination")
        clauses = tuple(
            replace(clause, act="inform", kinds=(kind,) if kind else clause.kinds)
            for kind, text in self._by_part(line)
            for clause in read(text, context, self.words.code).clauses
        )
        state = hear(State(), Understanding(self.words.code, clauses), Hearing(-1, self.briefing.today))
        for text, (kind, status) in self.words.decided.items():
            if text in parts.get("decisions", ""):
                state = state.with_frame(replace(state.trip.frames.get(kind) or Frame(kind), status=status))
        open_kinds = [frame.kind for frame in state.trip.of_status("open")]
        return replace(state, focus=open_kinds[-1]) if open_kinds else state

    def _by_part(self, line: str) -> Iterator[tuple[Kind | None, str]]:
        """Yield the text about the whole trip, with None, and then the text about each part that the line names."""
        labels = {self.words.say("part_wishes", kind=kind, wishes=""): kind for kind in get_args(Kind)}
        cuts = re.split(f"({'|'.join(map(re.escape, labels))})", line)
        yield None, cuts[0]
        yield from ((labels[label], text) for label, text in zip(cuts[1::2], cuts[2::2], strict=True))


def _statements_of(turn: Turn) -> list[Statement]:
    """Return the statements of the notes saved in a turn, or of its message if all its calls withhold words."""
    saves = [each for each in turn.outcomes if each.tool == "save_memory_note"]
    if saves or not all(call["args"].get("words") for call in turn.calls):
        valid = (each for each in saves if each.answer.get("status") in HELD or each.answer.get("code") == "paused")
        notes = [{"text": "", "quote": "", "topic": "other", "scope": "user", **each.given} for each in valid]
        return [Statement(each["text"], each["quote"], each["topic"], each["scope"] == "trip") for each in notes]
    wish = memory_wish(turn.said)
    return [] if wish and wish.kind in _MEMORY_COMMANDS else list(statements(turn.said))


def _undone(step: Step, earlier: Sequence[Step]) -> Step:
    """Return the step with the last change of a trip reverted, unless that began the trip or bookings came after it."""
    changed = next((each for each in reversed(earlier) if each.heard.known != each.before.known), None)
    if changed is None or not changed.before.trip.begun or changed.before.bookings != step.before.bookings:
        return step
    reverted = replace(changed.before, meant=step.before.meant, names=step.before.names, rates=step.before.rates)
    return replace(step, heard=reverted, after=reverted)


def read_dialogue(messages: Sequence[BaseMessage], tools: frozenset[str]) -> Dialogue:
    """Parse `messages` into a dialogue; its language is that of the latest user message that contains a letter."""
    transcript = read_transcript(messages)
    briefing = read_briefing(transcript.system)
    code = "en"
    for turn in transcript.turns:
        code = language_of(turn.said, code) if any(map(str.isalpha, turn.said)) else code
    return Dialogue(transcript, briefing, sentences(code), tools)
