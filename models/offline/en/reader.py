"""The English reader: splits a message into clauses, and reads the values and the act of each.

A message is split at the ends of sentences and where another act begins, never inside a value.
"""

from collections.abc import Sequence
from dataclasses import replace

from models.offline.en.form import WORDS, form_of
from models.offline.en.places import read_places
from models.offline.reading.draft import (
    OF_SHOWN,
    either_days,
    is_unreal,
    is_unrelated_date,
    kinds_in,
    quiet_as_request,
    read_clause,
    topic_of,
    unread,
)
from models.offline.reading.form import Form, Language, Piece, is_pasted, sentences
from models.offline.reading.understanding import HOURS, WISHES, Act, Clause, Dates, Party, ReadingContext
from models.offline.reading.values.hours import APPOINTMENT
from models.offline.reading.values.names import companies

_COURTESIES: tuple[Act, ...] = ("bye", "thanks", "greet", "help", "restart")
_ORDERS: tuple[Act, ...] = ("drop", "hold", "cancel", "change", "book", "bags", "seats")
_ANSWERS: tuple[Act, ...] = ("confirm", "reject")
_FEW = 3
"""The most words in a clause that only names something to look up ("Calendar file.")."""
_EXTRAS = frozenset({"bags", "seat", "meal", "requests"})
_SEARCH = frozenset({"places", "party", "days"})
_DETAILS = frozenset({"places", "party", "dates", "kinds"}) | WISHES
_OF_OFFER = frozenset({"sort", "airline", "chain", "category"})
"""Wishes that identify an offer."""


def _pieces(said: str) -> Sequence[Piece]:
    """Return the clauses of a message in order; thanks stay one clause ("good. thanks")."""
    if form_of(said).says("thanks", "acts"):
        return [Piece(said)]
    return [piece for sentence, asked in sentences(said, WORDS) for piece in _clauses(sentence, asked)]


def _clauses(sentence: str, mark: bool) -> list[Piece]:
    patterns, pieces, at, otherwise = WORDS.patterns("cutting"), list[Piece](), 0, False
    if answer := _answer(sentence, mark):
        pieces, sentence = answer
    for match in [*patterns["within"].finditer(sentence), None]:
        text = sentence[at : match.start() if match else len(sentence)].strip(" ,;:-")
        if match and (patterns["courtesy"].fullmatch(text) or len(text) < 3):
            continue
        if match and patterns["waits"].match(text) and not match["otherwise"]:
            continue
        if text.strip(" .,;:-()!\"'"):
            formed = bool(patterns["question"].match(text) or patterns["how"].search(text))
            last = match is None
            pieces.append(Piece(text, formed or (mark and last), formed, otherwise=otherwise))
        otherwise = bool(match and match["otherwise"])
        at = match.end() if match else at
    return pieces


def _answer(sentence: str, mark: bool) -> tuple[list[Piece], str] | None:
    """Return the yes or no at the start of a sentence, and the rest of it; None if there is no answer.

    A yes before a question or a condition is dropped or no answer ("yeah, how much is it?", "yes but with a bag").
    """
    patterns = WORDS.patterns("cutting")
    match = patterns["answer"].match(sentence)
    if not match or patterns["no_answer"].match(sentence[match.start("word") :]):
        return None
    rest = sentence[match.end() :]
    if match[0].endswith("no ") and any(each.match(rest) for _, each in companies()):
        return None  # "no Ryanair please" is no answer
    condition = patterns["if_last"].match(sentence)
    if condition and condition.end("order") <= match.end():
        return None  # "yes, but only if it has a bag"
    if patterns["echo"].fullmatch(rest):
        return ([Piece(sentence.strip())], "") if not mark else None
    asks = mark or patterns["question"].match(rest) or patterns["how"].search(rest) or patterns["if_only"].match(rest)
    led_into = asks and not match["word"].lower().startswith("n")
    return ([] if led_into else [Piece(sentence[: match.end()].strip(" ,;:-"))]), rest


def _draft(piece: Piece, context: ReadingContext) -> Clause:
    """Return a clause with its values, and the act by rule."""
    form = form_of(piece.text)
    if context.asked is None and form.says("greet", "acts"):
        return Clause(piece.text, "greet")
    begun = context.trip_open or context.offers_shown or context.asked
    likes = form.says("liking") and not (begun or piece.asked or any(map(str.isdigit, form.text)))
    if likes or form.says("childhood"):  # "I'm vegetarian", "as a child I hated camping in Italy"
        return Clause(piece.text, "tell")
    clause = read_clause(piece, form, kinds_in(form), context, read_places)
    if form.says("indifferent"):  # "I have nothing against the Sofitel"
        clause = replace(clause, choice=None, wishes=replace(clause.wishes, airline=(), chain=None))
    topic, dates = topic_of(form), clause.dates
    if _is_aside(form, clause, context) and not (context.goes_back(dates) and form.says("as_before")):
        return Clause(piece.text, "tell", dates=dates if dates and dates.start and not context.start else None)
    if is_unreal(form, clause) and not piece.asked:
        return Clause(piece.text, "tell")
    missed = unread(form)
    if dates and (open_days := either_days(form)):
        words, ends = open_days
        fixed = replace(dates, end=None, nights=None) if ends else replace(dates, start=None, end=None, window=None)
        clause = replace(clause, dates=fixed if fixed != Dates() else None, either=(words,))
    if is_unrelated_date(form, clause, context):
        clause = replace(clause, dates=None)
    if clause.party and clause.party.unsure and form.says("undo", "acts"):
        clause = replace(clause, party=None)  # "scratch that, she can't make it"
    act = _act_of(form, piece, clause, context)
    if act == "tell" and form.says("third_person") and context.asked in {"origin", "destination"}:
        clause = replace(clause, places=())  # "my late father loved Lisbon" is no answer
    if act == "chat" and missed and context.trip_open:
        act = "inform"
    if act == "tell" and context.booked and (form.says("lasting") or form.says("tale")):
        return Clause(piece.text, "tell", places=clause.places)  # its other values are not about the booking
    clause = quiet_as_request(clause) if act in ("book", "choose", "hold") else clause
    return replace(clause, act=act, topic=topic, unread=missed)


def _is_aside(form: Form, clause: Clause, context: ReadingContext) -> bool:
    """Return whether a day is mentioned in passing, unrelated to a journey ("my client wants a call on friday")."""
    when = clause.dates
    turns = when and when.start and form.says("birthday") and not (clause.places or clause.kinds)
    if turns and context.trip_open and context.asked not in {"dates", "end"}:
        return True  # "my daughter turns 8 on 2 January"
    if when is None or form.has(APPOINTMENT) or context.asked in {"dates", "end"}:
        return False
    if replace(when, start=None, window=None) != Dates():
        return False
    if clause.holds - {"dates", "days", "which every", "which that", *HOURS} or form.says("planning", rest=True):
        return False
    empty = form.patterns("acts", "forms")["no_wish"]
    return len({word for word in form.rest.split() if word.isalpha() and not empty.search(word)}) > 1


def _act_of(form: Form, piece: Piece, draft: Clause, context: ReadingContext) -> Act:
    """Return the act of a clause by its words and values. A question is neither a confirmation nor an order."""
    holds, topic = draft.holds, topic_of(form)
    if passing := _in_passing(form, piece, draft, context):
        return passing
    if "without" in holds and not piece.asked:
        return "inform"
    polite = form.says("polite") and not form.says("indirect") and topic != "place" and not _of_extras(form, draft)
    own = (form.says("first_person") or holds & _EXTRAS) and not holds & {"places", "days"}
    if form.says("lasting") and not piece.asked and (own or form.says("habit")):
        return "tell"
    if piece.asked and not polite:
        return "inform" if _wants_offers(form, piece, draft, context) else "ask"
    looked_up = form.asks("looked_up", topic) and not holds & (WISHES - {"sort"})
    if form.says("show") and (looked_up or (context.offers_shown and "named" in holds)):
        return "ask"
    order = next((act for act in _ORDERS if form.says(act, "acts")), None)
    if order and form.says("tale") and not form.says("imperative"):
        return "tell"  # "the last agency had me on hold for an hour"
    if "places" in holds and form.says("cancels", rest=True):
        return "cancel"  # "I have to cancel Edinburgh"
    if order in {"cancel", "drop"} and {"party", "which that"} <= holds:
        return "inform"  # "scrap that, four of us"
    answer = next((act for act in _ANSWERS if form.says(act, "acts")), None)
    if order == "book" and topic == "calendar":
        return "ask"  # "can I get that as a calendar file"
    of_trip = order in {"seats", "bags"} and holds & {"places", "dates", "named"}
    if order and not of_trip and (not answer or order == "drop"):
        return order
    wishes = holds & (_SEARCH | WISHES - {"sort", "others"}) and not form.says("strong_no", "acts")
    if answer and not (answer == "reject" and wishes):
        return answer
    if form.says("take") and holds & {"named", "which sort"} and context.offers_shown:
        return "book"
    if draft.conversion:
        return "ask"
    if _chooses(form, draft, context):
        return "book" if context.asked == "confirm" and _takes(draft) else "choose"
    return _statement_act(form, draft, piece, context)


def _in_passing(form: Form, piece: Piece, draft: Clause, context: ReadingContext) -> Act | None:
    """Return the act of courtesies, small talk, undoing, and days that are restored or refused; None for others."""
    if is_pasted(piece.text, WORDS) or form.says("sooner"):
        return "chat"
    if courtesy := next((act for act in _COURTESIES if form.says(act, "acts")), None):
        return courtesy
    undone = form.says("undo", "acts") and not draft.holds & (_DETAILS | {"named"})
    if undone or (context.settled and form.says("regrets")):
        return "undo"  # a change of mind after a booking
    if form.says("talk"):
        return "chat"
    if form.says("later") or (form.says("memory") and not form.says("drop", "acts")):
        return "tell"
    if not piece.asked and context.goes_back(draft.dates) and form.says("as_before"):
        return "inform"  # back to an earlier day of the trip
    unfit = draft.dates and not draft.places and form.says("unfit")
    return "reject" if unfit and not piece.asked else None


def _statement_act(form: Form, draft: Clause, piece: Piece, context: ReadingContext) -> Act:
    """Return the act of a clause that is neither an order nor an answer."""
    holds, searches = draft.holds, draft.holds & _SEARCH
    travels = _route(draft) and draft.dates
    if form.says("complain", "acts") and not travels:
        return "complain"
    if context.trip_open and (searches or draft.dates) and form.says("reported"):
        return "inform"  # "my wife says a day later"
    if (draft.wishes.arrive_before or (form.has(APPOINTMENT) and draft.wishes.is_timed)) and not form.says("past"):
        return "inform"
    if (form.says("wants") and searches) or travels:
        return "inform"
    party = draft.party or Party()
    comes = party.joins or party.leaves or party.ages or party.total or (party.adults or 0) > 1
    if form.says("self") or form.says("past") or (form.says("third_person") and not comes):
        return "tell"
    wished = context.trip_open and holds & WISHES and not draft.places
    if form.says("liking") and not (wished or holds & {"dates", "named"}):
        return "tell"
    if holds & _DETAILS:
        return "tell" if form.says("lasting") and not searches else "inform"
    if piece.asked or (form.asks("filed", topic_of(form)) and len(form.text.split()) <= _FEW):
        return "ask"
    return "tell" if form.says("first_person") else "chat"


def _route(draft: Clause) -> bool:
    """Return whether a clause names an origin and a destination, or a destination, a day and a kind of offers."""
    roles = {place.role for place in draft.places}
    day = draft.dates and (draft.dates.start or draft.dates.window)
    return {"origin", "destination"} <= roles or bool("destination" in roles and day and draft.kinds)


def _wants_offers(form: Form, piece: Piece, draft: Clause, context: ReadingContext) -> bool:
    """Return whether a question asks for offers ("any hotels in Rome?") rather than about those shown."""
    holds, topic, offers_shown = draft.holds, topic_of(form), context.offers_shown
    detailed = holds & {"places", "party", "dates"}
    if draft.conversion or form.asks("not_of_offers", topic) or not holds & _DETAILS or _of_extras(form, draft):
        return False
    if form.asks("of_offers", topic) and (_route(draft) or any(place.either for place in draft.places)):
        return True
    of_shown = form.says("of_shown") and not (detailed or draft.kinds or holds & (WISHES - OF_SHOWN))
    if offers_shown and (of_shown or ("which every" in holds and not draft.dates)):
        return False
    wished = holds & (WISHES - {"features", "requests"})
    on_day = draft.kinds == ("activity",) and "dates" in holds and not topic  # "what can we do on the Friday?"
    wants = on_day or form.says("offers") if piece.formed else detailed or wished or (draft.kinds and not offers_shown)
    return bool(wants) and "named" not in holds


def _of_extras(form: Form, draft: Clause) -> bool:
    """Return whether a question asks the price or an opinion of an extra, not of offers ("how much is a bag?")."""
    asks = form.says("price", "topics") or form.says("best", "topics")
    return asks and bool(draft.holds & _EXTRAS) and not draft.holds & (_DETAILS - _EXTRAS - {"sort"})


def _chooses(form: Form, draft: Clause, context: ReadingContext) -> bool:
    """Return whether a clause names an offer and gives nothing new to search for."""
    holds = draft.holds
    if not (context.offers_shown or context.asked in {"which", "confirm"}):
        return context.trip_open and holds == {"which ordinal", "named"}  # the reply says that no offer is shown
    if form.says("third_person") and form.says("dislikes"):
        return False  # "my boss hates Lufthansa"
    new = holds & _SEARCH or form.says("plural")
    alone = "which that" in holds and _takes(draft)  # "that one then"
    return "named" in holds or alone or ("which sort" in holds and not new)


def _takes(draft: Clause) -> bool:
    """Return whether a clause only names an offer, without a wish, a doubt or praise."""
    return not draft.holds & (_SEARCH | WISHES - _OF_OFFER) and draft.bare


def _split_condition(text: str) -> tuple[str, str, bool] | None:
    patterns = WORDS.patterns("cutting")
    match = patterns["if_first"].match(text) or patterns["if_last"].match(text)
    return (match["order"], match["condition"], bool(match["unless"])) if match else None


READER = Language(WORDS, form_of, _pieces, _draft, _split_condition)
