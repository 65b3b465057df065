"""Reads an English statement into items: concepts with their roles, words, numbers and names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from models.offline.notes.meaning.lexicon import Branch, Entry, english, english_words, is_article, relations, strange
from models.offline.notes.meaning.spelling import meant
from models.offline.notes.meaning.tokens import Token, tokens


@dataclass(frozen=True, slots=True)
class Item:
    """A piece of a statement: what it does there (`role`), and what it says (`name`)."""

    role: str
    name: str = ""
    proper: bool = False


def english_items(text: str, topic: str = "") -> list[Item]:
    """The items of `text` in a note of `topic`, in order; the longest phrase of the lexicon is taken at each place."""
    found = [_mended(one) for one in (*tokens(text), _END) if not is_article(one.base)]
    items: list[Item] = []
    at = 0
    while at < len(found):
        item, at = _next(found, at, topic)
        items.append(item)
    return measured(_reasons_first(_loving(items)))


_END = Token(".", "mark")


def _loving(items: Sequence[Item]) -> list[Item]:
    """The items without the size of a love: a "big jazz fan" is a fan of jazz."""
    found: list[Item] = []
    for place, item in enumerate(items):
        follows = next((one for one in items[place + 1 : place + _FAR] if one.role not in _THINGS), None)
        loving = item.name == "large" and follows is not None and (follows.role, follows.name) in _LOVING
        found += [] if loving else [item]
    return found


_FAR = 4
_THINGS = frozenset({"value", "word", "domain", "context"})
_LOVING = frozenset(
    ("like", name) for name in ("fan", "lover", "buff", "enthusiast", "aficionado", "devotee", "addict")
)


def _reasons_first(items: Sequence[Item]) -> list[Item]:
    """The items with each reason that its consequence follows ("noise wakes me, so …") marked as one."""
    found: list[Item] = []
    for item in items:
        if item.role == "therefore":
            clause = next((at + 1 for at in range(len(found) - 1, -1, -1) if found[at].role == "stop"), 0)
            found[clause:] = [
                Item("reason", "whole"),
                *(one for one in found[clause:] if one.role not in ("comma", "list")),
            ]
            found.append(Item("stop"))
        else:
            found.append(item)
    return found


def measured(items: Sequence[Item]) -> list[Item]:
    """The items with a number and its unit of time as one, in minutes; "over" without a number compares wishes."""
    found: list[Item] = []
    for place, item in enumerate(items):
        follows = items[place + 1] if place + 1 < len(items) else Item("stop")
        if found and item.name in _MINUTES and found[-1].role == "number":
            found[-1] = Item("number", f"{_minutes(found[-1].name, _MINUTES[item.name])}min")
        elif item == _IS_OVER and _counts(follows):
            found.append(Item("value", "atleast"))
        elif item.name in ("to", "for") and item.role in ("prep", "at") and _left_for(found):
            found.append(Item("like", "anew"))
        elif item == _AT_MOST and follows.role == "context":  # "within Europe"
            found.append(Item("at", "in"))
        elif item.name == "from" and follows.name in relations()["currencies"]:
            found.append(Item("value", "atleast"))
        elif item.name == "after" and follows.role == "number":
            found.append(Item("value", "afterwards"))
        elif item.role == "prep" and item.name == "to" and _preferred(found, follows):
            found.append(Item("contrast"))
        elif item.role == "number" and found and found[-1].name in _HOURLY and _is_hour(item.name, follows):
            found.append(Item("number", item.name + ":00"))
        elif item.name == "around" and item.role == "value" and not _counts(follows):
            found.append(Item("filler"))
        elif item.name == "over" and item.role == "value":
            counts = _counts(follows)
            compared = "contrast" if any(one.role == "value" for one in found) else "filler"
            found.append(Item("value", "atleast") if counts else Item(compared))
        else:
            found.append(item)
    return found


def _preferred(before: Sequence[Item], follows: Item) -> bool:
    """True after "prefers trains", where "to" names what is liked less."""
    liked = any(one.name in ("prefer", "favor") for one in before)
    if not liked or not before or before[-1].role not in ("value", "word"):
        return False
    return follows.role in ("value", "domain") or (follows.proper and before[-1].proper)


_AT_MOST = Item("value", "atmost")
_IS_OVER = Item("end", "be")
"""What "is over" is read as; before a number it compares."""


def _left_for(before: Sequence[Item]) -> bool:
    """True after "switched from buses", where "to" names what is done now."""
    left = next((at for at in range(len(before) - 1, -1, -1) if before[at].role in ("stop", "comma", *_STANCES)), None)
    return left is not None and before[left].name == "leaving" and left + 1 < len(before)


_STANCES = ("like", "dislike", "negate", "end", "always", "mention")


def _minutes(number: str, each: int) -> str:
    return f"#{float(number[1:]) * each:g}" if number[1:].replace(".", "", 1).isdigit() else number


def _counts(follows: Item) -> bool:
    return follows.role == "number" or follows.name in relations()["currencies"]


def _is_hour(number: str, follows: Item) -> bool:
    """True for "10" in "after 10", and not in "after 10 hours"."""
    hour = number[1:].isdigit() and int(number[1:]) <= 24
    return hour and (follows.role not in _COUNTED) and follows.name not in _MINUTES


_HOURLY = frozenset({"before", "afterwards"})
_COUNTED = frozenset({"value", "word", "number", "person"})
_MINUTES = {"hour": 60, "minute": 1}


def _next(found: Sequence[Token], at: int, topic: str) -> tuple[Item, int]:
    one = found[at]
    entry, end = max((_longest(found, at, english(topic)), _longest(found, at, english(""))), key=lambda one: one[1])
    if end <= at + 1 and entry is not None and entry.name.partition(":")[0] in strange(topic):
        entry = english(topic).next.get(one.base, Branch()).entry
        end = at + 1
    if end > at + 1 and one.base in _SPANS and at and found[at - 1].kind == "number":
        entry, end = None, at + 1  # "months ahead" is early; "three months ahead" is not "three weeks ahead"
    # "Miles & More" and "Best Western" are names, whatever their words do elsewhere.
    if entry is not None and one.name and end == at + 1 and entry.role in _GRAMMAR:
        return Item("word", one.base, proper=True), end
    if one.raw in _PAST and end <= at + 1 and not any(each.raw in _ONGOING for each in found[:at]):
        return Item("mention", one.base), at + 1
    if entry is not None:
        return Item(entry.role, entry.name or one.base), end
    if one.kind == "number":
        return Item("number", one.base), at + 1
    return Item("word", one.base, proper=one.name), at + 1


_PAST = frozenset("sat flew stayed paid took drove went tried ate slept rode rented visited spent sampled".split())  # noqa: SIM905
_ONGOING = frozenset("have has 've always never usually ever until that".split())  # noqa: SIM905
"""What happened once is no wish, unless it went on: "has always stayed at inns"."""
_GRAMMAR = frozenset({"filler", "like", "dislike", "negate", "prep", "end", "mention", "contrast"})


_SPANS = frozenset({"day", "week", "month"})


def _longest(found: Sequence[Token], at: int, tree: Branch) -> tuple[Entry | None, int]:
    """The entry of the longest phrase that starts at `at`, and the place after it."""
    best: tuple[Entry | None, int] = (None, at)
    branch: Branch | None = tree
    for place in range(at, len(found)):
        branch = branch.next.get(found[place].base) if branch else None
        if branch is None:
            break
        if branch.entry is not None:
            best = branch.entry, place + 1
    return best


def _mended(one: Token) -> Token:
    """The token as it was meant, where it is a slip of one word that the lexicon knows."""
    known = english_words().get(one.base[:1], ())
    if one.kind != "word" or one.name or one.base in known:
        return one
    right = meant(one.base, known, written=one.raw)
    return Token(right, "word", raw=right) if right else one


_CLAUSE_ENDS = frozenset({"stop", "comma"})
_CONTENT = frozenset({"value", "word", "context"})
_REFUSING = frozenset({"dislike", "negate", "end"})
_REFUSING_ENDS = {
    Item("filler", "out"): frozenset({"be", "leave", "keep", "flight", "cut", "rule", "count"}),
    Item("dislike", "out"): frozenset({"leave", "keep", "flight"}),
    Item("value", "alone"): frozenset({"leave", "flight"}),
}
"""Words that refuse at the end of a wish, and the verbs they do it with; "leave" is read as the leaving of a flight."""


def turned(items: Sequence[Item]) -> list[Item]:
    """Return the items with what their order makes of them: "the aisle is where I sit", "leave the onions out"."""
    return _both_ways(_left_out(_clefts(items)))


def _clefts(items: Sequence[Item]) -> list[Item]:
    """Without the hinge of "… is where I sit", "… is how I travel": it sets no condition and names nothing."""
    before = (Item("stop"), *items)
    return [
        Item("filler", "be") if last.name == "be" and (one.role == "when" or one.name in ("how", "why")) else one
        for last, one in pairwise(before)
    ]


def _left_out(items: Sequence[Item]) -> list[Item]:
    """With the "out" that ends "leave the onions out", "onions are out" as a refusal."""
    found = list(items)
    for at, item in enumerate(items):
        start = next((one + 1 for one in range(at - 1, -1, -1) if items[one].role in _CLAUSE_ENDS), 0)
        clause = items[start:at]
        last = at + 1 == len(items) or items[at + 1].role in _CLAUSE_ENDS
        verbs = _REFUSING_ENDS.get(item, frozenset()) if last else frozenset()
        verb = next((one for one in range(start, at) if items[one].name in verbs), None)
        if verb is not None and any(one.role in _CONTENT for one in clause):
            found[verb], found[at] = Item("filler", "leave"), Item("filler", "out")
            found[at if items[verb].name == "be" else verb] = Item("dislike", "out")
    return found


def _both_ways(items: Sequence[Item]) -> list[Item]:
    """With what is missed in "hotels without a gym are no good" as wanted: two refusals around it are none."""
    found = list(items)
    for at, item in enumerate(items):
        end = next((one for one in range(at, len(items)) if items[one].role in _CLAUSE_ENDS), len(items))
        rest = items[at + 1 : end]
        verdict = next((place for place, one in enumerate(rest) if one.role in _REFUSING), None)
        if item.name != "without" or item.role != "negate" or verdict is None:
            continue
        told = any(one.role in _CONTENT for one in rest[:verdict])
        told = told and sum(one.role in _REFUSING for one in rest[verdict:]) == 1
        if told and not any(one.role in _CONTENT for one in rest[verdict:]):
            found[at] = found[at + 1 + verdict] = Item("like", "plain")
    return found
