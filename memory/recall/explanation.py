"""Explains why a document was found."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from memory.recall.layout import Layout, Shares
from memory.recall.query import Query
from memory.recall.ranking import Ranking, fuse, part
from memory.recall.tuning import Tuning


@dataclass
class Found:
    """What one search found out: the rankings, who spoke and when, and what each word of the query stood for."""

    query: Query
    layout: Layout
    rankings: list[Ranking]
    telling: Shares
    spoken: Shares | None
    dated: Shares | None
    concepts: list[dict[str, float]]
    fault: str | None
    tuning: Tuning

    @cached_property
    def base(self) -> Shares:
        """Return the fused rank of every document, 0..1."""
        return fuse(self.rankings, self.tuning.rank_offset, len(self.layout))

    @cached_property
    def extras(self) -> dict[str, Shares]:
        """Return what speaker, date and being a statement add for each document, as shares of its fused rank."""
        sides = (
            ("speaker", self.spoken, self.tuning.speaker),
            ("date", self.dated, self.tuning.date),
            ("statement", self.telling, self.tuning.statement),
        )
        return {name: shares * weight for name, shares, weight in sides if shares is not None}

    @cached_property
    def whole(self) -> float:
        """Return what a document can reach before its score is brought to 0..1."""
        asked = self.tuning.speaker * (self.spoken is not None) + self.tuning.date * (self.dated is not None)
        return 1.0 + self.tuning.statement + asked

    @cached_property
    def scores(self) -> Shares:
        """Return the score of every document, 0..1."""
        factors: Shares = np.ones(len(self.layout)) + sum(self.extras.values())
        return self.base * factors / self.whole


def explain(found: Found, row: int) -> dict[str, Any]:
    """Return the reasons for the score of the document in `row`; see `Hit.why`."""
    why: dict[str, Any] = {"lists": _lists(found, row)}
    own = found.layout.terms(row)
    around = {term for near in found.layout.neighbours(row, 2) for term in found.layout.terms(near)}
    why["matched"] = [form for term, form in found.query.forms.items() if term in own]
    why["nearby"] = [form for term, form in found.query.forms.items() if term in around - own.keys()]
    related = {
        form: sorted({own[near] for near in concept if near in own and near != term})
        for (term, form), concept in zip(found.query.forms.items(), found.concepts, strict=True)
    }
    why["related"] = {form: near for form, near in related.items() if near}
    for name, shares in found.extras.items():
        if shares[row]:
            why[name] = {"part": float(found.base[row] * shares[row] / found.whole)}
    if "speaker" in why:
        why["speaker"]["fits"] = found.layout.documents[row].speaker
    if "date" in why and found.query.time:
        why["date"]["fits"] = found.query.time.words
    if found.fault:
        why["fault"] = found.fault
    return why


def _lists(found: Found, row: int) -> dict[str, dict[str, Any]]:
    lists = {}
    for ranking in found.rankings:
        places = np.flatnonzero(ranking.rows == row)
        if len(places):
            share = float(part(ranking, places + 1, found.rankings, found.tuning.rank_offset)[0])
            lists[ranking.name] = {"rank": int(places[0]) + 1, "part": share / found.whole}
    return lists
