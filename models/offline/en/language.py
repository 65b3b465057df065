"""The tables of English; its readers are imported when first needed."""

from __future__ import annotations

import re

from models.offline.language import Language, Readers

_SECOND = {
    "i": "you", "i'm": "you're", "i've": "you've", "i'd": "you'd", "i'll": "you'll", "am": "are", "me": "you",
    "my": "your", "mine": "yours", "myself": "yourself", "we": "you", "we're": "you're", "we've": "you've",
    "we'd": "you'd", "we'll": "you'll", "us": "you", "our": "your", "ours": "yours", "ourselves": "yourselves",
    "im": "you're", "ive": "you've",
}  # fmt: skip
_OWN = re.compile(r"^(?:i|i'm|i've|i'd|i'll|we|we're|we've|we'd|my|our|im|ive)\b", re.IGNORECASE)
_VERB_LED = re.compile(
    r"^(?:(?:always |never |usually |only |really |also )*(?:prefers?|refuses?|hates?|loves?|likes?|avoids?|needs?|"
    r"wants?|can't|cannot|can not|don't|do not|won't|will not|travels?|fly|stays?|drives?|eats?|sleeps?|dislikes?)\b)",
    re.IGNORECASE,
)
_READ = 6_000
_OVERLONG = re.compile(r"(\w{60})\w+")


def _readable(text: str) -> str:
    """Return as much as is read: a traveller's message is short, and a pasted one must not stall the turn."""
    return _OVERLONG.sub(r"\1", text[:_READ])


def _restate(text: str) -> str:
    """Return the user's words as said back to them: "I am vegetarian" is "you are vegetarian"; fragments are quoted."""
    text = text.rstrip(". ")
    if verb := _VERB_LED.match(text):
        text = "I " + verb[0][:1].lower() + verb[0][1:].removesuffix("s") + text[verb.end() :]
    if not _OWN.match(text):
        return f'"{text}"'
    words = re.sub(r"\bI was\b", "you were", text)
    return re.sub(r"[A-Za-z']+", lambda match: _SECOND.get(match[0].lower(), match[0]), words)


def _readers() -> Readers:
    from models.offline.en.readers import READERS

    return READERS


ENGLISH = Language(
    code="en",
    load_readers=_readers,
    reads=_READ,
    readable=_readable,
    fold=str.lower,
    hello=re.compile(
        r"^(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening)|greetings)(?: there| again)?[ !.,]*$",
        re.IGNORECASE,
    ),
    over=re.compile(
        r"\b(?:start (?:over|again|afresh)|(?:cancel|scrap|drop|forget)(?: about)? (?:the|this|my|that) (?:trip|"
        r"journey|request|plan))\b"
    ),
    from_now_on=re.compile(r"\bfrom\s+now\s+on\b", re.IGNORECASE),
    travellers=re.compile("traveller"),
    destination_part=re.compile("to (.*)"),
    summary="Travel {trip}, {travellers}",
    date_format="{day.day} {day:%B %Y}",
    day_format="{day:%a} {day.day} {day:%b}",
    comma=", ",
    ways={
        "ride-sharing": r"ride-?shar|uber|lyft|ride-?hail|bolt|grab",
        "a taxi": r"taxi|cab\b|cabs\b",
        "the train": r"train|rail",
        "the bus": r"\bbus|coach",
        "the metro": r"metro|subway|tube|underground|public trans",
        "a ferry": r"ferr|boat|seasick",
        "a private transfer": r"transfer|chauffeur|driver",
        "walking": r"walk|on foot",
        "flying": r"(?:n't|not|never|refuse to|avoid|stopped|gave up|quit|no longer) (?:\w+ )?fly(?:ing)?"
        r"(?=\W*$| (?:any|again|at all|if|unless|when|because|since|planes?|by plane)\b)",
    },
    refused_ways=", ",
    remaining_ways="{}, {} or {}",
    restate=_restate,
)
