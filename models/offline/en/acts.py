"""Tells by plain rules what a clause does, what it names, and what a question is about; and the signs of an act."""

import re
from dataclasses import replace
from itertools import pairwise
from typing import get_args

from models.offline.en.form import WORDS
from models.offline.reading.form import Form, Piece
from models.offline.reading.understanding import Act, Clause, Dates, Kind, ReadingContext, Topic, Wishes
from text.terms import stem

_NOT = re.compile(r"\b(?:not|except|instead of|rather than|(?:but )?keep(?:ing)?)(?: (?:the|my|our|a|any))* $")
_COURTESIES: tuple[Act, ...] = ("bye", "thanks", "greet", "help", "restart")
_ORDERS: tuple[Act, ...] = ("drop", "hold", "cancel", "change", "book", "bags", "seats")
_LOOKED_UP = frozenset({"itinerary", "calendar", "bookings", "reference", "total", "policy"})
_FILED = frozenset({"itinerary", "calendar", "bookings", "reference"})
_FEW = 3
"""Words of a clause that is nothing but the name of what is looked up ("Calendar file.")."""
_OF_OFFERS = frozenset({"", "price", "cheapest", "best", "times", "stops", "total", "insurance", "meal"})
_NOT_OF_OFFERS = frozenset(
    {"documents", "weather", "place", "payment", "refund", "cancellation", "bookings", "reference", "itinerary",
     "calendar", "policy", "change_fee", "why"}
)  # fmt: skip
_ANSWERS: tuple[Act, ...] = ("confirm", "reject")


def kinds_in(form: Form) -> tuple[Kind, ...]:
    """Return the kinds of offers that a clause names, in the order said; "the car, not the hotel" names the car."""
    found: dict[int, Kind] = {}
    without: dict[int, Kind] = {}
    for kind in get_args(Kind):
        if match := WORDS.patterns("acts", "kinds")[kind].search(form.whole):
            negated = _NOT.search(form.whole[: match.start()])
            (without if negated else found)[match.start()] = kind
    chosen = found or without
    return tuple(chosen[at] for at in sorted(chosen))


def topic_of(form: Form) -> Topic:
    """Return what a question is about; empty where that is not known."""
    topics: dict[str, Topic] = {**{topic: topic for topic in get_args(Topic)}, "sum": "total"}
    found = (topic for topic, known in WORDS.patterns("acts", "topics").items() if known.search(form.whole))
    return topics[next(found, "")]


def act_of(form: Form, piece: Piece, draft: Clause, context: ReadingContext) -> Act:
    """Return the act of a clause by its words and its values. A question is neither a yes nor an order."""
    forms, acts = WORDS.patterns("acts", "forms"), WORDS.patterns("acts", "acts")
    text = form.whole
    if passing := _in_passing(form, piece, draft, context):
        return passing
    if draft.wishes.without and not piece.asked:
        return "inform"
    indirect = bool(forms["indirect"].search(text))
    polite = bool(forms["polite"].search(text)) and not indirect
    sought = piece.asked or _searches(replace(draft, party=None))
    if forms["lasting"].search(text) and forms["first_person"].search(text) and not sought:
        return "tell"
    if piece.asked and not polite:
        return "inform" if _wants_offers(form, piece, draft, context) else "ask"
    if forms["show"].search(text) and (topic_of(form) in _LOOKED_UP or (context.offers_shown and _names(draft))):
        return "ask"
    order = next((act for act in _ORDERS if acts[act].search(text)), None)
    if order in {"cancel", "drop"} and _changes(draft, order):
        return "inform"
    answer: Act | None = next((act for act in _ANSWERS if acts[act].search(text)), None)
    if (
        order
        and not (order in {"seats", "bags"} and (draft.places or draft.dates or _names(draft)))
        and not (answer and order != "drop" and (order, answer) != ("hold", "confirm"))
    ):
        return order
    if answer and not (answer == "reject" and _wishes(draft) and not acts["strong_no"].search(text)):
        return answer
    if forms["take"].search(text) and (_names(draft) or (draft.choice and draft.choice.sort)) and context.offers_shown:
        return "book"
    if draft.conversion:
        return "ask"
    if _chooses(form, draft, context):
        return "book" if context.asked == "confirm" and _takes(form, draft) else "choose"
    return _said(form, draft, piece, context)


def _in_passing(form: Form, piece: Piece, draft: Clause, context: ReadingContext) -> Act | None:
    """Return the act of what is said by the way, a courtesy or mere talk, and of a day gone back to or refused."""
    forms, acts = WORDS.patterns("acts", "forms"), WORDS.patterns("acts", "acts")
    text = form.whole
    if forms["code"].search(piece.text.lower()):
        return "chat"
    for act in _COURTESIES:
        if acts[act].search(text) and not (piece.asked and act == "bye"):
            return act
    if acts["undo"].search(text) and not (_has_values(draft) or _names(draft)):
        return "undo"
    back = context.goes_back(draft.dates) and bool(forms["as_before"].search(text))
    if forms["talk"].search(text) and not back:
        return "chat"
    if forms["later"].search(text) or (forms["memory"].search(text) and not acts["drop"].search(text)):
        return "tell"
    unfit = bool(draft.dates and not draft.places and forms["unfit"].search(text))
    if (back or unfit) and not piece.asked:
        return "inform" if back else "reject"  # a day as before, or one that does not suit
    return None


def _changes(draft: Clause, order: Act) -> bool:
    """Return whether an order takes back no part: "no flights before 10", "scrap that, four of us" (a late change)."""
    if order == "drop" and draft.wishes.is_timed:
        return True
    return bool(draft.party and draft.choice and draft.choice.that)


def _said(form: Form, draft: Clause, piece: Piece, context: ReadingContext) -> Act:
    """Return the act of a clause that orders and answers nothing."""
    forms, acts = WORDS.patterns("acts", "forms"), WORDS.patterns("acts", "acts")
    if acts["complain"].search(form.whole):
        return "complain"
    told = forms["self"].search(form.whole) or forms["past"].search(form.whole)
    if context.trip_open and draft.dates and forms["reported"].search(form.whole):
        return "inform"  # "my wife says a day later"
    if (forms["wants"].search(form.whole) and _searches(draft)) or (_route(draft) and draft.dates):
        return "inform"
    if told or (forms["third_person"].search(form.whole) and not _comes(draft)):
        return "tell"
    wished = context.trip_open and draft.wishes != Wishes() and not draft.places
    if forms["liking"].search(form.whole) and not (draft.dates or wished or _names(draft)):
        return "tell"
    if _has_values(draft):
        return "tell" if forms["lasting"].search(form.whole) and not _searches(draft) else "inform"
    if piece.asked or (topic_of(form) in _FILED and len(form.whole.split()) <= _FEW):
        return "ask"
    return "tell" if forms["first_person"].search(form.whole) else "chat"


def _route(draft: Clause) -> bool:
    """Return True for a clause that says from where to where, or where and when."""
    roles = {place.role for place in draft.places}
    day = draft.dates and (draft.dates.start or draft.dates.window)
    return {"origin", "destination"} <= roles or bool("destination" in roles and day and draft.kinds)


def _searches(draft: Clause) -> bool:
    """Return True for a clause with days, places or people: it is about a search."""
    when = draft.dates
    return bool(draft.places or draft.party or (when and (when.start or when.end or when.window or when.nights)))


def _has_values(draft: Clause) -> bool:
    return bool(_searches(draft) or draft.dates or draft.kinds or draft.wishes != Wishes())


def _wants_offers(form: Form, piece: Piece, draft: Clause, context: ReadingContext) -> bool:
    """Return True for a question that asks for offers ("any hotels in Rome?") and for none about those at hand."""
    if draft.conversion or not _has_values(draft) or topic_of(form) in _NOT_OF_OFFERS:
        return False
    if _route(draft) and topic_of(form) in _OF_OFFERS:
        return True
    every = draft.choice is not None and draft.choice.every
    if _asks_of_shown(form, draft, context) or (context.offers_shown and every and not draft.dates):
        return False
    if piece.formed:
        return bool(WORDS.patterns("acts", "forms")["offers"].search(form.whole)) and not _names(draft)
    wishes = replace(draft.wishes, features=(), requests=())
    told = draft.kinds and not context.offers_shown
    return bool(_searches(draft) or draft.dates or wishes != Wishes() or told) and not (
        _names(draft) and not (draft.wishes.chain or draft.wishes.airline)
    )


def _wishes(draft: Clause) -> bool:
    """Return True for a clause that says how a search is to be, beside cheaper or other."""
    when = draft.dates or Dates()
    moved = bool(when.first or when.shift_start or when.shift_end)
    return moved or _searches(draft) or replace(draft.wishes, sort=None, others=False) != Wishes()


def _comes(draft: Clause) -> bool:
    """Return True where somebody joins the journey or stays at home, or the age of a traveller is said."""
    party = draft.party
    return bool(party and (party.joins or party.leaves or party.ages or party.total or (party.adults or 0) > 1))


def _asks_of_shown(form: Form, draft: Clause, context: ReadingContext) -> bool:
    """Return True for "is there a pool?" and "is that with a bag?" while offers are shown."""
    wishes = replace(draft.wishes, features=(), requests=(), bags=None, meal=None, refundable=None)
    bare = wishes == Wishes() and not (draft.kinds or _searches(draft) or draft.dates)
    return context.offers_shown and bare and bool(WORDS.patterns("acts", "forms")["of_shown"].search(form.whole))


def _names(draft: Clause) -> bool:
    """Return True where a certain offer is named."""
    choice = draft.choice
    return bool(
        choice and (choice.ordinal is not None or choice.name or choice.hour or choice.price or choice.reference)
    )


def _chooses(form: Form, draft: Clause, context: ReadingContext) -> bool:
    """Return True where an offer is named and nothing new is asked of a search."""
    if draft.choice is None or not (context.offers_shown or context.asked in {"which", "confirm"}):
        return False
    more = WORDS.patterns("acts", "forms")["plural"].search(form.whole)
    return _names(draft) or bool(draft.choice.sort and not _searches(draft) and not more)


def _takes(form: Form, draft: Clause) -> bool:
    """Return True for a clause that names an offer and says nothing else of it: no wish, no doubt, no praise."""
    wished = replace(draft.wishes, sort=None, airline=None, chain=None, category=None) != Wishes()
    return bool(not (_searches(draft) or wished) and WORDS.patterns("acts", "forms")["taken"].search(form.left))


def signs_of(form: Form, piece: Piece, draft: Clause) -> frozenset[str]:
    """Return the signs of the act: words, pairs of words, what was read, and the act by rule."""
    words = ["<", *(stem(word) for word in form.whole.split() if word not in {",", "."}), ">"]
    found = {*words[1:-1], *(f"{one} {two}" for one, two in pairwise(words))}
    found |= {f"*took {what}" for _, _, what in form.taken} | {f"*kind {kind}" for kind in draft.kinds}
    found |= {f"*cue {act}" for act, known in WORDS.patterns("acts", "acts").items() if known.search(form.whole)}
    found |= {f"*act {draft.act}", f"*question {piece.asked} {piece.formed}"}
    if WORDS.patterns("acts", "forms")["polite"].search(form.whole):
        found.add("*polite")
    if draft.choice:
        found |= {f"*choice that {draft.choice.that}", f"*choice named {_names(draft)}"}
        found.add(f"*sort {bool(draft.choice.sort)}")
    if draft.choice or draft.kinds or WORDS.patterns("acts", "forms")["booking"].search(form.whole):
        found.add("*object")
    return frozenset(found)
