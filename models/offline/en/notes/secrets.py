"""Recognises secrets and identity numbers, and standing orders to the assistant, so that neither is taken up."""

from __future__ import annotations

import re

from stdnum import luhn

from models.offline.en.wording import clean, plain

_DIGITS = re.compile(r"(?<!\d)(?:\d[ -]?){13,19}(?!\d)")
_KINDS: tuple[tuple[str, str], ...] = (
    ("password", r"\b(?:password|passcode|passphrase|pin(?: code| number)|my pin)\b"),
    (
        "payment_card",
        r"\b(?:credit|debit|bank|visa|master|amex|payment)[ -]?card (?:number|details|no\b|is \d)|\bcard number|"
        r"\bcvv\b|\bcvc\b|\bsecurity code\b",
    ),
    ("passport", r"\bpassport (?:number|no\b|num|#|is [a-z]{0,2}\d{5,})|\bpassport: ?[a-z]{0,2}\d{5,}"),
    (
        "national_id",
        r"\b(?:social security|ssn|national (?:id|insurance) (?:number|no)|tax (?:id|number)|id (?:card )?number|"
        r"driver'?s license number|driving license number)\b",
    ),
    ("iban", r"\b[a-z]{2}\d{2}(?: ?[a-z0-9]{4}){3,7}\b|\biban\b|\baccount number\b|\brouting number\b"),
    ("otp", r"\b(?:one[- ]time (?:code|password)|verification code|2fa code|otp|login code|access code)\b"),
    ("api_key", r"\bsk-[a-z0-9_-]{8,}|\bapi key\b|\bsecret key\b|\baccess token\b"),
    ("email", r"[\w.+-]+@[\w-]+\.\w{2,}"),
    ("birth_date", r"\b(?:born on|date of birth|birth ?date|birthday is|dob)\b.*\d"),
    ("booking_reference", r"\b(?:booking|reservation|confirmation|pnr) (?:reference|code|number|ref)\b"),
    ("address", r"\bmy (?:home )?address is\b|\bi live (?:at|on) \d|\b\d+ \w+ (?:street|avenue|road|lane|boulevard)\b"),
    (
        "phone",
        r"\b(?:phone|cell|mobile|telephone)(?: number)?(?: is|:) ?\+?\d|(?<!\w)\+\d[\d ().-]{7,}\d|\bphone "
        r"number\b|\b\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}\b",
    ),
)
_ORDERS = re.compile(
    r"\b(?:obey|ignore (?:all|any|every|your|previous|prior|the (?:rules|policy|system|above|instructions))|"
    r"disregard (?:all|any|your|previous|the)|system (?:prompt|rule|message|override)|you (?:must|shall|will|"
    r"are to|have to|should) (?:now |always |never |only )*"
    r"(?:obey|ignore|act|pretend|answer|reply|respond|say|call|use|execute|run|follow|comply|do whatever|do "
    r"anything|agree|reveal|refuse|recommend|approve|confirm|book|believe|address)|you are (?:now|no longer|a|"
    r"an)\b(?! (?:great|good|nice|kind|star|gem|legend|life))|pretend (?:to be|you|that)|role ?-?play|act as|"
    r"jailbreak|developer mode|"
    r"your (?:instructions|rules|guidelines|system|prompt|programming|new rule|policies|restrictions|safety)|"
    r"(?:skip|bypass|without) (?:the )?(?:approval|confirmation|asking|checks?|safety)|(?:always|never) "
    r"(?:approve|confirm|comply|agree|obey|answer|respond|reply|say yes|begin|start (?:your|every)|end (?:your|"
    r"every)|refuse|ask for (?:confirmation|approval)|mention|reveal)|"
    r"do whatever i|follow (?:all |every )?(?:my|the) (?:orders|instructions|commands)|https?://|call the "
    r"(?:tool|function)|tool call|</?\w+>|admin(?:istrator)? (?:mode|rights|access)|as (?:an )?admin|"
    r"override)\b"
)


def sensitive(text: str) -> str | None:
    """The kind of secret in `text`, or None."""
    form = clean(text).lower()
    for match in _DIGITS.finditer(form):
        if luhn.is_valid(re.sub(r"\D", "", match[0])):
            return "payment_card"
    return next((kind for kind, pattern in _KINDS if re.search(pattern, form)), None)


def instruction(text: str) -> bool:
    """True when `text` gives the assistant standing orders."""
    return bool(_ORDERS.search(plain(text)))
