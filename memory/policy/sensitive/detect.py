"""Detects sensitive data and names its kind."""

from __future__ import annotations

import re

from memory.policy.sensitive.contacts import has_email_address, has_phone_number, has_street_address, is_of_venue
from memory.policy.sensitive.credentials import credential_kind
from memory.policy.sensitive.identity import identity_kind, payment_kind
from memory.policy.sensitive.labelled_values import label_kind, labelled_kind
from memory.policy.sensitive.numbers import number_kind
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
