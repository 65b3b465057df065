"""Reads what an English message asks of offers and bookings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeVar

from models.offline.en.trips.places import is_place
from models.offline.en.wording import clean, plain
from models.offline.travel.chains import chain_in
from models.offline.travel.request import KINDS, Act, Cabin, Kind, OfferRequest, Sort

_T = TypeVar("_T")

_ACTS: tuple[tuple[Act, str], ...] = (
    ("why", r"^(?:but |and |so )?(?:why\b(?! not)|how come\b|what makes (?:it|this|that|number)\b)"),
    ("total", r"\b(?:what (?:is|was|does|did) (?:the|it all|everything|that all) (?:total|sum|come to|cost)|total cost|"
     r"how much (?:is|was|does|did|will|have) .*\b(?:in total|in all|altogether|all together|so far)|the total\??$)\b"),
    ("calendar", r"\b(?:calendar|\.?ics|ical)\b"),
    ("itinerary", r"\b(?:(?:my|the|our|full|whole|an?|show) (?:\w+ )?itinerary|day by day|my schedule|"
     r"itinerary please)\b"),
    (
        "bookings",
        r"\b(?:what (?:have|did|has|do) (?:i|we) (?:\w+ )?(?:booked?|reserved?)|what (?:do|have) (?:i|we) (?:have|got) "
        r"booked|(?:my|our|all|the) (?:\w+ )?(?:bookings|reservations)|what is (?:already )?booked|"
        r"(?:show|list|see) (?:\w+ )?(?:bookings|reservations)|my booking (?:reference|number)|"
        r"(?:is|are) (?:it|that|my \w+|everything) (?:all )?booked)\b",
    ),
    (
        "policy",
        r"\b(?:(?:cancell?ation|refund|booking|change) (?:policy|policies|rules|terms)|can i cancel|"
        r"what if i (?:have to |need to )?cancel|how do (?:refunds|cancellations|changes) work)\b",
    ),
    (
        "convert",
        r"\b(?:how much (?:is|are|would|does|will)|what (?:is|does|would)|convert|whats?) .*\b(?:in|to|into)\b|"
        r"^(?:and )?(?:how much )?in (?:\w+ )?\w+\??$",
    ),
    (
        "documents",
        r"\b(?:do (?:i|we) need (?:a |any )?(?:visas?|passports?)|(?:my|our) passports? (?:still )?(?:okay|valid|fine|"
        r"good|enough|last|run out|expire)|is my passport|visa (?:requirements|needed)|travel documents|need a visa)\b",
    ),
    (
        "cancel",
        r"^(?:(?:please|okay|ok|actually|no|sorry|can you|could you|i (?:want|need|have|would like) to|i must|let us|"
        r"and|now|then|also),? )*(?:cancel|call off)\b(?! (?:fee|policy|cover|insurance))",
    ),
    (
        "change",
        r"\b(?:change|move|rebook|switch|swap|reschedule) (?:my|the|that|our) (?:booked |booking|flight booking|"
        r"flights?\b|reservation)",
    ),
    ("hold", r"\b(?:hold (?:it|that|this|the \w+)|put (?:it|that|this|the \w+) on hold|keep (?:it|that) for me)\b"),
    (
        "details",
        r"\b(?:(?:tell me|know|hear) more|more (?:details|information|about)|details|fare rules|conditions|"
        r"(?:is|are) (?:it|that|the \w+ one|number \w+|they) refundable|what is included|"
        r"(?:what time|when|which airport|what airport|where|how long) (?:does|do|is|will|would|are) "
        r"(?:it|that|this|the flight|they|we|i)\b"
        r".*(?:arrive|land|leave|depart|take|fly|get (?:there|in|back)|from|back)|"
        r"(?:can|may) (?:i|we) (?:take|bring|check) .*(?:bags?|suitcases?|luggage|baggage)|"
        r"(?:bags?|suitcases?|luggage|baggage) included)\b",
    ),
    (
        "book",
        r"\b(?:(?:book|reserve|take|confirm|buy|get) (?:it|that|this|them|me (?:that|this|it)|number|option|"
        r"the (?:first|second|third|last|one|\w+ one|flight|hotel|room|car|cheapest|cheaper)\b)|"
        r"go (?:for|with) (?:it|that|number|the)|i (?:will|would) take|book(?: now)?$)",
    ),
)  # fmt: skip
_NAMED: dict[Kind, str] = {
    "flight": r"\b(?:flights?|plane|fly|airline)\b",
    "hotel": r"\b(?:hotels?|rooms?|stay|accommodation|place to (?:stay|sleep))\b",
    "car": r"\b(?:(?:rental |hire )?cars?|car (?:rental|hire))\b",
    "activity": r"\b(?:activit\w+|tours?|things to do|excursions?|sightseeing)\b",
    "insurance": r"\b(?:insurance|insured?|cover(?:age)?)\b",
}
_YES = re.compile(
    r"^(?:(?:oh|well|okay|great|perfect|good|lovely|excellent|fine)[,.!]* )*(?:yes|yep|yeah|yup|sure|please do|"
    r"go ahead|of course|absolutely|definitely|correct|sounds (?:good|great|perfect|fine)|that (?:works|is (?:fine|"
    r"good|great|perfect))|"
    r"do it|(?:please )?(?:book|reserve|confirm|take) (?:it|that|this|them|that one|this one)|why not|confirmed?|"
    r"i would (?:like|love) (?:that|to)|okay|perfect|great|go for it|let us do (?:it|that))\b"
)
_NO = re.compile(
    r"\b(?:leave (?:it|that|this|them|the \w+) out|skip (?:it|that|this|the \w+))\b|"
    r"^(?:(?:oh|well|hmm|okay|sorry)[,.!]* )*(?:no\b(?! (?:more than|stops?|layovers?|connections?|changes?))|nope|nah|"
    r"not (?:now|yet|this time|today|really|needed|necessary)|do not|neither|none\b(?! of)|that is (?:all|it)|"
    r"nothing (?:else|more)|i am (?:good|fine|okay|all set)|rather not|stop|wait$|i do not (?:need|want))\b"
)
_NTH = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "last": -1, "former": 0, "latter": -1}
_COUNTED = {"one": 0, "two": 1, "three": 2, "1": 0, "2": 1, "3": 2}
_ORDINAL = re.compile(
    r"\b(?:the )?(?P<nth>first|second|third|last|1st|2nd|3rd|former|latter)\b(?! (?:week|weekend|class|day|night|half|"
    r"of|floor|time|month|year|\w+day|minute|row))"
)
_NUMBERED = re.compile(
    r"\b(?:number|option|no\.|nr\.?|choice|#) ?(?P<n>one|two|three|[123])\b|^(?:(?:i will take|i would take|take|book|"
    r"the|please|yes,?|okay,?) )*(?P<bare>[123])(?:[.!]| please)*$"
)
_SORTS: tuple[tuple[Sort, str], ...] = (
    (
        "cheapest",
        r"\b(?:cheap(?:er|est)?|less expensive|lower price|lowest (?:price|fare)|too (?:expensive|much|pricey|dear)|"
        r"costs? less|save money|pricey|more affordable)\b",
    ),
    (
        "earliest",
        r"\b(?:earl(?:ier|iest)|too late|in the (?:early )?morning|morning flight|before noon|first thing)\b",
    ),
    (
        "latest",
        r"\b(?:later|latest|too early|in the (?:late )?(?:afternoon|evening)|(?:afternoon|evening|night) flight)\b",
    ),
    ("fastest", r"\b(?:fast(?:er|est)|quick(?:er|est)|short(?:er|est) (?:flight|journey|trip|one)|too long|shorter)\b"),
    (
        "central",
        r"\b(?:(?:close|near)(?:er|est)? (?:to|in) (?:the )?(?:city )?(?:center|centre|downtown|middle|action|"
        r"old town)|(?:more|most|very) central|central(?:ly)?|city center|downtown|closer|too far)\b",
    ),
    (
        "rating",
        r"\b(?:better (?:rated|reviews?|reviewed|hotel|quality|one)|best (?:rated|reviewed)|higher rat\w+|nicer|"
        r"highest rat\w+|good reviews|more comfortable)\b",
    ),
)
_CABINS: tuple[tuple[Cabin, str], ...] = (
    ("premium_economy", r"\bpremium[ -]?economy\b"),
    ("business", r"\bbusiness(?:[ -]class)\b|\bin business$|^business(?: please)?$"),
    ("first", r"\bfirst[ -]class\b"),
    ("economy", r"\beconomy\b|\bcoach class\b"),
)
_NOT_CABIN = re.compile(
    r"\b(?:forget|no|not|without|drop|skip|never mind) (?:about )?(?:the )?(?:business|first)(?: class)?\b"
)
_NO_STOPS = re.compile(
    r"\b(?:non-? ?stop|no (?:stops?|layovers?|connections?|stopovers?|changes)|without (?:a |any )?(?:stops?|layovers?|"
    r"chang\w+|connections?|stopovers?)|direct(?:ly)?(?: flights?)?)\b"
)
_FEW_STOPS = re.compile(r"\b(?:at most|max(?:imum)?|up to|no more than|only) (?P<n>one|two|1|2) stops?\b")
_NIGHTLY = re.compile(
    r"\b(?:under|below|less than|at most|up to|max(?:imum)?|no more than|not more than|not over|within) (?:[$€£¥] ?)?"
    r"(?P<sum>\d[\d,]*(?:\.\d+)?)"
    r" ?(?:[$€£¥]|euros?|dollars?|pounds?|eur|usd|gbp|yen|bucks)? ?(?:a|per|each)? ?(?P<night>night)?"
)
_FEATURES = {
    "breakfast": r"(?<!without )(?<!no )breakfast",
    "free cancellation": r"free cancell?ation|refundable (?:room|rate|hotel)",
    "gym": r"gym|fitness", "pool": r"(?:swimming )?pool", "spa": r"spa|sauna", "quiet courtyard": r"courtyard(?= view)",
    "step-free access": r"wheelchair|step-free|accessible|barrier-free", "workspace": r"workspace|desk",
    "family rooms": r"family rooms?", "parking": r"parking|car park", "rooftop bar": r"rooftop(?: bar)?",
    "pets welcome": r"(?:pet|dog|cat)s?(?:[- ]friendly| welcome| allowed)|with (?:my|our) (?:dog|cat)",
}  # fmt: skip
_BARE = re.compile(
    r"\b(?:without|no|skip|leave out|not) (?:the |any |a |choosing )?"
    r"(?:extra |checked )?(?:bags?|seats?|luggage|extras)\b"
)
_HAS = re.compile(
    r"^(?:and |but |so )?(?:does|do|has|have|is|are) (?:it|they|that|this|"
    r"the (?:hotel|room|one|first|second|third|price|breakfast|pool|parking)|"
    r"there (?:an? |any )?(?!something|anything|one\b|other|another)|breakfast|parking)\b"
)
"""Asks of the hotel on the table, and for no other."""
_AREA = re.compile(
    r"\b(?:(?:something|one|hotels?|place|rooms?|stay|staying|anything|somewhere|be) )?"
    r"(?:right )?(?:in|near|around|close to)(?: the)?(?: area of| neighborhood of| district of)? "
    r"(?P<area>[A-ZÀ-Þ][\w'-]+(?: (?:de |do |da |del |la )?[A-ZÀ-Þ][\w'-]+)?)"
)
_AREA_LOWER = re.compile(
    r"\b(?:something|one|hotel|place|room|stay|staying|anything) (?:right )?in (?P<area>(?!the\b|a\b|my\b|our\b|town\b|"
    r"central\b|advance\b)[a-zà-ÿ-]{4,})"
)
_FLEXIBLE = re.compile(
    r"\b(?:flexible (?:by|within)|give or take|plus or minus|\+/-) (?:(?P<n>one|two|three|a|[123]) )(?:days?)\b"
)
_OTHER = re.compile(
    r"\b(?:different|another|others?(?: ones?)?|something else|someplace else|somewhere else|else|more (?:options|"
    r"choices|flights|hotels)|show (?:me )?more|"
    r"none of (?:these|those|them)|do not like (?:any|it|that|this|them|these)|anything else|alternatives?)\b"
)
_ORDER = re.compile(r"\b(?:a few|another|one|two|three|\d+) (?:more )?(?:days?|weeks?|nights?)\b")
_CURRENCIES = {
    "JPY": r"yen|jpy", "EUR": r"euros?|eur", "USD": r"(?:us )?dollars?|usd|bucks",
    "GBP": r"(?:british )?pounds?|gbp|sterling",
    "CHF": r"(?:swiss )?francs?|chf", "CNY": r"yuan|cny|renminbi|rmb", "KRW": r"won|krw", "INR": r"rupees?|inr",
    "SEK": r"(?:swedish )?kronor|sek", "NOK": r"nok|norwegian kroner", "DKK": r"dkk|danish kroner",
    "PLN": r"zloty|pln", "BRL": r"reais|brl", "CAD": r"canadian dollars?|cad", "AUD": r"australian dollars?|aud",
}  # fmt: skip
_AMOUNT = re.compile(r"(?P<sign>[$€£¥])? ?(?P<sum>\d[\d,]*(?:\.\d+)?)")
_REFERENCE = re.compile(r"\btc-?\s?([a-z2-7]{6})\b")
_WHOLE = re.compile(r"\b(?:everything|all(?: of (?:it|them))?|both|the (?:whole )?(?:trip|journey|lot))\b")


def read_offer_request(text: str) -> OfferRequest:
    """What `text` asks of offers and bookings."""
    form = plain(text).strip(" .!?")
    act: Act = next((act for act, pattern in _ACTS if re.search(pattern, form)), "")
    currency = _currency(form)
    if act == "convert" and currency is None:
        act = ""
    features = tuple(name for name, words in _FEATURES.items() if re.search(rf"\b(?:{words})\b", form))
    if features and act in {"", "details"} and _HAS.search(form):
        act = "has"
    choice = _choice(form)
    nightly = _NIGHTLY.search(form)
    return OfferRequest(
        act=act,
        kinds=tuple(kind for kind in KINDS if re.search(_NAMED[kind], form)),
        yes=True if _YES.search(form) else False if _NO.search(form) else None,
        choice=choice,
        sort=None if act in _SETTLED or _ORDER.search(form) else _first(_SORTS, form),
        cabin="economy" if _NOT_CABIN.search(form) else _first(_CABINS, form),
        max_stops=_stops(form),
        per_night=float(nightly["sum"].replace(",", "")) if nightly else None,
        area=_area(clean(text)),
        chain=chain_in(form),
        features=features,
        flexible_days=_flexible(form),
        other=choice is None and act not in _SETTLED and not _ORDER.search(form) and bool(_OTHER.search(form)),
        currency=currency,
        amount=_amount(form) if act == "convert" else None,
        reference=f"TC-{found[1].upper()}" if (found := _REFERENCE.search(form)) else None,
        seat=next((side for side in ("aisle", "window") if re.search(rf"\b{side}(?: seats?)?\b", form)), None),
        bare=bool(_BARE.search(form)),
        whole=bool(_WHOLE.search(form)),
    )


_SETTLED = frozenset({"bookings", "itinerary", "calendar", "policy", "convert", "documents", "cancel"})
"""Acts beside which a message asks for no other offers."""


def _first(table: Iterable[tuple[_T, str]], form: str) -> _T | None:
    return next((found for found, pattern in table if re.search(pattern, form)), None)


def _choice(form: str) -> int | None:
    if match := _NUMBERED.search(form):
        return _COUNTED[match["n"] or match["bare"]]
    match = _ORDINAL.search(form)
    return _NTH[match["nth"]] if match else None


def _stops(form: str) -> int | None:
    if match := _FEW_STOPS.search(form):
        return _COUNTED[match["n"]] + 1
    return 0 if _NO_STOPS.search(form) else None


def _area(text: str) -> str | None:
    """The part of a city that `text` names: a place by its capital letter, or after "something in", that is no town."""
    found = _AREA.search(text) or _AREA_LOWER.search(text)
    return found["area"] if found and is_place(found["area"]) is False else None


def _flexible(form: str) -> int | None:
    match = _FLEXIBLE.search(form)
    return (1 if match["n"] == "a" else _COUNTED[match["n"]] + 1) if match else None


def _currency(form: str) -> str | None:
    found = [
        (match.start(), code) for code, words in _CURRENCIES.items() if (match := re.search(rf"\b(?:{words})\b", form))
    ]
    return max(found)[1] if found else None


def _amount(form: str) -> float | None:
    match = _AMOUNT.search(form)
    return float(match["sum"].replace(",", "")) if match else None
