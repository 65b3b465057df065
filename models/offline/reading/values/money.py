"""Reads sums of money: the most that something may cost, and what is to be converted."""

import re
from typing import Literal

from models.offline.reading.form import Form
from models.offline.reading.understanding import Conversion, Money

_LEAST = 10
"""Sums under it have a currency."""
_THOUSAND, _MYRIAD = 1_000, 10_000
_PER: tuple[Literal["night", "person", "day", "total"], ...] = ("night", "person", "day", "total")
_GROUPED = re.compile(r",(?=\d{3})")


def read_money(form: Form) -> tuple[Money | None, Conversion | None]:
    """Return the most that something may cost, and a sum to convert; blank them out."""
    exchange = form.patterns("wishes", "conversion")
    paying = form.says("wishes", "cues", "paying")
    if not paying and (match := _first(form, exchange["full"], exchange["reversed"])):
        return None, Conversion(_amount(match), _currency(form, match), _code(form, _group(match, "target")))
    if match := form.first(exchange["more"], "money"):
        return None, Conversion(_amount(match))
    for known in form.patterns("wishes", "money").values():
        for match in known.finditer(form.left):
            if _is_sum(form, match):
                form.blank(match.start(), match.end(), "money")
                return _money(form, match), None
    if not paying and (match := _first(form, exchange["bare"], exchange["target"])):
        return None, Conversion(target=_code(form, _group(match, "target")))
    return None, None


def _first(form: Form, *patterns: re.Pattern[str]) -> re.Match[str] | None:
    return next(filter(None, (form.first(pattern, "money") for pattern in patterns)), None)


def read_sum(form: Form) -> Money | None:
    """Return a sum of money that stands by itself ("900 usd i mean"), blanked out."""
    offered = form.patterns("wishes", "choice")["price"].search(form.left)
    match = None if offered else form.first(form.patterns("wishes", "cues")["sum"], "money")
    return _money(form, match) if match else None


def _money(form: Form, match: re.Match[str]) -> Money:
    return Money(_amount(match), _currency(form, match), next((per for per in _PER if _group(match, per)), None))


def _is_sum(form: Form, match: re.Match[str]) -> bool:
    """Return whether a number is one of money: by its currency or its size, or as a limit."""
    told = _currency(form, match) or _group(match, "scale") or _group(match, "thousand")
    return bool(told or (_amount(match) >= _LEAST and form.patterns("wishes", "cues")["limit"].search(match[0])))


def _amount(match: re.Match[str]) -> float:
    amount = float(_GROUPED.sub("", _group(match, "amount")).replace(",", "."))
    amount *= _MYRIAD if _group(match, "scale") else _THOUSAND if _group(match, "thousand") else 1
    return amount + _THOUSAND * int(_group(match, "more") or 0)


def _currency(form: Form, match: re.Match[str]) -> str | None:
    return _code(form, _group(match, "currency"))


def _code(form: Form, said: str) -> str | None:
    """Return the ISO code of a currency as it was named."""
    codes = form.patterns("wishes", "currencies")
    return next((code for code, known in codes.items() if said and known.fullmatch(said.strip())), None)


def _group(match: re.Match[str], name: str) -> str:
    """Return a group by its name, or its name and a "2"; empty where neither matched."""
    parts = match.groupdict()
    return parts.get(name) or parts.get(f"{name}2") or ""
