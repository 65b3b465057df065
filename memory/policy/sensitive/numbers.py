"""Numbers that nobody announced: what their check digits, or the dialling plans of the world, say they are."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from importlib import import_module

from memory.policy.rule import compiled
from memory.policy.sensitive.dates import mask
from memory.policy.sensitive.explained import without_memberships

_CHECKED = (
    (r"(?<!\d)\d{3}[- ]\d{2}[- ]\d{4}(?!\d)", "us.ssn"),
    (r"(?<!\d)\d{4}[- ]?\d{4}[- ]?\d{4}(?!\d)", "in_.aadhaar"),
    (r"(?<!\d)\d{4}[- ]?\d{4}[- ]?\d{4}(?!\d)", "jp.in_"),
    (r"\b[A-Z]{6}\d\d[A-EHLMPR-T]\d\d[A-Z]\d{3}[A-Z]\b", "it.codicefiscale"),
    (r"(?<!\d)\d{3}\.\d{3}\.\d{3}-?\d\d(?!\d)|(?<!\d)\d{11}(?!\d)", "br.cpf"),
    (r"\b\d{8}-?[A-Z]\b", "es.dni"),
    (r"\b[XYZ]-?\d{7}-?[A-Z]\b", "es.nie"),
    (r"\b\d{17}[\dX]\b", "cn.ric"),
    (r"(?<!\d)[12] ?\d\d ?\d\d ?\d[\dab] ?\d{3} ?\d{3} ?\d\d(?!\d)", "fr.nir"),
    (r"(?<!\d)\d{6}-[1-8]\d{6}(?!\d)", "kr.rrn"),
    (r"\b[A-Z]{5}\d{4}[A-Z]\b", "in_.pan"),
    (r"\b[A-Z]{4}\d{6}[HM][A-Z]{5}[A-Z\d]\d\b", "mx.curp"),
    (r"(?<!\d)\d{11}(?!\d)", "pl.pesel"),
    (r"(?<!\d)(?:\d\d)?\d{6}[-+]\d{4}(?!\d)", "se.personnummer"),
    (r"\b\d{6}[-+A]\d{3}[\dA-Z]\b", "fi.hetu"),
    (r"(?<!\d)756\.?\d{4}\.?\d{4}\.?\d\d(?!\d)", "ch.ssn"),
    (r"(?<!\d)\d{2} ?\d{3} ?\d{3} ?\d{3}(?!\d)", "de.idnr"),
    (r"(?<!\d)\d{1,2}\.\d{3}\.\d{3}-[\dkK](?![\dkK])", "cl.rut"),
    (r"(?<!\d)\d{6}[- ]?\d{4}(?!\d)", "dk.cpr"),
    (r"(?<!\d)\d{13}(?!\d)", "za.idnr"),
    (r"(?<!\d)\d{13}(?!\d)", "ro.cnp"),
    (r"(?<!\d)\d{11}(?!\d)", "tr.tckimlik"),
    (r"(?<!\d)\d{6} ?\d{5}(?!\d)", "no.fodselsnummer"),
    (r"(?<!\d)\d{3}[- ]\d{3}[- ]\d{3}(?!\d)", "ca.sin"),
    (r"(?<!\d)\d{3} \d{3} \d{3}(?!\d)", "au.tfn"),
    (r"(?<!\d)\d{3}[- ]\d{3}[- ]\d{4}(?!\d)", "gb.nhs"),
)
_FREE_RUN = r"(?<![\w.,\-])\d(?:[ \-]?\d){8,14}(?![\w])"
_LONG = r"(?<![\w.,])\d{9,}(?!\w)"
_REGIONS = ("US", "GB", "JP", "IN", "DE", "FR", "ES", "IT", "CN", "KR", "AU", "BR", "MX", "SG", "NL")
"""Dialling plans tried for a number without a country code."""


def number_kind(text: str) -> str | None:
    """`phone` or `national_id` for a long number without a label, else None.

    Dates, times and amounts are not numbers in this sense; membership numbers of loyalty programmes are allowed.
    """
    if len(re.findall(r"\d", text)) < 4:
        return None
    masked = without_memberships(mask(text))
    if _checks_out(masked):
        return "national_id"
    runs = [match.group() for match in compiled(_FREE_RUN).finditer(masked)]
    if any(_is_dialled(run) for run in runs):
        return "phone"
    return "national_id" if compiled(_LONG).search(masked) else None


@cache
def _validator(name: str) -> Callable[[str], bool]:
    is_valid: Callable[[str], bool] = import_module(f"stdnum.{name}").is_valid
    return is_valid


def _checks_out(text: str) -> bool:
    for pattern, name in _CHECKED:
        for match in compiled(f"(?-i:{pattern})").finditer(text):
            if _validator(name)(match.group()):
                return True
    return False


def _is_dialled(run: str) -> bool:
    import phonenumbers

    for region in _REGIONS:
        try:
            if phonenumbers.is_valid_number(phonenumbers.parse(run, region)):
                return True
        except phonenumbers.NumberParseException:
            continue
    return False
