"""Orders that hang on a condition: the data of the offer tell whether it holds, and nothing is done unless it does."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from models.offline.reading.understanding import Act, Choice, Clause, Condition, Money, Topic, Understanding
from models.offline.trips.choosing import chosen_offer, on_table
from models.offline.trips.frames import Frame, State
from models.offline.trips.offers import MEASURES, Offer, amount_of, best_by, currency_of
from models.offline.trips.wishes import FEATURES, WISHES, has, said_wishes

_ASKED: dict[Topic, dict[str, Any]] = {
    "bags": {"bags": 1}, "refund": {"refundable": True}, "cancellation": {"refundable": True},
    "breakfast": {"features": ("breakfast",)}, "stops": {"max_stops": 0},
}  # fmt: skip
"""What a condition says that only names what it is about ("if it has bags")."""


def decided(state: State, said: Understanding) -> Understanding:
    """Return what was said with its conditions decided by the offers on the table.

    An order that hangs on what does not hold, or that nobody can tell, becomes a question, and what was to be done
    otherwise is done in the first case only.
    """
    clauses: list[Clause] = []
    last: Condition | None = None
    act: Act = "inform"
    for clause in said.clauses:
        if clause.otherwise and last:
            clauses += [replace(clause, act=act, otherwise=False)] if last.met is False else []
        elif condition := clause.condition:
            order = _pointed(clause, condition.said)
            last = replace(condition, met=_met(state, order, condition))
            act = "book" if order.act in ("confirm", "choose") else order.act
            hangs = Clause(order.text, "ask", order.kinds, choice=order.choice)
            clauses.append(replace(order if last.met else hangs, condition=last))
        else:
            clauses.append(clause)
    return replace(said, clauses=tuple(clauses))


def _pointed(clause: Clause, said: Clause) -> Clause:
    """Return an order with the offer that its condition names where it names none ("if number 2 has bags, book it")."""
    bare = clause.choice in (None, Choice(that=True)) and not said.wishes.sort
    if said.choice and said.choice.rows[1:]:  # "if number 2 is cheaper than 1, book it"
        return replace(clause, choice=Choice(ordinal=said.choice.rows[0]))
    return replace(clause, choice=(said.choice if bare else clause.choice) or Choice(that=True))


def _met(state: State, clause: Clause, condition: Condition) -> bool | None:
    frames = on_table(state, clause) if clause.act in ("book", "hold", "choose", "confirm") else []
    offers = [(frame, _offer(frame, clause.choice)) for frame in frames[:1]]
    told = [_holds(frame, offer, condition.said) for frame, offer in offers if offer]
    return None if not told or told[0] is None else told[0] != condition.unless


def _offer(frame: Frame, choice: Choice | None) -> Offer | None:
    return chosen_offer(frame, choice, {}) or (frame.chosen if choice == Choice(that=True) else None)


def _holds(frame: Frame, offer: Offer, said: Clause) -> bool | None:
    """Return whether the data of an offer meet all that a condition says; None where they don't tell."""
    wishes: dict[str, Any] = said_wishes(said.wishes)
    if said.topic in _ASKED and not (wishes or said.wishes.dropped):
        wishes = _ASKED[said.topic]
    told = [_meets(frame, offer, name, value) for name, value in wishes.items() if name != "sort"]
    told += [None if (gone := _meets(frame, offer, *_gone(name))) is None else not gone for name in said.wishes.dropped]
    if said.wishes.budget:
        told.append(_costs_less(offer, said.wishes.budget))
    elif sort := said.wishes.sort:
        other = chosen_offer(frame, _compared_with(said.choice), {}) if said.choice else None
        told.append(_comes_first(frame, offer, other, sort))
    return None if not told or None in told or said.unread else all(told)


def _compared_with(choice: Choice) -> Choice:
    return replace(choice, sort=None, ordinal=choice.rows[-1] if choice.rows else choice.ordinal)


def _comes_first(frame: Frame, offer: Offer, other: Offer | None, sort: str) -> bool | None:
    """Return whether an offer comes before another one, or before all; "if it's central" names no other."""
    if sort not in MEASURES or (other is None and sort in ("central", "rating")):
        return None
    return MEASURES[sort](offer) < MEASURES[sort](other) if other else best_by(sort, frame.shown) is offer


def _gone(name: str) -> tuple[str, Any]:
    """Return the wish that was taken back ("if it has no bags")."""
    return (name, 1) if name in WISHES else ("features", (name,))


def _meets(frame: Frame, offer: Offer, name: str, value: Any) -> bool | None:
    if name == "bags":
        bags = int(offer.get("checked_bags") or 0)
        return bags >= value if value else bags == 0
    if name == "features":
        tells = FEATURES if frame.kind == "hotel" else {"automatic"} if "automatic" in offer else set[str]()
        return all(has(offer, each) for each in value) if tells.issuperset(value) else None
    if name == "max_stops" and value:
        return None  # "if it has a stop": at most one, or at least one?
    known = WISHES[name]
    return known.fits(offer, value) if known.met != "booking" and frame.kind in known.kinds else None


def _costs_less(offer: Mapping[str, Any], limit: Money) -> bool | None:
    price = offer.get(f"per_{limit.per}") or offer.get("price")
    same = limit.per != "person" and limit.currency in (None, currency_of(price))
    return amount_of(price) <= limit.amount if same else None
