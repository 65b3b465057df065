"""Divides an order of several things ("the cheapest flight and the first hotel") into one clause for each kind."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations

from models.offline.reading.form import Language, Piece
from models.offline.reading.understanding import Act, Choice, Clause, Kind, ReadingContext

ORDERS: frozenset[Act] = frozenset({"book", "hold"})
_TAKING: frozenset[Act] = frozenset({"inform", "choose", "book", "hold", "confirm"})
_POINTING = frozenset({"named", "sort", "which that", "airline", "chain"})
_WHOLE = frozenset({"which every", "which that"})
_SEARCHING = frozenset({"places", "party", "conversion", "others", "which compares"})
_KIND_OF: dict[str, Kind] = {
    "cabin": "flight", "airline": "flight", "max_stops": "flight", "chain": "hotel", "interests": "activity"
}  # fmt: skip
"""The kind of offers that a wish is about if no word names one."""


def split_choices(reader: Language, pieces: Iterable[Piece], context: ReadingContext) -> Iterator[Piece]:
    """Yield the clauses of a message; split one that chooses among the offers of several kinds, once for each kind."""
    for piece in chain.from_iterable(_by_number(reader, each, context) for each in pieces):
        drafts = _by_kind(reader, replace(piece, asked=False), context) if context.offers_shown else []
        if _are_choices([each for each in drafts if not _agrees(each)]) and _orders(reader, piece, context):
            for at, draft in enumerate(drafts):
                yield replace(piece, text=draft.text, asked=False, joined=piece.joined or at > 0)
        else:
            yield piece


def _by_number(reader: Language, piece: Piece, context: ReadingContext) -> list[Piece]:
    """Return a clause that chooses numbers of several journeys ("book number 1 and number 5") as one for each."""
    texts = reader.words.patterns("cutting")["choices"].split(piece.text) if context.journeys > 1 else []
    drafts = [reader.draft(replace(piece, text=text), context) for text in texts]
    if len(drafts) < 2 or not all("which ordinal" in each.holds for each in drafts):
        return [piece]
    return [replace(piece, text=text, joined=piece.joined or at > 0) for at, text in enumerate(texts)]


def _by_kind(reader: Language, piece: Piece, context: ReadingContext) -> list[Clause]:
    """Return the stretches of a clause that each name another kind of offers; words that name none go with a kind."""
    text, links, groups = piece.text, reader.words.patterns("cutting")["choices"], list[tuple[int, int, Clause]]()
    ends = [match.span() for match in links.finditer(text)]
    for (_, start), (end, _) in zip([(0, 0), *ends], [*ends, (len(text), 0)], strict=True) if ends else ():
        draft = reader.draft(replace(piece, text=text[start:end]), context)
        last = groups[-1][2] if groups else None
        if last and not _agrees(last) and (not kinds_of(draft) or kinds_of(last) in ((), kinds_of(draft))):
            start = groups.pop()[0]
            draft = reader.draft(replace(piece, text=text[start:end]), context)
        groups.append((start, end, draft))
    return [draft for *_, draft in groups]


def _agrees(clause: Clause) -> bool:
    """Return whether a clause is a yes that names nothing ("go on then, the cheapest flight and hotel 2")."""
    return clause.act == "confirm" and not clause.holds


def kinds_of(clause: Clause) -> tuple[Kind, ...]:
    """Return the kinds of offers that a clause names, or else the kind that its wishes imply."""
    return clause.kinds or tuple(dict.fromkeys(kind for name, kind in _KIND_OF.items() if name in clause.holds))


def _points(clause: Clause) -> bool:
    """Return whether a clause chooses one offer of a single kind, by name, number, hour, price or sort order."""
    chooses = clause.holds & _POINTING and not clause.holds & _SEARCHING
    return bool(chooses) and clause.act in _TAKING and len(kinds_of(clause)) == 1


def _are_choices(drafts: Sequence[Clause]) -> bool:
    """Return whether clauses choose offers of different kinds; "book the flight and the second hotel" chooses too."""
    of_all = any(clause.holds & {"sort", "which every"} for clause in drafts)  # "the cheapest flight and hotel"
    apart = all(not {*kinds_of(one)} & {*kinds_of(other)} for one, other in combinations(drafts, 2))
    points = [_points(clause) for clause in drafts]
    named = [
        points[at] or (clause.kinds and clause.holds == {"kinds"} and (not of_all or (not at and clause.act in ORDERS)))
        for at, clause in enumerate(drafts)
    ]
    return len(drafts) > 1 and apart and any(points) and all(named)


def _orders(reader: Language, piece: Piece, context: ReadingContext) -> bool:
    """Return whether a clause may be an order: it is no question, unless it politely orders something."""
    conditional = reader.split_condition(piece.text)
    return not conditional and reader.draft(piece, context).act in (ORDERS if piece.asked else _TAKING)


def share_order(clauses: list[Clause], context: ReadingContext) -> list[Clause]:
    """Return the clauses of a message in which an order, said once for choices of several kinds, is given to each.

    ("The cheapest flight, the first hotel. Both please".) A yes or an order that names nothing itself is part of them.
    A remark about an offer is ordered by nothing that comes after it ("the first hotel looks nice. Book the flight").
    """
    numbers = [at for at, each in enumerate(clauses) if {"which ordinal"} <= each.holds <= {"named", "which ordinal"}]
    ordered_by = [clauses[at].act for at in numbers if clauses[at].act in ORDERS]
    if context.journeys > 1 and ordered_by:
        return [replace(each, act=ordered_by[0]) if at in numbers else each for at, each in enumerate(clauses)]
    chosen, whole, ordered = list[int](), list[int](), False
    for at, clause in enumerate(clauses):
        orders = clause.act in ORDERS or clause.act == "confirm"
        whole += [at] if (orders or clause.act == "choose") and clause.holds <= _WHOLE and not clause.condition else []
        ordered = ordered or orders or (clause.bare and context.asked == "confirm")
        chosen += [at] if _points(clause) and (orders or clause.bare or (ordered and clause.act == "choose")) else []
    kinds = {kind for at in chosen for kind in kinds_of(clauses[at])}
    if len(kinds) < 2:
        return clauses
    acts = [clauses[at].act for at in sorted((*chosen, *whole))]
    answers = context.asked == "confirm" or "confirm" in acts
    act = next((each for each in acts if each in ORDERS), "book" if answers else "choose")
    shared = list(clauses)
    for at in chosen:
        clause = clauses[at]
        choice = replace(clause.choice or Choice(), sort=clause.wishes.sort, every=False)
        kept = clause.act if clause.act in ORDERS else act
        shared[at] = replace(clause, act=kept, kinds=kinds_of(clause), choice=choice if choice != Choice() else None)
    return [clause for at, clause in enumerate(shared) if at not in whole]
