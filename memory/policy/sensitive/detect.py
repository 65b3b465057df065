"""Detects sensitive data and names its kind: what identifies somebody, pays, or reaches them."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from memory.policy.sensitive import checks
from memory.policy.sensitive.labelled_values import label_kind, labelled_kind
from memory.policy.sensitive.patterns import READINGS, finditer, has_any, records, search
from text import Text

PLACEHOLDERS: dict[str, str] = {
    "payment_card": "[card number removed]",
    "iban": "[bank account removed]",
    "password": "[password removed]",
    "one_time_code": "[code removed]",
    "api_key": "[API key removed]",
    "national_id": "[ID number removed]",
    "passport": "[passport number removed]",
}
"""What stands in a text for what is never needed, by kind; a placeholder is no value itself."""
SENTENCE_END = re.compile(r"(?<=\w{4}\.)(?<!str\.)\s+|(?<=[)\"'\d]\.)\s+|(?<=\w[!?])\s+(?=[A-Z])|(?<=[。！？])")
"""Splits a text so that a word in one sentence labels no number in the next; "no." and "St." end none."""
REMOVED = re.compile("|".join(map(re.escape, PLACEHOLDERS.values())))


@dataclass(frozen=True, slots=True)
class Detector:
    """One row of `tables/detectors.toml`, which says what its fields mean."""

    kind: str
    patterns: tuple[str, ...]
    reads: str = "text"
    digits: int = 0
    needs: str = ""
    given: str = ""
    check: str = ""
    spread: bool = False

    def finds(self, text: str) -> bool:
        """Return whether it finds something in `text`, which has the digits and one of the words that it needs."""
        if self.given and not search(self.given, text):
            return False
        read = READINGS[self.reads](text)
        if not self.check:
            return any(search(name, read) for name in self.patterns)
        is_it: Callable[[re.Match[str]], bool] = getattr(checks, self.check)
        return any(is_it(found) for name in self.patterns for found in finditer(name, read))


@cache
def _detectors() -> tuple[Detector, ...]:
    return tuple(Detector(**record) for record in records("detectors.detectors"))


def is_of_venue(kind: str, text: str) -> bool:
    """Return whether contact data of `kind` in `text` is that of a hotel, a restaurant or the like, which is public."""
    if kind not in {"phone", "street_address"} or search("street_addresses.somebody", text):
        return False
    name = "venue" if kind == "street_address" else "venue_reached"
    return search(f"street_addresses.{name}", text) is not None


def sensitive_kind(text: Text) -> str | None:
    """Return the kind of sensitive data in `text`, or None.

    The text is read as it stands and with encodings, spelled letters and spoken digits undone. The kinds are those of
    `PLACEHOLDERS` and `birth_date`, `street_address`, `phone`, `email` and `booking_reference`.
    """
    if "removed]" in text.raw:
        text = Text(REMOVED.sub(" \u2205 ", text.raw))
    found = next(filter(None, map(_kind_of, text.readings)), None) or next(
        filter(None, (labelled_kind(part) for reading in text.readings for part in _answers(reading))), None
    )
    return None if found and is_of_venue(found, text.normalised) else found


def _kind_of(reading: str) -> str | None:
    if whole := _found(reading, (one for one in _detectors() if one.spread)):
        return whole
    for clause in SENTENCE_END.split(reading):
        if kind := _found(clause, _detectors()):
            return label_kind(clause) or kind if kind in {"phone", "national_id"} else kind
    return None


def _found(text: str, detectors: Iterable[Detector]) -> str | None:
    lowered, digits = text.lower(), len(re.findall(r"\d", text))
    for one in detectors:
        if one.digits <= digits and (not one.needs or has_any(one.needs, lowered)) and one.finds(text):
            return one.kind
    return None


def _answers(text: str) -> list[str]:
    """Return the sentences of `text`, each question together with what follows it: "My PIN? 4821"."""
    parts: list[str] = []
    for clause in SENTENCE_END.split(text):
        if parts and parts[-1].endswith(("?", "？")):
            parts[-1] += " " + clause
        else:
            parts.append(clause)
    return parts
