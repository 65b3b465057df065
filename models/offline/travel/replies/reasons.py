"""Why one of the offers is recommended: a wish that decided, and how it compares with the others on the table."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from models.offline.travel.offers import Offer, cost
from models.offline.travel.request import Kind
from models.offline.travel.trip_context import TripContext

_MOST = 2


@dataclass(frozen=True, slots=True)
class Reasons:
    """Reasons in words, and the handles of the memories behind them."""

    words: str
    handles: tuple[str, ...] = ()


def reasons(context: TripContext, kind: Kind, offers: Sequence[Offer], number: int = 1) -> Reasons:
    """Why the first of `offers`, shown as `number`, is the one to take."""
    say, best = context.say, offers[0]
    decided, shared = _wishes(offers)
    wishes = (decided + shared)[:_MOST]
    found = [say(key) for key, holds in _compared(kind, context.plan.wishes.get(kind, {}).get("sort"), offers) if holds]
    told_wishes = [say("because_wish", items=", ".join(wishes))] if wishes else []
    found = [*told_wishes, *found[:_MOST]] if decided else [*found[:_MOST], *told_wishes]
    memories = [memory for wish in wishes if (memory := context.memory_for(wish))]
    if not found:
        balance = "because_balance_hotel" if kind == "hotel" else "because_balance"
        found = [say("because_advice" if kind == "insurance" else balance)]
    words = say("travel_and").join(found)
    told = say("pick", number=number, reasons=words) if len(offers) > 1 else say("pick_one", reasons=words)
    lacks = best.get("misses") or []
    tail = say("trade_off", items=", ".join(lacks)) if lacks else ""
    return Reasons(" ".join(part for part in (told, tail) if part), tuple(dict.fromkeys(m.handle for m in memories)))


def _wishes(offers: Sequence[Offer]) -> tuple[list[str], list[str]]:
    """What the first offer meets: what another one on the table does not, which decided, and what all of them do."""
    met = [str(each) for each in offers[0].get("meets") or []]
    decided = [wish for wish in met if any(wish not in (other.get("meets") or []) for other in offers[1:])]
    return decided, [wish for wish in met if wish not in decided]


def _compared(kind: Kind, sort: Any, offers: Sequence[Offer]) -> list[tuple[str, bool]]:
    first, others = offers[0], offers[1:]
    if not others:
        return [("because_nonstop", kind == "flight" and first.get("stops") == 0)]

    def least(measure: Callable[[Offer], float]) -> bool:
        return all(measure(first) < measure(other) for other in others)

    def asked(wish: str, measure: Callable[[Offer], float]) -> bool:
        return sort == wish and all(measure(first) <= measure(other) for other in others)

    found = [("because_cheapest", least(cost))]
    if kind == "flight":
        nonstop = first.get("stops") == 0
        found += [
            ("because_nonstop", nonstop and any(other.get("stops") for other in others)),
            ("because_fastest", least(_minutes) or asked("fastest", _minutes)),
            ("because_earliest", asked("earliest", _leaves)),
            ("because_latest", asked("latest", lambda offer: -_leaves(offer))),
        ]
    if kind == "hotel":
        found += [
            ("because_central", least(lambda offer: float(offer.get("centre_km") or 0))),
            ("because_rating", least(lambda offer: -float(offer.get("guest_score") or 0))),
        ]
    return sorted(found, key=lambda pair: pair[0] != f"because_{sort}")


def _minutes(offer: Offer) -> float:
    ways = [way for way in (offer.get("outbound"), offer.get("inbound")) if isinstance(way, dict)]
    times = [re.match(r"(\d+) h (\d+)", str(way.get("duration"))) for way in ways]
    return float(sum(int(found[1]) * 60 + int(found[2]) for found in times if found))


def _leaves(offer: Offer) -> float:
    digits = re.sub(r"\D", "", str((offer.get("outbound") or {}).get("departs")))
    return float(digits or 0)
