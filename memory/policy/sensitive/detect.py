"""Detects sensitive data and names its kind."""

from __future__ import annotations

import re
from typing import Literal

from memory.policy.sensitive.credentials import credential_kind
from memory.policy.sensitive.email_addresses import has_email_address
from memory.policy.sensitive.identity import identity_kind
from memory.policy.sensitive.labelled_values import label_kind, labelled_kind
from memory.policy.sensitive.payment import payment_kind
from memory.policy.sensitive.phone_numbers import has_phone_number
from memory.policy.sensitive.street_addresses import has_street_address
from memory.policy.sensitive.unlabelled_numbers import number_kind
from text import Text

SensitiveKind = Literal[
    "payment_card", "iban", "national_id", "passport", "birth_date", "street_address", "phone", "email", "password",
    "one_time_code", "api_key", "booking_reference",
]  # fmt: skip


def sensitive_kind(text: Text) -> str | None:
    """Return the kind of sensitive data in `text` (one of `SensitiveKind`), or None.

    The text is read as it stands and with encodings, spelled letters and spoken digits undone.
    """
    for reading in text.readings:
        kind = payment_kind(reading) or next(filter(None, map(_kind_in, _clauses(reading))), None)
        if kind:
            return kind
    return next(filter(None, (labelled_kind(part) for reading in text.readings for part in _answers(reading))), None)


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
    """Split `text` so that a word in one sentence does not label a number in the next; "no." and "St." end none."""
    return re.split(r"(?<=\w{4}\.)(?<!str\.)\s+|(?<=[)\"'\d]\.)\s+|(?<=\w[!?])\s+(?=[A-Z])|(?<=[。！？])", text)
