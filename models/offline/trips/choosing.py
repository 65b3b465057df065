"""Which of the offers on the table is meant: by number, name, hour, price, or what it is like."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import time
from typing import Any

from models.offline.reading.understanding import Act, Choice, Clause, Kind, Understanding, Wishes
from models.offline.trips.frames import Frame, State
from models.offline.trips.offers import Offer, amount_of, best_by, clock, name_of, ways
from text import fold

WISH_KINDS: dict[str, tuple[Kind, ...]] = {
    "cabin": ("flight",), "max_stops": ("flight",), "depart_after": ("flight",), "depart_before": ("flight",),
    "return_after": ("flight",), "return_before": ("flight",), "arrive_before": ("flight",),
    "overnight": ("flight",), "airline": ("flight",), "bags": ("flight",), "seat": ("flight",), "meal": ("flight",),
    "stars": ("hotel",), "area": ("hotel",), "chain": ("hotel",), "rooms": ("hotel",), "features": ("hotel",),
    "requests": ("hotel", "flight", "car"),
    "category": ("car",), "interests": ("activity",), "parts": ("insurance",),
    "sort": ("flight", "hotel", "car", "activity", "insurance"), "budget": ("flight", "hotel", "car", "activity"),
    "refundable": ("flight", "hotel", "car"), "without": ("flight", "hotel", "car"),
}  # fmt: skip
"""The parts of a trip that each wish may be about."""
FEATURES = frozenset(
    {
        "breakfast", "free cancellation", "gym", "pool", "spa", "quiet courtyard", "step-free access", "workspace",
        "family rooms", "parking", "rooftop bar", "pets welcome",
    }
)  # fmt: skip
"""What hotels can be searched by."""
_CHOOSING: frozenset[Act] = frozenset({"choose", "book", "hold", "change", "confirm"})


def said_wishes(wishes: Wishes) -> dict[str, Any]:
    """Return the wishes that were said, by their names."""
    found = {name: getattr(wishes, name) for name in WISH_KINDS}
    return {name: value for name, value in found.items() if value not in (None, ())}


def pick_again(state: State, said: Understanding) -> State:
    """Return the state with the offers taken that a message means, now that they are on the table.

    Nobody can mean by "it" what they have not seen.
    """
    before = state
    for clause in said.clauses:
        unseen = clause.choice == Choice(that=True)
        if clause.act in _CHOOSING and not unseen and not (clause.otherwise and state is not before):
            before = state
            state = pick(state, clause)
    return state


def pick(state: State, clause: Clause) -> State:
    """Return the state with the offers taken that `clause` means; the same state where it means none of those shown."""
    wishes = said_wishes(clause.wishes)
    choice = clause.choice or (Choice(sort=clause.wishes.sort) if clause.wishes.sort else None)
    for frame in on_table(state, clause):
        about = {name: value for name, value in wishes.items() if frame.kind in WISH_KINDS[name]}
        offer = chosen_offer(frame, choice, about)
        if offer is not None:
            state = replace(state.with_frame(replace(frame, chosen=offer, taken=True)), focus=frame.kind)
    return state


def point_at(state: State, clause: Clause) -> State:
    """Return the state with the offer that a question is about proposed, where none was taken."""
    for frame in on_table(state, clause) if clause.choice else ():
        offer = None if frame.taken else chosen_offer(frame, clause.choice, {})
        state = state.with_frame(replace(frame, chosen=offer)) if offer else state
    return state


def on_table(state: State, clause: Clause) -> list[Frame]:
    """Return the parts of which an offer may be meant: those named, else those that have the name, else one.

    A part that is talked about and has no offers stands for itself: no offer of another part is meant.
    """
    frames, choice = state.trip.frames, clause.choice
    shown = [frame for frame in state.trip.of_status("open") if frame.shown]
    flight = frames.get("flight")
    if state.changing and flight and flight.shown and flight not in shown:
        shown.append(flight)
    if clause.kinds or (choice and choice.every):
        return [frame for frame in shown if not clause.kinds or frame.kind in clause.kinds]
    named = [frame for frame in shown if choice and choice.name and chosen_offer(frame, choice, {})]
    focused = [frame for frame in shown if frame.kind == state.focus]
    waits = state.frame is not None and state.frame.status == "open" and not state.frame.shown
    return named[:1] or focused or ([] if waits else shown[-1:])


def points_nowhere(frame: Frame, clause: Clause) -> bool:
    """Return whether a message names an offer that is not among those shown: another one is not meant then."""
    choice = clause.choice
    points = choice is not None and (choice.name or choice.hour or choice.price or choice.ordinal is not None)
    return bool(points) and chosen_offer(frame, choice, said_wishes(clause.wishes)) is None


def chosen_offer(frame: Frame, choice: Choice | None, wishes: Mapping[str, Any]) -> Offer | None:
    """Return the one of the offers shown that is taken, or None where that is none of them, or not clear."""
    offers = [offer for offer in frame.shown if fits(frame.kind, offer, wishes)]
    if not offers or choice is None:
        return None
    if choice.name and choice.ordinal is None:
        named = [offer for offer in offers if _is_called(choice.name, offer)]
        if len(named) == 1 or not (named or choice.sort):
            return named[0] if named else None
        offers = named or offers
    if choice.hour is not None:
        return _only(offer for offer in offers if _leaves_at(offer, choice.hour))
    if choice.price is not None:
        prices = ("price", "per_night", "per_day")
        return _only(each for each in offers if any(abs(amount_of(each.get(p)) - choice.price) < 1 for p in prices))
    if choice.ordinal is not None:
        listed = offers if wishes else list(frame.shown)
        return listed[choice.ordinal] if -len(listed) <= choice.ordinal < len(listed) else None
    if sort := choice.sort or wishes.get("sort"):
        return best_by(str(sort), offers)
    return frame.chosen if choice.that and frame.chosen in offers else None


def fits(kind: Kind, offer: Offer, wishes: Mapping[str, Any]) -> bool:
    """Return whether the data of `offer` meet all of `wishes`, as far as they tell."""
    return all(
        _FITS[name](offer, value) for name, value in wishes.items() if name in _FITS and kind in WISH_KINDS[name]
    )


def _is_called(name: str, offer: Offer) -> bool:
    """Return whether each word of `name` begins one of the offer's name, its flights or its part of town."""
    flights = [str(flight) for way in ways(offer) for flight in way.get("flights", [])]
    own = fold(" ".join([name_of(offer), offer.get("neighborhood") or "", offer.get("chain") or "", *flights]))
    said = fold(name)
    return said in own or all(any(word.startswith(each) for word in own.split()) for each in said.split())


def _leaves_at(offer: Offer, hour: time) -> bool:
    said = next((clock(way, "departs") for way in ways(offer)), str(offer.get("starts"))[-5:])
    return said == f"{hour:%H:%M}" if hour.minute else said[:2] == f"{hour:%H}"


def _only(found: Iterable[Offer]) -> Offer | None:
    listed = list(found)
    return listed[0] if len(listed) == 1 else None


def has(offer: Offer, feature: str) -> bool:
    """Return whether a hotel has one of `FEATURES`, or its rate does."""
    own = {"breakfast": offer.get("breakfast"), "free cancellation": offer.get("free_cancellation_until")}
    return bool(own.get(feature) or feature in (offer.get("amenities") or ()))


def _overnight(offer: Offer, wanted: bool) -> bool:
    return all((str(way.get("departs"))[:10] != str(way.get("arrives"))[:10]) == wanted for way in ways(offer)[:1])


def _is_refundable(offer: Offer, wanted: bool) -> bool:
    free = offer.get("free_cancellation_until") or str(offer.get("refund", "not")).startswith("less")
    return bool(free) or not wanted


def _clock(way: int, name: str, *, before: bool) -> Callable[[Offer, Any], bool]:
    """Return a check of the hour at which the way out (0) or home (1) departs or arrives; met where there is none."""

    def check(offer: Offer, value: time) -> bool:
        at, limit = next((clock(each, name) for each in ways(offer)[way : way + 1]), ""), f"{value:%H:%M}"
        return at <= limit if before else (at >= limit or (way == 1 and not at))

    return check


_FITS: dict[str, Callable[[Offer, Any], bool]] = {
    "cabin": lambda offer, value: offer.get("cabin", value) == value,
    "max_stops": lambda offer, value: int(offer.get("stops") or 0) <= value,
    "depart_after": _clock(0, "departs", before=False),
    "depart_before": _clock(0, "departs", before=True),
    "return_after": _clock(1, "departs", before=False),
    "return_before": _clock(1, "departs", before=True),
    "arrive_before": _clock(0, "arrives", before=True),
    "overnight": _overnight,
    "airline": lambda offer, value: fold(value) in fold(str(offer.get("airline"))),
    "stars": lambda offer, value: float(offer.get("stars") or 0) >= value,
    "area": lambda offer, value: fold(value) in fold(str(offer.get("neighborhood"))),
    "chain": lambda offer, value: fold(value) in fold(f"{offer.get('chain')} {offer.get('name')}"),
    "features": lambda offer, value: all(has(offer, each) for each in value if each in FEATURES),
    "category": lambda offer, value: offer.get("category") == value,
    "interests": lambda offer, value: offer.get("interest", value) in value or offer.get("interest") is None,
    "refundable": _is_refundable,
    "without": lambda offer, value: not any(_is_called(each, offer) for each in value),
}
"""How the data of an offer show whether a wish is met; other wishes are met when it is booked, or not at all."""
WITH_BOOKING = frozenset({"seat", "bags", "meal", "requests"})
"""Wishes that are met when an offer is booked, whichever it is."""
CHECKED_AFTER = frozenset(
    {
        "depart_after",
        "depart_before",
        "return_after",
        "return_before",
        "arrive_before",
        "overnight",
        "airline",
        "stars",
        "without",
    }
)
"""Wishes that no search takes and the offers show: more are asked for, and those that don't fit are left out."""
