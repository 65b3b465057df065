"""The Japanese reader: splits a message into clauses, and reads the values and the act of each."""

import re
from dataclasses import replace

from models.offline.en.form import form_of as english
from models.offline.ja.cutting import act_of, cut, is_of_others, is_question, split_condition
from models.offline.ja.form import WORDS, form_of
from models.offline.ja.places import read_places
from models.offline.reading.draft import OF_SHOWN, is_unreal, kinds_in, read_clause, topic_of, unread
from models.offline.reading.form import BLANK, Form, Language, Piece, is_pasted
from models.offline.reading.understanding import (
    WISHES,
    Act,
    Choice,
    Clause,
    Dates,
    Kind,
    Party,
    ReadingContext,
    Topic,
    Wishes,
)
from models.offline.reading.values.dates import read_dates
from models.offline.reading.values.wishes import read_wishes

_NO_VALUES: frozenset[Act] = frozenset({"chat", "tell", "greet", "thanks", "bye", "help", "complain", "restart"})
_CHOOSING: frozenset[Act] = frozenset({"book", "hold", "choose", "confirm", "cancel", "change", "bags", "seats"})
_MOST_LEFT = 4
"""The most unread characters besides details that may be mere connectives."""
_DAY = re.compile(r"[\d一二三四五六七八九十]")
_FIRST = re.compile("[一1]番|いちばん|最も")
"""Superlatives in names of offers that no data can rank (「一番静かなの」)."""
_LATIN = re.compile(r"[a-z][a-z -]+[a-z]")


def _draft(piece: Piece, context: ReadingContext) -> Clause:
    """Return a clause with its values, its act, its topic and its unread words."""
    form = form_of(piece.text)
    if is_pasted(piece.text, WORDS) or not form.core:
        return Clause(piece.text, "chat")
    asked = is_question(form, piece.asked)
    forms, keys = form.patterns("acts", "forms"), ("regrets",) if context.asked else ("regrets", "calls_off")
    regrets = context.settled and not asked and any(forms[key].search(form.text) for key in keys)
    act_by_words: Act | None = "undo" if regrets else act_of(form, asked)
    if act_by_words in _CHOOSING and (form.says("lasting") or (form.says("habit") and not form.says("request"))):
        act_by_words = "tell"
    if not asked and form.says("as_before") and context.goes_back(read_dates(form_of(piece.text), context)):
        act_by_words = "inform"
    elif act_by_words in _NO_VALUES and not (context.asked == "people" and act_by_words == "tell"):
        return Clause(piece.text, act_by_words)
    clause = _values(piece, form, context, asked)
    if is_of_others(form) and act_by_words not in _CHOOSING:
        aims = tuple(place for place in clause.places if place.role == "destination" and place.known)
        turns = aims and context.trip_open and form.says("prefers")  # 「妻がローマの方がいいと言うので」
        return Clause(piece.text, "inform", places=aims) if turns else Clause(piece.text, "tell")
    if is_unreal(form, clause) and not (piece.asked or form.says("request")):
        return Clause(piece.text, "tell")
    act = act_by_words or _by_values(clause, form, context)
    topic: Topic = topic_of(form) if act == "ask" else ""
    if act in ("choose", "inform") and clause.choice and clause.choice.compares:
        act = "ask"
    elif act in ("bags", "seats") and "named" in clause.holds and form.says("book", "acts"):
        act = "book"  # 「1番を窓側で予約」
    if act == "ask":
        act, topic = _question(clause, topic, form, context)
    elif clause.party and clause.party.leaves and not (clause.choice or clause.kinds):
        act = "inform"  # somebody leaves the trip; no booking is cancelled (「母はキャンセル」)
    clause = replace(clause, act=act, topic=topic, choice=_choice(clause, act, form))
    return _fitted(clause, form)


def _fitted(clause: Clause, form: Form) -> Clause:
    """Return a clause with only the values that its act allows, and with its unread words."""
    if clause.act == "tell":
        return clause
    if clause.act in _NO_VALUES:
        return Clause(clause.text, clause.act, places=clause.places)
    if clause.act == "reject":
        return Clause(clause.text, clause.act, clause.kinds, choice=clause.choice)
    if clause.act == "ask":
        aside = clause.topic == "" and _is_aside(clause, form)
        clause = replace(clause, dates=None, party=None) if aside else clause
        kept = Wishes(features=clause.wishes.features, parts=clause.wishes.parts)
        named = kept if form.asks("no_wish", clause.topic) else clause.wishes
        return replace(clause, wishes=named, unread=())
    travels = {"origin", "destination"} <= {place.role for place in clause.places}
    kinds: tuple[Kind, ...] = ("flight",) if travels else ()
    wished = clause.act in ("inform", "book", "choose", "change", "hold")
    return replace(clause, kinds=clause.kinds or kinds, unread=unread(form) if wished else clause.unread)


def _values(piece: Piece, form: Form, context: ReadingContext, asked: bool) -> Clause:
    """Return a clause with all its values; a question about things to do is about activities."""
    kinds = kinds_in(form)
    if asked and not kinds and form.says("does") and not topic_of(form):
        plays = any(each.search(form.text) for each in form.patterns("wishes", "interests").values())
        kinds = ("activity",) if plays else ()
    clause = read_clause(piece, form, kinds, context, read_places)
    clause = replace(clause, wishes=_with_borrowed(clause.wishes, form, (*kinds, context.about)))
    if clause.wishes.meal and form.says("their_diet"):
        clause = replace(clause, wishes=replace(clause.wishes, meal=None))
    if clause.wishes.parts and "insurance" in kinds:
        clause = replace(clause, kinds=tuple(kind for kind in kinds if kind != "car"))
    return clause


def _with_borrowed(wishes: Wishes, form: Form, kinds: tuple[Kind | None, ...]) -> Wishes:
    """Return the wishes together with those in English words in a Japanese clause (「gym付き」)."""
    for match in list(_LATIN.finditer(form.rest)):
        borrowed = read_wishes(english(match[0]), kinds, {})
        if borrowed != Wishes():
            form.blank(*match.span(), "")
            wishes = replace(borrowed, **{name: value for name in WISHES if (value := getattr(wishes, name))})
    return wishes


def _by_values(clause: Clause, form: Form, context: ReadingContext) -> Act:
    """Return the act of a clause by its values."""
    details = clause.holds & {"places", "dates", "party"}
    if clause.conversion:
        return "ask"
    if _takes(clause, form, context) and not details:
        agreed = context.asked == "confirm" and clause.choice == Choice(that=True) and form.says("decides")
        return "book" if agreed else "choose"
    asks = form.says("request") or (clause.kinds and form.says("wants"))
    if form.says("of_self") and not clause.dates and not asks:
        return "tell"
    if details and context.asked in (None, "confirm", "which") and _is_aside(clause, form):
        return "chat"
    if details or clause.holds & {"kinds", *WISHES} or clause.unread:
        return "inform"
    begun = context.trip_open or context.start or context.window
    return "inform" if (begun or form.says("planning")) and unread(form) else "chat"


def _takes(clause: Clause, form: Form, context: ReadingContext) -> bool:
    """Return whether a clause takes an offer, which it names or chooses by a sort order."""
    other = clause.holds & (WISHES - {"sort", "others", "area", "airline", "chain"})
    if clause.choice:
        return form.says("takes") or not other
    return bool(clause.wishes.sort) and context.offers_shown and form.says("takes")


def _is_aside(clause: Clause, form: Form) -> bool:
    """Return whether a day or a person is mentioned in passing, among many words unrelated to a journey."""
    when, party = clause.dates or Dates(), clause.party or Party()
    stated = replace(when, start=None, end=None, window=None, flexible_days=None, round_trip=False) != Dates()
    family = (party.adults and (party.children or party.infants)) or party.children == 0
    group = max(party.total or 0, party.adults or 0) > (1 if clause.places else 3)
    whole = group or (clause.places and clause.dates and clause.party) or party.joins or party.leaves or family
    days = any(what == "dates" and _DAY.search(form.original_at(start, end)) for start, end, what in form.taken)
    ranged = when.start and when.end and days
    sure = clause.kinds or stated or whole or ranged or any(place.role != "unsaid" for place in clause.places)
    *_, (_, end, what) = sorted(form.taken) or [(0, 0, "")]
    sure = sure or (what == "people" and bool(form.patterns("acts", "forms")["copula"].fullmatch(form.text[end:])))
    if sure or clause.holds & WISHES or form.says("travelling"):
        return False
    remaining = re.sub(rf"[{BLANK}、。]|です|ます", "", form.patterns("acts", "forms")["lead"].sub("", form.rest))
    return len(remaining) > _MOST_LEFT


def _question(clause: Clause, topic: Topic, form: Form, context: ReadingContext) -> tuple[Act, Topic]:
    """Return the act of a question and its topic: `inform` if it asks for offers, else usually `ask`."""
    if clause.conversion:
        return "ask", topic if topic == "total" else "money"
    holds, which, wishes, wants = clause.holds, form.says("which"), clause.wishes, form.says("wants")
    other = form.says("as_other")
    if context.offers_shown and not holds & {"dates", "places", "party"}:
        of_house = context.about in clause.kinds and form.says("of_shown") and holds <= {"kinds", *OF_SHOWN}
        if of_house or (which and wishes.sort):
            return "ask", topic or ("features" if of_house else "")
    offers = clause.kinds and wants and (form.asks("of_offers", topic) or "すすめ" in form.core)
    if offers and not (clause.choice or which):
        return "inform", ""
    if topic == "change_fee" and clause.choice and context.offers_shown:
        return "choose", ""
    moved = topic == "change_fee" and holds & {"dates", "party", "places", "cabin"}
    plays = holds & {"interests", "category"} and ((other and wishes.category) or wants) and not clause.choice
    if moved or plays:
        return "inform", ""
    if which and topic in ("", "best") and clause.choice and _FIRST.match(clause.choice.name):
        return "ask", ""
    if which and not (topic or wishes.sort or wishes.category):
        return "ask", "best"
    other = other and bool(clause.places)
    wanted = holds & {"dates", "party", *WISHES} or len(clause.places) > 1 or other
    of_any = form.asks("of_any", topic) if other else topic in ("", "offer", "dates")
    return ("inform", "") if of_any and wanted and (other or not _is_aside(clause, form)) else ("ask", topic)


def _choice(clause: Clause, act: Act, form: Form) -> Choice | None:
    """Return the choice with its sort order (「一番安いのを予約」), or one of all offers (「朝食付きはどれ」)."""
    if clause.wishes.sort and (act in _CHOOSING or (act == "ask" and form.says("which"))):
        return replace(clause.choice or Choice(), sort=clause.wishes.sort, that=False)
    if act == "ask" and clause.choice and _FIRST.match(clause.choice.name):
        return Choice(every=True)
    lists = act == "ask" and not clause.choice and form.says("which_one") and form.asks("of_each", topic_of(form))
    return Choice(every=True) if lists else clause.choice


READER = Language(WORDS, form_of, cut, _draft, split_condition)
