"""Detects sensitive data and names its kind: what identifies somebody, pays, or reaches them."""

import re

from memory.policy.sensitive.credentials import credential_kind
from memory.policy.sensitive.labelled_values import label_kind, labelled_kind
from memory.policy.sensitive.numbers import full_years, mask, number_kind, without_memberships, without_ordinary_numbers
from memory.policy.sensitive.patterns import Patterns
from text import Text

_EMAILS = Patterns("email_addresses")
_STREETS = Patterns("street_addresses")
_PHONES = Patterns("phone_numbers")
_BRACKETS = str.maketrans("【〔「《〈『】〕」》〉』", "[[[[[[]]]]]]")
_PAYMENT = Patterns("payment")
_CARD_PREFIX = re.compile(r"3[04-9]|4|5|6|2[2-7]")
_IDENTITY = Patterns("identity")
_LAST_BIRTHDAY_YEAR = 2024
"""A birthday with a later year is a trip on that day; a date of birth is caught by "born" whatever its year."""
_LAST_ADULT_YEAR = 2012
_FEWEST_DIGITS = 6
"""Of a phone number."""
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


def has_email_address(text: str) -> bool:
    """Return whether `text` holds an e-mail address, or the name of a mailbox at a known provider."""
    lowered = re.sub(r" ?\u00b7 ?", "", text.lower()).translate(_BRACKETS)
    if _EMAILS.search("at_sign", lowered) and _EMAILS.search("email", lowered):
        return True
    if any(_EMAILS.search(shape, lowered) for shape in ("starred_email", "odd_email", "handle", "on_a_site")):
        return True
    if " at " not in lowered:
        return False
    about_mail = _EMAILS.search("mail_words", lowered) is not None
    return any(about_mail or _is_mailbox(match) for match in _EMAILS.finditer("said_email", lowered))


def _is_mailbox(said: re.Match[str]) -> bool:
    local = said["local"].split()
    return len(local) > 1 or local[-1] not in _EMAILS.words("visits")


def has_street_address(text: str) -> bool:
    """Return whether `text` holds a street address."""
    if _STREETS.search("ja_address", text) or _STREETS.search("at_home", text):
        return True
    if not re.search(r"\d", text):
        return _has_street(text)
    return _has_street(_STREETS.sub("near", r"\1", mask(text))) or _is_written(text)


def _has_street(text: str) -> bool:
    lowered = text.lower()
    if any(_STREETS.search(name, lowered) for name in ("address", "labelled_address")):
        return True
    return _STREETS.search("named_address", text) is not None


def _is_written(text: str) -> bool:
    """Return whether `text` holds an address in the manner of some country, or a place to be met or sent to."""
    rest = without_ordinary_numbers(text)
    if _STREETS.search("written", text):
        return True
    if any(_STREETS.search(name, rest) for name in ("written_with_code", "met_at", "met_by_number", "number_met")):
        return True
    return not text.isascii() and _STREETS.search("ja_met", text) is not None


def has_phone_number(text: str) -> bool:
    """Return whether `text` holds a phone number that is labelled or in a usual shape."""
    if len(re.findall(r"\d", text)) < _FEWEST_DIGITS:
        return False
    if _PHONES.search("dotted", text):
        return True
    rest = without_memberships(_STREETS.sub("near", r"\1", mask(text)))
    if len(re.findall(r"\d", rest)) < _FEWEST_DIGITS:
        return False
    return _PHONES.labels("phone")[0].hits(rest) or _PHONES.search("phone_shapes", rest) is not None


def is_of_venue(kind: str, text: str) -> bool:
    """Return whether contact data of `kind` in `text` is that of a hotel, a restaurant or the like, which is public."""
    if kind not in {"phone", "street_address"} or _STREETS.search("somebody", text):
        return False
    return _STREETS.search("venue" if kind == "street_address" else "venue_reached", text) is not None


def payment_kind(text: str) -> str | None:
    """Return `payment_card` or `iban` when `text` holds one, else None."""
    if len(re.findall(r"\d", text)) < 3:
        return None
    if any(_is_card(match.group()) for match in _PAYMENT.finditer("run", text)):
        return "payment_card"
    for label in _PAYMENT.labels("labelled"):
        if label.hits(text) and (label.kind != "payment_card" or label.hits(without_memberships(mask(text)))):
            return label.kind
    return "iban" if any(_is_iban(match.group()) for match in _PAYMENT.finditer("iban", text)) else None


def _is_card(run: str) -> bool:
    from stdnum import luhn

    groups = re.findall(r"\d+", run)
    spans = [(start, end) for start in range(len(groups)) for end in range(start + 1, len(groups) + 1)]
    numbers = ["".join(groups[start:end]) for start, end in spans]
    return any(13 <= len(number) <= 19 and _CARD_PREFIX.match(number) and luhn.is_valid(number) for number in numbers)


def _is_iban(found: str) -> bool:
    from stdnum import iban

    compact = re.sub(r"[^A-Za-z0-9]", "", found).upper()
    return any(iban.is_valid(compact[:size], check_country=False) for size in range(len(compact), 14, -1))


def identity_kind(text: str) -> str | None:
    """Return `birth_date`, `passport` or `national_id` when `text` holds one, else None."""
    if _is_birth_date(text):
        return "birth_date"
    if len(re.findall(r"\d", text)) < 3 and "<<" not in text:
        return None
    masked = without_memberships(mask(text))
    for name in ("passport", "national"):
        label = _IDENTITY.labels(name)[0]
        if label.hits(masked):
            return label.kind
    if any(_IDENTITY.search(name, masked) for name in ("shaped", "card_of_two")):
        return "national_id"
    return "passport" if _IDENTITY.search("passport_shape", masked) else None


def _is_birth_date(text: str) -> bool:
    lowered = text.lower()
    if not re.search(r"[\d一二三四五六七八九十]", text):
        return False
    years = full_years(text)
    if _IDENTITY.search("born", lowered):
        certain = _IDENTITY.search("born_then", lowered) is not None
        if years and _IDENTITY.search("born_on_date", lowered):
            return certain or min(years) <= _LAST_BIRTHDAY_YEAR
        coming = not certain and _IDENTITY.search("coming", lowered) is not None
        return _IDENTITY.search("born_on_short_date", lowered) is not None and not coming
    old = any(year and year <= _LAST_ADULT_YEAR for year in years)
    return old and not _IDENTITY.search("past_event", lowered) and _is_of_person(lowered)


def _is_of_person(lowered: str) -> bool:
    """Return whether an old date stands in a form about somebody, or next to hardly more than a name."""
    others = re.findall(r"[^\W\d_]{2,}", Patterns("dates").sub("full_date", " ", lowered))
    named = lowered.isascii() and len(others) <= 2 and "on" not in others
    return named or _IDENTITY.search("person", lowered) is not None


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
    return payment_kind(reading) or next(filter(None, map(_kind_in, _clauses(reading))), None)


def _kind_in(clause: str) -> str | None:
    detectors = (payment_kind, credential_kind, identity_kind, _contact_kind, number_kind)
    kind = next((kind for detect in detectors if (kind := detect(clause))), None)
    return label_kind(clause) or kind if kind in {"phone", "national_id"} else kind


def _contact_kind(clause: str) -> str | None:
    if has_email_address(clause):
        return "email"
    if has_street_address(clause):
        return "street_address"
    return "phone" if has_phone_number(clause) else None


def _answers(text: str) -> list[str]:
    """Return the sentences of `text`, each question together with what follows it: "My PIN? 4821"."""
    parts: list[str] = []
    for clause in _clauses(text):
        if parts and parts[-1].endswith(("?", "？")):
            parts[-1] += " " + clause
        else:
            parts.append(clause)
    return parts


def _clauses(text: str) -> list[str]:
    return SENTENCE_END.split(text)
