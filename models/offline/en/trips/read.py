"""Reads what a message says of a trip: where, from where, when, how many, what for."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from models.offline.calendar_days import Dates
from models.offline.en.trips.date_shifts import read_shift
from models.offline.en.trips.dates import read_dates
from models.offline.en.trips.places import home_in, is_place, names_place, route, spelled
from models.offline.en.wording import clean, plain
from models.offline.readings import Reading, Slot
from text.numbers import COUNT_WORDS

_KINDS = {
    "flight": r"\b(?:flights?|fly|flying|plane|airfare|air ?tickets?|one[- ]way|round[- ]trip|return (?:to|from))\b",
    "hotel": r"\b(?:(?<!the )(?<!my )(?<!our )hotels?|(?<!my )(?<!the )rooms?|accommodations?|lodging|hostels?|airbnb|"
    r"apartment|place to stay|somewhere to stay|where (?:to|should i|should we|can i|can we) stay|b&b|resort)\b",
    "train": r"\b(?:trains?|rail|eurostar)\b",
    "car": r"\b(?:rent(?:al)? (?:a )?cars?|car (?:rental|hire)|(?:rent|hire) (?:a |an )?(?:\w+ )?(?:car|suv|van))\b",
    "activity": r"\b(?:activities|things to do|tours?|tickets for|museum tickets|sightseeing|excursion)\b",
    "trip": r"\b(?:trips?|holidays?|vacations?|honeymoon|getaway|city break|weekend (?:away|in)|journey|travel to|"
    r"itinerary)\b",
}
_OPENS = re.compile(
    r"\b(?:book|reserve|hold|find|get|arrange|organi[sz]e|plan|need|want|would like|would love|looking for|look for|"
    r"search|help me|thinking (?:of|about)|going|travel(?:ing)?|fly(?:ing)?|take|visit(?:ing)?|planning|"
    r"heading|off|go|head|take me|send me|let us)\b"
)
_NAMES = re.compile(
    r"^(?:(?:and|also|hi|hello|please|okay),? )*(?:an? |some |the |my |our )?(?:(?:cheap|direct|return|round|one-way|"
    r"quick|short|long|business|family|weekend|city|romantic|last-minute)[ -])*(?:trips?|flights?|hotels?|rooms?|"
    r"trains?|weekend|week(?: or so| or two)?|holiday|vacation|break|getaway|tickets?) (?:to|in|from|for|near)\b|"
    r"^(?:(?:and|also|hi|hello|please|okay),? )*(?:an? )?(?:one[- ]way|return|round[- ]trip) (?:to|from)\b"
)
_ASKS = re.compile(
    r"\?\s*$|^(?:and |so |but )?(?:what|which|who|where|why|how|is|are|do|does|did|can|could|find|suggest|"
    r"recommend|tell|show)\b"
)
_REPLACES = re.compile(
    r"\b(?:instead|make (?:it|that)|rather|change (?:it|that|the \w+)? ?to|changed my mind|actually|no, |i meant|"
    r"correction|scratch that|not \w+,|switch|sorry)\b"
)
_JOURNEY = re.compile(r"\b(?:flights?|fly\w*|trips?|go|going|travel\w*|visit\w*|journey|holiday|instead)\b")
"""With these an unknown name is a place to travel to; without, while a trip is planned, it is a part of the city."""
_SOMEWHERE = re.compile(r"\b(?:go|get away|travel|fly|trip|take me|escape)(?: off)? somewhere\b")
_PURPOSES = {
    "business": r"\b(?:(?<!forget )(?<!no )(?<!not )(?<!in )business(?! class)|"
    r"for work|work trip|conference|meetings?|client|trade fair|seminar|"
    r"workshop)\b",
    "honeymoon": r"\bhoneymoon\b",
    "anniversary": r"\banniversary\b",
    "birthday": r"\bbirthday\b",
    "wedding": r"\bwedding\b",
    "family visit": r"\b(?:visit(?:ing)? (?:my |our )?(?:family|"
    r"parents|mother|mom|sister|brother|son|daughter|grand\w+|"
    r"friends?)|see(?:ing)? (?:my )?(?:family|parents))\b",
    "leisure": r"\b(?:holidays?|vacation|leisure|pleasure|fun|city break|getaway|relax|sightseeing|tourism)\b",
}
_NUMBER = {**COUNT_WORDS, "both": 2}
_N = r"(\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|an?)"
_HEADS = re.compile(
    rf"\b{_N} (?:other |small |young |little )?(adults?|people|persons?|passengers?|travelers?|guests?|kids?|"
    r"child(?:ren)?|bab(?:y|ies)|toddlers?|infants?|teenagers?|friends|colleagues)\b"
)
_CHILDREN = r"kids?|child(?:ren)?|sons?|daughters?"
_INFANTS = r"bab(?:y|ies)|infants?|toddlers?"
_GROWN = re.compile(
    r"(?<!visit )(?<!visiting )(?<!see )(?<!seeing )\b(?:my|our) (wife|husband|partner|girlfriend|boyfriend|fianc\w+|"
    r"mother|mom|dad|father|sister|brother|friend|boss|colleague)\b"
)
_GROUP = re.compile(
    rf"\b(?:{_N} of us|party of {_N}|family of {_N}|group of {_N}|(?:we are|there (?:are|will be)|we will be) "
    rf"{_N}\b|for {_N}\b(?! (?:\w+ )?(?:nights?|days?|weeks?|months?|hours?|hotel|room|flight|trip|week|few|couple|"
    r"wedding|conference|break|weekend|holiday|vacation|meeting|change|while|bit|family)))"
)
_ALONE = re.compile(
    r"\b(?:just me|only me|alone|solo|by myself|on my own|just myself|me only|one person|single traveler)\b"
)
_PARTNER = re.compile(
    r"\b(?:with my (?:wife|husband|partner|girlfriend|boyfriend|fianc\w+|mother|mom|dad|father|son|daughter|sister|"
    r"brother|friend|boss|colleague)|my (?:wife|husband|partner|girlfriend|boyfriend|mother|mom|father|dad|son|"
    r"daughter|sister|brother) and (?:i|me|myself)|"
    r"(?:me|i|myself)(?: and|,(?: and)?| plus| with) my (?:wife|husband|partner|girlfriend|boyfriend|mother|"
    r"mom|dad|father|son|daughter|sister|brother|friend|"
    r"colleague|boss)|two of us|both of us|us two|a couple\b(?! of))\b"
)
_COMPANION = (
    r"(?:my|our|the) (?:(?:two|three|four) )?(?:wife|husband|partner|girlfriend|boyfriend|mother|mom|father|dad|sons?|"
    r"daughters?|sister|brother|friend|colleague|boss|family|parents|kids?|child(?:ren)?|baby)"
)
_PARTY = re.compile(
    r"(?:it (?:is|will be|would be) |there (?:is|will be) |we are |we will be |for )?(?:(?:just|only) )?"
    r"(?:(?:the )?two of us, )?(?:me|myself|us|us two|(?:me|i|myself)(?:(?: and|,(?: and)?| plus| with) "
    rf"{_COMPANION})+|{_COMPANION} and (?:me|i|myself)|(?:the )?\w+ of us|both of us)(?: only| alone)?"
    r"(?: this time| on this trip| for this trip| this trip| (?:travell?ing|going|flying))*"
)
"""The whole of a clause that says no more than who travels."""
_SETS_OUT = re.compile(
    r"^(?:\w+ )?(?:i|we)(?: (?:would|will|both|really|am|are))? (?:like|love|want|need|have|hope|plan(?:ning)?|going|"
    r"thinking|looking)(?: (?:to|of|for|about))+ (?:\w+ ){0,2}?"
    r"(?:fly|flying|go|going|get|getting|travel|travel(?:l)?ing|be|"
    r"visit|visiting|head|flights?|trip|weekend|week)\b"
)
_LASTING = re.compile(r"\b(?:always|never|every|usually|whenever|only|prefer|unless|except|each|any ?time)\b")
_BUDGET = re.compile(
    r"(?:\b(?:budget (?:is|of|would be|around|about|:)?|under|up to|max(?:imum)?(?: of)?|at most|"
    r"no more than|not more than|around|about|less than|below) ?(?:is |of |around |about |max )*)"
    r"(?P<sum>(?:[$€£¥] ?)?\d[\d.,]*k?(?: ?(?:euros?|dollars?|pounds?|eur|usd|gbp|yen|bucks|[$€£¥]))?"
    r"(?: (?:a|per) (?:night|person|day))?)"
)
_SUM_ALONE = re.compile(
    r"(?:(?:and|but|so|ideally|preferably|please|if possible|budget|my|our|the|is|of|around|about|roughly|max(?:imum)?|"
    r"not|no|nothing|under|below|more than|over|above|at most|up to|less than|,) ?)+[$€£¥]? ?\d[\d.,]*k?"
    r"(?: ?(?:euros?|dollars?|pounds?|eur|usd|gbp|yen|bucks|[$€£¥]))?(?: (?:a|per) (?:night|person|day|head))?"
    r"(?: (?:all in|in total|in all|total|max(?:imum)?|altogether|all together))?"
)
"""The whole of a clause that says no more than a sum."""
_EACH_NIGHT = re.compile(r"(?<=[\d$€£¥srdnk] )(?:a|per|each) (?:night|day|week)\b")
"""After a sum of money: what each night costs, and no length of stay."""
_ONE_WAY = re.compile(r"\b(?:one[- ]way|no return|single ticket)\b")


def _named_first(text: str, form: str) -> str | None:
    """The place that `text` begins with, as people name it who say no more than where and when."""
    _, place = route(text, form, "destination", False)
    return place if place and form.startswith(place.casefold()) else None


def read_trip(text: str, today: date, asked: Slot | None, month: date | None, running: bool) -> Reading:
    """What `text` says of a trip; an empty reading when it neither asks for one, answers a question nor corrects."""
    text = spelled(clean(text))
    form = plain(text)
    kinds = tuple(kind for kind, pattern in _KINDS.items() if re.search(pattern, form))
    replaces = running and bool(_REPLACES.search(form))
    origin, destination = route(text, form, asked, replaces)
    asks = bool(_OPENS.search(form) or _NAMES.search(form))
    opens = asks and (bool(kinds) or bool(destination) or bool(_SOMEWHERE.search(form)))
    opens = opens or bool(kinds and origin and destination and not _ASKS.search(form))
    shift, longer, rest = read_shift(form) if running else (0, 0, form)
    when = read_dates(_EACH_NIGHT.sub(" ", rest), today, asked == "dates", month)
    if not (opens or asked or running) and when.start and not destination:
        destination = _named_first(text, form)  # "Lisbon, 8 to 12 December": a place and days are a wish to go there
        opens = bool(destination)
    if _ASKS.search(form) and not opens and not replaces:
        return Reading()
    if not (opens or asked or replaces or running):
        return Reading(origin=home_in(text))
    if running and not (opens or asked or replaces):
        destination, origin = None, home_in(text)
    elif running and destination and not _may_be_anywhere(form, asked, replaces) and not is_place(destination):
        destination = None
    return replace(
        _details(form, when, asked),
        destination=destination,
        origin=origin,
        kinds=kinds if opens or replaces else (),
        opens=opens,
        replaces=replaces,
        shift=shift,
        longer=longer,
    )


def _details(form: str, when: Dates, asked: Slot | None) -> Reading:
    """Return when the trip is, who travels, what for, and for how much."""
    return Reading(
        start=when.start,
        end=when.end,
        nights=when.nights,
        vague_dates=when.vague,
        month=when.month,
        flexible=when.flexible,
        people=_people(form, asked),
        children=_young(form, _CHILDREN),
        infants=_young(form, _INFANTS),
        purpose=_purpose(form),
        budget=_budget(form),
        one_way=bool(_ONE_WAY.search(form)),
    )


def _may_be_anywhere(form: str, asked: Slot | None, replaces: bool) -> bool:
    """Return True where an unknown name is taken for a destination."""
    return replaces or asked in {"destination", "origin"} or bool(_JOURNEY.search(form))


def _people(form: str, asked: Slot | None) -> int | None:
    if _ALONE.search(form):
        return 1
    heads = sum(
        _NUMBER.get(match[1], 0) or int(match[1])
        for match in _HEADS.finditer(form)
        if match[1].isdigit() or match[1] in _NUMBER
    )
    if _PARTNER.search(form):
        grown = len(set(_GROWN.findall(form)))
        return max(2, heads, 1 + grown + (_young(form, rf"{_CHILDREN}|{_INFANTS}") or 0))
    if heads:
        return heads
    if match := _GROUP.search(form):
        word = next(group for group in match.groups() if group)
        return _NUMBER.get(word) or int(word)
    if asked == "people" and (
        match := re.search(rf"\b{_N}\b(?! (?:\w+ )?(?:nights?|days?|weeks?|months?|am|pm))|\bme\b|\bboth\b", form)
    ):
        return 1 if match[0] == "me" else _NUMBER.get(match[0]) or int(match[0])
    return None


def _young(form: str, words: str) -> int | None:
    """How many children or infants are named; None for none."""
    found = re.findall(rf"\b(?:{_N} )?(?:other |small |young |little )?(?:{words})\b", form)
    return sum(_NUMBER.get(each, 0) or int(each or 1) for each in found) or None


def names_party(text: str) -> bool:
    """True when `text` says who travels or for how much, and nothing else: a detail of the trip, nothing lasting."""
    form = plain(clean(text)).strip(" .,;:!")
    return bool(_PARTY.fullmatch(form) or _SUM_ALONE.fullmatch(form))


def sets_out(text: str) -> bool:
    """True when `text` asks for one journey ("I'd like to fly to Rome with my wife"): nothing lasting."""
    form = plain(clean(text))
    named = _SETS_OUT.search(form) and not _LASTING.search(form)
    return bool(named and names_place(spelled(text)))


def _purpose(form: str) -> str | None:
    return next((name for name, pattern in _PURPOSES.items() if re.search(pattern, form)), None)


def _budget(form: str) -> str | None:
    match = _BUDGET.search(form)
    if not match or (
        not re.search(r"[$€£¥]|euro|dollar|pound|eur|usd|gbp|yen|bucks|night|person", match["sum"])
        and "budget" not in form
    ):
        return None
    return match["sum"].strip(" .,")
