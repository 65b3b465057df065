"""Resolves which shown offer a message refers to, whether it asks for other offers, and whether its conditions hold."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from models.offline.reading.understanding import Act, Choice, Clause, Condition, Kind, Topic, Understanding
from models.offline.reading.values.dates import MOST_SHOWN
from models.offline.trips.frames import Frame, State
from models.offline.trips.offers import (
    MEASURES,
    Offer,
    amount_of,
    best_by,
    clock,
    currency_of,
    is_called,
    product_key,
    ways,
)
from models.offline.trips.wishes import FEATURES, TOPICS, WISHES, fits, has, said_wishes

_CHOOSING: frozenset[Act] = frozenset({"choose", "book", "hold", "change", "confirm"})
OPENING = _CHOOSING | {"inform"}
"""Acts that start a search if there are no offers yet."""
_ASKED: dict[Topic, dict[str, Any]] = {
    "bags": {"bags": 1}, "refund": {"refundable": True}, "cancellation": {"refundable": True},
    "breakfast": {"features": ("breakfast",)}, "stops": {"max_stops": 0},
}  # fmt: skip
"""The wishes implied by a condition that only names its topic ("if it has bags")."""


def pick_again(state: State, said: Understanding, heard: State) -> State:
    """Return the state with the message's choices applied to the offers of a new search; `heard` is that before it.

    "It" can't refer to an offer that the traveller has not seen. A list number refers to the list that was shown
    before the search: "number 2" for other days means the same hotel, whatever its number is now.
    """
    before = state
    for clause in said.clauses:
        unseen = clause.choice == Choice(that=True) or (_is_numbered(clause) and not _listed(state, clause, heard))
        if clause.act in _CHOOSING and not unseen and not (clause.otherwise and state is not before):
            before, state = state, _same_again(pick(state, clause), clause, heard)
    return state


def _is_numbered(clause: Clause) -> bool:
    return clause.choice is not None and clause.choice.ordinal is not None


def _listed(state: State, clause: Clause, heard: State) -> bool:
    """Return whether a part that the clause refers to had offers before this turn's searches, on the same trip."""
    kinds = [frame.kind for frame in on_table(state, clause)]
    old = [frame for kind in kinds if heard.at == state.at and (frame := heard.trip.frames.get(kind))]
    return any(frame.shown or frame.taken for frame in old)


def _same_again(state: State, clause: Clause, heard: State) -> State:
    """Return the state with the product taken that the number meant in the previous list; untaken if it is gone."""
    for frame in on_table(state, clause) if _is_numbered(clause) and heard.at == state.at else ():
        old = heard.trip.frames.get(frame.kind)
        if not (old and old.taken and old.chosen and frame.shown):
            continue
        key = product_key(old.chosen)
        same = next((each for each in frame.found if product_key(each) == key), None)
        shown = (same, *frame.shown[: MOST_SHOWN - 1]) if same and same not in frame.shown else frame.shown
        state = state.with_frame(replace(frame, shown=shown, chosen=same or shown[0], taken=same is not None))
    return state


def pick(state: State, clause: Clause) -> State:
    """Return the state with the shown offers that `clause` chooses as taken; `state` itself if it chooses none."""
    wishes = said_wishes(clause.wishes)
    choice = clause.choice or (Choice(sort=clause.wishes.sort) if clause.wishes.sort else None)
    for frame in on_table(state, clause):
        applicable = {name: value for name, value in wishes.items() if frame.kind in WISHES[name].kinds}
        offer = chosen_offer(frame, choice, applicable)
        if offer is not None:
            state = replace(state.with_frame(replace(frame, chosen=offer, taken=True)), focus=frame.kind)
    return state


def point_at(state: State, clause: Clause) -> State:
    """Return the state in which the offer that a question refers to is `chosen`, for parts with no taken offer."""
    for frame in on_table(state, clause) if clause.choice else ():
        offer = None if frame.taken else chosen_offer(frame, clause.choice, {})
        state = state.with_frame(replace(frame, chosen=offer)) if offer else state
    return state


def on_table(state: State, clause: Clause) -> list[Frame]:
    """Return the parts with shown offers that a clause may refer to.

    These are the parts that it names (all for "both"), else the one that has an offer of the given name, or the only
    kind that its wishes may apply to, else the part in focus, else the last one shown. None if the part in focus still
    waits for offers.
    """
    choice, shown = clause.choice, state.trip.shown
    if state.moving:
        shown.append(state.moving)
    if clause.kinds or (choice and choice.every):
        return [frame for frame in shown if not clause.kinds or frame.kind in clause.kinds]
    described = _described(clause) if choice and not choice.that else set()
    named = [frame for frame in shown if choice and choice.name and chosen_offer(frame, choice, {})]
    named = named or [frame for frame in shown if described == {frame.kind}]
    focused = [frame for frame in shown if frame.kind == state.focus]
    pending = state.frame is not None and state.frame.status == "open" and not state.frame.shown
    return named[:1] or focused or ([] if pending else shown[-1:])


def _described(clause: Clause) -> set[Kind]:
    """Return the kinds of offers that the wishes of a choice describe, each by a wish that no other kind can meet."""
    wishes = said_wishes(replace(clause.wishes, features=tuple(FEATURES.intersection(clause.wishes.features))))
    offered = [WISHES[name] for name in wishes if WISHES[name].met != "booking"]
    return {kind for wish in offered if len(wish.kinds) == 1 for kind in wish.kinds}


def booked_at(state: State, clause: Clause) -> set[str]:
    """Return the references of the active bookings whose description names a place of the clause."""
    names = {name for place in clause.places for name in (place.name, place.said) if name}
    live = {name: str(each.facts.get("what")) for name, each in state.bookings.items() if each.live}
    return {reference for reference, what in live.items() if any(name in what for name in names)}


def points_nowhere(frame: Frame, clause: Clause) -> bool:
    """Return whether a clause refers to an offer, by name, hour, price or number, that is not among those shown."""
    choice = clause.choice
    points = choice is not None and (choice.name or choice.hour or choice.price or choice.ordinal is not None)
    wishes = {} if clause.act == "ask" else said_wishes(clause.wishes)  # a question about an offer narrows no choice
    return bool(points) and chosen_offer(frame, choice, wishes) is None


def chosen_offer(frame: Frame, choice: Choice | None, wishes: Mapping[str, Any]) -> Offer | None:
    """Return the shown offer that a choice refers to, among those that meet `wishes`; None if none or several do."""
    offers = [offer for offer in frame.shown if fits(frame.kind, offer, wishes)]
    if not offers or choice is None:
        return None
    if choice.name and choice.ordinal is None:
        named = [offer for offer in offers if is_called(choice.name, offer)]
        if len(named) == 1 or not (named or choice.sort):
            return named[0] if named else None
        offers = named or offers
    if choice.hour is not None:
        hour = f"{choice.hour:%H:%M}" if choice.hour.minute else f"{choice.hour:%H}:"
        times = [next((clock(way, "departs") for way in ways(each)), str(each.get("starts"))[-5:]) for each in offers]
        return _only(each for each, time in zip(offers, times, strict=True) if time.startswith(hour))
    if choice.price is not None:
        prices = ("price", "per_night", "per_day")
        return _only(each for each in offers if any(abs(amount_of(each.get(p)) - choice.price) < 1 for p in prices))
    if choice.ordinal is not None:
        listed = offers if wishes else list(frame.shown)
        return listed[choice.ordinal] if -len(listed) <= choice.ordinal < len(listed) else None
    if sort := choice.sort or wishes.get("sort"):
        return best_by(str(sort), offers)
    return frame.chosen if choice.that and frame.chosen in offers else None


def _only(matches: Iterable[Offer]) -> Offer | None:
    offers = list(matches)
    return offers[0] if len(offers) == 1 else None


def seeks_offers(state: State, clause: Clause) -> bool:
    """Return whether answering a question needs a search, as a request would ("what would business be?")."""
    if clause.act != "ask" or clause.topic in TOPICS["beside_trips"] or clause.conversion:
        return False
    shown = any(frame.shown or frame.booking for frame in state.trip.frames.values())
    choice, moves = clause.choice, bool(clause.dates or clause.places)
    if choice and choice.compares:
        return False
    if choice and choice.every and clause.wishes.is_timed:
        return True  # "which ones leave after six?"
    pointed = choice and (choice.that or choice.name or choice.every or choice.ordinal is not None)
    if pointed and not clause.dates:
        flight, cabin = state.trip.frames.get("flight"), clause.wishes.cabin  # "what would that be in business?"
        return bool(flight and flight.chosen and cabin not in (None, flight.chosen.get("cabin", cabin)))
    car = state.trip.frames.get("car")
    if clause.topic == "insurance" and car and car.status == "open" and not clause.dates:
        return False
    if clause.topic == "distance" and not moves:
        return False
    if clause.topic in TOPICS["of_offers"] and shown:
        return moves and (bool(clause.kinds) or clause.topic in {"duration", "total", "airline"})
    return bool(clause.dates or clause.kinds or clause.party or said_wishes(clause.wishes) or clause.wishes.others)


def taken_up(said: Understanding, before: Understanding | None) -> Understanding:
    """Return `said` with follow-up questions completed from the message before ("and number 2?")."""
    asks = [clause for clause in before.clauses if clause.act == "ask"] if before else []
    last = asks[-1] if asks else None
    if last is None:
        return said
    rows, clauses = last.choice.rows if last.choice else (), list[Clause]()
    for clause in said.clauses:
        choice, points = clause.choice, "named" in clause.holds <= {"named", "kinds", "which ordinal", "which name"}
        if clause.act == "ask" and points and not clause.topic:
            clause = replace(clause, kinds=clause.kinds or last.kinds, topic=last.topic, wishes=last.wishes)
        elif choice and choice.compares and not choice.rows:  # "which of the two is cheaper?"
            clause = replace(clause, choice=replace(choice, rows=rows))
        clauses.append(clause)
    return replace(said, clauses=tuple(clauses))


def decided(state: State, said: Understanding, *, waits: bool) -> Understanding:
    """Return `said` with its conditions evaluated against the shown offers.

    An order whose condition is false or can't be evaluated becomes a question. Its alternative ("otherwise ...") is
    kept only if the condition is false. If a booking `waits` for approval, a cancellation that can mean it refuses it.
    """
    said = _with_choices(said) if state.trip.shown else said
    clauses: list[Clause] = []
    last: Condition | None = None
    act: Act = "inform"
    for clause in said.clauses:
        others = clause.places or {*clause.kinds} - {*state.raised} or clause.holds & {"which reference", "which every"}
        if waits and clause.act == "cancel" and not others:
            clauses.append(Clause(clause.text, "reject"))
        elif clause.otherwise and last:
            clauses += [replace(clause, act=act, otherwise=False)] if last.met is False else []
        elif condition := clause.condition:
            bare = clause.choice in (None, Choice(that=True))  # "if number 2 has bags, book it"
            order = replace(clause, choice=(condition.said.choice if bare else clause.choice) or Choice(that=True))
            last = replace(condition, met=_met(state, order, condition))
            act = "book" if order.act in ("confirm", "choose") else order.act
            question = Clause(order.text, "ask", order.kinds, choice=order.choice)
            clauses.append(replace(order if last.met else question, condition=last))
        else:
            clauses.append(clause)
    return replace(said, clauses=tuple(clauses))


def _with_choices(said: Understanding) -> Understanding:
    """Return `said` with a bare sort order as a choice if it books, or means all parts ("cheapest for both please")."""
    books, clauses = any(clause.act == "book" for clause in said.clauses), list[Clause]()
    for clause in said.clauses:
        all_of_them, bare = "which every" in clause.holds, clause.holds <= {"kinds", "sort", "which every"}
        sorts = clause.act == "inform" and clause.wishes.sort is not None and bare
        choice = replace(clause.choice or Choice(), sort=clause.wishes.sort)
        chosen = sorts and (all_of_them or (books and clause.kinds))
        clauses.append(replace(clause, act="choose", choice=choice) if chosen else clause)
    return replace(said, clauses=tuple(clauses))


def _met(state: State, clause: Clause, condition: Condition) -> bool | None:
    for frame in on_table(state, clause)[:1] if clause.act in ("book", "hold", "choose", "confirm") else ():
        offer = chosen_offer(frame, clause.choice, {})
        holds = _holds(frame, offer, condition.said) if offer else None
        return None if holds is None else holds != condition.unless
    return None


def _holds(frame: Frame, offer: Offer, said: Clause) -> bool | None:
    """Return whether an offer meets all parts of a condition; None if its data can't decide that."""
    wishes: dict[str, Any] = said_wishes(said.wishes)
    if said.topic in _ASKED and not (wishes or said.wishes.dropped):
        wishes = _ASKED[said.topic]
    results = [_meets(frame, offer, name, value) for name, value in wishes.items() if name != "sort"]
    if limit := said.wishes.budget:
        price = offer.get(f"per_{limit.per}") or offer.get("price")
        comparable = limit.per != "person" and limit.currency in (None, currency_of(price))
        results.append(amount_of(price) <= limit.amount if comparable else None)
    elif sort := said.wishes.sort:
        which = said.choice if said.choice and said.choice.rows and sort in MEASURES else None
        other = chosen_offer(frame, replace(which, sort=None, ordinal=which.rows[-1]), {}) if which else None
        results.append(MEASURES[sort](offer) < MEASURES[sort](other) if other else None)  # none in "if it's central"
    return None if not results or None in results or said.unread or said.wishes.dropped else all(results)


def _meets(frame: Frame, offer: Offer, name: str, value: Any) -> bool | None:
    """Return whether an offer meets the wish `name`; None if its data can't decide that."""
    if name == "bags":
        bags = int(offer.get("checked_bags") or 0)
        return bags >= value if value else bags == 0
    if name == "features":
        listed = FEATURES if frame.kind == "hotel" else {"automatic"} if "automatic" in offer else set[str]()
        return all(has(offer, each) for each in value) if listed.issuperset(value) else None
    if name == "max_stops" and value:
        return None  # "if it has a stop": at most one, or at least one?
    wish = WISHES[name]
    return wish.fits(offer, value) if wish.met != "booking" and frame.kind in wish.kinds else None
