"""Parts a statement from the condition it holds under ("on overnight flights")."""

from __future__ import annotations

import re

_KIND = (
    r"(?!an?\b|this|that|the\b(?!\s+(?:road|weekends?|city)))(?:(?:all|any|most|my|our|very|really|the|"
    r"those)\s+)?(?:[\w-]+\s+){0,3}?(?:flights?|trips?|hauls?|long[- ]haul|short[- ]haul|hops?|journeys?|"
    r"stays?|layovers?|red[- ]?eyes?|legs|rides|drives|breaks?|holidays|vacations|weekends|"
    r"mornings|evenings|nights|summer|winter|work|business|pleasure|leisure|anything (?:over|under|longer|"
    r"shorter)[^,]*|planes?|trains?|buses|ferries|boats?|hours?|travel|hot weather|hot countries|cold weather|"
    r"cities|big cities|the city|(?:long|short|overnight|day|night|early|late|other)(?:er)? ones)"
    r"(?:\s+(?:longer|shorter|over|under|of|above|below|that|with|where|lasting)\b[^,]*)?"
)
_LEADING = re.compile(
    rf"^(?P<condition>(?:on|for|in|during|with|at)\s+{_KIND}|(?:when|whenever|if|unless|where|"
    r"wherever)\s+[^,]+?)(?:,\s*|\s+(?=(?:i|i'm|i'd|we|my|give|no|never|always|only|please|an?|"
    r"the)\b))(?P<rest>.+)$",
    re.IGNORECASE,
)
_TRAILING = re.compile(
    rf"^(?P<rest>.+?),?\s+(?P<condition>(?:on|for|during)\s+(?!(?:work|business|pleasure|leisure)$){_KIND}|"
    r"in\s+(?:summer|winter|hot weather|hot countries|cold weather|big cities)|(?:when|whenever|if|"
    r"unless)\s+(?!possible|i can\b|we can\b|available|at all)[^,]+)$",
    re.IGNORECASE,
)
_ANOTHER = re.compile(rf"\b(?:on|for|during)\s+{_KIND}\s*(?:,|\band\b|\bbut\b|\bwhile\b)", re.IGNORECASE)
"""A condition in what is left: "aisle on short flights, window on long ones" has two, and each its own wish."""
_ENOUGH, _LONGEST = 2, 120
_NO_CONDITION = re.compile(
    r"(?:if|when|whenever|where|wherever) (?:you|possible|i travel|we travel|i'm travell?ing)\b|(?:on|for|in|"
    r"during) (?:every|each|most|all|any) (?:trip|journey|flight)s?$|for red",
    re.IGNORECASE,
)
_UNFINISHED = re.compile(
    r"\b(?:built|travel|fly|go|care|ask|opt|wait|meant|made|get|step|insures me|is|are|be|me|us)$", re.IGNORECASE
)


def split_condition(text: str) -> tuple[str, str | None]:
    """`text` without its condition, and the condition in lower case at its head, or None."""
    for pattern in (_LEADING, _TRAILING):
        match = pattern.match(text)
        if match and len(match["rest"].split()) >= _ENOUGH and len(match["condition"]) <= _LONGEST and _parts(match):
            rest, condition = match["rest"].strip(" ,"), match["condition"].strip(" ,")
            return rest[:1].upper() + rest[1:], condition[:1].lower() + condition[1:]
    return text, None


def _parts(match: re.Match[str]) -> bool:
    """True when what is left makes sense alone and what is taken off is its one condition."""
    if _ANOTHER.search(match["rest"]):
        return False
    return not _NO_CONDITION.match(match["condition"]) and not _UNFINISHED.search(match["rest"])
