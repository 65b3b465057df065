"""Turns of a sentence that change what its words do: "the aisle is where I sit", "leave the onions out"."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from models.offline.statements.english import Item

_ENDS = frozenset({"stop", "comma"})
_CONTENT = frozenset({"value", "word", "context"})
_REFUSING = frozenset({"dislike", "negate", "end"})
_TAILS = {
    Item("filler", "out"): frozenset({"be", "leave", "keep", "flight", "cut", "rule", "count"}),
    Item("dislike", "out"): frozenset({"leave", "keep", "flight"}),
    Item("value", "alone"): frozenset({"leave", "flight"}),
}
"""Words that refuse at the end of a wish, and the verbs they do it with; "leave" is read as the leaving of a flight."""


def turned(items: Sequence[Item]) -> list[Item]:
    """The items with what such a turn makes of them, in their order."""
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
        start = next((one + 1 for one in range(at - 1, -1, -1) if items[one].role in _ENDS), 0)
        clause = items[start:at]
        last = at + 1 == len(items) or items[at + 1].role in _ENDS
        verbs = _TAILS.get(item, frozenset()) if last else frozenset()
        verb = next((one for one in range(start, at) if items[one].name in verbs), None)
        if verb is not None and any(one.role in _CONTENT for one in clause):
            found[verb], found[at] = Item("filler", "leave"), Item("filler", "out")
            found[at if items[verb].name == "be" else verb] = Item("dislike", "out")
    return found


def _both_ways(items: Sequence[Item]) -> list[Item]:
    """With what is missed in "hotels without a gym are no good" as wanted: two refusals around it are none."""
    found = list(items)
    for at, item in enumerate(items):
        end = next((one for one in range(at, len(items)) if items[one].role in _ENDS), len(items))
        rest = items[at + 1 : end]
        verdict = next((place for place, one in enumerate(rest) if one.role in _REFUSING), None)
        if item.name != "without" or item.role != "negate" or verdict is None:
            continue
        told = any(one.role in _CONTENT for one in rest[:verdict])
        told = told and sum(one.role in _REFUSING for one in rest[verdict:]) == 1
        if told and not any(one.role in _CONTENT for one in rest[verdict:]):
            found[at] = found[at + 1 + verdict] = Item("like", "plain")
    return found
