"""Reads which offer or booking is meant: by place in the list, name, hour, price, reference, or what sorts it first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import time

from models.offline.en.patterns import patterns
from models.offline.en.tokens import Form
from models.offline.reading.understanding import Choice, Wishes
from text.numbers import COUNT_WORDS
from text.tokens import fold

_NTH = {"first": 0, "1st": 0, "former": 0, "top": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3,
        "fifth": 4, "5th": 4, "last": -1, "latter": -1, "bottom": -1, "middle": 1, "next": 1}  # fmt: skip
_COMMON = frozenset(
    {"the", "and", "one", "hotel", "hotels", "inn", "house", "air", "airlines", "airways", "lines", "flight", "flights",
     "room", "rooms", "city", "center", "suites", "boutique", "grand", "park", "plaza", "royal", "place"}
)  # fmt: skip


def read_choice(form: Form, names: Sequence[str], sort: Wishes, choosing: bool) -> Choice | None:
    """Return which offer a clause means; None for none. `choosing` says that it takes, books or asks about one."""
    known, found = patterns("acts", "choice"), Choice()
    if match := form.first(known["reference"], "choice"):
        found = replace(found, reference=match["reference"].upper())
    if match := form.first(known["number"], "choice"):
        said = match["number"] or match["bare"]
        found = replace(found, ordinal=(int(said) if said.isdigit() else COUNT_WORDS[said]) - 1)
    elif match := form.first(known["nth"], "choice"):
        found = replace(found, ordinal=_NTH[match["nth"]])
    if match := form.first(known["price"], "choice"):
        found = replace(found, price=float(match["price"].replace(",", ".")))
    if (match := known["hour"].search(form.left)) and (match["minute"] or match["half"] or match["one"]):
        form.blank(match.start(), match.end(), "choice")
        found = replace(found, hour=_time(match))
    if name := named(form, names):
        found = replace(found, name=name)
    if sort.sort and (choosing or known["definite"].search(form.whole)):
        found = replace(found, sort=sort.sort)
    if known["every"].search(form.whole):
        found = replace(found, every=True)
    if found == Choice() and known["that"].search(form.whole):
        found = replace(found, that=True)
    return found if found != Choice() else None


def _time(match: re.Match[str]) -> time:
    hour = int(match["hour"])
    if match["half"] in {"am", "pm"}:
        hour = hour % 12 + (12 if match["half"] == "pm" else 0)
    return time(hour, int(match["minute"] or 0))


def named(form: Form, names: Sequence[str]) -> str:
    """Return the one of the names shown that a clause holds, whole or by words that no other has; empty for none."""
    spoken = f" {' '.join(re.findall(r'[a-z0-9]+', form.left))} "
    words = {name: re.findall(r"[a-z0-9]+", fold(name)) for name in names}
    whole = [name for name, own in words.items() if own and f" {' '.join(own)} " in spoken]
    if whole:
        return _taken(form, max(whole, key=len), words[max(whole, key=len)])
    points = {
        name: sum(f" {word} " in spoken for word in own if word not in _COMMON and len(word) > 2)
        for name, own in words.items()
    }
    best = max(points.values(), default=0)
    leading = [name for name, score in points.items() if score == best]
    return _taken(form, leading[0], words[leading[0]]) if best and len(leading) == 1 else ""


def _taken(form: Form, name: str, words: Sequence[str]) -> str:
    for word in words:
        if len(word) > 2 and (match := re.search(rf"\b{word}\b", form.left)):
            form.blank(match.start(), match.end(), "choice")
    return name
