"""Reads Japanese: cuts a message into clauses, and reads the values and the act of each."""

import re
from dataclasses import fields, replace
from typing import get_args

from models.offline.en.form import form_of as english
from models.offline.ja.acts import act_of, core, is_foreign, is_of_others, is_question, says, topic_of
from models.offline.ja.cutting import cut
from models.offline.ja.form import WORDS, form_of
from models.offline.ja.places import read_places
from models.offline.reading.form import BLANK, Form, Language, Piece
from models.offline.reading.understanding import Act, Choice, Clause, Dates, Kind, Party, ReadingContext, Topic, Wishes
from models.offline.reading.values.dates import read_dates
from models.offline.reading.values.offers import less_refused, read_choice
from models.offline.reading.values.people import read_party
from models.offline.reading.values.wishes import read_hours, read_money, read_wishes

_KINDS: tuple[Kind, ...] = get_args(Kind)
_NO_VALUES: frozenset[Act] = frozenset({"chat", "tell", "greet", "thanks", "bye", "help", "complain", "restart"})
_CHOOSING: frozenset[Act] = frozenset({"book", "hold", "choose", "confirm", "cancel", "change", "bags", "seats"})
_ANOTHER = re.compile(r"(?:別|もう一つ|もう1つ|次|ほか|他)の(?:旅行?(?!館)|出張|旅程)(?:で|の|は|に|を|も|な|、)")
_AS_OTHER = re.compile(r"(?:だと|だったら|なら|に(?:する|し)たら|にすると)")
_ONE_WITH = re.compile(r"(?:ところ|とこ|やつ|宿|ホテル|もの)は$")
_OF_ANY = frozenset({"", "offer", "dates", "price", "total", "cheapest", "duration"})
"""Topics of questions that are asked of a journey to anywhere (「ローマだといくら?」)."""
_WHICH = re.compile(r"どの|(?:どれ|どっち|どちら)(?!も|でも)")
_MOST_UNREAD = 3
_MOST_LEFT = 4
"""Characters beside details that may be mere joints of a sentence."""
_ASKED_OF = frozenset({"stops", "times", "rooms", "cancellation"})
"""Topics of questions whose words name no wish (「直行便ですか」)."""
_NO_DETAIL = (None, "confirm", "which")
"""What may have been asked last where a day or a person answers nothing."""
_COPULA = re.compile(r"(?:です|だ|で)?[よね]?[、。]?")
_LATIN = re.compile(r"[a-z][a-z -]+[a-z]")
_OF_OFFERS = frozenset({
    "", "best", "offer", "dates", "party", "times", "seat", "features", "breakfast", "distance", "stops", "stars",
    "rooms",
})  # fmt: skip
"""Topics that a question for offers may touch (「プール付きのホテルはある?」)."""


def _draft(piece: Piece, context: ReadingContext) -> Clause:
    """Return a clause with its values, its act, its topic and what was not read."""
    words = core(piece.text)
    if is_foreign(piece.text) or not words:
        return Clause(piece.text, "chat")
    asked = is_question(words, piece.asked)
    found = act_of(words, asked)
    if found and found[0] in _CHOOSING and says("habit", words) and not says("request", words):
        found = ("tell", "")
    said = form_of(piece.text) if context.former_days and not asked and says("as_before", words) else None
    if said and context.goes_back(read_dates(said, context)):
        found = ("inform", "")
    elif found and found[0] in _NO_VALUES:
        return Clause(piece.text, found[0], topic=found[1])
    if is_of_others(words) and not (found and found[0] in _CHOOSING):
        return Clause(piece.text, "tell")
    form = form_of(piece.text)
    clause = _values(form, piece.text, context, plays=asked and says("does", words) and not topic_of(words))
    act, topic = found or _by_values(clause, words, form, context)
    if act == "ask":
        act, topic = _question(clause, words, topic, form, context)
    elif act == "book" and clause.wishes.requests and not (clause.choice or clause.kinds):
        act = "inform"  # what is ordered is a service of the trip (「車椅子の手配をお願いします」)
    clause = replace(clause, act=act, topic=topic, choice=_choice(clause, act))
    return _fitted(clause, form, words)


def _fitted(clause: Clause, form: Form, words: str) -> Clause:
    """Return a clause with what its act can mean, and with what was not read of it."""
    if clause.act == "tell":
        return clause
    if clause.act in _NO_VALUES:
        return Clause(clause.text, clause.act)
    if clause.act == "reject":
        return Clause(clause.text, clause.act, () if says("put_off", words) else clause.kinds, choice=clause.choice)
    if clause.act == "ask":
        aside = clause.topic == "" and _is_aside(clause, form, words)
        clause = replace(clause, dates=None, party=None) if aside else clause
        named = Wishes(features=clause.wishes.features) if clause.topic in _ASKED_OF else clause.wishes
        return replace(clause, wishes=named, unread=())
    travels = {"origin", "destination"} <= {place.role for place in clause.places}
    kinds: tuple[Kind, ...] = ("flight",) if travels and clause.act in ("inform", "book") else ()
    return replace(clause, kinds=clause.kinds or kinds, unread=(*clause.unread, *_unread(form, clause.act)))


def _values(form: Form, said: str, context: ReadingContext, *, plays: bool) -> Clause:
    """Return a clause with all values of `form`, and any act; `plays` says that it asks what one can do there."""
    cues, known = WORDS.patterns("wishes", "cues"), WORDS.patterns("acts", "kinds")
    money, conversion = read_money(form)
    hours = read_hours(form)
    dates = read_dates(form, context)
    party = read_party(form, context)
    kinds = tuple(kind for kind in _KINDS if known[kind].search(form.left))
    if plays and not kinds and any(each.search(form.left) for each in WORDS.patterns("wishes", "interests").values()):
        kinds = ("activity",)
    wishes = _with_borrowed(read_wishes(form, (*kinds, context.about), hours), form, (*kinds, context.about))
    if wishes.parts and "insurance" in kinds:
        kinds = tuple(kind for kind in kinds if kind != "car")
    alone = not (dates or party or money or hours) and wishes == Wishes()
    if alone and form.first(cues["expensive"], "sort"):
        wishes = replace(wishes, sort="cheapest")
    choice = read_choice(form, context.names, replace(wishes, sort=None), choosing=False)
    list(form.take(cues["hour"], "hours"))
    unread = tuple(
        match[0] for each in WORDS.patterns("wishes", "not_searched").values() for match in form.take(each, "")
    )
    places = read_places(form, said, context)
    clause = Clause(
        said, "inform", kinds, places=places.places, dates=dates, party=party, choice=choice, conversion=conversion,
        wishes=replace(wishes, budget=money, area=places.area),
        another=bool(_ANOTHER.search(form.whole)), unread=unread + places.unread,
    )  # fmt: skip
    return less_refused(form, clause)


def _with_borrowed(wishes: Wishes, form: Form, kinds: tuple[Kind | None, ...]) -> Wishes:
    """Return the wishes with those that stand in English words in a Japanese clause (「gym付き」)."""
    for match in list(_LATIN.finditer(form.left)):
        said = read_wishes(english(match[0]), kinds, {})
        if said != Wishes():
            form.blank(*match.span(), "")
            own = {field.name: getattr(wishes, field.name) for field in fields(wishes)}
            wishes = replace(said, **{name: value for name, value in own.items() if value})
    return wishes


def _by_values(clause: Clause, words: str, form: Form, context: ReadingContext) -> tuple[Act, Topic]:
    """Return the act of a clause whose words don't tell it."""
    details = bool(clause.places or clause.dates or clause.party)
    if clause.conversion:
        return "ask", "money"
    if _takes(clause, words, context) and not details:
        agreed = context.asked == "confirm" and clause.choice == Choice(that=True) and says("decides", words)
        return ("book" if agreed else "choose"), ""
    asks = says("request", words) or (clause.kinds and says("wants", words))
    if says("of_self", words) and not clause.dates and not asks:
        return "tell", ""
    if details and context.asked in _NO_DETAIL and _is_aside(clause, form, words):
        return "chat", ""
    if details or clause.kinds or clause.wishes != Wishes() or clause.unread:
        return "inform", ""
    begun = context.trip_open or context.start or context.window
    planning = begun or says("planning", words)
    return "inform" if planning and _unread(form, "inform") else "chat", ""


def _takes(clause: Clause, words: str, context: ReadingContext) -> bool:
    """Return whether a clause that names an offer, or an order of those shown, takes it."""
    other = replace(clause.wishes, sort=None, others=False, area=None, airline=None, chain=None) != Wishes()
    if clause.choice:
        return says("takes", words) or not other
    return bool(clause.wishes.sort) and context.offers_shown and says("takes", words)


def _is_aside(clause: Clause, form: Form, words: str) -> bool:
    """Return whether a day or a person is named in passing, beside much that has nothing to do with a journey."""
    when = clause.dates or Dates()
    party = clause.party or Party()
    stated = replace(when, start=None, end=None, window=None, flexible_days=None, round_trip=False) != Dates()
    whole = (clause.places and clause.dates and clause.party) or party.joins or party.leaves
    sure = clause.kinds or stated or whole or any(place.role != "unsaid" for place in clause.places)
    *_, (_, end, what) = sorted(form.taken) or [(0, 0, "")]
    sure = sure or (what == "people" and bool(_COPULA.fullmatch(form.whole[end:])))
    if sure or clause.wishes != Wishes() or says("travelling", words):
        return False
    left = re.sub(rf"[{BLANK}、。]|です|ます", "", WORDS.patterns("acts", "other")["lead"].sub("", form.left))
    return len(left) > _MOST_LEFT


def _question(clause: Clause, words: str, topic: Topic, form: Form, context: ReadingContext) -> tuple[Act, Topic]:
    """Return `inform` for a question that wants offers to be looked for, else a question with its topic."""
    if clause.conversion:
        return "ask", "money"
    which, said = bool(_WHICH.search(words)), clause.wishes
    offers = clause.kinds and says("wants", words) and (topic in _OF_OFFERS or "すすめ" in words)
    if offers and not (clause.choice or which):
        return "inform", ""
    if topic == "change_fee" and clause.choice and context.offers_shown:
        return "choose", ""
    if topic == "change_fee" and (clause.dates or clause.party or clause.places or said.cabin):
        return "inform", ""
    other = bool(_AS_OTHER.search(words))
    if (said.interests or said.category) and ((other and said.category) or says("wants", words)) and not clause.choice:
        return "inform", ""
    if said.features and _ONE_WITH.search(words):
        return "inform", ""
    if which and not topic:
        return "ask", "best"
    other = other and bool(clause.places)
    wanted = clause.dates or clause.party or said != Wishes() or len(clause.places) > 1 or other
    if (
        (topic in _OF_ANY if other else topic in ("", "offer", "dates"))
        and wanted
        and (other or not _is_aside(clause, form, words))
    ):
        return "inform", ""
    return "ask", topic


def _choice(clause: Clause, act: Act) -> Choice | None:
    """Return the choice with the order by which it is chosen (「一番安い便を予約して」)."""
    if clause.wishes.sort and (act in _CHOOSING or (act == "ask" and _WHICH.search(clause.text))):
        return replace(clause.choice or Choice(), sort=clause.wishes.sort, that=False)
    return clause.choice


def _unread(form: Form, act: Act) -> list[str]:
    """Return stretches of what is left that look like a wish or a detail."""
    if act not in ("inform", "book", "choose", "change", "hold"):
        return []
    found: list[str] = []
    for name in ("wish_left", "number_left"):
        for match in WORDS.patterns("acts", "other")[name].finditer(form.left):
            what = re.sub(r"^(?:[はがをにでとものへ]|から|まで|なら)+", "", match["what"])
            if what and BLANK not in what and not says("not_wish", what):
                found.append(match[0].strip("はがをにでとも") if name == "number_left" else what)
    return list(dict.fromkeys(found))[:_MOST_UNREAD]


READER = Language(cut, _draft)
