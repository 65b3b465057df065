"""Finds where a journey starts and where it goes."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from models.offline.en.wording import table
from models.offline.readings import Slot
from models.offline.tables import alternatives

_AMBIGUOUS = frozenset(
    {
        "bath",
        "nice",
        "split",
        "york",
        "georgia",
        "turkey",
        "jordan",
        "china",
        "charlotte",
        "phoenix",
        "cork",
        "lima",
        "perth",
        "cambridge",
        "oxford",
        "salvador",
    }
)
_SHORT = 3
_SPELT = 6
"""Shorter names are too near to other words to be mended."""
_HOME = (
    r"(?i:(?<![\w'])(?:(?:i|we)(?:'m| am|'re| are)?(?: (?:currently|now|both|all))? "
    r"(?:live|living|based|located|reside)|^based|^living|home(?: (?:city|town|base|airport))? is)"
    r"(?: (?:in|near|at|out of))?) "
)


@cache
def _places() -> dict[str, str]:
    lines = (Path(__file__).parents[1] / "words" / "places.txt").read_text(encoding="utf-8").splitlines()
    return {line.lower(): line for line in lines if line}


@cache
def _place_pattern() -> str:
    known = alternatives([re.escape(name) for name in _places()])
    return rf"(?:(?i:{known})(?!\w)|[A-ZÀ-Þ][\w'’-]+(?: (?:de |of |la |del |da )?[A-ZÀ-Þ][\w'’-]+){{0,2}})"


@cache
def _from_to() -> re.Pattern[str]:
    """ "Paris - New York": two towns with a dash between them."""
    known = alternatives([re.escape(name) for name in _places()])
    return re.compile(rf"(?<![\w'])(?P<origin>(?i:{known})) ?(?:-|->|→|>) ?(?P<place>(?i:{known}))(?!\w)")


@cache
def _finders() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    place = _place_pattern()
    return (
        re.compile(rf"(?i:\bfrom|leaving|departing|out of)(?i: from)? (?P<place>{place})"),
        re.compile(
            r"(?i:\b(?:to|in|visit|visiting|at|see|towards?|around|make (?:it|that)|for|explore|into|near|via|"
            rf"meant|destination(?: is)?))(?i: the)? (?P<place>{place})"
        ),
        re.compile(rf"(?i:\b(?:not|instead of|rather than)) (?:(?i:to|in) )?(?P<place>{place})"),
        re.compile(rf"(?<![\w'])(?P<place>{place})"),
    )


@cache
def _misspelled() -> dict[str, str]:
    """Names of towns with a letter dropped, doubled or swapped with its neighbour."""
    found: dict[str, str] = {}
    for lower, name in _places().items():
        for at in range(1, len(lower) if len(lower) >= _SPELT and lower.isalpha() else 0):
            found.setdefault(lower[:at] + lower[at + 1 :], name)
            found.setdefault(lower[:at] + lower[at] + lower[at:], name)
            found.setdefault(lower[: at - 1] + lower[at] + lower[at - 1] + lower[at + 1 :], name)
    return {slip: name for slip, name in found.items() if slip not in _places()}


def spelled(text: str) -> str:
    """`text` with slips of the finger in the names of towns mended ("barcelna")."""
    return re.sub(r"[^\W\d_]{5,}", lambda found: _misspelled().get(found[0].lower(), found[0]), text)


def route(text: str, form: str, asked: Slot | None, replaces: bool) -> tuple[str | None, str | None]:
    """Origin and destination that `text` names (`form` is its plain form); None for each that it does not name."""
    if pair := _from_to().search(text):
        return _named(pair["origin"]), _named(pair["place"])
    from_, to, not_, any_ = _finders()
    dropped = {name for match in not_.finditer(text) if (name := _named(match["place"]))}
    home = home_in(text)
    origin = _first(from_, text, dropped) or home
    dropped |= {home} if home else set()
    destination = _first(to, text, dropped | ({origin} if origin else set()))
    if destination is None and origin is not None:
        bare = re.search(rf"(?i:from) {re.escape(origin)} (?:to |- ?)?(?P<place>{_place_pattern()})", text)
        destination = _named(bare["place"]) if bare else None
    if destination is None and (
        asked in {"destination", "origin"} or replaces or re.search(r"\b(?:flight|trip|hotel|weekend)s?\b", form)
    ):
        found = _first(
            any_, text, dropped | ({origin} if origin else set()), known=asked not in {"destination", "origin"}
        )
        if asked == "origin" and origin is None and not replaces:
            return found or _bare(text, form), None
        destination = found
    if destination is None and asked == "destination":
        destination = _bare(text, form)
    if asked == "origin" and origin is None and destination is None:
        origin = _bare(text, form)
    return origin, destination


def is_place(name: str) -> bool | None:
    """Whether `name` is a known town or country; None for a word that names no place at all ("May")."""
    if name.lower() in _places():
        return True
    return False if _named(name) else None


def home_in(text: str) -> str | None:
    """The place where the writer of `text` lives, by their word ("I'm based in Berlin"), or None."""
    found = re.search(rf"{_HOME}(?P<place>{_place_pattern()})", text)
    return _named(found["place"]) if found else None


def names_place(text: str) -> bool:
    """True when `text` names a place that is known, or one by its capital letter after "in", "to" or "from"."""
    from_, to, _, any_ = _finders()
    return bool(_first(from_, text, set()) or _first(to, text, set()) or _first(any_, text, set(), known=True))


def _first(pattern: re.Pattern[str], text: str, dropped: set[str], known: bool = False) -> str | None:
    for match in pattern.finditer(text):
        name = _named(match["place"])
        opening = match.start("place") == 0 and len(text.split()) > _SHORT
        if name and name not in dropped and not ((known or opening) and name.lower() not in _places()):
            return name
    return None


def _named(words: str) -> str | None:
    """The place's name in its usual spelling, or None when the words are no place."""
    lower = words.lower()
    if lower in _places():
        return None if lower in _AMBIGUOUS and words[0].islower() else _places()[lower]
    first = lower.split(" ")[0]
    return None if first in table("grammar")["never_places"] or "'" in words else words


def _bare(text: str, form: str) -> str | None:
    words = [word for word in re.findall(r"[\w'-]+", text) if word.lower() not in {"to", "from", "in", "please", "the"}]
    if not 1 <= len(words) <= 2 or re.search(
        r"\b(?:know|maybe|first|second|third|last|flights?|hotels?|activit\w+|insurance|sure|anywhere|idea|yes|no|home|hi|hello|thanks|help|okay|you|me|cheap|warm|us|nights?|days?|weeks?|"
        r"people|persons?|adults?|"
        r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekend|tomorrow|today|next|one|two|three|"
        r"four|five|six|seven)\b|\d",
        form,
    ):
        return None
    return " ".join(word.capitalize() for word in words)
