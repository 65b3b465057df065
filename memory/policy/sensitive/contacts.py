"""Detects contact data: e-mail addresses, street addresses and phone numbers."""

from __future__ import annotations

import re

from memory.policy.sensitive.numbers import mask, without_memberships, without_ordinary_numbers
from memory.policy.sensitive.patterns import Patterns

_EMAILS = Patterns("email_addresses")
_STREETS = Patterns("street_addresses")
_PHONES = Patterns("phone_numbers")
_BRACKETS = str.maketrans("【〔「《〈『】〕」》〉』", "[[[[[[]]]]]]")


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
    if _PHONES.search("dotted", text):
        return True
    rest = without_memberships(_STREETS.sub("near", r"\1", mask(text)))
    if len(re.findall(r"\d", rest)) < 6:
        return False
    return _PHONES.labels("phone")[0].hits(rest) or _PHONES.search("phone_shapes", rest) is not None


def is_of_venue(kind: str, text: str) -> bool:
    """Return whether contact data of `kind` in `text` is that of a hotel, a restaurant or the like, which is public."""
    if kind not in {"phone", "street_address"} or _STREETS.search("somebody", text):
        return False
    return _STREETS.search("venue" if kind == "street_address" else "venue_reached", text) is not None
