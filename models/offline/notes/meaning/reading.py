"""Builds the canonical form from items: what is wanted and refused, under which condition, by whom, and why.

A clause ends at a full stop; its parts are separated by commas, colons and "and".
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from models.offline.notes.meaning.form import Chunks, Draft, Form
from models.offline.notes.meaning.items import Item, items_of
from models.offline.notes.meaning.lexicon import relations, words

CONTENT = frozenset({"value", "context", "word", "number", "person"})
STANCES = {"like": 1, "always": 1, "dislike": -1, "negate": -1, "end": -1}
"""Roles that express a stance, with their signs."""
_IS = Item("filler", "be")
_PREDICATE = re.compile(r"(?:ます|ました|[ぁ-ん][るう])$")
"""A Japanese verb at the end of a part, which negates nothing."""


@lru_cache(maxsize=8192)
def read(text: str, condition: str, topic: str) -> Form:
    """Return the canonical form of `text`, a note of `topic` that holds under `condition` (empty for none)."""
    draft = Draft()
    clause: list[Item] = []
    for item in (*items_of(text, topic), Item("stop")):
        if item.role != "stop":
            clause.append(item)
        elif clause:
            _read(clause, draft)
            clause = []
    under = items_of(condition, topic)
    draft.under = _contents(under)
    draft.note_words(under)
    return draft.finished(topic)


def _read(clause: Sequence[Item], draft: Draft) -> None:
    sign = 1
    plain: list[Chunks] = []
    for part in _parts(clause):
        rest = _extract_conditions(part, draft)
        _record(rest, draft)
        if (draft.open or plain) and (verdict := _verdict(rest)):  # "Hostels? Never again."
            if verdict < 0:
                _negate(draft.open or plain)
            sign, plain, draft.open = verdict, [], []
            continue
        first, taken = part[0], any(item.role in STANCES for item in rest)
        joined = first.role == "list" and first.name != "or" and len(part) > 1 and part[1].name in words("subjects")
        if joined or (first.role == "filler" and first.name in words("subjects") | words("verbs")):
            sign = 1  # "doesn't need cover, he has it through work"; "avoids buses, takes trains"; "and I keep kosher"
        if sign < 0 and rest and rest[-1].role == "filler" and _PREDICATE.search(rest[-1].name):
            sign = 1  # 「ベジタリアンをやめて、肉を食べます」
        before = plain or [chunks for chunks, _, _ in draft.segments]
        if sign < 0 and first.role != "list" and _answers(rest) & _refused(before):
            sign = 1  # "don't call me, text me"
        segments, sign, refused_last = _signed(rest, sign)
        if _tolerates(rest) and not draft.anew:  # "hostels and dorms are fine": the verdict comes last
            draft.tolerated |= _contents(rest) | {name for chunks in plain for chunk in chunks for _, name in chunk}
        if refused_last:  # "meat, fish and eggs are off limits": the verdict comes last
            _negate(plain)
        sign = 1 if rest and rest[-1].name == "し" else sign  # 「飲みませんし、…」
        plain = [] if taken else [*plain, *segments]
        vague = not taken and any(item.role == "word" and not item.proper for item in rest)
        number = draft.segments[-1][1] + 1 if draft.segments else 1
        draft.segments += [(chunks, number, vague) for chunks in segments]
        draft.sign = sign
    draft.open = plain


def _parts(clause: Sequence[Item]) -> list[list[Item]]:
    found: list[list[Item]] = [[]]
    for item in clause:
        if item.role not in ("comma", "list", "colon"):
            found[-1].append(item)
            continue
        roles = {one.role for one in found[-1]}
        if item.role == "colon" and "context" in roles and roles <= {"context", "domain", "filler"}:
            found[-1].insert(0, Item("when", "topic"))
        found.append([item] if item.role == "list" else [])
    return [part for part in found if part]


def _extract_conditions(part: Sequence[Item], draft: Draft) -> list[Item]:
    """Return the part without its condition and its reason, which are added to the draft."""
    rest: list[Item] = []
    at = 0
    while at < len(part):
        item, start = part[at], at
        if item.role == "reason":
            at = _reason(part, at, draft)
        elif item.role == "when":
            at = _until(part, at + 1, {"like", "dislike", "reason"} if at == 0 else {"reason"})
            span = part[start + 1 : at]
            named = _contents(span) if item.name == "topic" else _when(span)
            draft.condition |= named | ({item.name} if item.name == "except" else set())
            draft.note_words(span)
        elif item.role == "at":
            end = _until(part, at + 1, {"at", "prep", "when", "reason", *STANCES}, through="of")
            end = _noun_end(part, at + 1, end)
            span = part[at + 1 : end]
            channel = item.name == "for" and any(one.name.startswith("via:") for one in rest)
            if _is_condition(item, span) or channel:  # "text me for delays, email me for receipts"
                draft.condition |= _contents(span) or {f"@{one.name}" for one in span if one.role == "domain"}
                draft.note_words(span)
                at = end
        if at == start:
            rest.append(item)
            at += 1
    return rest


def _reason(part: Sequence[Item], at: int, draft: Draft) -> int:
    """Add a reason to the draft and return its end: in "As a Muslim, I never …", where the wish begins."""
    whole = at > 0 or part[at].name == "whole"
    end = len(part) if whole else _until(part, at + 1, set(STANCES))
    named = _contents(part[at + 1 : end])
    whose = [(1, one.name) for one in part[at + 1 : end] if one.role == "person"]
    # An ailment of the son is a single reason: "nuts" alone does not match it.
    draft.reasons |= {" ".join(sorted(named))} if whose else named
    draft.grounds += [*_signed(part[at + 1 : end], 1)[0], [whose]]
    return end


def _noun_end(part: Sequence[Item], at: int, end: int) -> int:
    """Return where the noun phrase of "on long flights I …" ends: at the next subject, or after the kind."""
    for place in range(at, end):
        item = part[place]
        if item.role == "filler" and item.name in words("subjects"):
            return place
        if item == _IS and part[place - 1].role in CONTENT | {"domain"}:  # "the minimum for … is an hour"
            return place
        follows = part[place + 1].role if place + 1 < end else ""
        if item.role == "context" and follows not in ("domain", "context", "word", "number"):
            return place + 1
    return end


def _until(part: Sequence[Item], at: int, roles: set[str], through: str = "") -> int:
    """Return the place of the next item with one of `roles` that is not the word `through`, else the end."""
    ends = (place for place in range(at, len(part)) if part[place].role in roles)
    return next((place for place in ends if not through or part[place].name != through), len(part))


def _is_condition(item: Item, span: Sequence[Item]) -> bool:
    contents = [one for one in span if one.role in CONTENT]
    if not contents or any(one.role == "context" for one in span):
        return bool(contents)
    journeys = any(one.role == "domain" and one.name in ("flight", "trip", "train") for one in span)
    lasting = any(one.name.endswith("min") for one in contents)  # "on anything over six hours"
    if item.name in ("on", "for", "during") and (journeys or lasting):
        return True
    if item.name == "in":
        return all(one.proper or one.name.startswith("place:") for one in contents)
    return item.name == "on" and contents[0].name in words("weather")  # "museums on rainy days"


def _when(items: Sequence[Item]) -> set[str]:
    """Return the contents of a condition; if it has none ("when paying himself"), its words with the prefix "~"."""
    roles, any_time = ("filler", "like"), words("any_time")
    return _contents(items) or {f"~{one.name}" for one in items if one.role in roles and one.name not in any_time}


def _contents(items: Sequence[Item]) -> set[str]:
    """Return the concepts of a condition or a reason; the kinds of things if it has no others."""
    names = {item.name for item in items if item.role in CONTENT}
    if any(item.role in ("negate", "dislike") for item in items):
        names.add("not")
    return names or {f"@{item.name}" for item in items if item.role == "domain" and item.name not in ("flight", "trip")}


def _signed(items: Sequence[Item], before: int) -> tuple[list[Chunks], int, bool]:
    """Return the signed segments, the sign for the next part, and whether a refusal came only at the end."""
    segments: list[Chunks] = [[[]]]
    sign, group, than, instead = before, False, False, False
    for item in items:
        if item.role in STANCES:
            sign = (sign if group else 1) * STANCES[item.role]
            group = True
        elif item.role == "contrast":
            segments.append([[]])
            sign, group, than = -sign, False, True
            instead = not any(chunk for chunks in segments for chunk in chunks)
        elif instead and item.role == "filler" and item.name in words("subjects"):
            sign, than, instead = 1, False, False  # "instead of buses I take trains"
        elif item.role in ("at", "prep"):
            if item.role == "at" and segments[-1] == [[]] and len(segments) > 1:
                segments.pop()  # "on trains" belongs to "window seats"
            segments[-1].append([])
        elif item.role in CONTENT and item.role != "person":
            # A value of a closed set ("aisle", "high floor") is a segment of its own.
            if _stands_alone(item):
                last = segments[-1][-1]
                counted = segments[-1].pop() if last and all(name[0] == "#" for _, name in last) else []
                segments += [[[*counted, (sign, item.name)]], [[]]]
            else:
                # Liking trains better than buses is not refusing buses.
                segments[-1][-1].append((sign, f"<{item.name}" if than and sign < 0 else item.name))
            group = False
    stances = [place for place, item in enumerate(items) if item.role in STANCES]
    contents = [place for place, item in enumerate(items) if item.role in CONTENT]
    late = bool(stances and contents) and min(stances) > max(contents) and not than
    if late:
        segments = [[[(sign, name) for _, name in atoms] for atoms in chunks] for chunks in segments]
    return segments, 1 if instead else sign, late and sign < 0


def _stands_alone(item: Item) -> bool:
    question, answered, _ = item.name.partition(":")
    return item.role == "value" and bool(answered) and question not in relations()["modifying"]


def _answers(items: Sequence[Item]) -> set[str]:
    return {item.name.partition(":")[0] for item in items if item.role == "value" and ":" in item.name}


def _refused(segments: Sequence[Chunks]) -> set[str]:
    atoms = [atom for chunks in segments for chunk in chunks for atom in chunk]
    return {name.partition(":")[0] for sign, name in atoms if sign < 0 and ":" in name}


def _negate(segments: Sequence[Chunks]) -> None:
    for segment in segments:
        segment[:] = [[(-one, name) for one, name in atoms] for atoms in segment]


def _verdict(rest: Sequence[Item]) -> int:
    """Return the sign of a part that consists of a stance only; 0 for any other part."""
    signs = [STANCES[item.role] for item in rest if item.role in STANCES]
    named = any(item.role in CONTENT or item.role == "domain" for item in rest)
    if not signs or named or rest[-1].name in words("sometimes"):
        return 0
    return -1 if signs.count(-1) % 2 else 1


def _tolerates(rest: Sequence[Item]) -> bool:
    """Return whether a part only accepts something: "I don't mind it", "it doesn't bother me"."""
    stances = [item for item in rest if item.role in STANCES]
    is_accepted = [(item.role, item.name) for item in stances] == [("like", "tolerated")]
    return is_accepted or [item.role for item in stances] == ["negate", "dislike"]


def _record(rest: Sequence[Item], draft: Draft) -> None:
    roles = {item.role for item in rest}
    if "mention" in roles:
        draft.mood = "mentions"
    elif "end" in roles and draft.mood == "states":
        draft.mood = "ends"
    draft.liking |= "like" in roles
    draft.anew |= any(item.name in words("anew") and item.role in ("filler", *STANCES) for item in rest)
    draft.domains |= {item.name for item in rest if item.role == "domain"}
    draft.subject |= {item.name for item in rest if item.role == "person"}
    draft.note_words(rest)
