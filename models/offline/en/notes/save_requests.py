"""Requests to remember: recognised, and taken off the words that are to be kept."""

from __future__ import annotations

import re

_WHAT = (
    r"(?:\s*[:,-]\s*|\s+(?:that|the fact that|this|for (?:me|future trips|next time|later|the future) that|in "
    r"(?:mind|my profile|your notes|memory) that|of the fact that|down that|also that)\s*[:,-]?\s*|\s+(?=(?:i|i'm|"
    r"i've|i'd|i'll|we|we're|we've|my|our|me)\b))"
)
_ASK = (
    r"(?:please\s+|pls\s+|and\s+|also\s+|hey,?\s+|hi,?\s+|ok,?\s+|oh,?\s+|so\s+)*(?:(?:can|could|would|"
    r"will)\s+you\s+(?:please\s+|also\s+)*|i(?:'d| would) like you to\s+|i (?:want|need) you to\s+|you "
    r"(?:should|can|may|might want to|need to)\s+|"
    r"it(?:'s| is) (?:worth|important to)\s+|make sure (?:you|to)\s+|(?:don't|do not|never) forget\s+to\s+|be "
    r"sure to\s+|let me ask you to\s+)?(?:always\s+|also\s+|just\s+)*"
)
_VERB = (
    r"(?:remember(?!\s+(?:to|me|when|the time|how|what|where|if)\b)|note(?:\s+down)?|noting|take "
    r"note(?:\s+(?:of the fact))?|make a (?:mental )?note|keep in mind|bear in mind|keep a note|(?:don't|do "
    r"not) forget(?!\s+(?:to|about)\b)|never forget|"
    r"save(?:\s+(?:this|it|to (?:my )?(?:profile|memory|notes)))?(?=\s+that|\s*:)|store|memori[sz]e|"
    r"record(?=\s+that|\s*:)|jot (?:it )?down|write (?:it )?down|put (?:it )?(?:down|on record|in my profile|"
    r"on file)|add to (?:my )?(?:profile|notes|preferences)|for (?:the|your) (?:record|file)s?|"
    r"for (?:future reference|next time|your information)|fyi|be aware|know|log)"
)
_REQUEST = re.compile(rf"^{_ASK}{_VERB}{_WHAT}", re.IGNORECASE)
_TAIL = re.compile(
    r"[,;.\s-]+(?:(?:please|so|and|can you|could you)\s+)*(?:remember (?:that|this|it)|note (?:that|it) down|"
    r"keep (?:that|this|it) in mind|don't forget (?:that|it|this)?|make a note(?: of (?:that|it))?|bear "
    r"(?:that|it) in mind|save (?:that|this|it)|keep (?:that|it) for next time|for (?:next time|future "
    r"reference|future trips|the record))(?:\s+(?:please|for (?:me|next time|later|future trips|the future)|"
    r"down))*[.!?]*$",
    re.IGNORECASE,
)


def asks_to_remember(text: str) -> bool:
    """True when `text` asks in so many words to be remembered."""
    return bool(_REQUEST.match(text.strip()) or _TAIL.search(text))


def without_request(text: str) -> str:
    """`text` without the request to remember it."""
    return _TAIL.sub("", _REQUEST.sub("", text.strip(), count=1)).strip(" ?!.")
