"""Payment cards and bank accounts."""

from __future__ import annotations

import re

from memory.policy.rule import compiled
from memory.policy.sensitive.dates import mask
from memory.policy.sensitive.explained import without_memberships
from memory.policy.sensitive.labels import Label, digits

_RUN = r"(?<![\d])\d(?:(?:[^A-Za-z0-9ぁ-んァ-ヶ一-龠]|then|and|next|dash|space|の){0,6}\d){12,22}(?!\d)"
_CARD_WORDS = (
    r"(?<!identity )(?<!\bid )(?<!aadhaar )(?<!residence )(?<!resident )(?<!health )(?<!insurance )(?<!green "
    r")(?<!medical )(?<!pan )card\b|\bvisa\b|mastercard|master card|\bamex\b|american express|\bjcb\b|discover|"
    r"diners|(?<!ナンバー)(?<!在留)(?<!身分証)カード|クレジット"
)
_LABELLED = (
    Label(
        "payment_card",
        ("card|visa|amex|express|jcb|discover|diners|カード|クレジット"),
        _CARD_WORDS,
        digits(12, 19),
        digits(12, 19),
    ),
    Label(
        "payment_card",
        "cvv|cvc|cv2|security code|back of|card verification|セキュリティコード|セキュリティーコード",
        r"\bcvv2?\b|\bcvc2?\b|\bcv2\b|security code|back of (?:my|the) card|card verification (?:code|value|"
        r"number)|セキュリティー?コード",
        digits(3, 4),
    ),
    Label(
        "iban",
        "iban|account|acct|sort code|routing|swift|口座|bsb",
        r"\biban\b|\b(?:bank|checking|savings|giro|current) account|\bacct\b|account (?:number|no)|sort code|"
        r"routing number|\bbsb\b|口座番号|銀行口座|口座",
        rf"{digits(6, 18)}|(?<![a-z])[a-z]{{2}}\d{{2}}(?:[\s\-]?[a-z0-9]){{8,30}}",
        digits(6, 18),
    ),
)
_PREFIX = re.compile(r"3[04-9]|4|5|6|2[2-7]")
_IBAN = r"(?<![A-Z0-9])[A-Z]{2}\s?\d{2}(?:[\s\-.]?[A-Z0-9]){11,30}(?![A-Z0-9])"


def payment_kind(text: str) -> str | None:
    """`payment_card` or `iban` when `text` holds one, else None."""
    if len(re.findall(r"\d", text)) < 3:
        return None
    if any(_is_card(match.group()) for match in compiled(_RUN).finditer(text)):
        return "payment_card"
    for label in _LABELLED:
        if label.hits(text) and (label.kind != "payment_card" or label.hits(without_memberships(mask(text)))):
            return label.kind
    return "iban" if any(_is_iban(match.group()) for match in compiled(_IBAN).finditer(text)) else None


def _is_card(run: str) -> bool:
    from stdnum import luhn

    groups = re.findall(r"\d+", run)
    spans = [(start, end) for start in range(len(groups)) for end in range(start + 1, len(groups) + 1)]
    numbers = ["".join(groups[start:end]) for start, end in spans]
    return any(13 <= len(number) <= 19 and _PREFIX.match(number) and luhn.is_valid(number) for number in numbers)


def _is_iban(found: str) -> bool:
    from stdnum import iban

    compact = re.sub(r"[^A-Za-z0-9]", "", found).upper()
    return any(iban.is_valid(compact[:size], check_country=False) for size in range(len(compact), 14, -1))
