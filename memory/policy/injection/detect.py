"""Text that tries to give orders to the machine instead of saying something about the traveller (S4.4)."""

from __future__ import annotations

import re

from memory.policy.injection.deobfuscate import ciphers, letters_only, respelled, unveiled
from memory.policy.injection.other_languages import ABROAD
from memory.policy.injection.score import order_odds
from memory.policy.rule import compiled
from text.deobfuscate import readings

_RUN_TOGETHER = (
    r"(?:ignore|disregard|forget|override|bypass)(?:all|any|the|your|my|these|those|of|every|previous|prior|"
    r"earlier|above|preceding|system|safety){1,6}"
    r"(?:instructions?|prompts?|rules|directives|guidelines|commands)|systemprompt|revealyour(?:system|"
    r"instructions|prompt)|youarenow(?:an?|the|in|my|free|un|dan|admin|evil)|"
    r"developermode|doanythingnow|(?<!i)alwaysobey|nevertelltheuser|donottelltheuser|donttelltheuser|"
    r"systemrule|systemoverride|actasan?(?:admin|unrestricted|evil|different)"
)
_DISGUISED = re.compile(r"[\d@$!+|%\\&*_.\-]|\s\S\s\S\s|[^\x00-\x7f]")

_EASE = 1.5
"""How much lower the bar lies for what was veiled, since an innocent wish has no need to be, and how much higher for
what may be no veil at all: ordinary words backwards are nonsense."""


def is_instruction(text: str) -> bool:
    """True when `text`, in any of its readings, tells the assistant what to do, be, hide or run.

    Preferences put as wishes ("always book refundable fares") are not orders in this sense.
    """
    if any(order_odds(reading) > 0 or ABROAD.hits(reading.lower()) for reading in readings(text)):
        return True
    if any(order_odds(reading) > -_EASE for reading in unveiled(text)):
        return True
    if any(order_odds(reading) > 0 for reading in respelled(text)):
        return True
    if any(order_odds(reading) > _EASE for reading in ciphers(text)):
        return True
    return _DISGUISED.search(text) is not None and compiled(_RUN_TOGETHER).search(letters_only(text)) is not None
