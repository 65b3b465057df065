"""Offers in order, with the reasons: what each one costs, how long it takes, and which wishes it meets (S9.6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from stores.notes import Record
from stores.travel.provider import AnyOffer
from stores.travel.wishes import Wish

Sort = Literal["best", "cheapest", "fastest", "earliest", "latest", "central", "rating"]


class Ranked(Record):
    """One offer with its score (higher is better) and the wishes it meets, misses, and that can't be told."""

    offer: AnyOffer
    score: float
    meets: tuple[str, ...] = ()
    misses: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


def rank(offers: Sequence[AnyOffer], wishes: Sequence[Wish], *, sort: Sort = "best") -> list[Ranked]:
    """`offers` in order, the best one first; the same whatever order they come in."""
    ordered = sorted(offers, key=lambda offer: (offer.price.amount, offer.id))
    return [Ranked(offer=offer, score=-offer.price.amount / 100) for offer in ordered]


def three(ranked: Sequence[Ranked]) -> list[Ranked]:
    """Three that differ in a way that matters, the best one first."""
    return list(ranked[:3])
