"""Decides which memory tools a turn calls, and with what: what is saved, forgotten, listed or recalled."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

from models.offline.dialogue.transcript import Briefing, Memory, Outcome, Transcript, Turn
from models.offline.notes.companions import Companions, aliased, companions_in
from models.offline.notes.comparing import search_terms, shares, words_meant
from models.offline.notes.judging.forms import language_of, plain, spoken
from models.offline.notes.judging.judge import sentences
from models.offline.notes.proposals import corrections, corrects, proposals
from models.offline.notes.statements import asks_not_to_remember, statements
from models.offline.notes.wishes import MemoryWish, listed, memory_wish, outdated, reminds
from models.offline.tables import NOTES

MemoryCall = tuple[str, dict[str, Any]]
_LONGEST_QUERY, _RECALLED, _MOST = 240, 3, 6
_HELD = frozenset({"kept", "kept_already"})


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
    said, kept, names = transcript.now.said, _kept(transcript, briefing), companions(transcript, briefing)
    before = transcript.before[-1] if transcript.before else None
    wish = wish_in(said, names)
    answered = _answer(said, wish, before, kept) if before else None
    if answered is not None:
        wanted = answered
    elif wish and wish.kind in ("forget", "forget_all"):
        wanted = list(_forgetting(wish, transcript, kept, names, drops_trip_wish=drops_trip_wish))
    else:
        gone = {} if drops_trip_wish else _outdated(said, kept)
        saved = () if transcript.to_be_private else _saving(said, names, briefing, kept, gone)
        wanted = [*_forget([*gone.values()]), *saved, *_asking(said, wish)]
    return [call for call in wanted if call[0] in tools]


def companions(transcript: Transcript, briefing: Briefing) -> Companions:
    """Return those who travel along as far as they were called by name, in memory or in this conversation."""
    return companions_in([*(each.text for each in briefing.memories), *(turn.said for turn in transcript.turns)])


def wish_in(said: str, names: Companions) -> MemoryWish | None:
    """Return what a message wants done with memory, where a companion may be called by name."""
    return memory_wish(said) or memory_wish(aliased(said, names).text)


def _kept(transcript: Transcript, briefing: Briefing) -> list[Memory]:
    """Return what memory holds: what is shown, and what was saved in this conversation, less what was forgotten."""
    found = list(briefing.memories)
    for outcome in (each for turn in transcript.before for each in turn.outcomes):
        text = str(outcome.answer.get("text") or outcome.given.get("text") or "")
        if outcome.tool == "save_memory_note" and outcome.answer.get("status") in _HELD:
            if all(plain(each.text) != plain(text) for each in found):
                found.append(Memory(str(outcome.answer.get("id") or text), str(outcome.given.get("topic", "")), text))
        elif outcome.tool == "forget_memory" and outcome.answer.get("status") == "forgotten":
            found = [each for each in found if plain(each.text) != plain(text)]
    return found


def _outdated(said: str, kept: Sequence[Memory]) -> dict[str, Memory]:
    """Return the sentences after which a note holds no longer, with it, where one is meant that makes no claim.

    What a note claims is taken back by a claim.
    """
    told = ((each.text, outdated(each.text)) for each in sentences(said) if not each.asked)
    fitting = {text: listed(kept, wish) for text, wish in told if wish}
    found = {text: notes[0] for text, notes in fitting.items() if len(notes) == 1}
    return {text: note for text, note in found.items() if not corrects(text, [note.text])}


def _saving(
    said: str, names: Companions, briefing: Briefing, kept: Sequence[Memory], gone: Collection[str]
) -> Iterator[MemoryCall]:
    if asks_not_to_remember(said):
        return
    known = [(each.text, each.topic) for each in kept]
    told = [each for each in statements(said, names) if not any(text in each.quote for text in gone)]
    anew = list(corrections(said, known))
    told = [each for each in told if not any(each.quote in other.quote != each.quote for other in anew)]
    stated = [each for each in told if not reminds(each.text, each.topic, known)]
    beside = [each for each in anew if all(each.quote not in other.quote for other in stated)]
    for statement in (*stated, *beside):
        for given in proposals(statement, briefing.today, known=known, names=names):
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
    wish: MemoryWish, transcript: Transcript, kept: Sequence[Memory], names: Companions, *, drops_trip_wish: bool
) -> Iterator[MemoryCall]:
    if wish.kind == "forget_all":
        return
    if not wish.about:
        saved = [each for turn in transcript.before for each in turn.calls if each["name"] == "save_memory_note"]
        last = str(saved[-1]["args"].get("text", ""))[:_LONGEST_QUERY] if saved else ""
        yield from [("forget_memory", {"query": last})] if last else []
        return
    fitting = [each for each in kept if is_meant(each, wish, names)]
    fitting = [each for each in fitting if not corrects(each.text, [other.text for other in fitting])]
    if not fitting and drops_trip_wish:
        return
    if len(fitting) == 1 or (fitting and wish.every):
        yield from _forget(fitting)
    else:
        yield "forget_memory", {"query": wish.about[:_LONGEST_QUERY]}


def is_meant(note: Memory, wish: MemoryWish, names: Companions) -> bool:
    """Return whether a wish is about a note as it stands, or with those who are named called by their kinship."""
    of_kin = replace(wish, about=aliased(wish.about, names).text)
    return bool(listed([note], wish) or listed([replace(note, text=aliased(note.text, names).text)], of_kin))


def _forget(fitting: Sequence[Memory]) -> list[MemoryCall]:
    return [("forget_memory", {"query": note.handle}) for note in fitting[:_MOST]]


def _answer(said: str, wish: MemoryWish | None, before: Turn, kept: Sequence[Memory]) -> list[MemoryCall] | None:
    """Return what an answer to a question about forgetting calls for; None where nothing was asked, or not answered."""
    asked = [each for each in before.outcomes if each.tool == "forget_memory"]
    if not asked or (wish and wish.kind not in ("forget", "forget_all")):
        return None
    heard, known = spoken(said), NOTES.table(f"{language_of(said)}_wishes")
    status = asked[-1].answer.get("status")
    agrees = bool(re.search(known["yes"], heard)) or bool(wish and not wish.about)
    if status == "mentions":
        return [("forget_memory", {"query": asked[-1].given.get("query", ""), "mentions": True})] if agrees else None
    every = bool(re.search(known["all_of_them"], heard))
    if status == "which_one":
        return _chosen(heard, asked[-1], every=every or agrees)
    if every and not wish:
        return _the_rest(said, kept)
    return None


def _chosen(heard: str, asked: Outcome, *, every: bool) -> list[MemoryCall] | None:
    """Return the calls that forget what was picked among several, all of them where all were meant."""
    found = [[str(each.get(name) or "") for name in ("handle", "topic", "text")] for each in asked.listed("matches")]
    matches = [Memory(handle, topic, text) for handle, topic, text in found]
    known = NOTES.table(f"{language_of(heard)}_wishes")
    keeping = re.search(known["keeping"], heard)
    spared = next((each for each in keeping.groups() if each), "") if keeping else ""
    if every:
        return _forget(listed(matches, MemoryWish("forget", every=True, except_for=spared)))
    if re.search(known["no"], heard):
        return []
    at = _ordinal(heard, len(matches))
    words = words_meant(heard)
    shared = [sum(shares(word, each.text) for word in words) for each in matches]
    best = [each for each, count in zip(matches, shared, strict=True) if count and count == max(shared)]
    picked = [matches[at]] if at is not None else best if len(best) == 1 else []
    return _forget(picked) if picked else None


def _ordinal(heard: str, count: int) -> int | None:
    """Return the place that "the second one" or "2" names, from 0; None for none."""
    known = NOTES.table(f"{language_of(heard)}_wishes")
    last = [count - 1] if re.search(known["last"], heard) else []
    named = [at for at, pattern in enumerate(known["ordinals"][:count]) if re.search(pattern, heard)]
    return next(iter([*named, *last]), None)


def _the_rest(said: str, kept: Sequence[Memory]) -> list[MemoryCall]:
    """Return what is left to forget of what was meant before: "yes, all of the allergy stuff"."""
    rest = re.sub(NOTES.table("en_wishes")["agreeing"], "", plain(said))
    wish = memory_wish(f"忘れて：{said}" if language_of(said) == "ja" else f"forget {rest}")
    return _forget(listed(kept, wish)) if wish and wish.about else []
