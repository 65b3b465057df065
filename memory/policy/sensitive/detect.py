"""Sensitive data, by kind (S4.3)."""

from __future__ import annotations

import re
from typing import Literal

from memory.policy.sensitive.contact import contact_kind
from memory.policy.sensitive.credentials import credential_kind
from memory.policy.sensitive.identity import identity_kind
from memory.policy.sensitive.labelled_values import announced_kind, named_kind
from memory.policy.sensitive.numbers import number_kind
from memory.policy.sensitive.payment import payment_kind
from text.deobfuscate import readings

SensitiveKind = Literal[
    "payment_card", "iban", "national_id", "passport", "birth_date", "street_address", "phone", "email", "password",
    "one_time_code", "api_key", "booking_reference",
]  # fmt: skip

_DETECTORS = (payment_kind, credential_kind, identity_kind, contact_kind, number_kind)
"""In this order, because the first two know their values by shape and label, the last ones by what is left."""


def sensitive_kind(text: str) -> str | None:
    """The kind of sensitive data in `text` (one of `SensitiveKind`), or None.

    The text is read as it stands and with encodings, spelled letters and spoken digits undone.
    """
    found = readings(text)
    for reading in found:
        kind = payment_kind(reading) or next(filter(None, map(_kind_in, _clauses(reading))), None)
        if kind:
            return kind
    return next(filter(None, (announced_kind(part) for reading in found for part in _answered(reading))), None)


def _kind_in(clause: str) -> str | None:
    kind = next((kind for detect in _DETECTORS if (kind := detect(clause))), None)
    return named_kind(clause) or kind if kind in {"phone", "national_id"} else kind


def _answered(text: str) -> list[str]:
    """The sentences of `text`, each question together with what follows it: "My PIN? 4821"."""
    parts: list[str] = []
    for clause in _clauses(text):
        if parts and parts[-1].endswith(("?", "？")):
            parts[-1] += " " + clause
        else:
            parts.append(clause)
    return parts


def _clauses(text: str) -> list[str]:
    """Sentences, so that a word in one does not label a number in the next; "no." and "St." end none."""
    return re.split(r"(?<=\w{4}\.)(?<!str\.)\s+|(?<=[)\"'\d]\.)\s+|(?<=\w[!?])\s+(?=[A-Z])|(?<=[。！？])", text)
