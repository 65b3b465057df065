"""Detects text that tries to instruct the assistant instead of saying something about the traveller."""

from __future__ import annotations

import re

from memory.policy.injection.deobfuscate import ciphered, disguised, letters_only, respelled
from memory.policy.injection.score import injection_score
from memory.policy.rule import Rule, compiled
from text import Text

_OTHER_LANGUAGES = Rule(
    "ignor|olvida|oublie|vergiss|missacht|dimentica|desconsider|esquec|忽略|无视|無視|忘记|你现在|从现在|"
    "扮演|eres ahora|a partir de ahora|tu es maintenant|du bist jetzt|agis comme|actua como|무시|sei ora|"
    "игнор|系统提示|ab sofort",
    r"(?:ignor(?:a|e|ez|iere?n?|es|ar|ate|ando)|olvid[ae]\w*|oublie[sz]?|vergiss|missachte|dimentica\w*|"
    r"desconsider[ae]\w*|esqueca\w*) (?:\w+[' ]){0,5}(?:instruc\w+|consigne\w*|anweisung\w*|regeln|reglas|"
    r"regles|istruzion\w*|regole|directives|befehle|instrucoes|indicaciones|prompt\w*)|(?:忽略|无视|忘记|"
    r"不要遵守|無視|忽視).{0,10}(?:指令|指示|提示|规则|命令|規則)|你现在是|从现在开始,?你|请?扮演|系统提示|"
    r"(?:ahora eres|eres ahora|a partir de ahora eres|a partir de ahora,? (?:tu |debes)|tu es maintenant|"
    r"du bist (?:jetzt|ab sofort|nun)|ab sofort bist du|sei ora|agis comme (?:un|une|si)|actua como (?:un|"
    r"una|si)|tu agis desormais)|이전.{0,6}(?:지시|명령).{0,6}무시",
)
"""Plain instructions in the commonest languages that have no weights."""
_RUN_TOGETHER = (
    r"(?:ignore|disregard|forget|override|bypass)(?:all|any|the|your|my|these|those|of|every|previous|prior|"
    r"earlier|above|preceding|system|safety){1,6}"
    r"(?:instructions?|prompts?|rules|directives|guidelines|commands)|systemprompt|revealyour(?:system|"
    r"instructions|prompt)|youarenow(?:an?|the|in|my|free|un|dan|admin|evil)|"
    r"developermode|doanythingnow|(?<!i)alwaysobey|nevertelltheuser|donottelltheuser|donttelltheuser|"
    r"systemrule|systemoverride|actasan?(?:admin|unrestricted|evil|different)"
)
_MARKS = re.compile(r"[\d@$!+|%\\&*_.\-]|\s\S\s\S\s|[^\x00-\x7f]")
_MARGIN = 1.5
"""Lowers the bar for a disguised text, which an innocent wish need not be, and raises it for a reading that may be
nonsense, such as ordinary words backwards."""


def is_instruction(text: Text) -> bool:
    """Return whether `text`, in any of its readings, tells the assistant what to do, be, hide or run.

    Preferences put as wishes ("always book refundable fares") are not instructions in this sense.
    """
    if any(injection_score(reading) > 0 or _OTHER_LANGUAGES.hits(reading.lower()) for reading in text.readings):
        return True
    for found, threshold in ((disguised(text), -_MARGIN), (respelled(text), 0), (ciphered(text), _MARGIN)):
        if any(injection_score(reading) > threshold for reading in found):
            return True
    return _MARKS.search(text.raw) is not None and compiled(_RUN_TOGETHER).search(letters_only(text)) is not None
