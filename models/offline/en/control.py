"""What a traveller says to rule over memory: off the record, not to be saved, and where something comes from."""

from __future__ import annotations

import re

from models.offline.readings import Intent

_THIS = r"(?:this|our|the) (?:\w+ )?(?:conversation|chat|session|talk|discussion)"
CONTROL: tuple[tuple[Intent, str], ...] = (
    (
        "private",
        r"\b(?:do not|never|stop|not|without) (?:\w+ )?(?:remember|sav|keep|stor|learn|record|memoriz|not|tak)"
        rf"(?:e|ing)?\b(?: (?!that\b)\w+){{0,5}} {_THIS}\b|\b(?:forget|erase|delete|wipe) (?:about )?{_THIS}\b|"
        rf"(?<!not )(?<!be )\boff the record\b|\b(?:keep|make) (?:it|{_THIS}) (?:\w+ )?"
        r"(?:private|confidential|secret|off the record|between us)\b|\b(?:go|going|switch to|turn on) "
        r"(?:incognito|private mode)\b",
    ),
    (
        "public",
        rf"(?<!not )\b(?:back )?on the record\b|^(?:(?:okay|actually|now|please|you (?:can|may|should)|go ahead and|"
        rf"and|but|so|well|do),? )*(?:remember|save|keep|learn from|keep notes (?:of|on)) {_THIS}(?: again| after "
        rf"all| now|"
        r" please)*\b|\b(?:start|resume|go back to|carry on) (?:remembering|learning|saving|taking notes)\b",
    ),
    (
        "forget_all",
        r"^(?:(?:no|okay|please|hey|actually|can you|could you|i want you to|and|now|just),? )*(?:forget|delete|erase|"
        r"wipe|clear|remove|drop) (?:about )?(?:(?:absolutely |simply )?(?:everything|all|all of (?:it|that|this))"
        r"(?: (?:that )?(?:you (?:\w+ )?(?:know|have|remember|saved|stored|kept)|i (?:\w+ )?(?:said|told you)))?"
        r"(?: (?:about|on|of) me)?|me|(?:all )?(?:of )?(?:my|your) (?:data|memory|memories|profile|notes|information|"
        r"details|preferences)(?: (?:about|on|of) me)?|what you (?:know|have|remember)(?: (?:about|on|of) me)?)"
        r"(?: (?:please|now|from your memory|completely|for good))*[.!?]*$",
    ),
    (
        "source",
        r"\b(?:how (?:do|did|would) you (?:even |really )?(?:know|learn|get|find out|come up with)\b|where (?:do|did|"
        r"have) you (?:get|got|gotten|learn|learned|hear|heard|take|have|find) (?:that|this|it)\b|where (?:does|did|"
        r"is) "
        r"(?:that|this|it|all (?:that|this)) (?:come )?from\b|when did i (?:ever )?(?:say|tell|mention|ask)|"
        r"who told you|what makes you (?:think|say|believe|so sure)|why do you (?:think|believe|assume) (?:that )?i\b|"
        r"did i (?:really|actually|ever) (?:say|tell|mention)|i (?:never|did not|do not remember) (?:ever )?"
        r"(?:(?:said|say|saying|mention|mentioned) (?:that|this|it|so|i)|(?:told|tell|telling) you)\b|says who\b|"
        r"(?:what|which) is your source\b)",
    ),
)
"""Intents and their patterns; the first says that a conversation is off the record."""


_REFUSAL = re.compile(
    r"(?:\b(?:please|but|and|so|just|oh),? )*\b(?:do not|don't|dont|never|no need to|without|rather you didn't|would "
    r"not|wouldn't|not to) (?:(?:have to|want you to|need to|ever|please|bother to|bother) )*(?:sav(?:e|ing)|"
    r"remember(?:ing)?|keep(?:ing)?|stor(?:e|ing)|not(?:e|ing)(?: down)?|record(?:ing)?|memori[sz](?:e|ing)|writ(?:e|"
    r"ing) down|"
    r"make a note of) (?:this|that|it|any of (?:this|that|it))\b(?! (?:i|we|my|our|conversation|chat|session|talk)\b)"
    r"(?: (?:down|please|anywhere|for later|though|in your (?:notes|memory)))*[,.:;]?(?: (?:but|though|please))?|"
    r"\b(?:just |only |strictly )?between (?:you and me|us|ourselves)\b[,.:;]?|"
    r"\bnot for (?:the|your) (?:record|memory|notes)\b[,.:;]?",
    re.IGNORECASE,
)


def asks_not_to_remember(text: str) -> bool:
    """True when `text` asks that what it says not be kept."""
    return bool(_REFUSAL.search(text.replace("\u2019", "'")))


def without_refusal(text: str) -> str:
    """`text` without the request not to keep it."""
    return _REFUSAL.sub(" ", text.replace("\u2019", "'")).strip(" ,.;:!?-")
