"""Reads English: cuts a message into clauses, and reads the values and the act of each.

A message is cut at the ends of sentences, and where another act begins; never inside a value.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

from models.offline.en.acts import act_of, is_pasted
from models.offline.en.form import WORDS, form_of
from models.offline.en.places import read_places
from models.offline.reading.draft import is_unreal, kinds_in, read_clause, topic_of, unread
from models.offline.reading.form import Form, Language, Piece
from models.offline.reading.understanding import Clause, Dates, ReadingContext
from models.offline.reading.values.names import companies

_HOURS = frozenset({"depart_after", "depart_before", "return_after", "return_before"})


def _pieces(said: str) -> Sequence[Piece]:
    """Return the clauses of a message in their order, each with whether it asks; thanks are one ("good. thanks")."""
    if form_of(said).says("thanks", "acts"):
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
        if match and (known["courtesy"].fullmatch(text) or len(text) < 3):
            continue
        if match and known["waits"].match(text) and not match["otherwise"]:
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
    hung = known["if_last"].match(sentence)
    if hung and hung.end("order") <= match.end():
        return None  # "yes, but only if it has a bag"
    if known["echo"].fullmatch(rest):
        return ([Piece(sentence.strip())], "") if not mark else None
    asks = (
        mark or known["question"].match(rest) or known["how"].search(rest) or known["if_only"].match(rest)
    ) and not match["word"].lower().startswith("n")
    return ([] if asks else [Piece(sentence[: match.end()].strip(" ,;:-"))]), rest


def _draft(piece: Piece, context: ReadingContext) -> Clause:
    """Return a clause with its values, and the act by plain rules."""
    form = form_of(piece.text)
    if context.asked is None and form.says("greet", "acts"):
        return Clause(piece.text, "greet")  # it holds nothing else
    clause = read_clause(piece, form, kinds_in(form), context, read_places)
    topic, dates = topic_of(form), clause.dates
    if _is_aside(form, clause, context) and not (context.goes_back(dates) and form.says("as_before")):
        return Clause(piece.text, "tell", dates=dates if dates and dates.start else None)
    if is_unreal(form, clause) and not piece.asked:
        return Clause(piece.text, "tell")
    missed = unread(form)
    if dates and (open_days := _either_days(form)):
        words, ends = open_days
        left = replace(dates, end=None, nights=None) if ends else replace(dates, start=None, end=None, window=None)
        dates = left if left != Dates() else None
        clause = replace(clause, dates=dates, either=(words,))
    doubtful = [form.own(*match.span()) for match in form.patterns("dates", "doubt")["day"].finditer(form.left)]
    if doubtful and dates and (dates.start or dates.end):  # beside days that no reader took those read are in doubt
        clause, missed = replace(clause, dates=None), (*missed, *doubtful)
    elif _is_of_no_journey(form, clause, context):
        clause = replace(clause, dates=None)
    act = act_of(form, piece, clause, context)
    if act == "tell" and form.says("third_person") and context.asked in {"origin", "destination"}:
        clause = replace(clause, places=())  # "my late father loved Lisbon" answers nothing
    if act == "chat" and missed and context.trip_open:
        act = "inform"
    return replace(clause, act=act, topic=topic, unread=missed)


def _is_aside(form: Form, clause: Clause, context: ReadingContext) -> bool:
    """Return whether a day is named in passing, beside words of no journey ("my client wants a call on friday")."""
    when = clause.dates
    turns = when and when.start and form.says("birthday") and not (clause.places or clause.kinds)
    if turns and context.trip_open and context.asked not in {"dates", "end"}:
        return True  # "my daughter turns 8 on 2 January"
    if when is None or context.asked in {"dates", "end"} or replace(when, start=None, window=None) != Dates():
        return False
    if clause.holds - {"dates", "days", "which every", "which that", *_HOURS} or form.patterns("acts", "forms")[
        "planning"
    ].search(form.left):
        return False
    empty = form.patterns("acts", "forms")["no_wish"]
    return len({word for word in form.left.split() if word.isalpha() and not empty.search(word)}) > 1


def _is_of_no_journey(form: Form, clause: Clause, context: ReadingContext) -> bool:
    """Return whether a day is one of a life and of no journey ("she turns two in may", "the dog was sick today")."""
    when, places, party = clause.dates, clause.places, clause.party
    if when is None:
        return False
    near = (Dates(context.today), Dates(context.today + timedelta(days=1)))
    leaves = places or clause.kinds or party or context.asked in {"dates", "end"} or form.says("goes")
    birthday = when.window and not (when.start or places or clause.kinds) and form.says("birthday")
    turns_two = party and party.ages and not places and when == Dates(window=when.window)
    return bool(turns_two or birthday or (when in near and not leaves))


def _either_days(form: Form) -> tuple[str, bool] | None:
    """Return the words for two days or months to choose between, and whether they end what a day before them begins."""
    spans = sorted((start, end) for start, end, what in form.taken if what == "dates")
    for (start, end), (after, last) in pairwise([*spans, (len(form.whole), len(form.whole))]):
        if form.patterns("dates", "links")["either"].fullmatch(form.whole[end:after]):
            return form.own(start, last), any(other < start for other, _ in spans)
        if match := form.patterns("dates", "links")["either_month"].match(form.whole, end):
            return form.own(start, match.end()), any(other < start for other, _ in spans)
    nights = form.patterns("dates", "links")["either_nights"].search(form.whole)
    return (form.own(*nights.span()), True) if nights else None


def _hung(text: str) -> tuple[str, str, bool] | None:
    known = WORDS.patterns("cutting")
    match = known["if_first"].match(text) or known["if_last"].match(text)
    return (match["order"], match["condition"], bool(match["unless"])) if match else None


READER = Language(_pieces, _draft, is_pasted, lambda text: WORDS.patterns("cutting")["leg"].split(text), _hung)
