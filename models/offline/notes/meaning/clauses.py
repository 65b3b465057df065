"""Clauses and their parts: where a condition, a reason or an enumeration begins, and what is refused in each."""

from __future__ import annotations

from collections.abc import Sequence

from models.offline.notes.meaning.draft import Chunks, Draft
from models.offline.notes.meaning.form import Atom
from models.offline.notes.meaning.items import Item
from models.offline.notes.meaning.lexicon import relations

CONTENT = frozenset({"value", "context", "word", "number", "person"})
STANCES = {"like": 1, "always": 1, "dislike": -1, "negate": -1, "end": -1}
"""Roles that say how something is meant, with their signs."""
SUBJECTS = frozenset({"i", "we", "he", "she", "they", "user"})
"""Words that begin a sentence of their own."""


def clauses_of(items: Sequence[Item]) -> list[list[Item]]:
    """Parts between full stops and semicolons."""
    found: list[list[Item]] = [[]]
    for item in items:
        if item.role == "stop":
            found.append([])
        else:
            found[-1].append(item)
    return [clause for clause in found if clause]


def parts_of(clause: Sequence[Item]) -> list[list[Item]]:
    """Members of enumerations, and what is joined by "and" or a comma."""
    found: list[list[Item]] = [[]]
    for item in clause:
        if item.role in ("comma", "list", "colon"):
            if (
                item.role == "colon"
                and found[-1]
                and all(one.role in ("context", "domain", "filler") for one in found[-1])
                and any(one.role == "context" for one in found[-1])
            ):
                found[-1].insert(0, Item("when", "topic"))
            found.append([item] if item.role == "list" else [])
        else:
            found[-1].append(item)
    return [part for part in found if part]


def set_apart(part: Sequence[Item], draft: Draft) -> list[Item]:
    """The part without its condition and its reason, which are put into the draft."""
    rest: list[Item] = []
    at = 0
    while at < len(part):
        item = part[at]
        if item.role == "reason":
            # "As a Muslim, I never …": what comes first ends where the wish begins.
            whole = at > 0 or item.name == "whole"
            end = len(part) if whole else _until(part, at + 1, set(STANCES))
            named = contents_of(part[at + 1 : end])
            whose = [(1, one.name) for one in part[at + 1 : end] if one.role == "person"]
            # What ails the son is one reason: "nuts" alone is no part of it.
            draft.reasons |= {" ".join(sorted(named))} if whose else named
            draft.grounds += [*signed(part[at + 1 : end], 1)[0], [whose]]
            at = end
        elif item.role == "when":
            end = _until(part, at + 1, {"like", "dislike", "reason"} if at == 0 else {"reason"})
            span = part[at + 1 : end]
            named = contents_of(span) if item.name == "topic" else _when(span)
            draft.condition |= named | ({item.name} if item.name == "except" else set())
            draft.note_words(part[at + 1 : end])
            at = end
        elif item.role == "at":
            end = _until(part, at + 1, {"at", "prep", "when", "reason", *STANCES}, through="of")
            end = _noun_end(part, at + 1, end)
            span = part[at + 1 : end]
            channel = item.name == "for" and any(one.name.startswith("via:") for one in rest)
            if _is_condition(item, span) or channel:  # "text me for delays, email me for receipts"
                draft.condition |= contents_of(span) or {f"@{one.name}" for one in span if one.role == "domain"}
                draft.note_words(span)
                at = end
            else:
                rest.append(item)
                at += 1
        else:
            rest.append(item)
            at += 1
    return rest


def _noun_end(part: Sequence[Item], at: int, end: int) -> int:
    """Where "on long flights I …" stops speaking of flights: at the next subject, or after the kind of journey."""
    for place in range(at, end):
        if part[place].role == "filler" and part[place].name in SUBJECTS:
            return place
        if part[place] == _IS and part[place - 1].role in CONTENT | {"domain"}:  # "the minimum for … is an hour"
            return place
        follows = part[place + 1].role if place + 1 < end else ""
        if part[place].role == "context" and follows not in ("domain", "context", "word", "number"):
            return place + 1
    return end


_IS = Item("filler", "be")


def _until(part: Sequence[Item], at: int, roles: set[str], through: str = "") -> int:
    """The place of the next item of one of `roles`, other than the word `through`; the end where there is none."""
    ends = (place for place in range(at, len(part)) if part[place].role in roles)
    return next((place for place in ends if not through or part[place].name != through), len(part))


def _is_condition(item: Item, span: Sequence[Item]) -> bool:
    if any(one.role == "context" for one in span):
        return True
    contents = [one for one in span if one.role in CONTENT]
    if item.name in ("on", "for", "during") and any(
        one.role == "domain" and one.name in ("flight", "trip", "train") for one in span
    ):
        return bool(contents)
    if item.name in ("on", "for") and any(one.name.endswith("min") for one in contents):
        return True  # "on anything over six hours"
    if item.name == "on" and contents and contents[0].name in _WEATHER:
        return True  # "museums on rainy days"
    return item.name == "in" and bool(contents) and all(one.proper or one.name.startswith("place:") for one in contents)


_WEATHER = frozenset({"rain", "snow", "sun", "hot", "coldweather", "warmweather"})


def _when(items: Sequence[Item]) -> set[str]:
    """The contents of a condition; where all its words are plain ("when paying himself"), the words themselves."""
    plain = {f"~{item.name}" for item in items if item.role in ("filler", "like") and item.name not in _ANY_TIME}
    return contents_of(items) or plain


_ANY_TIME_WORDS = """
    i me we us he she they you it be do have will can could may fly travel book go on trip take possible available able
    away ever always choose stay use reserve order eat give get there to choice option ride 乗る 使う 泊まる 利用 予約
"""
_ANY_TIME = frozenset(_ANY_TIME_WORDS.split())
"""Words after "when" that set no condition: "when I fly", "when possible"."""


def contents_of(items: Sequence[Item]) -> set[str]:
    """What a condition or a reason names; the kinds of things where it names nothing else."""
    found = {item.name for item in items if item.role in CONTENT}
    if any(item.role in ("negate", "dislike") for item in items):
        found.add("not")
    return found or {f"@{item.name}" for item in items if item.role == "domain" and item.name not in ("flight", "trip")}


def signed(items: Sequence[Item], before: int) -> tuple[list[Chunks], int, bool]:
    """The segments with their signs, the sign that goes on from here, and whether a refusal came only at the end."""
    segments: list[Chunks] = [[[]]]
    sign, group, than = before, False, False
    instead = False
    for item in items:
        if item.role in STANCES:
            sign = (sign if group else 1) * STANCES[item.role]
            group = True
        elif item.role == "contrast":
            segments.append([[]])
            sign, group, than = -sign, False, True
            instead = not any(chunk for chunks in segments for chunk in chunks)
        elif instead and item.role == "filler" and item.name in SUBJECTS:  # "instead of buses I take trains"
            sign, than, instead = 1, False, False
        elif item.role in ("at", "prep"):
            if item.role == "at" and segments[-1] == [[]] and len(segments) > 1:
                segments.pop()  # "window seats on trains" is no more of trains
            segments[-1].append([])
        elif item.role in CONTENT and item.role != "person":
            # A value of a closed set ("aisle", "high floor") stands for itself, whatever it stands beside.
            if _stands_alone(item):
                counted = segments[-1].pop() if _only_numbers(segments[-1][-1]) else []
                segments += [[[*counted, (sign, item.name)]], [[]]]
            else:
                # Liking trains better than buses is not refusing buses.
                segments[-1][-1].append((sign, f"<{item.name}" if than and sign < 0 else item.name))
            group = False
    stances = [place for place, item in enumerate(items) if item.role in STANCES]
    contents = [place for place, item in enumerate(items) if item.role in CONTENT]
    late = bool(stances and contents) and min(stances) > max(contents)
    if late and not than:
        segments = [[[(sign, name) for _, name in atoms] for atoms in chunks] for chunks in segments]
    return segments, 1 if instead else sign, late and not than and sign < 0


def _stands_alone(item: Item) -> bool:
    question, answered, _ = item.name.partition(":")
    return item.role == "value" and bool(answered) and question not in relations()["modifying"]


def _only_numbers(chunk: Sequence[Atom]) -> bool:
    return bool(chunk) and all(name[0] == "#" for _, name in chunk)
