"""Tells what holds once from what holds for good: dates, this trip, one definite thing, the past, somebody else."""

from __future__ import annotations

import re
from functools import cache

from models.offline.tables import alternatives
from text.numbers import MONTHS, WEEKDAYS

_TRIP = re.compile(
    r"\bthis (?:time|trip|once|one|flight|stay|holiday|vacation|journey|visit|weekend)(?: around)?\b|\bfor "
    r"once\b|\b(?:for|on) (?:the|that|our|my) "
    r"(?:flight|trip|way) (?:back|out|home|there|to \w+)\b|\bjust (?:this once|once|for now|for today)\b|\bfor "
    r"now\b|\btonight\b|\btoday\b|\btomorrow\b|\bthis (?:coming )?"
    r"(?:week|month|summer|winter|spring|autumn|fall|year|evening|morning|afternoon)\b|\bon the (?:way back|"
    r"outbound|return)\b|\bmake an exception\b|\b(?:for|on|during) (?:our|my) "
    r"(?:honeymoon|anniversary|birthday|trip to|visit to)\b|\bfor the (?:wedding|conference|meeting|trip to)\b|"
    r"\bthis particular\b|\bjust for (?:the|our)\b"
)
_FIXED_THE = (
    r"heat|cold|sun|rain|snow|noise|smell|hustle|crowds?|window|aisle|middle|front|back|rear|left|right|train|"
    r"trains|bus|metro|subway|tube|underground|ferry|tram|eurostar|beach|sea|ocean|city|cities|"
    r"countryside|mountains?|outdoors|theaters?|opera|wing|wings|mornings?|evenings?|afternoons?|night|center|"
    r"action|toilets?|bathrooms?|lavatory|elevators?|lifts?|engines?|galley|exits?|exit row|water|cheap|"
    r"cheapest|"
    r"cheaper|fewer|less|more|higher|lower|quieter|ground floor|top floor|upper floors?|lower floors?|lower "
    r"deck|upper deck|gym|pool|feeling|freedom|sort|kind|idea of (?!going|that|this)|thought of|whole|local|"
    r"locals|touristy|tourist|usual|same|early|late|"
    r"red-eye|night train|sleeper|environment|planet|climate|museums?|arts|spa|middle seat|window seat|aisle "
    r"seat|back row|last row|bulkhead|metro station|suburbs|outskirts|old town|road|roads|stairs|car|driver|"
    r"radio|quiet|simple|"
    r"slow|scenic|long|short|direct|little|small|big|great|open|dark|dogs?|kids|family|children|floor|bar|"
    r"minibar|airport lounge|lounges?|overhead|carry-on|first two rows|first row|window side|sauna|more .* the|"
    r"sights|classics|basics|hold|company|points|price|cost|extra|rush|process"
)
_DEFINITE = re.compile(
    r"^(?: (?:that|to|at|on|in|with|about|of|for|staying|being|having|going|flying|using))* (?:(?:this|these|"
    r"those|it|them|him|her|you|your|his|their|that (?!there|airlines|hotels|trains|have|are|is|do|way|kind|"
    r"sort|ME)[\w-]+|what|"
    r"how|one of|our (?:hotel|room|flight|seat|trip|plan|guide)|my (?:hotel|room|flight|booking|reservation|"
    r"trip|new|phone|job|guide|order)|"
    r"all (?:this|that|the (?:options|suggestions))|everything about (?:this|that|it)|talking|chatting|working with)\b"
    r"|ME$|my (?:wife|husband|kids?|children|dogs?|cats?|family|mom|dad|parents|life|job|son|daughter|"
    rf"friends?|boss)\b(?! (?:with|on|being|to))|the (?!(?:{_FIXED_THE})\b)[\w-]+)"
)
_DEFINITE_SUBJECT = re.compile(
    rf"^(?:this|that|these|those|it|here|there|you|the (?!(?:{_FIXED_THE}|kids|baby|dog|idea of|thought of|"
    r"only)\b)[\w-]+|(?:my|our) (?:[\w-]+ )?(?:flights?|hotel|room|seat|booking|reservation|plane|train|bus|"
    r"car|taxi|bags?|luggage|suitcase|passport|phone|trip|meal|table|ticket|tour|guide|plan|boat|ferry|"
    r"bed)\b(?! (?:has to|must|should|needs to|have to|always has to)))\b"
)
_OFFER = (
    r"(?:hotels?|flights?|rooms?|bookings?|reservations?|museum we|trips?|plans?|options?|one|ones|ideas?|"
    r"suggestions?|tickets?|tours?|restaurant|place|offers?|deals?|"
    r"connection|layover in|airline|apartment|guide|website|app|email|message|list|itinerary|bus|taxi|prices?|"
    r"schedule|confirmation|link|weather|view|food here)"
)
_DEFINITE_MENTION = re.compile(
    r"\b(?:option|number) (?:[a-z]|\d+)\b|"
    r"\b(?:this|that|these|those|your|the(?! (?:only|best|whole|right|kind|type|sort|idea|usual|same)\b)) "
    r"(?:(?:first|second|third|fourth|next|last|other|same|new|old|earlier|later|cheaper|\d+(?:am|pm)?|"
    rf"[\w-]+) )?{_OFFER}\b(?! (?:gym|pool|bar|with|that|where))|\b(?:my|our) (?:next |last |new )?(?:flight|"
    r"booking|reservation|trip|hotel|itinerary)\b"
)
_REQUEST = re.compile(
    r"^(?:please )?(?:book|find|get|send|put|add|change|reserve|show|make (?!sure)|cancel|look|give me an?|move|"
    r"switch|hold|confirm|check|pick|order|bring|take|tell|try|search|arrange|print|upgrade|swap|use the)\b"
)
_PAST = re.compile(
    r"\bME (?:was|were|had|went|flew|stayed|missed|lost|booked|took|ate|visited|arrived|landed|got|came|loved|"
    r"liked|hated|enjoyed|saw|drove|rode|tried|"
    r"bought|ordered|met|heard|read|forgot|spent|left|did|used to (?!(?:\w+ ){1,8}but)|wanted|preferred|slept|"
    r"ended up|found|thought|asked|paid|sat|told|walked|made|checked|called|waited|grew up|wished)\b"
    r"|\b(?:was|were) (?!diagnosed|raised|born)\w+|\byesterday\b|\blast (?:night|week|month|time|summer|winter|"
    r"spring|autumn|fall|weekend|trip|year|\w+day)\b|\bago\b|\bwhen ME (?:was|were) (?!a |born)"
)
_HYPOTHETICAL = re.compile(
    r"^if ME (?:were|was|had|could|won|lived|did)\b|\bi? ?wish\b|^imagine\b|\bwould (?:have|be) (?:been|nice|"
    r"great|fun|cool|good)\b|^suppose\b|^maybe\b|^perhaps\b|^what if\b|\bone day\b|\bsomeday\b|\bsome day\b|"
    r"\bever (?:visit|see|get to)\b|\bbucket list\b|\bmight\b(?! not)|\bME (?:hope|guess|think|suppose|heard|"
    r"hear|read|wonder|dream|imagine|doubt|bet|assume)\b(?! of ME|s? of it)|\bhope (?:the|it|that|ME|we|i|this|"
    r"to)\b|\bcan ?not wait\b|\blooking forward\b"
)
_OTHERS = re.compile(
    r"^(?:he|she|they|you|your|his|her|their|someone|somebody|people|some people|most|many|everyone|everybody|"
    r"nobody|no one|the guide|the (?:man|woman|guy|lady|driver|agent|clerk|staff|website|article|blog)|"
    r"(?:my|our|a|an|one of my|the) (?:[\w-]+ )?(?:boss|friends?|best friend|colleagues?|coworkers?|"
    r"co-workers?|neighbors?|neighbours?|manager|roommates?|flatmates?|teacher|ex|client|clients|team|uncles?|"
    r"aunts?|cousins?|nephews?|nieces?|sisters?|brothers?|"
    r"mate|buddy|hairdresser|landlord|classmate|assistant|secretary|travel agent|guide|taxi driver|driver|"
    r"student|students|customers?|employee|acquaintance|host|therapist))\b(?! (?:and (?:ME|i)\b|says? ME|pays|"
    r"requires|insists ME|has a policy))"
)
_KIN_WITH_NEED = re.compile(
    r"^(?:my|our) (?:[\w-]+ )?(?:sisters?|brothers?|nephews?|nieces?|aunts?|uncles?|cousins?)\b.*\b(?:travels? "
    r"with|comes? with|with us|with me)\b|^(?:my|our) (?:[\w-]+ )?(?:sister|brother)\b.*\b(?:allergic|celiac|"
    r"wheelchair|allergy|intolerant|autistic|deaf|blind|disabled|diabetic)\b"
)


@cache
def _dated() -> re.Pattern[str]:
    days, months = alternatives(WEEKDAYS), alternatives(MONTHS)
    count = r"(?:\d+|a|one|two|three|four|five|six|seven|eight|nine|ten|a couple of|a few|several)"
    return re.compile(
        rf"\b(?:on|by|until|till|from|this|next|last|before|after) (?:the )?{days}\b(?!s)(?! (?:mornings|"
        r"evenings|nights|afternoons))|\bnext (?:week|month|year|weekend|summer|winter|spring|fall|autumn|"
        r"time)\b|"
        rf"\b(?:in|until|till|by|from|of|late|early|mid|next) {months}\b|\b{months} \d|\b\d{{1,2}}(?:st|nd|rd|"
        rf"th)\b(?! (?:floor|row|class))|\b\d{{4}}-\d\d|"
        rf"\b(?:for|in) (?:the )?(?:next )?{count} (?:more )?(?:nights?|days?|weeks?|months?|hours?|"
        rf"minutes?)\b(?! before)|\b(?:staying|stay) {count} nights?\b|"
        rf"\b(?:at|from|around|by) (?:\d{{1,2}}[:.]\d\d|\d{{1,2}} ?(?:am|pm)|noon|midnight|[a-z]+ o'clock)\b|"
        r"\bat (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b|\b(?:\d+|two|three|four|"
        r"five|six|seven) nights\b|\bright now\b|\bat the "
        rf"moment\b|\bjust landed\b|\bon my way\b|\b{count} (?:adults?|tickets?|passengers?|people|of us)\b|"
        rf"\bthe \d{{1,2}}(?::\d\d)? ?(?:am|pm)\b|\bon the \d+ ?(?:am|pm)?\b|\bthe (?:night|day) of\b|\bthis "
        r"(?:week|month|weekend|\w+day|morning|afternoon|evening|summer|winter|spring|fall|autumn|year)\b|"
        r"\btomorrow\b|\btoday\b|\btonight\b|\byet\b$"
    )


_REQUESTED = re.compile(
    r"\b(?:need|want|would like|have|get|book|require|would prefer|would love|could use|looking for|am "
    r"after)s? (?:to (?:book|rent|hire|get|have|find|reserve) )?(?:an?|another|some|the|one|two|three|four|\d+|"
    r"our|my|your) "
    r"(?:(?!seat|legroom|quiet)[\w-]+ ){0,4}?(?:hotels?|flights?|tickets?|cars?|rides?|taxis?|cabs?|tables?|"
    r"reservations?|bookings?|transfers?|rooms?|apartments?|places?|trips?|holidays?|vacations?|quotes?|"
    r"options?|restaurants?|train|ferry|hostels?|airbnb|"
    r"itinerary|plan|refund|receipt|invoice|suggestions?|recommendations?|nap|break|vacation|minute|moment|"
    r"second|question|favor|hand|charger|connection|tour|villa|resort|van|suv|visa|passport|umbrella|bed for|"
    r"night|weekend|getaway|cruise|beach holiday|seat on|upgrade)\b(?!.*\b(?:ME travel|always|wherever|"
    r"whenever|every|each|most)\b)"
)
_ROUTE = re.compile(
    r"\b(?:fly|flying|go|going|travel|traveling|trip|flight|flights|heading|head|get|drive|driving|train|ticket|"
    r"tickets|visit|visiting|be|stay|hotel|room) (?:back )?(?:to|from|in) (?:the )?(?!(?:the|a|an|my|our|hotels?|"
    r"places?|big|small|cities|town|economy|business|first|summer|winter|advance|general|august|hostels?|bed|work|"
    r"eat|see|sleep|avoid|school|places|museums|restaurants)\b)(?P<place>[a-z][\w-]+)"
)


def one_trip(text: str) -> bool:
    """True when plain `text` says that it holds for this trip only."""
    return bool(_TRIP.search(text))


def dated(text: str) -> bool:
    """True when plain `text` names a date, a clock time or a stretch of days."""
    return bool(_dated().search(text))


def definite(rest: str) -> bool:
    """True when `rest`, what follows a stance in reduced text, starts with one definite thing ("this song")."""
    return bool(_DEFINITE.match(rest))


def definite_subject(reduced: str) -> bool:
    """True when reduced text speaks of one definite thing ("the hotel is…", "my flight always…")."""
    return bool(_DEFINITE_SUBJECT.match(reduced))


def definite_mention(reduced: str) -> bool:
    """True when reduced text mentions one definite offer or place ("the second hotel", "this flight")."""
    return bool(_DEFINITE_MENTION.search(reduced))


def past(reduced: str) -> bool:
    """True when reduced text tells an event that is over."""
    return bool(_PAST.search(reduced))


def hypothetical(reduced: str) -> bool:
    """True when reduced text wonders, hopes or dreams."""
    return bool(_HYPOTHETICAL.search(reduced))


def others(reduced: str) -> bool:
    """True when reduced text speaks of somebody who is not of the user's party."""
    return bool(_OTHERS.match(reduced)) and not _KIN_WITH_NEED.match(reduced)


def request_for_one(reduced: str) -> bool:
    """True when reduced text asks for one thing to be found or booked ("I need a hotel")."""
    return bool(_REQUESTED.search(reduced))


def command(reduced: str) -> bool:
    """True when reduced text orders one thing to be done ("book the aisle seat")."""
    return bool(_REQUEST.match(reduced))


def route(reduced: str) -> bool:
    """True when reduced text names where a journey goes ("fly to Rome")."""
    return bool(_ROUTE.search(reduced))
