"""Plays one row: a fresh traveller who speaks and decides, with what the concierge did in each turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from app.api.concierge import Concierge
from app.api.reply import Reply, ToolUse
from config.errors import ConciergeError, NotFoundError
from evals.dialogues.calls import answers, named
from evals.dialogues.offers import Shelf, misses
from evals.dialogues.rows import CHANGING, Row, ScriptedTurn
from graph.state import StopReason
from memory.records.journal import Step, changed
from memory.records.notes import Note, note_id
from memory.records.profile import Profile
from travel.booking.record import Booking
from travel.provider import AnyOffer

_TOPIC = "other"
"""A note of a row is text only: it makes no claims and belongs to no topic."""
_MOST_ANSWERS = 4
"""Approvals that are put up one at a time and answered alike."""
_ANSWERED = (StopReason.ANSWERED, StopReason.AWAITING_APPROVAL, StopReason.SESSION_ENDED)
Waiting = Mapping[str, Any]
"""One call that waits for approval: `name`, `args` and `description`."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What happened in one turn.

    Attributes:
        number: From 1.
        sent: `message`, `decision`, `message and decision`, or `nothing`.
        reply: All that was said, or the error that came instead.
        calls: The calls that were issued in it.
        earlier: The calls of all turns before, with what became of them by now.
        waiting: What waits for approval after it.
        known: The lasting and the trip notes before it.
        notes: The same after it.
        before: The live bookings before it.
        booked: The live bookings after it.
        broken: Why no answer came, where the model or the concierge failed; empty where one came.
    """

    number: int
    script: ScriptedTurn
    sent: str
    reply: str
    calls: Sequence[ToolUse]
    earlier: Sequence[ToolUse]
    waiting: Sequence[Waiting]
    known: Sequence[Note]
    notes: Sequence[Note]
    before: Sequence[Booking]
    booked: Sequence[Booking]
    broken: str

    @property
    def added(self) -> list[Note]:
        """Return the notes that were added in it, or say something else now; the same said again is none."""
        before = {(note.text, note.scope) for note in self.known}
        return [note for note in self.notes if (note.text, note.scope) not in before]


def offer_id_of(waiting: Waiting) -> str | None:
    """Return the offer that a call is about."""
    offer_id = waiting["args"].get("offer_id") or waiting["args"].get("new_offer_id")
    return None if offer_id is None else str(offer_id)


@dataclass
class Player:
    """The traveller of one row, in a concierge of their own."""

    row: Row
    concierge: Concierge
    shelf: Shelf
    clock: Callable[[], datetime]
    _broken: str = ""
    _spoken: list[tuple[ToolUse, ...]] = field(default_factory=list)
    """The calls since each message of the traveller."""
    _approvals: Sequence[Mapping[str, Any]] = ()
    """The last list of approvals that the row names."""
    _shown: Mapping[str, Sequence[AnyOffer]] = field(default_factory=dict)
    """What had been shown when the latest turn began."""

    async def prepare(self) -> None:
        """Write the profile and the notes that are there before the thread."""
        memory, now = self.concierge.memory(self.row.id), self.clock()
        if self.row.profile:
            await memory.set_profile(Profile.model_validate(self.row.profile), step="seed:profile")
        for text in self.row.notes:
            note = Note(id=note_id("seed", text), text=text, topic=_TOPIC, created_at=now, last_update_date=now.date())
            await memory.commit([Step(f"seed:{note.id}", "system", "seed", (changed(None, note),))])

    async def take(self, number: int, script: ScriptedTurn) -> Turn:
        """Play one turn."""
        listed = script.expect.get("approval")
        self._approvals = listed if isinstance(listed, list) and listed else self._approvals
        known, before, self._shown = await self.notes(), await self.booked(), dict(self.shelf.shown)
        spoken, self._broken = len(self._spoken), ""
        issued = len(self._spoken[-1]) if self._spoken else 0
        sent, reply = await (self._decide(script) if script.decide else self._send(script.say))
        same = self._spoken[spoken - 1][issued:] if spoken else ()
        calls = [*same, *(use for uses in self._spoken[spoken:] for use in uses)]
        earlier = [use for uses in self._spoken[:spoken] for use in uses]
        await self.shelf.add(calls, reply)
        booked = await self.booked()
        self.shelf.sell(booked)
        return Turn(
            number, script, sent, reply, calls, earlier[: len(earlier) - len(same)], await self.waiting(), known,
            await self.notes(), before, booked, self._broken,
        )  # fmt: skip

    async def end(self, *, keep_open: bool) -> list[Note]:
        """End the session, so that its notes become lasting ones, and return these; or leave it open."""
        if keep_open:
            return await self.notes()
        with suppress(NotFoundError):  # nothing was ever said
            await self.concierge.end_session(user_id=self.row.id, thread_id=self.row.id)
        return await self.concierge.memory(self.row.id).notes()

    async def notes(self) -> list[Note]:
        """Return the notes that are kept and those of the running session."""
        kept = await self.concierge.memory(self.row.id).notes()
        try:
            staged = await self.concierge.staged_notes(user_id=self.row.id, thread_id=self.row.id)
        except NotFoundError:
            staged = []
        return [*kept, *staged]

    async def booked(self) -> list[Booking]:
        """Return what is booked and not cancelled; a hold is no booking."""
        return [one for one in await self.concierge.bookings(self.row.id).all() if one.status == "booked"]

    async def waiting(self) -> list[Waiting]:
        """Return what waits for approval."""
        asked = await self.concierge.waiting(user_id=self.row.id, thread_id=self.row.id)
        return [request for one in asked for request in one["action_requests"]]

    async def _send(self, say: str | None) -> tuple[str, str]:
        if say is None:
            return "nothing", ""
        try:
            reply = await self.concierge.send(say, user_id=self.row.id, thread_id=self.row.id)
        except ConciergeError as error:
            return "message", self._failed(error)
        self._spoken.append(reply.tools)
        return "message", self._said(reply)

    async def _decide(self, script: ScriptedTurn) -> tuple[str, str]:
        """Answer what waits; where nothing does, say it and answer what that puts up, unless it is done already."""
        if await self.waiting():
            return "decision", await self._answer(script.decide)
        if self._is_done(script):
            return "nothing", ""
        sent, reply = await self._send(script.say)
        if not await self.waiting():
            return sent, reply
        return f"{sent} and decision", "\n".join(filter(None, (reply, await self._answer(script.decide))))

    async def _answer(self, decision: str | None) -> str:
        """Decide on what waits, and alike on what follows it; gives all that was said."""
        told = []
        for _ in range(1 + _MOST_ANSWERS):
            try:
                reply = await self.concierge.resume(decision, user_id=self.row.id, thread_id=self.row.id)
            except ConciergeError as error:
                told.append(self._failed(error))
                break
            self._spoken[-1:] = [reply.tools]
            told.append(self._said(reply))
            if not await self._is_next(await self.waiting()):
                break
        return "\n".join(filter(None, told))

    def _failed(self, error: ConciergeError) -> str:
        self._broken = f"{type(error).__name__}: {error}"
        return self._broken

    def _said(self, reply: Reply) -> str:
        self._broken = "" if reply.stop_reason in _ANSWERED else reply.stop_reason.value
        return reply.text

    async def _is_next(self, waiting: Sequence[Waiting]) -> bool:
        """Return whether all that waits was to be approved as well."""
        return bool(waiting) and all([await self.expected(one, self._approvals) for one in waiting])

    async def expected(self, waiting: Waiting, listed: Sequence[Mapping[str, Any]]) -> bool:
        """Return whether one of the approvals of a row is the one that waits."""
        faults = [await self.wrong(one, waiting) for one in listed]
        return any(not each for each in faults)

    async def wrong(self, listed: Mapping[str, Any], waiting: Waiting) -> list[str]:
        """Return what of a listed approval does not hold of one that waits, but for which offer was picked."""
        if waiting["name"] not in named(listed):
            return [f"it is {waiting['name']}"]
        matches, offer_id = listed.get("matches") or {}, offer_id_of(waiting)
        if not matches or offer_id is None:
            return []
        try:
            facts = self.shelf.facts(await self.shelf.offer(offer_id))
        except ConciergeError as error:
            return [str(error)]
        extra = waiting["args"].get("extra_bags") or 0
        bags = {"bags": facts.get("bags", 0) + extra, "requests": waiting["args"].get("requests") or []}
        return misses(matches, {**facts, **bags})

    def lists(self, kind: str) -> list[Sequence[AnyOffer]]:
        """Return what the traveller may have picked from: what was shown before the latest turn, and in it."""
        return [shown for each in (self._shown, self.shelf.shown) if (shown := each.get(kind, ()))]

    def _is_done(self, script: ScriptedTurn) -> bool:
        """Return whether what was to be approved was carried out without: each changing call that is expected."""
        wanted = [one for one in script.expect.get("tools") or () if set(named(one)) & CHANGING]
        done = [use for uses in self._spoken for use in uses if use.outcome == "ran"]
        return bool(wanted) and all(any(answers(one, use) for use in done) for one in wanted)
