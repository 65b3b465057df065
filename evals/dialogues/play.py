"""Plays one row as a new traveller who writes and decides, and records what the concierge did in each turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from app.api.concierge import Concierge
from app.api.reply import Reply, ToolUse
from config.errors import ConciergeError, NotFoundError
from evals.dialogues.calls import matches_call, tool_names
from evals.dialogues.offers import Offers, offer_mismatches
from evals.dialogues.rows import CHANGING, Row, ScriptedTurn
from graph.state import StopReason
from memory.records.journal import Step, changed
from memory.records.notes import Note, note_id
from memory.records.profile import Profile
from travel.booking.record import Booking
from travel.provider import AnyOffer

_TOPIC = "other"
"""The topic of a row's own notes, which have a text but no claims."""
_MORE_DECISIONS = 4
"""The number of further approvals in one turn that get the same decision."""
_ANSWERED = (StopReason.ANSWERED, StopReason.AWAITING_APPROVAL, StopReason.SESSION_ENDED)
Waiting = Mapping[str, Any]
"""A call that waits for approval, with `name`, `args` and `description`."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The record of one turn.

    Attributes:
        number: The number of the turn, from 1.
        script: What the traveller does, and what the row expects.
        sent: `message`, `decision`, `message and decision`, or `nothing`.
        reply: The text of all replies, or the error that came instead.
        calls: The calls that the model issued.
        earlier: The calls of all turns before, with their present outcomes.
        waiting: The calls that wait for approval after the turn.
        notes_before: The lasting and the trip notes before the turn.
        notes: The lasting and the trip notes after the turn.
        booked_before: The live bookings before the turn.
        booked: The live bookings after the turn.
        broken: The failure of the model or the concierge that left the turn unanswered, or "".
    """

    number: int
    script: ScriptedTurn
    sent: str
    reply: str
    calls: Sequence[ToolUse]
    earlier: Sequence[ToolUse]
    waiting: Sequence[Waiting]
    notes_before: Sequence[Note]
    notes: Sequence[Note]
    booked_before: Sequence[Booking]
    booked: Sequence[Booking]
    broken: str

    @property
    def added(self) -> list[Note]:
        """Return the notes that the turn added, or whose text or scope it changed."""
        before = {(note.text, note.scope) for note in self.notes_before}
        return [note for note in self.notes if (note.text, note.scope) not in before]


def offer_id_of(waiting: Waiting) -> str | None:
    """Return the id of the offer that a call is about, if any."""
    offer_id = waiting["args"].get("offer_id") or waiting["args"].get("new_offer_id")
    return None if offer_id is None else str(offer_id)


@dataclass
class Player:
    """The traveller of one row, with a concierge of their own."""

    row: Row
    concierge: Concierge
    offers: Offers
    clock: Callable[[], datetime]
    _broken: str = ""
    _calls: list[tuple[ToolUse, ...]] = field(default_factory=list)
    """For each message of the traveller, the calls since then."""
    _approvals: Sequence[Mapping[str, Any]] = ()
    """The last non-empty list of approvals of the row."""
    _shown: Mapping[str, Sequence[AnyOffer]] = field(default_factory=dict)
    """The offers that had been shown before the latest turn, by kind."""

    async def prepare(self) -> None:
        """Store the profile and the notes of the row."""
        memory, now = self.concierge.memory(self.row.id), self.clock()
        if self.row.profile:
            await memory.set_profile(Profile.model_validate(self.row.profile), step="seed:profile")
        for text in self.row.notes:
            note = Note(id=note_id("seed", text), text=text, topic=_TOPIC, created_at=now, last_update_date=now.date())
            await memory.commit([Step(f"seed:{note.id}", "system", "seed", (changed(None, note),))])

    async def play_turn(self, number: int, script: ScriptedTurn) -> Turn:
        """Play one turn."""
        listed = script.expect.get("approval")
        self._approvals = listed if isinstance(listed, list) and listed else self._approvals
        notes_before, booked_before, self._shown = await self.notes(), await self.booked(), dict(self.offers.shown)
        messages, self._broken = len(self._calls), ""
        issued = len(self._calls[-1]) if self._calls else 0
        sent, reply = await (self._decide(script) if script.decide else self._send(script.say))
        resumed = self._calls[messages - 1][issued:] if messages else ()
        calls = [*resumed, *(use for uses in self._calls[messages:] for use in uses)]
        earlier = [use for uses in self._calls[:messages] for use in uses]
        await self.offers.add(calls, reply)
        booked = await self.booked()
        self.offers.record_guests(booked)
        return Turn(
            number, script, sent, reply, calls, earlier[: len(earlier) - len(resumed)], await self.waiting(),
            notes_before, await self.notes(), booked_before, booked, self._broken,
        )  # fmt: skip

    async def end(self, *, keep_open: bool) -> list[Note]:
        """End the session and return the lasting notes; with `keep_open`, return all notes without ending it."""
        if keep_open:
            return await self.notes()
        with suppress(NotFoundError):  # no message was ever sent
            await self.concierge.end_session(user_id=self.row.id, thread_id=self.row.id)
        return await self.concierge.memory(self.row.id).notes()

    async def notes(self) -> list[Note]:
        """Return the lasting notes and those that the running session has staged."""
        kept = await self.concierge.memory(self.row.id).notes()
        try:
            staged = await self.concierge.staged_notes(user_id=self.row.id, thread_id=self.row.id)
        except NotFoundError:
            staged = []
        return [*kept, *staged]

    async def booked(self) -> list[Booking]:
        """Return the bookings that are neither cancelled nor holds."""
        return [booking for booking in await self.concierge.bookings(self.row.id).all() if booking.status == "booked"]

    async def waiting(self) -> list[Waiting]:
        """Return the calls that wait for approval."""
        interrupts = await self.concierge.waiting(user_id=self.row.id, thread_id=self.row.id)
        return [request for interrupt in interrupts for request in interrupt["action_requests"]]

    async def _send(self, say: str | None) -> tuple[str, str]:
        if say is None:
            return "nothing", ""
        try:
            reply = await self.concierge.send(say, user_id=self.row.id, thread_id=self.row.id)
        except ConciergeError as error:
            return "message", self._failed(error)
        self._calls.append(reply.tools)
        return "message", self._text(reply)

    async def _decide(self, script: ScriptedTurn) -> tuple[str, str]:
        """Decide on the waiting calls. If none waits, send the message and decide on the calls that it leads to.

        Does nothing if the expected calls have run already.
        """
        if await self.waiting():
            return "decision", await self._resume(script.decide)
        if self._is_done(script):
            return "nothing", ""
        sent, reply = await self._send(script.say)
        if not await self.waiting():
            return sent, reply
        return f"{sent} and decision", "\n".join(filter(None, (reply, await self._resume(script.decide))))

    async def _resume(self, decision: str | None) -> str:
        """Give the waiting calls this decision, and so the expected ones after them; return all replies."""
        replies = []
        for _ in range(1 + _MORE_DECISIONS):
            try:
                reply = await self.concierge.resume(decision, user_id=self.row.id, thread_id=self.row.id)
            except ConciergeError as error:
                replies.append(self._failed(error))
                break
            self._calls[-1:] = [reply.tools]
            replies.append(self._text(reply))
            if not await self._all_expected(await self.waiting()):
                break
        return "\n".join(filter(None, replies))

    def _failed(self, error: ConciergeError) -> str:
        self._broken = f"{type(error).__name__}: {error}"
        return self._broken

    def _text(self, reply: Reply) -> str:
        self._broken = "" if reply.stop_reason in _ANSWERED else reply.stop_reason.value
        return reply.text

    async def _all_expected(self, waiting: Sequence[Waiting]) -> bool:
        """Return whether some calls wait, and the row lists an approval for each of them."""
        return bool(waiting) and all([await self._is_expected(call) for call in waiting])

    async def _is_expected(self, waiting: Waiting) -> bool:
        return not all([await self.mismatches(listed, waiting) for listed in self._approvals])

    async def mismatches(self, listed: Mapping[str, Any], waiting: Waiting) -> list[str]:
        """Describe how a waiting call differs from an approval of the row; `pick` is left to the judge."""
        if waiting["name"] not in tool_names(listed):
            return [f"it is {waiting['name']}"]
        match, offer_id = listed.get("matches") or {}, offer_id_of(waiting)
        if not match or offer_id is None:
            return []
        try:
            facts = self.offers.facts(await self.offers.offer(offer_id))
        except ConciergeError as error:
            return [str(error)]
        extra = waiting["args"].get("extra_bags") or 0
        bags = {"bags": facts.get("bags", 0) + extra, "requests": waiting["args"].get("requests") or []}
        return offer_mismatches(match, {**facts, **bags})

    def lists(self, kind: str) -> list[Sequence[AnyOffer]]:
        """Return the lists of offers that the traveller may pick from: those shown before the latest turn and in it."""
        return [shown for by_kind in (self._shown, self.offers.shown) if (shown := by_kind.get(kind, ()))]

    def _is_done(self, script: ScriptedTurn) -> bool:
        """Return whether the turn expects calls that change something, and all of them have run."""
        wanted = [call for call in script.expect.get("tools") or () if set(tool_names(call)) & CHANGING]
        done = [use for uses in self._calls for use in uses if use.outcome == "ran"]
        return bool(wanted) and all(any(matches_call(call, use) for use in done) for call in wanted)
