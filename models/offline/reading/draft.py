"""Reads the values of a clause in either language: kinds of offers, dates, people, wishes, choices and places."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import timedelta
from itertools import chain, pairwise
from typing import get_args

from models.offline.reading.form import BLANK, Form, Piece
from models.offline.reading.understanding import (
    Choice,
    Clause,
    Conversion,
    Dates,
    Kind,
    Money,
    Party,
    Place,
    ReadingContext,
    Topic,
    Wishes,
)
from models.offline.reading.values.dates import read_dates
from models.offline.reading.values.hours import APPOINTMENT, ELSEWHERE, around, read_hours
from models.offline.reading.values.names import companies_in
from models.offline.reading.values.offers import read_choice, read_leg, without_refused
from models.offline.reading.values.people import read_party, read_stranger
from models.offline.reading.values.wishes import (
    read_money,
    read_one_way,
    read_passed_on,
    read_seats_for,
    read_sum,
    read_wishes,
)

OF_SHOWN = frozenset({"features", "requests", "bags", "meal", "refundable"})
"""Wishes that may also be a question about an offer shown ("is that with a bag?")."""
_STRETCH = re.compile(r"[,;.、]| and ")
_ANYBODY = (Party(1), Party(children=1), Party(infants=1))
"""Parties that are not travellers if a question names nothing else ("does a child pay less?", "for one person?")."""
PlacesReader = Callable[[Form, tuple[Kind, ...], ReadingContext], tuple[tuple[Place, ...], str | None]]
"""Returns the places in the unread rest of a clause, with their roles, and an area of a city; blanks them out."""


def read_clause(
    piece: Piece, form: Form, kinds: tuple[Kind, ...], context: ReadingContext, read_places: PlacesReader
) -> Clause:
    """Return a clause with all its values and a provisional act. Each reader blanks out the words that it consumes."""
    leg, passed_on = read_leg(form, context), read_passed_on(form)
    money, conversion = read_money(form, context)
    near = replace(context, about=kinds[0] if kinds else context.about)
    dates, party = read_dates(form, near), read_party(form, near)
    wishes = read_wishes(form, kinds or (context.about,), read_hours(form, dates, context))
    dates = None if dates and _of_stay(form, dates, context) else dates
    if conversion is None and money is None and (bare := read_sum(form)):
        money, conversion = (None, Conversion(bare.amount, bare.currency)) if form.says("meant") else (bare, None)
    money = money and _of_part(money, form, kinds, context)
    companies = {kind: companies_in(piece.text, kind) for kind in ("airline", "hotel", "car")}
    choice = read_choice(form, _names(piece, form, context, chain.from_iterable(companies.values())), wishes)
    _take_unsearchable(form)
    places, area = read_places(form, kinds, context)
    party = party or (None if places or any(companies.values()) else read_stranger(form, context))
    kinds, places = _of_journey(form, kinds or (("activity",) if wishes.interests else ()), places)
    wishes = replace(
        wishes,
        requests=(*passed_on, *wishes.requests),
        budget=money,
        area=wishes.area or area,
        without=(*wishes.without, *form.refused),
        airline=tuple(dict.fromkeys((*wishes.airline, *companies["airline"]))),
        chain=wishes.chain or next(iter(companies["hotel"]), None),
    )
    choice, wishes = _picked(form, choice, wishes, context)
    if choice and choice.every and (wishes.bags or wishes.seat or wishes.meal) and form.says("extra_on"):
        kinds = ()  # "both, with a bag on the flight"
    searches = places or dates or (kinds and party == Party(1))
    anybody = party and context.asked != "people" and replace(party, ages=()) in _ANYBODY
    if piece.asked and party and (anybody or (party.family and context.offers_shown)) and not searches:
        party = None  # "the 4 year old gets a seat, right?"
    return without_refused(form, Clause(
        piece.text, "inform", kinds, "", places, dates, party, wishes, choice, conversion, bare=_is_bare(form), leg=leg,
        another=form.says("another"), unread=tuple(form.unread), seat_for=read_seats_for(form) if wishes.seat else (),
        one_way=() if context.one_way or (dates and dates.one_way) else read_one_way(form),
    ))  # fmt: skip


def _of_journey(
    form: Form, kinds: tuple[Kind, ...], places: tuple[Place, ...]
) -> tuple[tuple[Kind, ...], tuple[Place, ...]]:
    """Return kinds and places: "Oslo to Nice, and a car" needs a flight too, "driving there from Oslo" needs none."""
    roles, kinds = {place.role for place in places}, (*kinds, "flight") if form.refused else kinds
    if kinds == ("car",) and "origin" in roles and len(roles) > 1 and form.says("car_too"):
        kinds = ("flight", "car")
    if not {"flight", "car"} & {*kinds} and form.says("overland"):
        places = tuple(place for place in places if place.role != "origin")
    return kinds, places


def _is_bare(form: Form) -> bool:
    """Return whether a clause names an offer and says nothing else, and asks for none that is merely cheaper."""
    return form.says("taken", rest=True) and not form.says("relative")


def _take_unsearchable(form: Form) -> None:
    """Consume the wishes that no search takes, as unread."""
    for pattern in form.patterns("wishes", "not_searched").values():
        form.unread += [match[0] for match in form.take(pattern, "")]


def _of_stay(form: Form, dates: Dates, context: ReadingContext) -> bool:
    """Return whether the day of a clause is one of the trip on which there is an appointment, so the trip stays."""
    days = [day for day in (dates.start, dates.end) if day]
    fits = len(days) == 1 and context.start and context.start <= days[0] <= (context.end or days[0])
    return bool(fits) and form.has(APPOINTMENT)


def _of_part(money: Money, form: Form, kinds: tuple[Kind, ...], context: ReadingContext) -> Money:
    for_all = form.says("for_all")
    nightly = money.per in ("night", "person_night")
    of = _part_of_sum(form) or ("hotel" if nightly else kinds[0] if len(kinds) == 1 else None)
    of = None if for_all and len(kinds) > 1 else of  # "flight and hotel for 800 together"
    stays = "hotel" in ((of,) if of else kinds or (context.about,))
    return replace(money, per="total" if not money.per and stays and for_all else money.per, of=of)


def _picked(form: Form, choice: Choice | None, wishes: Wishes, context: ReadingContext) -> tuple[Choice | None, Wishes]:
    """Return the choice and the wishes; a choice that is really a wish ("BA or KLM", "an 8am flight") is moved."""
    hour = choice.hour if choice and not context.offers_shown else None
    if (hour and form.has(ELSEWHERE)) or (choice == Choice(that=True) and form.has(APPOINTMENT)):
        return None, wishes
    if choice and choice.name and len(wishes.airline) > 1:
        return None, wishes
    if hour:
        after, before = around(hour)
        return None, replace(wishes, depart_after=after, depart_before=before)
    return choice, wishes


def _part_of_sum(form: Form) -> Kind | None:
    """Return the kind of offers that a sum is for ("the hotel at most 120"); None if it is not exactly one."""
    start, end = next(((start, end) for start, end, what in form.taken[::-1] if what == "money"), (0, 0))
    before, after = _STRETCH.split(form.text[:start])[-1], _STRETCH.split(form.text[end:])[0]
    patterns = form.patterns("acts", "kinds")
    named = {kind for kind in get_args(Kind) for part in (before, after) if patterns[kind].search(f" {part.strip()} ")}
    return named.pop() if len(named) == 1 else None


def _names(piece: Piece, form: Form, context: ReadingContext, companies: Iterable[str]) -> tuple[str, ...]:
    """Return the names that may identify an offer: those shown, and the company in "the easyJet one"."""
    named = [*companies]
    shown = any(one in name for one in named for name in context.names)
    the_one = form.patterns("acts", "forms")["the_one"].search(piece.text)
    return context.names if shown or not the_one else (*context.names, *named)


def quiet_as_request(clause: Clause) -> Clause:
    """Return an order of a certain hotel with the wish for a quiet courtyard turned into the request "quiet room"."""
    features = tuple(each for each in clause.wishes.features if each != "quiet courtyard")
    if features == clause.wishes.features or not clause.holds & {"which ordinal", "which name"}:
        return clause
    requests = (*clause.wishes.requests, "quiet room")
    return replace(clause, wishes=replace(clause.wishes, features=features, requests=requests))


def kinds_in(form: Form) -> tuple[Kind, ...]:
    """Return the kinds of offers that a clause names, in order; "the car, not the hotel" names the car.

    A question for something on a day of the stay that only names an interest ("any jazz that Friday?") is for things
    to do.
    """
    kinds: dict[int, Kind] = {}
    without: dict[int, Kind] = {}
    for kind in get_args(Kind):
        named = form.patterns("acts", "kinds")[kind].finditer(form.text)
        if match := next((each for each in named if not _is_whereabouts(form, each)), None):
            negated = form.patterns("acts", "forms")["negates"].search(form.text[: match.start()])
            (without if negated else kinds)[match.start()] = kind
    if not (kinds or without) and form.says("things_on"):
        interests = form.patterns("wishes", "interests").values()
        return ("activity",) if any(each.search(form.text) for each in interests) else ()
    chosen = kinds or without
    return tuple(chosen[at] for at in sorted(chosen))


def _is_whereabouts(form: Form, match: re.Match[str]) -> bool:
    """Return whether a kind of offers only says where the traveller writes from ("I'm in the car, so be quick")."""
    whereabouts = form.patterns("acts", "whereabouts")
    before, after = (form.text[: match.start()], form.text[match.end() :])
    return bool(whereabouts["before"].search(before) and whereabouts["after"].match(after))


def without_kept(form: Form, clause: Clause) -> Clause:
    """Return a cancellation without the parts that its words keep; if it names no other, it is about all the others."""
    patterns, kept = form.patterns("acts", "forms"), list[Kind]()
    for kind in clause.kinds:
        match = form.patterns("acts", "kinds")[kind].search(form.text)
        start, end = match.span() if match else (0, 0)
        kept += [kind] if patterns["kept"].search(form.text[:start]) or patterns["stays"].match(form.text, end) else []
    if not kept:
        return clause
    if kept == [*clause.kinds] and not form.says("cancel", "acts"):
        return Clause(clause.text, "chat")  # 「飛行機はそのまま」, after another cancellation
    others = [kind for kind in clause.kinds if kind not in kept] or [k for k in get_args(Kind) if k not in kept]
    return replace(clause, kinds=tuple(others))


def topic_of(form: Form) -> Topic:
    """Return what a question is about; empty if unknown."""
    topics: dict[str, Topic] = {topic: topic for topic in get_args(Topic)}
    names = (topic for topic in form.patterns("acts", "topics") if form.says(topic, "topics"))
    return topics.get(next(names, "").rstrip("2"), "")


def is_unreal(form: Form, draft: Clause) -> bool:
    """Return whether a clause is hypothetical or hearsay, and names no place, day or person of a trip."""
    dated = draft.dates and (draft.dates.start or draft.dates.end or draft.dates.window)
    of_trip = dated or draft.party or draft.conversion or any(place.known for place in draft.places)
    return (form.says("unreal") or form.says("hearsay")) and not of_trip


def either_days(form: Form) -> tuple[str, bool] | None:
    """Return the words for two alternative days, months or lengths, and whether a start day comes before them."""
    links = form.patterns("dates", "links")
    spans = sorted((start, end) for start, end, what in form.taken if what == "dates")
    for (start, end), (after, last) in pairwise([*spans, (len(form.text), len(form.text))]):
        if links["either"].fullmatch(form.text[end:after]):
            return form.original_at(start, last), any(other < start for other, _ in spans)
        if match := links["either_month"].match(form.text, end):
            return form.original_at(start, match.end()), any(other < start for other, _ in spans)
    nights = links["either_nights"].search(form.text)
    return (form.original_at(*nights.span()), True) if nights else None


def unread(form: Form) -> tuple[str, ...]:
    """Return the words that look like a wish, a detail or a number, and that no reader consumed; kinds are no wish."""
    spans: list[tuple[int, int]] = []
    no_wish, kinds = form.patterns("acts", "forms")["no_wish"], form.patterns("acts", "kinds").values()
    for pattern in form.patterns("acts", "unread").values():
        for match in pattern.finditer(form.rest):
            start, end = match.span("what")
            words = match["what"].strip()
            if not (BLANK in words or no_wish.search(words) or any(each.fullmatch(words) for each in kinds)):
                spans += [(start, end)] if all(end <= other[0] or start >= other[1] for other in spans) else []
    return (*form.unread, *(form.original_at(start, end) for start, end in sorted(spans)))


def is_unrelated_date(form: Form, clause: Clause, context: ReadingContext) -> bool:
    """Return whether a date has nothing to do with travel ("she turns two in may", "the dog was sick today")."""
    when, places, party = clause.dates, clause.places, clause.party
    if when is None:
        return False
    near = {Dates(context.today), Dates(context.today + timedelta(days=1))}
    if context.start and when.window and when.window[0] <= context.today <= when.window[1]:
        near.add(Dates(window=when.window))  # "he eats no cheese this week", when the trip has its days
    goes = form.says("goes")
    lasts = context.start and when.start and not (when.end or goes) and form.says("in_days")  # "two cities in 8 days"
    leaves = places or clause.kinds or party or context.asked in {"dates", "end"} or goes
    birthday = when.window and not (when.start or places or clause.kinds) and form.says("birthday")
    turns_two = party and party.ages and not places and when == Dates(window=when.window)
    return bool(turns_two or birthday or lasts or (when in near and not leaves))
