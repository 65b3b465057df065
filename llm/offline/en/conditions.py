"""Parts a statement from the condition it holds under ("on overnight flights")."""

from __future__ import annotations

import re

_KIND = (
    r"(?:(?:all|any|most|my|our|very|really|the|those)\s+)?(?:[\w-]+\s+){0,3}?(?:flights?|trips?|hauls?|long[- ]haul|short[- ]haul|hops?|journeys?|stays?|layovers?|red[- ]?eyes?|legs|rides|drives|breaks?|holidays|vacations|weekends|"
    r"mornings|evenings|nights|summer|winter|work|business|pleasure|leisure|anything (?:over|under|longer|shorter)[^,]*|planes?|trains?|buses|ferries|boats?|hours?|travel|hot weather|hot countries|cold weather|cities|big cities|the city)"
    r"(?:\s+(?:longer|shorter|over|under|of|above|below|that|with|where|lasting)\b[^,]*)?"
)
_LEADING = re.compile(rf"^(?P<condition>(?:on|for|in|during|with|at)\s+{_KIND}|(?:when|whenever|if|unless|where|wherever)\s+[^,]+?)(?:,\s*|\s+(?=(?:i|i'm|i'd|we|my|give|no|never|always|only|please|an?|the)\b))(?P<rest>.+)$", re.IGNORECASE)
_TRAILING = re.compile(rf"^(?P<rest>.+?),?\s+(?P<condition>(?:on|for|during)\s+{_KIND}|in\s+(?:summer|winter|hot weather|hot countries|cold weather|big cities)|(?:when|whenever|if|unless)\s+(?!possible|i can\b|we can\b|available|at all)[^,]+)$", re.IGNORECASE)
_ENOUGH = 2


def split_condition(text: str) -> tuple[str, str | None]:
    """`text` without its condition, and the condition in lower case at its head, or None."""
    for pattern in (_LEADING, _TRAILING):
        match = pattern.match(text)
        if match and len(match["rest"].split()) >= _ENOUGH and len(match["condition"]) <= 120:
            rest, condition = match["rest"].strip(" ,"), match["condition"].strip(" ,")
            return rest[:1].upper() + rest[1:], condition[:1].lower() + condition[1:]
    return text, None
