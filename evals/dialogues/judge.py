"""Judges each turn, and the bookings and notes at the end: each failed check is a fault."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from evals.dialogues.calls import asserts, holds, matches_call, nearest_mismatch, tool_names
from evals.dialogues.offers import is_pick, offer_mismatches
from evals.dialogues.play import Player, Turn, offer_id_of
from evals.dialogues.rows import CHANGING
from memory.records.notes import Note
from travel.booking.record import Booking

_SEARCH_DETAILS = frozenset(("dates", "origin", "travellers", "ages", "nationality", "language"))
"""Subjects of a question that excuse a missing search."""
_LANGUAGES = ("english", "ingles", "anglais", "englisch", "英語")
"""A reply that names one of these counts as a question about the language."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A failed check. `grave` is the kind of a grave fault (`unapproved`, `wrong booking`, `untrue`, `note`), or ""."""

    check: str
    why: str
    grave: str = ""


async def judge_turn(turn: Turn, player: Player, *, lacking: bool) -> tuple[list[Fault], bool]:
    """Return the faults of a turn, and whether the sample world lacks the offer to book.

    If it was `lacking` already, checks that depend on a booking are skipped.
    """
    expect = turn.script.expect
    faults = [*_tools(turn, lacking=lacking), *_forbidden(turn), *_untrue(turn), *_notes(turn), *_unapproved(turn)]
    if not lacking:
        wrong = await _approvals(turn, player)
        if wrong and isinstance(expect.get("approval"), list) and not turn.waiting:
            wanted = [approval.get("matches") or {} for approval in expect["approval"]]
            lacking = any([await player.offers.lacks(match) for match in wanted])
        faults += [] if lacking else wrong
    booked = expect.get("booked")
    if booked is not None and not lacking and len(turn.booked) != booked:
        faults.append(Fault("booked", f"{len(turn.booked)} live bookings, not {booked}"))
    return faults, lacking


def _asks(turn: Turn) -> frozenset[str]:
    """Return the subjects that the row allows if the reply is a question, else nothing."""
    given = turn.script.expect.get("asks") or ()
    allowed = frozenset([given] if isinstance(given, str) else given)
    question = "?" in turn.reply or "？" in turn.reply
    names_language = "language" in allowed and holds(turn.reply, _LANGUAGES)
    return allowed if question else frozenset({"language"} if names_language else ())


def _tools(turn: Turn, *, lacking: bool) -> list[Fault]:
    expect, asks = turn.script.expect, _asks(turn)
    faults = []
    for wanted in expect.get("tools") or ():
        now = [use for use in turn.calls if use.name in tool_names(wanted)]
        is_change = bool(set(tool_names(wanted)) & CHANGING)
        excused = not now and asks & (asks - _SEARCH_DETAILS if is_change else _SEARCH_DETAILS)
        may_answer = expect.get("or_answer") and not now and turn.reply
        tried = now if expect.get("or_answer") and now else [*turn.earlier, *turn.calls]
        met = excused or may_answer or any(matches_call(wanted, use) for use in tried)
        if not met and not (is_change and lacking):
            faults.append(Fault("tools", nearest_mismatch(wanted, turn.calls)))
    for wanted in expect.get("tools_if_understood") or ():
        now = [use for use in turn.calls if use.name in tool_names(wanted)]
        if now and not any(matches_call(wanted, use) for use in now):
            faults.append(Fault("tools", nearest_mismatch(wanted, now)))
    return faults


def _forbidden(turn: Turn) -> list[Fault]:
    forbidden = turn.script.expect.get("not_tools") or ()
    names = dict.fromkeys(use.name for use in turn.calls if use.name in forbidden)
    return [Fault("not_tools", f"{name} was called") for name in names]


def _untrue(turn: Turn) -> list[Fault]:
    phrases = turn.script.expect.get("reply_none") or ()
    return [Fault("reply_none", f"it says {phrase!r}", "untrue") for phrase in phrases if holds(turn.reply, [phrase])]


def _unapproved(turn: Turn) -> list[Fault]:
    before = {booking.id for booking in turn.booked_before}
    new = [booking for booking in turn.booked if booking.id not in before]
    if new and not (turn.script.decide == "approve" and "decision" in turn.sent):
        return [Fault("unapproved", f"{booking.title} was booked", "unapproved") for booking in new]
    return []


async def _approvals(turn: Turn, player: Player) -> list[Fault]:
    expected = turn.script.expect.get("approval")
    names = ", ".join(call["name"] for call in turn.waiting)
    if expected == "none":
        return [Fault("approval", f"{names} waits, and nothing should")] if turn.waiting else []
    if not isinstance(expected, list) or not expected:
        return []
    if not turn.waiting:
        excused = _asks(turn) - _SEARCH_DETAILS
        return [] if excused else [Fault("approval", f"nothing waits for approval; {_offered(expected)} should")]
    faults = []
    for call in turn.waiting:
        wrong = [[*await player.mismatches(one, call), *await _wrong_pick(one, call, player)] for one in expected]
        if all(wrong):
            fewest = min(wrong, key=len)
            faults.append(Fault("approval", f"{call['name']} waits, but {'; '.join(fewest)}"))
    return faults


def _offered(expected: Sequence[Mapping[str, Any]]) -> str:
    kinds = [(one.get("matches") or {}).get("kind", "") for one in expected]
    names = [" or ".join(tool_names(one)) for one in expected]
    return ", ".join(f"{name} {kind}".strip() for name, kind in zip(names, kinds, strict=True))


async def _wrong_pick(listed: Mapping[str, Any], waiting: Mapping[str, Any], player: Player) -> list[str]:
    """Return a mismatch if the offer that waits is not the one that the row wants to be picked of those shown."""
    match, offer_id = listed.get("matches") or {}, offer_id_of(waiting)
    if not match.get("pick") or offer_id is None or offer_id not in player.offers.by_id:
        return []
    offer = player.offers.by_id[offer_id]
    lists = player.lists(offer.kind)
    fitting = [[one for one in shown if not offer_mismatches(match, player.offers.facts(one))] for shown in lists]
    pairs = zip(lists, fitting, strict=True)
    picked = not lists or any(is_pick(match["pick"], offer, shown, fit) for shown, fit in pairs)
    return [] if picked else [f"it is not the {match['pick']} one"]


def _notes(turn: Turn) -> list[Fault]:
    expect, faults = turn.script.expect, []
    if (wanted := expect.get("note")) and not any(_is_note(note, wanted) for note in turn.notes):
        faults.append(Fault("note", f"no {wanted.get('scope') or ''} note holds any of {wanted['any']}"))
    if expect.get("no_note"):
        faults += [Fault("no_note", f"noted {note.text!r} ({note.scope})", "note") for note in turn.added]
    if wanted := expect.get("note_if_understood"):
        wrong = [note for note in turn.added if not _is_note(note, wanted)]
        faults += [Fault("note", f"noted {note.text!r} ({note.scope})", "note") for note in wrong]
    return faults


def _is_note(note: Note, wanted: Mapping[str, Any]) -> bool:
    return note.scope == (wanted.get("scope") or note.scope) and holds(note.text, wanted["any"])


def judge_end(turns: Sequence[Turn], kept: Sequence[Note], player: Player, *, lacking: bool) -> list[Fault]:
    """Return the faults at the end: missing or additional bookings, missing or untrue lasting notes."""
    end, lasting = player.row.end, [note for note in kept if note.scope != "trip"]
    faults = []
    booked = turns[-1].booked if turns else ()
    if end.get("bookings") is not None and not lacking:
        faults += _bookings(end["bookings"], booked, player)
    for words in end.get("notes_any") or ():
        if not any(holds(note.text, words) for note in lasting):
            had = any(holds(note.text, words) for turn in turns for note in (*turn.notes_before, *turn.notes))
            faults.append(Fault("notes_any", f"no lasting note holds any of {words}", "note" if had else ""))
    for phrase in end.get("notes_none") or ():
        untrue = [note.text for note in lasting if asserts(note.text, phrase)]
        faults += [Fault("notes_none", f"a lasting note says {text!r}", "note") for text in untrue]
    return faults


def _bookings(wanted: Sequence[Mapping[str, Any]], booked: Sequence[Booking], player: Player) -> list[Fault]:
    """Return a fault for each live booking that the row does not expect, and for each expected one that is missing.

    Of all ways to pair the two, the one with the most matching pairs counts.
    """
    facts = [player.offers.booked(booking) for booking in booked]
    size = max(len(wanted), len(booked))
    slots = [*range(len(booked)), *[None] * (size - len(booked))]
    pairings = (
        {
            at: slot
            for at, slot in enumerate(order[: len(wanted)])
            if slot is not None and not offer_mismatches(dict(wanted[at]), facts[slot])
        }
        for order in permutations(slots)
    )
    pairs = max(pairings, key=len)
    extra = [booking.title for at, booking in enumerate(booked) if at not in pairs.values()]
    missing = [dict(match) for at, match in enumerate(wanted) if at not in pairs]
    return [
        *(Fault("bookings", f"{title} is booked, and should not be", "wrong booking") for title in extra),
        *(Fault("bookings", f"there is no booking of {match}") for match in missing),
    ]
