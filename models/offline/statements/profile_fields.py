"""Reads which field of a profile a note states, and with which value."""

from __future__ import annotations

import re

from models.offline.statements.note import StatedNote
from models.offline.statements.relations import concepts

Field = tuple[str, str | bool]
"""The name of a field and its value."""

_HOME = re.compile(
    r"(?i:\b(?:lives?|living|based|resides?|residing|settled) (?:permanently )?in|\bhome (?:city|town|base)(?: is|:)|"
    r"\bat home in|\bhome is(?: in)?) "
    r"(?P<city>[A-Z][\w'’.-]*(?: (?:de|da|do|la|las|los|upon|[A-Z][\w'’.-]*))*)|"
    r"(?P<town>[一-龠ァ-ヶー]{2,8})(?:に住んで|在住|で暮らし|に暮らし|が拠点|を拠点)"
)
_COINS = {"usd": "USD", "eur": "EUR", "gbp": "GBP", "jpy": "JPY", "chf": "CHF", "cad": "CAD", "aud": "AUD"}
_PRICES = re.compile(
    r"\b(?:prices?|amounts?|fares?|costs?|quotes?|totals?|everything|budgets?) (?:\w+ ){0,4}in\b|\bcurrency\b|"
    r"\b(?:pays?|quoted?|billed|charged|calculates?|budgets?) in\b|通貨|(?:価格|料金|金額|値段)は?.{0,6}で",
    re.IGNORECASE,
)
_SEATS = {"side:window": "window", "side:aisle": "aisle", "side:middle": "middle"}
_TONES = {"tone:formal": "formal", "tone:friendly": "friendly", "detail:brief": "brief"}


def stated_field(note: StatedNote) -> Field | None:
    """Return the field of the profile that `note` states, or None.

    Only what holds always, for the traveller, and for the user alone is promoted: a condition, another person or a
    workspace keep a note a note.
    """
    said = concepts(note)
    if note.condition or note.scope != "user" or said is None:
        return None
    if note.topic == "seat":
        return _one("seat_preference", _SEATS, said)
    if note.topic == "communication" and (tone := _one("tone", _TONES, said)):
        return tone
    if note.topic == "layover" and (tight := _tight(said)) is not None:
        return "tight_connections", tight
    return _home(note) or _currency(note, said)


def _one(name: str, values: dict[str, str], said: frozenset[tuple[int, str]]) -> Field | None:
    wanted = [values[concept] for sign, concept in said if sign > 0 and concept in values]
    return (name, wanted[0]) if len(wanted) == 1 else None


def _tight(said: frozenset[tuple[int, str]]) -> bool | None:
    if (1, "wait:short") in said:
        return True
    return False if (-1, "wait:short") in said or (1, "wait:long") in said else None


def _home(note: StatedNote) -> Field | None:
    found = _HOME.search(note.text)
    return ("home_city", (found["city"] or found["town"]).rstrip(".")[:80]) if found else None


def _currency(note: StatedNote, said: frozenset[tuple[int, str]]) -> Field | None:
    coins = {_COINS[concept] for sign, concept in said if sign > 0 and concept in _COINS}
    numbers = any(concept[0] == "#" for _, concept in said)
    return ("currency", coins.pop()) if len(coins) == 1 and not numbers and _PRICES.search(note.text) else None
