"""Judges what happened in a turn and what is left at the end: each check that does not hold is a fault."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from evals.dialogues.calls import answers, asserts, holds, named, nearest
from evals.dialogues.offers import misses, picks
from evals.dialogues.play import Player, Turn, offer_id_of
from evals.dialogues.rows import CHANGING
from memory.records.notes import Note
from travel.booking.record import Booking

_LOOK_UPS = frozenset(("dates", "origin", "travellers", "ages", "nationality", "language"))
"""What a question may be about that excuses a missing search."""
_LANGUAGES = ("english", "ingles", "anglais", "englisch", "英語")
"""A reply that names one of them says which languages it takes."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A check that does not hold. `grave` names its kind: `unapproved`, `wrong booking`, `untrue` or `note`."""

    check: str
    why: str
    grave: str = ""


async def judge_turn(turn: Turn, player: Player, *, lacking: bool) -> tuple[list[Fault], bool]:
    """Return the faults of a turn, and whether the world lacks what was to be booked.

    With `lacking`, what hangs on a booking that could not be had is not looked at.
    """
    expect = turn.script.expect
    faults = [*_tools(turn, lacking=lacking), *_forbidden(turn), *_untrue(turn), *_notes(turn), *_unapproved(turn)]
    if not lacking:
        wrong = await _approvals(turn, player)
        if wrong and isinstance(expect.get("approval"), list) and not turn.waiting:
            lacking = any([await player.shelf.lacks(one.get("matches") or {}) for one in expect["approval"]])
        faults += [] if lacking else wrong
    booked = expect.get("booked")
    if booked is not None and not lacking and len(turn.booked) != booked:
        faults.append(Fault("booked", f"{len(turn.booked)} live bookings, not {booked}"))
    return faults, lacking


def _asks(turn: Turn) -> frozenset[str]:
    """Return what the reply may be asking; nothing where it asks nothing."""
    given = turn.script.expect.get("asks") or ()
    allowed = frozenset([given] if isinstance(given, str) else given)
    question = "?" in turn.reply or "？" in turn.reply
    says_languages = "language" in allowed and holds(turn.reply, _LANGUAGES)
    return allowed if question else frozenset({"language"} if says_languages else ())


def _tools(turn: Turn, *, lacking: bool) -> list[Fault]:
    expect, asks = turn.script.expect, _asks(turn)
    faults = []
    for wanted in expect.get("tools") or ():
        now = [use for use in turn.calls if use.name in named(wanted)]
        is_change = bool(set(named(wanted)) & CHANGING)
        excused = not now and asks & (asks - _LOOK_UPS if is_change else _LOOK_UPS)
        may_answer = expect.get("or_answer") and not now and turn.reply
        tried = now if expect.get("or_answer") and now else [*turn.earlier, *turn.calls]
        if not (excused or may_answer or any(answers(wanted, use) for use in tried)) and not (is_change and lacking):
            faults.append(Fault("tools", nearest(wanted, turn.calls)))
    for wanted in expect.get("tools_if_understood") or ():
        now = [use for use in turn.calls if use.name in named(wanted)]
        if now and not any(answers(wanted, use) for use in now):
            faults.append(Fault("tools", nearest(wanted, now)))
    return faults


def _forbidden(turn: Turn) -> list[Fault]:
    forbidden = turn.script.expect.get("not_tools") or ()
    names = dict.fromkeys(use.name for use in turn.calls if use.name in forbidden)
    return [Fault("not_tools", f"{name} was called") for name in names]


def _untrue(turn: Turn) -> list[Fault]:
    phrases = turn.script.expect.get("reply_none") or ()
    return [Fault("reply_none", f"it says {one!r}", "untrue") for one in phrases if holds(turn.reply, [one])]


def _unapproved(turn: Turn) -> list[Fault]:
    known = {one.id for one in turn.before}
    new = [one for one in turn.booked if one.id not in known]
    if new and not (turn.script.decide == "approve" and "decision" in turn.sent):
        return [Fault("unapproved", f"{one.title} was booked", "unapproved") for one in new]
    return []


async def _approvals(turn: Turn, player: Player) -> list[Fault]:
    expected = turn.script.expect.get("approval")
    names = ", ".join(one["name"] for one in turn.waiting)
    if expected == "none":
        return [Fault("approval", f"{names} waits, and nothing should")] if turn.waiting else []
    if not isinstance(expected, list) or not expected:
        return []
    if not turn.waiting:
        excused = _asks(turn) - _LOOK_UPS
        return [] if excused else [Fault("approval", f"nothing waits for approval; {_offered(expected)} should")]
    faults = []
    for one in turn.waiting:
        wrong = [[*await player.wrong(each, one), *await _picked_otherwise(each, one, player)] for each in expected]
        if all(wrong):
            nearest_miss = min(wrong, key=lambda each: len(each))
            faults.append(Fault("approval", f"{one['name']} waits, but {'; '.join(nearest_miss)}"))
    return faults


def _offered(expected: Sequence[Mapping[str, Any]]) -> str:
    kinds = [(one.get("matches") or {}).get("kind", "") for one in expected]
    return ", ".join(f"{' or '.join(named(one))} {kind}".strip() for one, kind in zip(expected, kinds, strict=True))


async def _picked_otherwise(listed: Mapping[str, Any], waiting: Mapping[str, Any], player: Player) -> list[str]:
    matches, offer_id = listed.get("matches") or {}, offer_id_of(waiting)
    if not matches.get("pick") or offer_id is None or offer_id not in player.shelf.found:
        return []
    offer = player.shelf.found[offer_id]
    lists = player.lists(offer.kind)
    met = [(shown, [one for one in shown if not misses(matches, player.shelf.facts(one))]) for shown in lists]
    picked = not met or any(picks(matches["pick"], offer, *each) for each in met)
    return [] if picked else [f"it is not the {matches['pick']} one"]


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
    """Return the faults of what is left: bookings that are others, lasting notes that are missing or untrue."""
    end, lasting = player.row.end, [note for note in kept if note.scope != "trip"]
    faults = []
    booked = turns[-1].booked if turns else ()
    if end.get("bookings") is not None and not lacking:
        faults += _bookings(end["bookings"], booked, player)
    for words in end.get("notes_any") or ():
        if not any(holds(note.text, words) for note in lasting):
            had = any(holds(note.text, words) for turn in turns for note in (*turn.known, *turn.notes))
            faults.append(Fault("notes_any", f"no lasting note holds any of {words}", "note" if had else ""))
    for phrase in end.get("notes_none") or ():
        untrue = [note.text for note in lasting if asserts(note.text, phrase)]
        faults += [Fault("notes_none", f"a lasting note says {text!r}", "note") for text in untrue]
    return faults


def _bookings(wanted: Sequence[Mapping[str, Any]], booked: Sequence[Booking], player: Player) -> list[Fault]:
    """Return a fault for each live booking that the row does not name, and for each of its own that is missing."""
    facts = [player.shelf.booked(one) for one in booked]
    size = max(len(wanted), len(booked))
    slots = [*range(len(booked)), *[None] * (size - len(booked))]
    pairs = max(
        ({at: slot for at, slot in enumerate(order[: len(wanted)])
          if slot is not None and not misses(dict(wanted[at]), facts[slot])} for order in permutations(slots)),
        key=len, default={},
    )  # fmt: skip
    extra = [one.title for at, one in enumerate(booked) if at not in pairs.values()]
    missing = [dict(one) for at, one in enumerate(wanted) if at not in pairs]
    return [
        *(Fault("bookings", f"{title} is booked, and should not be", "wrong booking") for title in extra),
        *(Fault("bookings", f"there is no booking of {one}") for one in missing),
    ]
