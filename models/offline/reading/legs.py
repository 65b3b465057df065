"""Cuts what tells of several journeys, or of parts in several places, and begins with the first of them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from models.offline.reading.form import Language, Piece
from models.offline.reading.understanding import Clause, Dates, ReadingContext


def onward_pieces(reader: Language, pieces: Iterable[Piece], context: ReadingContext) -> Iterator[Piece]:
    """Yield the clauses of a message, those that tell of several journeys cut into one for each."""
    for piece in pieces:
        parts = reader.legs(piece.text)
        begins = [part.strip(" ,;") for part in parts[: len(parts) > 1]] == [""]
        texts = [text for part in parts if (text := part.strip(" ,;"))]
        drafts = [reader.draft(replace(piece, text=text), context) for text in texts] if texts[1:] else []
        goals = [goal or (origin and f"from {origin}") for origin, goal in map(_ends, drafts)]
        if len({goal for goal in goals if goal}) < 2:
            yield replace(piece, onward=begins)
        else:
            yield from (replace(piece, text=text, onward=at > 0) for at, text in enumerate(texts))


def first_leg(reader: Language, clauses: Sequence[Clause], onward: Sequence[bool]) -> Sequence[Clause]:
    """Return the clauses with the way back as part of the first journey, and of several journeys only the first.

    What else is said beside the others, as who travels, holds for all of them.
    """
    moves = [at for at, clause in enumerate(clauses) if clause.act == "inform" and _ends(clause)[1]]
    if not moves or clauses[moves[0]].dates in (None, Dates()):
        return clauses
    (home, there), later = _ends(clauses[moves[0]]), list[int]()
    for at in range(moves[0] + 1, len(clauses)):
        clause, (origin, goal) = clauses[at], _ends(clauses[at])
        goal = goal or (home if origin else None)  # "and return from Naples"
        when = clause.dates or Dates()
        own = clause.act == "inform" and (when.start or when.end or (onward[at] and clause.kinds))
        goes_on = onward[at] or origin == there or (home is not None and goal == home)
        if own and ((goal and goal != there and goes_on) or (later and onward[at] and not goal)):
            later.append(at)
            there = goal or there
    if not later:
        return clauses
    first, last = clauses[moves[0]], clauses[later[0]]
    dates, back = first.dates or Dates(), last.dates or Dates()
    backs = home is None and len(later) == 1 and _ends(last)[1] and reader.homeward(last.text)
    if backs:  # "to Rome on the 3rd, back to Leeds on the 9th"
        home = _ends(last)[1]
        first = replace(first, places=(*first.places, *(replace(place, role="origin") for place in last.places)))
    if len(later) == 1 and _ends(last) in ((None, home), (_ends(first)[1], home), (_ends(first)[1], None)):
        first = replace(first, dates=replace(dates, end=dates.end or back.end or back.start))
    else:
        stays = dates.end or dates.nights or home is None
        told = tuple(clauses[at].text for at in later)
        first = replace(first, later=told, dates=dates if stays else replace(dates, one_way=True))
    first = replace(first, kinds=first.kinds or (() if home else last.kinds))
    rest = (_beside(each, first) if at in later else each for at, each in enumerate(clauses))
    return [first if at == moves[0] else each for at, each in enumerate(rest)]


def _beside(clause: Clause, first: Clause) -> Clause:
    """Return what a clause about another journey says of the first as well; of another kind of offers, who travels."""
    if clause.kinds and not {*clause.kinds} & {*first.kinds}:
        return Clause(clause.text, "inform", party=clause.party)
    return replace(clause, places=(), dates=None)


def _ends(clause: Clause) -> tuple[str | None, str | None]:
    """Return from where and to where a clause goes."""
    places = {place.role: place.name for place in clause.places if not place.either}
    return places.get("origin"), places.get("destination") or places.get("unsaid")
