"""Reads one message: detects its language, splits it into clauses, and decides the act of each."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from importlib import import_module

from models.offline.reading.acts import judged
from models.offline.reading.draft import without_kept
from models.offline.reading.form import Language, Piece, ends_of, is_pasted, language_of, split_journeys, split_parties
from models.offline.reading.joining import ORDERS, continue_order, merge
from models.offline.reading.orders import share_order, split_choices
from models.offline.reading.understanding import (
    Choice,
    Clause,
    Condition,
    Dates,
    Place,
    ReadingContext,
    Slot,
    Understanding,
)
from text.words import is_japanese

_READ = frozenset({"en", "ja"})
_TALK = frozenset({"chat", "greet", "thanks", "bye", "help", "complain"})
_DECISIONS = ORDERS | {"confirm", "reject", "drop", "change", "restart"}
"""Acts after which chatter is an echo without an act of its own ("yes, that's right")."""
_CONDITIONAL = ORDERS | {"choose", "confirm", "change"}
"""Acts that may depend on a condition."""
_ANSWERED: dict[Slot | None, str] = {
    "origin": "places", "destination": "places", "dates": "dates", "end": "dates", "people": "party",
}  # fmt: skip
"""The value that a clause must hold to answer each question."""
_VIEWS = frozenset({"kinds", "airline", "chain", "without"})


@lru_cache(maxsize=4096)
def read(said: str, context: ReadingContext, language: str = "en") -> Understanding:
    """Return the reading of a message; `language` is that of the conversation, used if the words do not show one.

    Each clause is read in the context of the dates of those before it ("out on the 3rd. Home a week later").
    """
    code = language_of(said, language)
    if code not in _READ:
        return Understanding(code, readable=False)
    reader = reader_of(code)
    clauses: list[Clause] = []
    onward: list[bool] = []
    mentioned: list[Place] = []
    began, about = context.trip_open, context.about
    pieces = split_choices(reader, split_parties(reader, reader.pieces(said), context), context)
    for piece in split_journeys(reader, pieces, context):
        context = replace(context, about=about) if piece.joined else context
        draft = _conditional(reader, piece, context) or reader.draft(piece, context)
        echoes = draft.act == "chat" and clauses and clauses[-1].act in _DECISIONS
        keeps = echoes or is_pasted(piece.text, reader.words)
        clause = _normalised(draft if keeps else judged(piece, draft, context), context)
        mentioned += [place for place in draft.places if place.role != "origin" and clause.act in ("tell", "chat")]
        if clauses:
            clause = continue_order(clauses[-1], clause, joined=piece.joined)
        clause = without_kept(reader.form_of(clause.text), clause) if clause.act == "cancel" else clause
        if clauses and (merged := merge(clauses[-1], clause)):
            clause, clauses, onward = merged, clauses[:-1], onward[:-1]
        clauses.append(replace(clause, otherwise=piece.otherwise))
        onward.append(piece.onward)
        context = _next_context(context, clause)
        if draft.dates and draft.dates.start and not (clause.dates or context.start or context.window):
            context = replace(context, window=(draft.dates.start, draft.dates.start))  # "mom turns 70 on 20 March"
    clauses = _without_views(reader, _with_destinations(reader, _with_alternatives(said, clauses), context))
    clauses = share_order(clauses, context) if context.offers_shown else clauses
    result = _undo_as_cancel(clauses) if context.settled else _with_legs(reader, clauses, onward)
    if mentioned and not began:
        result = _towards(mentioned, result, hosts=reader.form_of(said).says("hosts"))
    joins = any(each.party and each.party.joins for each in result)  # if so, whoever leaves is subtracted first
    return Understanding(code, tuple(sorted(result, key=lambda each: not (joins and each.party and each.party.leaves))))


def _with_alternatives(said: str, clauses: list[Clause]) -> list[Clause]:
    """Return the clauses with places that are each asked about by name alone ("Lisbon? Seville?") as alternatives."""
    joined = clauses[:1]
    for clause in clauses[1:]:
        before = joined[-1]
        between = said.partition(before.text)[2].partition(clause.text)[0].strip()
        named = before.bare and clause.bare and before.holds == clause.holds == {"places"}
        if named and between in {"?", "？"}:
            places = tuple(replace(place, either=True) for place in (*before.places, *clause.places))
            joined[-1] = replace(before, text=f"{before.text}{between} {clause.text}", act="inform", places=places)
        else:
            joined.append(clause)
    return joined


def _with_destinations(reader: Language, clauses: list[Clause], context: ReadingContext) -> list[Clause]:
    """Return the clauses of an answer to "from where?"; beside one that says "from", the others name destinations."""
    leaving = [at for at, each in enumerate(clauses) if "origin" in {place.role for place in each.places}]
    if context.asked == "origin" and len(leaving) > 1:
        drafts = [reader.draft(Piece(each.text), replace(context, asked=None)) for each in clauses]
        with_word = [at for at in leaving if "origin" in {place.role for place in drafts[at].places}]
        for at in {*leaving} - {*with_word} if with_word else ():
            aims = (replace(place, role="destination") for place in clauses[at].places)
            clauses[at] = replace(clauses[at], places=tuple(aims))
    return clauses


def _without_views(reader: Language, clauses: Sequence[Clause]) -> list[Clause]:
    """Return the clauses with a dislike that the traveller doesn't share as statements ("... but I'm fine with it")."""
    stated = list(clauses)
    for at, clause in enumerate(clauses):
        names, last = clause.holds & _VIEWS and clause.holds <= _VIEWS, stated[at - 1] if at else clause
        viewed = reader.form_of(last.text).says("dislikes") if last.act == "tell" else last.act == "inform"
        viewed = viewed and last.holds <= _VIEWS and clause.holds <= {"which that"}
        if (names or (at and viewed)) and reader.form_of(clause.text).says("concedes"):
            since = at if names else at - 1
            stated[since : at + 1] = (Clause(each.text, "tell") for each in clauses[since : at + 1])
    return stated


def _with_legs(reader: Language, clauses: Sequence[Clause], onward: Sequence[bool]) -> Sequence[Clause]:
    """Return the clauses with the way back merged into the first journey, or with those of later journeys as legs.

    Who travels on a leg, travels on all; other details in clauses of their own apply to all journeys as well.
    """
    moves = [at for at, clause in enumerate(clauses) if clause.act == "inform" and ends_of(clause)[1]]
    if not moves or clauses[moves[0]].dates in (None, Dates()):
        return clauses
    (home, there), later, ends = ends_of(clauses[moves[0]]), list[int](), False
    for at in range(moves[0] + 1, len(clauses)):
        clause, (origin, goal) = clauses[at], ends_of(clauses[at])
        goal = goal or (home if origin else None)  # "and return from Naples"
        when = clause.dates or Dates()
        ends = ends or bool((clauses[at - 1].dates or Dates()).end)
        own = clause.act == "inform" and (when.start or when.end or (onward[at] and (clause.kinds or ends)))
        goes_on = onward[at] or origin == there or (home is not None and goal == home)
        if own and ((goal and goal != there and goes_on) or (later and onward[at] and not goal)):
            later.append(at)
            there = goal or there
    if not later:
        return clauses
    first, last = clauses[moves[0]], clauses[later[0]]
    dates, back = first.dates or Dates(), last.dates or Dates()
    homeward = reader.words.patterns("cutting")["homeward"].match(last.text)
    if home is None and len(later) == 1 and ends_of(last)[1] and homeward:  # "to Rome, back to Leeds on the 9th"
        home = ends_of(last)[1]
        first = replace(first, places=(*first.places, *(replace(place, role="origin") for place in last.places)))
    returns = len(later) == 1 and ends_of(last) in ((None, home), (ends_of(first)[1], home), (ends_of(first)[1], None))
    if returns:
        first = replace(first, dates=replace(dates, end=dates.end or back.end or back.start))
    elif not (dates.end or dates.nights or home is None):
        first = replace(first, dates=replace(dates, one_way=True))
    first, rest = replace(first, kinds=first.kinds or (() if home else last.kinds)), list[Clause]()
    for at, each in enumerate(clauses):
        beside = replace(each, places=(), dates=None) if returns else Clause(each.text, "inform", party=each.party)
        legs = (beside, replace(each, party=None, onward=True)) if at in later and not returns else (beside,)
        rest += (first,) if at == moves[0] else legs if at in later else (each,)
    return rest


def _undo_as_cancel(clauses: Sequence[Clause]) -> Sequence[Clause]:
    """Return the clauses of a message after a booking; one that only undoes ("I changed my mind") cancels it."""
    backs = [clause for clause in clauses if clause.act == "undo"]
    others = {clause.act for clause in clauses} - {"undo", "reject", *_TALK, "tell"}
    kinds = tuple(dict.fromkeys(kind for clause in backs for kind in clause.kinds))
    return [replace(backs[-1], act="cancel", kinds=kinds)] if backs and not others else clauses


def _conditional(reader: Language, piece: Piece, context: ReadingContext) -> Clause | None:
    """Return an order about the offers shown with its condition; None for any other clause."""
    parts = reader.split_condition(piece.text) if context.offers_shown else None
    if parts is None:
        return None
    order_text, condition_text, unless = parts
    order = reader.draft(replace(piece, text=order_text), replace(context, asked=context.asked or "confirm"))
    condition = Condition(reader.draft(Piece(condition_text), context), unless)
    return replace(order, condition=condition) if order.act in _CONDITIONAL else None


def _towards(mentioned: Sequence[Place], clauses: Sequence[Clause], *, hosts: bool) -> Sequence[Clause]:
    """Return the clauses of a first message; without any destination, the first search goes to a `mentioned` place.

    ("My mate has his stag in Vilnius. Fly from London on the 7th".) A visitor whom the traveller `hosts` starts there.
    """
    roles = {place.role for clause in clauses if clause.act != "chat" for place in clause.places}
    place = mentioned[-1]
    if roles - {"origin"}:
        if "origin" in roles or not hosts or {*mentioned} != {place}:
            return clauses
        place = replace(place, role="origin")
    of_search = (at for at, clause in enumerate(clauses) if clause.act == "inform")
    if (at := next(of_search, None)) is None:
        return clauses
    aimed = replace(clauses[at], places=(*clauses[at].places, place))
    return [*clauses[:at], aimed, *clauses[at + 1 :]]


@lru_cache(maxsize=4096)
def read_values(text: str, context: ReadingContext) -> tuple[Clause, ...]:
    """Return the clauses of a remembered note with all their values, whatever their acts."""
    code = language_of(text)
    reader = reader_of(code) if code in _READ else None
    return tuple(reader.draft(piece, context) for piece in reader.pieces(text)) if reader else ()


def is_dreamt(text: str) -> bool:
    """Return whether a text is hypothetical ("if I get promoted I'll fly business")."""
    code = language_of(text)
    return code in _READ and reader_of(code).form_of(text).says("unreal")


def may_count_people(text: str) -> bool:
    """Return whether a text has a number that may count people, other than one of kilos or hours."""
    form = reader_of("ja" if is_japanese(text) else "en").form_of(text)
    return bool(form.patterns("people", "cues")["uncounted"].search(form.text))


def _normalised(clause: Clause, context: ReadingContext) -> Clause:
    """Return a clause with the values that its act allows: small talk has none, a search has no choice of an offer."""
    if clause.act in {*_TALK, "tell"} and _answers(clause, context):
        return replace(clause, act="inform")
    if clause.act in _TALK:
        aims = [each for each in clause.places if each.known and each.role != "origin"]
        aims = [each for each in aims if f"{each.said}の" not in clause.text]  # 「パリの写真見てうっとり」
        if clause.act != "chat" or not context.offers_shown:
            return Clause(clause.text, clause.act)
        both = clause.choice if clause.choice == Choice(every=True) else None  # "yes please dear, both"
        return Clause(clause.text, clause.act, places=tuple(aims), choice=both)
    if clause.act == "confirm" and clause.kinds and not context.offers_shown:
        return replace(clause, act="inform")  # "a hotel please": no offer is there to say yes to
    if clause.act == "tell":
        origin = tuple(place for place in clause.places if place.role == "origin")
        return Clause(clause.text, "tell", places=origin)
    if clause.act == "ask":  # "with cancellation as well?", of what an insurance covers
        return replace(clause, unread=(), topic="insurance" if clause.wishes.parts else clause.topic)
    if clause.act == "change" and clause.wishes.seat and not clause.holds & {"places", "dates"}:
        clause = replace(clause, act="seats")  # "change my seat to aisle": the flight stays
    if clause.act in ORDERS and clause.wishes.cabin and not clause.kinds:
        clause = replace(clause, kinds=("flight",))  # "book the cheapest coach one"
    if clause.one_way:  # "take the latest flight back" chooses no offer
        clause = replace(clause, act="inform" if clause.act in ("book", "hold", "choose") else clause.act, choice=None)
    if (when := clause.dates) and when.one_way and not when.start:
        clause = replace(clause, dates=replace(when, start=when.end, end=None))  # "I fly home on 20 December, one way"
    choice, roles = clause.choice, {place.role for place in clause.places}
    if clause.kinds not in ((), ("car",)) and {"origin", "destination"} <= roles and "flight" not in clause.kinds:
        clause = replace(clause, kinds=("flight", *clause.kinds))  # "Brussels to Fes, with a nice hotel"
    every = choice is not None and choice.every and not (clause.wishes.sort or clause.wishes.bags)
    either = any(place.either or place.others for place in clause.places)  # "compare Porto or Faro"
    pointless = not context.offers_shown or every
    if clause.act in ("inform", "drop") and choice and not either and (pointless or choice.that):
        choice = None
    return replace(clause, topic="", choice=choice)


def _answers(clause: Clause, context: ReadingContext) -> bool:
    """Return whether a clause holds the value that was asked for, and so is an answer whatever its act seems to be."""
    if context.asked in _ANSWERED:
        return _ANSWERED[context.asked] in clause.holds
    return context.offers_shown and bool(clause.wishes.bags)


def reader_of(code: str) -> Language:
    """Return the reader of a language by its code, `en` or `ja`."""
    reader: Language = import_module(f"models.offline.{code}.reader").READER
    return reader


def _next_context(context: ReadingContext, clause: Clause) -> ReadingContext:
    """Return the context in which the next clause is read."""
    about = clause.kinds[-1] if clause.kinds else context.about
    when = clause.dates
    if when is None:
        return replace(context, about=about)
    start, end = when.start or context.start, when.end or context.end
    asked = "end" if when.shift_end and not (when.shift_start or when.start) else context.asked
    return replace(context, asked=asked, about=about, start=start, end=end, window=when.window or context.window)
