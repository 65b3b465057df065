"""Reads changes of dates said in steps: "a week later", "push it back two days", "one more night"."""

from __future__ import annotations

import re

from text.numbers import COUNT, count

_COUNT = f"(?P<count>{COUNT})"
_UNIT = r"(?P<unit>days?|weeks?)"
_MOVED = (
    re.compile(rf"\b{_COUNT} {_UNIT} (?P<way>later|after that|earlier|sooner|before that)\b"),
    re.compile(
        rf"\b(?:push|move|put|shift|bring|delay|postpone)\w*(?: (?:it|that|them|everything|the \w+))?"
        rf"(?: (?P<way>back|forward|out))?(?: by)? {_COUNT} {_UNIT}\b"
    ),
)
_EARLIER = frozenset({"earlier", "sooner", "before that", "forward"})
_LONGER = re.compile(
    rf"\b(?:{_COUNT} (?:more|extra|additional) (?P<unit>nights?|days?|weeks?)|"
    rf"another (?P<one>night|day|week)|{_COUNT.replace('count', 'number')} (?P<span>nights?|days?|weeks?) "
    rf"(?P<way>longer|more|extra|shorter|less|fewer))\b"
)
_SHORTER = frozenset({"shorter", "less", "fewer"})


def read_shift(text: str) -> tuple[int, int, str]:
    """Days by which `plain` text moves a trip, nights by which it lengthens it, and the text without those words."""
    days = nights = 0
    if match := _LONGER.search(text):
        unit = match["unit"] or match["one"] or match["span"]
        nights = _days(match["count"] or match["number"] or "one", unit) * (-1 if match["way"] in _SHORTER else 1)
        return 0, nights, text[: match.start()] + " " + text[match.end() :]
    for pattern in _MOVED:
        if match := pattern.search(text):
            days = _days(match["count"], match["unit"]) * (-1 if match["way"] in _EARLIER else 1)
            return days, 0, text[: match.start()] + " " + text[match.end() :]
    return days, nights, text


def _days(words: str, unit: str) -> int:
    return count(words) * (7 if unit.startswith("week") else 1)
