"""Decides which memory tools a turn calls, and with what: what is saved, forgotten, listed or recalled."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from models.offline.dialogue.briefing import Briefing, Memory
from models.offline.dialogue.transcript import Outcome, Transcript, Turn
from models.offline.notes.comparing import search_terms, shares, words_meant
from models.offline.notes.corrections import corrects
from models.offline.notes.judging.forms import form, language_of, plain
from models.offline.notes.proposals import proposals
from models.offline.notes.statement import MemoryWish
from models.offline.notes.statements import asks_not_to_remember, statements
from models.offline.notes.tables import table
from models.offline.notes.wishes import meant, memory_wish

MemoryCall = tuple[str, dict[str, Any]]
_LONGEST_QUERY, _RECALLED, _MOST = 240, 3, 6
_HELD = frozenset({"kept", "kept_already"})


@dataclass(frozen=True, slots=True)
class _Kept:
    """Something that memory holds: what the tools know it by, its text and topic."""

    handle: str
    text: str
    topic: str


def memory_calls(
    transcript: Transcript, briefing: Briefing, tools: frozenset[str], *, drops_trip_wish: bool = False
) -> list[MemoryCall]:
    """Return the memory calls that the running message asks for, as (tool, arguments), in their order.

    Args:
        transcript: The conversation, its running turn last.
        briefing: What the system prompt shows.
        tools: Names of the bound tools.
        drops_trip_wish: Whether the message takes back a wish of the running trip ("forget the pool"); then it wants
            nothing of memory, unless something there fits its words.
    """
    said, kept = transcript.now.said, _kept(transcript, briefing)
    before = transcript.before[-1] if transcript.before else None
    wish = memory_wish(said)
    answered = _answer(said, wish, before, kept) if before else None
    if answered is not None:
        wanted = answered
    elif wish and wish.kind in ("forget", "forget_all"):
        wanted = list(_forgetting(wish, transcript, kept, drops_trip_wish=drops_trip_wish))
    else:
        wanted = [*_saving(said, briefing, kept), *_asking(said, wish)]
    return [call for call in wanted if call[0] in tools]


def _kept(transcript: Transcript, briefing: Briefing) -> list[_Kept]:
    """Return what memory holds: what is shown, and what was saved in this conversation, less what was forgotten."""
    found = [_Kept(each.handle, each.text, each.topic) for each in briefing.memories]
    for outcome in (each for turn in transcript.before for each in turn.outcomes):
        text = str(outcome.answer.get("text") or outcome.given.get("text") or "")
        if outcome.tool == "save_memory_note" and outcome.answer.get("status") in _HELD:
            if all(plain(each.text) != plain(text) for each in found):
                found.append(_Kept(str(outcome.answer.get("id") or text), text, str(outcome.given.get("topic", ""))))
        elif outcome.tool == "forget_memory" and outcome.answer.get("status") == "forgotten":
            found = [each for each in found if plain(each.text) != plain(text)]
    return found


def _saving(said: str, briefing: Briefing, kept: Sequence[_Kept]) -> Iterator[MemoryCall]:
    known = [(each.text, each.topic) for each in kept]
    for statement in () if asks_not_to_remember(said) else statements(said):
        for given in proposals(statement, briefing.today, known=known):
            yield "save_memory_note", given


def _asking(said: str, wish: MemoryWish | None) -> Iterator[MemoryCall]:
    match wish:
        case MemoryWish("list" | "source"):
            yield "list_memories", {}
        case MemoryWish("recall"):
            yield "recall_memory", {"query": search_terms(said)[:_LONGEST_QUERY], "limit": _RECALLED}
        case MemoryWish("private" | "public" as kind):
            yield "remember_conversation", {"remember": kind == "public"}


def _forgetting(
    wish: MemoryWish, transcript: Transcript, kept: Sequence[_Kept], *, drops_trip_wish: bool
) -> Iterator[MemoryCall]:
    if wish.kind == "forget_all":
        return
    if not wish.about:
        last = _last_saved(transcript)
        yield from [("forget_memory", {"query": last})] if last else []
        return
    fitting = meant(wish, kept)
    fitting = [each for each in fitting if not corrects(each.text, [other.text for other in fitting])]
    if not fitting and drops_trip_wish:
        return
    if len(fitting) == 1 or (fitting and wish.every):
        yield from _forget(fitting)
    else:
        yield "forget_memory", {"query": wish.about[:_LONGEST_QUERY]}


def _forget(fitting: Sequence[_Kept]) -> list[MemoryCall]:
    return [("forget_memory", {"query": note.handle}) for note in fitting[:_MOST]]


def _last_saved(transcript: Transcript) -> str:
    """Return the text of the note that was saved last; empty where none was."""
    saved = [call for turn in transcript.before for call in turn.calls if call["name"] == "save_memory_note"]
    return str(saved[-1]["args"].get("text", ""))[:_LONGEST_QUERY] if saved else ""


def _answer(said: str, wish: MemoryWish | None, before: Turn, kept: Sequence[_Kept]) -> list[MemoryCall] | None:
    """Return what an answer to a question about forgetting calls for; None where nothing was asked, or not answered."""
    asked = [each for each in before.outcomes if each.tool == "forget_memory"]
    if not asked or (wish and wish.kind not in ("forget", "forget_all")):
        return None
    spoken = form(said) if language_of(said) == "ja" else plain(said)
    known = table(f"{language_of(said)}_wishes")
    status = asked[-1].answer.get("status")
    agrees = bool(re.search(known["yes"], spoken)) or bool(wish and not wish.about)
    if status == "mentions":
        return [("forget_memory", {"query": asked[-1].given.get("query", ""), "mentions": True})] if agrees else None
    every = bool(re.search(known["all_of_them"], spoken))
    if status == "which_one":
        return _chosen(spoken, asked[-1], every=every or agrees)
    if every and not wish:
        return _the_rest(said, kept)
    return None


def _chosen(spoken: str, asked: Outcome, *, every: bool) -> list[MemoryCall] | None:
    """Return the calls that forget what was picked among several, all of them where all were meant."""
    listed = asked.answer.get("matches") or []
    matches = [
        _Kept(str(each.get("handle", "")), str(each.get("text", "")), str(each.get("topic", ""))) for each in listed
    ]
    known = table(f"{language_of(spoken)}_wishes")
    keeping = re.search(known["keeping"], spoken)
    spared = next((each for each in keeping.groups() if each), "") if keeping else ""
    if every:
        wish = MemoryWish("forget", "", every=True, except_for=spared)
        return _forget(meant(wish, matches))
    if re.search(known["no"], spoken):
        return []
    at = _ordinal(spoken, len(matches))
    words = words_meant(spoken)
    shared = [sum(shares(word, each.text) for word in words) for each in matches]
    best = [each for each, count in zip(matches, shared, strict=True) if count and count == max(shared)]
    picked = [matches[at]] if at is not None else best if len(best) == 1 else []
    return _forget(picked) if picked else None


def _ordinal(spoken: str, count: int) -> int | None:
    """Return the place that "the second one" or "2" names, from 0; None for none."""
    for at, pattern in enumerate(table(f"{language_of(spoken)}_wishes")["ordinals"]):
        if re.search(pattern, spoken) and at < count:
            return at
    return count - 1 if re.search(table(f"{language_of(spoken)}_wishes")["last"], spoken) else None


def _the_rest(said: str, kept: Sequence[_Kept]) -> list[MemoryCall] | None:
    """Return what is left to forget of what was meant before: "yes, all of the allergy stuff"."""
    wish = memory_wish(f"忘れて：{said}" if language_of(said) == "ja" else f"forget {_after_yes(said)}")
    left = meant(wish, kept) if wish and wish.about else []
    return _forget(left)


def _after_yes(said: str) -> str:
    return re.sub(table("en_wishes")["agreeing"], "", plain(said))


def listed(notes: Sequence[Memory], wish: MemoryWish) -> list[Memory]:
    """Return those of the notes that `list_memories` gave that a wish is about."""
    return meant(wish, notes)
