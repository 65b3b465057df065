"""Reads English: cuts a message into clauses, and reads the values and the act of each.

A message is cut at the ends of sentences, and where another act begins; never inside a value.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from models.offline.en.acts import act_of, kinds_in, signs_of, topic_of
from models.offline.en.form import WORDS, form_of
from models.offline.en.places import read_places
from models.offline.reading.form import BLANK, Form, Language, Piece
from models.offline.reading.understanding import Clause, Conversion, Dates, Party, ReadingContext, Wishes
from models.offline.reading.values.dates import read_dates
from models.offline.reading.values.names import companies, company_in
from models.offline.reading.values.offers import less_refused, read_choice
from models.offline.reading.values.people import read_party
from models.offline.reading.values.wishes import read_hours, read_money, read_sum, read_wishes


def _says(key: str, words: str) -> re.Match[str] | None:
    """Return where words are of the kind `key` of the table of acts."""
    return WORDS.patterns("acts", "forms")[key].search(words)


def _empty() -> frozenset[str]:
    """Return words that tell nothing by themselves."""
    return frozenset(WORDS.table("acts")["plain"]["empty"])


def _pieces(said: str) -> Sequence[Piece]:
    """Return the clauses of a message in their order, each with whether it asks; thanks are one ("good. thanks")."""
    if WORDS.patterns("acts", "acts")["thanks"].search(form_of(said).whole):
        return [Piece(said)]
    pieces: list[Piece] = []
    at = 0
    for match in [*WORDS.patterns("cutting")["sentence"].finditer(said), None]:
        sentence = said[at : match.start() if match else len(said)]
        pieces += _clauses(sentence, bool(match and "?" in match[0]))
        at = match.end() if match else at
    return pieces


def _clauses(sentence: str, mark: bool) -> list[Piece]:
    known, found, at, link = WORDS.patterns("cutting"), list[Piece](), 0, ""
    if answer := _answer(sentence, mark):
        found, sentence = answer
    for match in [*known["within"].finditer(sentence), None]:
        text = sentence[at : match.start() if match else len(sentence)].strip(" ,;:-")
        if match and len(text.split()) < 2 and (known["courtesy"].fullmatch(text) or len(text) < 3):
            continue
        if match and known["waits"].match(text):
            continue
        if text.strip(" .,;:-()!\"'"):
            formed = bool(known["question"].match(text) or known["how"].search(text))
            last = match is None
            found.append(Piece(text, formed or (mark and last), formed, "joined" in link, "otherwise" in link))
        link = next((key for key, value in match.groupdict().items() if value), "") if match else ""
        at = match.end() if match else at
    return found


def _answer(sentence: str, mark: bool) -> tuple[list[Piece], str] | None:
    """Return a yes or no that a sentence begins with, and the rest of it; None where it is no answer.

    Before a question or a condition a yes is none ("yeah, how much is it?", "yes but with a bag").
    """
    known = WORDS.patterns("cutting")
    match = known["answer"].match(sentence)
    if not match or known["no_answer"].match(sentence[match.start("word") :]):
        return None
    rest = sentence[match.end() :]
    if match[0].endswith("no ") and any(each.match(rest) for _, each in companies()):
        return None  # "no Ryanair please" answers nothing
    if known["echo"].fullmatch(rest):
        return ([Piece(sentence.strip())], "") if not mark else None
    asks = (
        mark or known["question"].match(rest) or known["how"].search(rest) or known["if_only"].match(rest)
    ) and not match["word"].lower().startswith("n")
    return ([] if asks else [Piece(sentence[: match.end()].strip(" ,;:-"))]), rest


def _draft(piece: Piece, context: ReadingContext) -> Clause:
    """Return a clause with its values, and the act by plain rules."""
    form = form_of(piece.text)
    if context.asked is None and WORDS.patterns("acts", "acts")["greet"].search(form.whole):
        return Clause(piece.text, "greet")  # it holds nothing else
    kinds = kinds_in(form)
    money, conversion = read_money(form) if context.asked != "ages" else (None, None)
    dates = read_dates(form, context)
    party = read_party(form, context)
    wishes = read_wishes(form, kinds or (context.about,), read_hours(form))
    if conversion is None and money is None and (bare := read_sum(form)):
        meant = _says("meant", form.whole)
        money, conversion = (None, Conversion(bare.amount, bare.currency)) if meant else (bare, None)
    wishes = replace(wishes, budget=money)
    choice = read_choice(form, _names(context, piece), wishes, _is_choosing(form))
    places = read_places(form, kinds, context)
    area = next((place.name for place in places if place.role == "area"), None)
    wishes = replace(
        wishes, area=wishes.area or area, airline=_company(piece, "airline"), chain=_company(piece, "hotel")
    )
    clause = Clause(
        piece.text, "chat", kinds, "", places, dates, party, wishes, choice, conversion,
        bool(_says("another", form.whole)),
    )  # fmt: skip
    clause = less_refused(form, clause)
    if _is_aside(form, clause, context) and not (context.goes_back(clause.dates) and _says("as_before", form.whole)):
        return Clause(piece.text, "tell", dates=dates)
    if dates and _is_of_no_journey(form, clause, context):
        clause = replace(clause, dates=None)
    unread = _unread(form)
    if dates and (dates.start or dates.end) and (doubtful := _doubtful(form)):
        clause, unread = replace(clause, dates=None), (*unread, *doubtful)
    asks_each = piece.asked and topic_of(form) == "price" and party == Party(1)
    if asks_each and context.offers_shown and not (kinds or places or dates):
        clause = replace(clause, party=None)  # "how much is it for one person?"
    act = act_of(form, piece, clause, context)
    if act == "chat" and unread and context.trip_open:
        act = "inform"
    return replace(clause, act=act, topic=topic_of(form), unread=unread)


def _is_choosing(form: Form) -> bool:
    acts = WORDS.patterns("acts", "acts")
    takes = WORDS.patterns("acts", "forms")["take"]
    return any(each.search(form.whole) for each in (acts["book"], acts["hold"], acts["cancel"], acts["choose"], takes))


def _is_aside(form: Form, clause: Clause, context: ReadingContext) -> bool:
    """Return whether a day is named in passing, beside words of no journey ("my client wants a call on friday")."""
    when, said = clause.dates, clause.wishes
    if when is None or context.asked in {"dates", "end"} or replace(when, start=None, window=None) != Dates():
        return False
    if clause.places or clause.kinds or clause.party or clause.conversion or clause.choice:
        return False
    other = replace(said, depart_after=None, depart_before=None, return_after=None, return_before=None) != Wishes()
    if other or _says("planning", form.left):
        return False
    return len({word for word in form.left.split() if word.isalpha()} - _empty()) > 1


def _is_of_no_journey(form: Form, clause: Clause, context: ReadingContext) -> bool:
    """Return whether a day is one of a life and of no journey ("she turns two in may", "the dog was sick today")."""
    when, places, party = clause.dates or Dates(), clause.places, clause.party
    near = (Dates(context.today), Dates(context.today + timedelta(days=1)))
    turns_two = party and party.ages and not places and when == Dates(window=when.window)
    birthday = when.window and not (when.start or places or clause.kinds) and _says("birthday", form.whole)
    return bool(turns_two or birthday or (when in near and not _leaves(form, clause, context)))


def _signs(piece: Piece, draft: Clause) -> frozenset[str]:
    return signs_of(form_of(piece.text), piece, draft)


def _doubtful(form: Form) -> tuple[str, ...]:
    """Return the traveller's words for days and months that no reader took: beside them the days read are in doubt."""
    return tuple(form.own(*match.span()) for match in form.patterns("dates", "doubt")["day"].finditer(form.left))


def _unread(form: Form) -> tuple[str, ...]:
    """Return the traveller's words after "with", "near" and the like, and numbers, that no reader took."""
    found: list[tuple[int, int]] = []
    for known in form.patterns("acts", "unread").values():
        for match in known.finditer(form.left):
            start, end = match.span("what")
            telling = set() if _is_kind(match["what"]) else set(match["what"].split()) - _empty()
            if telling and BLANK not in match["what"] and all(end <= other[0] or start >= other[1] for other in found):
                found.append((start, end))
    return tuple(form.own(start, end) for start, end in sorted(found))


def _is_kind(words: str) -> bool:
    """Return whether words are nothing but the name of what is looked for ("with a nice hotel")."""
    return any(known.fullmatch(words.strip()) for known in WORDS.patterns("acts", "kinds").values())


def _leaves(form: Form, clause: Clause, context: ReadingContext) -> bool:
    """Return whether a clause that says "today" or "tomorrow" is of a journey."""
    named = clause.places or clause.kinds or clause.party or context.asked in {"dates", "end"}
    return bool(named or _says("goes", form.whole))


def _names(context: ReadingContext, piece: Piece) -> tuple[str, ...]:
    """Return the names that an offer may be called by: those shown, and the company that "the easyJet one" names."""
    companies = [found.name for kind in ("airline", "hotel", "car") if (found := company_in(piece.text, kind))]
    if not _says("the_one", piece.text) or any(one in name for one in companies for name in context.names):
        return context.names
    return (*context.names, *companies)


def _company(piece: Piece, kind: str) -> str | None:
    found = company_in(piece.text, kind)
    return found.name if found else None


READER = Language(_pieces, _draft, _signs, weights=Path(__file__).parent / "words" / "acts.npz")
