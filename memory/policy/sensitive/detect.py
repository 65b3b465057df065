"""Detects sensitive data and its kind: identity documents, payment data, credentials, contact data.

Detectors match the usual ways to write a label and a value. If none of them matches, each number or code in the text
that is not an ordinary one is checked against all labels in the text, in any order.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from memory.policy.sensitive import checks
from memory.policy.sensitive.patterns import READINGS, compiled, finditer, has_any, records, search, without
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
"""The text that replaces a masked value, by kind; a placeholder itself is not sensitive."""
SENTENCE_END = re.compile(r"(?<=\w{4}\.)(?<!str\.)\s+|(?<=[)\"'\d]\.)\s+|(?<=\w[!?])\s+(?=[A-Z])|(?<=[。！？])")
"""Splits a text so that a word in one sentence labels no number in the next; "no." and "St." don't end a sentence."""
_ANSWER_END = re.compile(rf"(?<!\?)(?:{SENTENCE_END.pattern})")
"""Like `SENTENCE_END`, but does not split after a question: "My PIN? 4821"."""
_NUMBER = re.compile(r"(?<![A-Za-z0-9.,$€£])\+?\(?\d(?:[\s.\-/()_・の]{0,3}\d)*(?![A-Za-z0-9])", re.ASCII)
_TOKEN = re.compile(r"(?<![^\s\"'「『(（:：,、=;。はがを/])[!-~]{4,}", re.ASCII)
_CODE = re.compile(
    r"(?<![A-Za-z0-9])(?=[A-Za-z\-]*\d)(?=[\d\-]*[A-Za-z])[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*(?![A-Za-z0-9])", re.ASCII
)
_GROUPED = re.compile(r"(?<![A-Za-z0-9])[A-Z0-9]{3,4}(?:[ .][A-Z0-9]{3,4})+(?![A-Za-z0-9])", re.ASCII)
_LETTERS = re.compile(r"(?<![A-Za-z0-9])[A-Z]{6}(?![A-Za-z0-9])", re.ASCII)
_NAMED = {"passport", "national_id", "one_time_code", "booking_reference", "iban"}
REMOVED = re.compile("|".join(map(re.escape, PLACEHOLDERS.values())))


@dataclass(frozen=True, slots=True)
class Detector:
    """One row of `tables/detectors.toml`, which explains the fields."""

    kind: str
    patterns: tuple[str, ...]
    reads: str = "text"
    digits: int = 0
    needs: str = ""
    given: str = ""
    check: str = ""
    spread: bool = False

    def finds(self, text: str) -> bool:
        """Return whether the detector matches `text`. The caller has checked `digits` and `needs`."""
        if self.given and not search(self.given, text):
            return False
        reading = READINGS[self.reads](text)
        check: Callable[[re.Match[str]], bool] = getattr(checks, self.check) if self.check else bool
        return any(check(match) for name in self.patterns for match in finditer(name, reading))


@cache
def _detectors() -> tuple[Detector, ...]:
    return tuple(Detector(**record) for record in records("detectors.detectors"))


def is_of_venue(kind: str, text: str) -> bool:
    """Return whether contact data of `kind` in `text` belongs to a hotel, restaurant or the like and is public."""
    if kind not in {"phone", "street_address"} or search("street_addresses.somebody", text):
        return False
    name = "venue" if kind == "street_address" else "venue_reached"
    return search(f"street_addresses.{name}", text) is not None


def sensitive_kind(text: Text) -> str | None:
    """Return the kind of sensitive data in `text`, or None.

    The text is checked as it is, and with encodings, spelled letters and spoken digits decoded. The kinds are those of
    `PLACEHOLDERS` and `birth_date`, `street_address`, `phone`, `email` and `booking_reference`.
    """
    if "removed]" in text.raw:
        text = Text(REMOVED.sub(" \u2205 ", text.raw))
    kind = next(filter(None, map(_kind_of, text.readings)), None) or next(
        filter(None, (labelled_kind(part) for reading in text.readings for part in _ANSWER_END.split(reading))), None
    )
    return None if kind and is_of_venue(kind, text.normalised) else kind


def _kind_of(reading: str) -> str | None:
    if kind := _detected(reading, (one for one in _detectors() if one.spread)):
        return kind
    for sentence in SENTENCE_END.split(reading):
        if kind := _detected(sentence, _detectors()):
            return label_kind(sentence) or kind if kind in {"phone", "national_id"} else kind
    return None


def _detected(text: str, detectors: Iterable[Detector]) -> str | None:
    lowered, digits = text.lower(), len(re.findall(r"\d", text))
    likely = (one for one in detectors if one.digits <= digits and (not one.needs or has_any(one.needs, lowered)))
    return next((one.kind for one in likely if one.finds(text)), None)


@dataclass(frozen=True, slots=True)
class Context:
    """Words that make a value sensitive: one context of `tables/labelled_values.toml`, which explains the fields."""

    kind: str
    triggers: str
    words: str
    fewest: int
    most: int
    code: int = 0
    secret: bool = False


@cache
def _contexts() -> tuple[Context, ...]:
    return tuple(Context(**record) for record in records("labelled_values.contexts"))


def labelled_kind(text: str) -> str | None:
    """Return the kind of a value in `text` that is not an ordinary number, by the words in the text, or None."""
    if not (re.search(r"\d", text) or _LETTERS.search(text)):
        return None
    rest = without(READINGS["unexplained"](text), "labelled_values.harmless_code")
    sizes = [len(re.findall(r"\d", number)) for number in _NUMBER.findall(rest)]
    codes = _LETTERS.findall(rest) if re.search(r"[^A-Z\W\d_]", rest) else []
    codes = [code for code in codes if not _is_wordlike(code)]
    mixed = (code for code in (*_CODE.findall(rest), *_GROUPED.findall(rest)) if len(code) >= 5)
    codes += [code for code in mixed if re.search(r"\d", code) and re.search(r"[A-Za-z]", code) and _is_not_word(code)]
    secrets = [token for token in _TOKEN.findall(rest) if _is_odd(token)]
    return _by_words(text, sizes, codes, secrets) or _by_shape(rest, codes, secrets)


def label_kind(text: str) -> str | None:
    """Return the kind that a label in `text` gives a number that was detected by its digits alone, or None."""
    if is_about_phones(text):
        return None
    lowered = text.lower()
    likely = (context for context in _contexts() if context.kind in _NAMED and has_any(context.triggers, lowered))
    return next((context.kind for context in likely if compiled(context.words).search(lowered)), None)


def is_about_phones(text: str) -> bool:
    """Return whether `text` is about calling or texting somebody."""
    return search("labelled_values.phone", text.lower()) is not None


def _by_words(text: str, sizes: list[int], codes: list[str], secrets: list[str]) -> str | None:
    lowered = without(text.lower(), "labelled_values.harmless_code", new=" ")
    for context in _contexts():
        if not has_any(context.triggers, lowered):
            continue
        is_number = any(context.fewest <= size <= context.most for size in sizes)
        is_code = context.code and any(len(code) >= context.code for code in codes)
        if (is_number or is_code or (context.secret and secrets)) and compiled(context.words).search(lowered):
            return context.kind
    return None


def _by_shape(rest: str, codes: list[str], secrets: list[str]) -> str | None:
    if compiled(r"(?<![\d.,$€£+\-])[1-9]?\d{6}(?![\w\-]|[.,]\d)").search(rest):
        return "one_time_code"
    if any(number.startswith("+") and _is_identifier(number) for number in _NUMBER.findall(rest)):
        return "phone"
    if any(map(_is_identifier, _NUMBER.findall(rest))) or re.search(r"(?<![\d.,:/\-])\d(?: \d){4,}(?![\d.,:/])", rest):
        return "national_id"
    if any(len(code) >= 8 and len(re.findall(r"\d", code)) >= 5 for code in codes):
        return "national_id"
    if any(re.fullmatch(r"[A-Z0-9]{6}", code) and _changes(code) >= 3 for code in codes):
        return "booking_reference"
    return "password" if any(_is_wild(token) for token in secrets) else None


def _is_identifier(number: str) -> bool:
    """Return whether `number` has at least eight digits and is not a list of room numbers or the like."""
    groups = re.findall(r"\d+", number)
    listed = len(groups) > 1 and len({*map(len, groups)}) == 1 and groups == sorted({*groups})
    return sum(map(len, groups)) >= 8 and not listed


def _is_not_word(code: str) -> bool:
    """Return whether `code` is not a word with a number before or after it: "mp3", "24-hour", "covid-19"."""
    if "-" in code:
        has_word = re.search(r"(?:^|-)[a-z]{3,}(?:-|$)", code) is not None
        return not has_word and re.search(r"(?=[^\d-]*\d)[^-]{3,}", code) is not None
    if re.fullmatch(r"[A-Za-z]{3,}\d{1,2}", code):
        return not _is_wordlike(code.rstrip("0123456789"))
    if re.fullmatch(r"\d{1,4}[a-z]{2,}", code):
        return not _is_wordlike(code.lstrip("0123456789"))
    return not re.fullmatch(r"[A-Z]{2}\d{1,4}", code)


def _is_odd(token: str) -> bool:
    token = token.strip("\"'.,;:!?()[]<>")
    if len(token) < 4 or not re.search(r"[A-Za-z]", token) or re.match(r"https?:|www\.", token):
        return False
    if re.fullmatch(r"[A-Za-z]{4,}\d{1,4}|(?=.{6}).*[!#$%^*_=@~].*", token):
        return True
    return re.search(r"\d", token) is not None and _is_not_word(token)


def _is_wild(token: str) -> bool:
    token = token.strip("\"'.,;:!?()[]<>")
    kinds = sum(re.search(kind, token) is not None for kind in (r"[a-z]", r"[A-Z]", r"\d", r"[!#$%^*_=@~&?]"))
    return len(token) >= 8 and kinds >= 3 and _changes(token) >= 3 and "/" not in token and "." not in token


def _is_wordlike(letters: str) -> bool:
    lowered = letters.lower()
    vowels = len(re.findall(r"[aeiouy]", lowered))
    return (len(letters) <= 3 or vowels >= len(letters) / 4) and not re.search(r"[^aeiouy]{4}", lowered)


def _changes(token: str) -> int:
    marks = re.sub(r"[A-Za-z]", "a", re.sub(r"\d", "0", token))
    return sum(before != after for before, after in pairwise(marks))
