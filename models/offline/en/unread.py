"""Finds the stretches of a clause that look like a wish or a detail and were not read."""

from __future__ import annotations

from models.offline.en.patterns import patterns
from models.offline.reading.form import BLANK, Form

_EMPTY = frozenset(
    {"with", "a", "an", "the", "in", "on", "at", "to", "for", "and", "or", "of", "my", "our", "me", "us", "it", "that",
     "this", "some", "so", "please", "near", "if", "by", "from", "is", "are", "be"}
)  # fmt: skip


def unread_days(form: Form) -> tuple[str, ...]:
    """Return the traveller's words for days and months that no reader took: beside them the days read are in doubt."""
    return tuple(form.own(*match.span()) for match in patterns("dates", "doubt")["day"].finditer(form.left))


def unread_in(form: Form) -> tuple[str, ...]:
    """Return the traveller's words after "with", "near" and the like, and numbers, that no reader took."""
    found: list[tuple[int, int]] = []
    for known in patterns("acts", "unread").values():
        for match in known.finditer(form.left):
            start, end = match.span("what")
            telling = set(match["what"].split()) - _EMPTY
            if telling and BLANK not in match["what"] and all(end <= other[0] or start >= other[1] for other in found):
                found.append((start, end))
    return tuple(form.own(start, end) for start, end in sorted(found))
