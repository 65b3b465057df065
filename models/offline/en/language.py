"""English as one table of the offline concierge's languages. Heavier readers are imported when first needed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from functools import cache

from models.offline.en.wording import clean, table
from models.offline.language import Concern, Reading, Request, Slot, Statement, Undecided
from models.offline.travel.request import OfferRequest

_HELLO = re.compile(
    r"^(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening)|greetings)(?: there| again)?[ !.,]*$", re.IGNORECASE
)
_OVER = re.compile(
    r"\b(?:start (?:over|again|afresh)|(?:cancel|scrap|drop|forget)(?: about)? (?:the|this|my|that) (?:trip|"
    r"journey|request|plan))\b"
)
_SECOND = {
    "i": "you",
    "i'm": "you're",
    "i've": "you've",
    "i'd": "you'd",
    "i'll": "you'll",
    "am": "are",
    "me": "you",
    "my": "your",
    "mine": "yours",
    "myself": "yourself",
    "we": "you",
    "we're": "you're",
    "we've": "you've",
    "we'd": "you'd",
    "we'll": "you'll",
    "us": "you",
    "our": "your",
    "ours": "yours",
    "ourselves": "yourselves",
    "im": "you're",
    "ive": "you've",
}
_OWN = re.compile(r"^(?:i|i'm|i've|i'd|i'll|we|we're|we've|we'd|my|our|im|ive)\b", re.IGNORECASE)
_VERB_LED = re.compile(
    r"^(?:(?:always |never |usually |only |really |also )*(?:prefers?|refuses?|hates?|loves?|likes?|avoids?|needs?|"
    r"wants?|can't|cannot|can not|don't|do not|won't|will not|travels?|fly|stays?|drives?|eats?|sleeps?|dislikes?)\b)",
    re.IGNORECASE,
)
_WAYS = {
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
}
_PART = re.compile(r"[,;.!?]|\bbut\b")


_FROM_NOW_ON = re.compile(r"\bfrom now on\b", re.IGNORECASE)
_READ = 6_000
_OVERLONG = re.compile(r"(\w{60})\w+")


def _readable(text: str) -> str:
    """As much of a message as is read: a traveller's message is short, and a pasted one must not stall the turn."""
    return _OVERLONG.sub(r"\1", text[:_READ])


class English:
    """The `Tongue` of English."""

    code = "en"
    reads = _READ

    def say(self, key: str, **values: object) -> str:
        """The reply `key`, filled."""
        text: str = _replies()[key]
        return text.format(**values) if values else text

    def request(self, text: str) -> Request:
        """What the user wants with `text`."""
        if _HELLO.match(text.strip()):
            return Request("greeting")
        from models.offline.en.intents import request

        return request(_readable(text))

    def statements(self, text: str) -> list[Statement]:
        """Statements worth keeping."""
        if _HELLO.match(text.strip()):
            return []
        return list(_detected(_readable(text)))

    def asks_to_remember(self, text: str) -> bool:
        """True when `text` asks to remember something."""
        from models.offline.en.clauses import sentences
        from models.offline.en.notes.save_requests import asks_to_remember

        return any(asks_to_remember(sentence) for sentence, _ in sentences(_readable(text)))

    def asked_to_keep(self, text: str) -> str:
        """Return the words that `text` asks to remember, or to heed from now on."""
        from models.offline.en.notes.save_requests import without_request

        said = clean(_readable(text))
        return without_request(said) if self.asks_to_remember(text) or _FROM_NOW_ON.search(said) else ""

    def asks_not_to_remember(self, text: str) -> bool:
        """True when `text` asks that what it says not be kept."""
        from models.offline.en.control import asks_not_to_remember

        return asks_not_to_remember(_readable(text))

    def undecided(self, text: str) -> Undecided:
        """How `text` leaves a choice open."""
        from models.offline.en.choices import undecided

        return undecided(text)

    def cases(self, text: str) -> list[tuple[str, str]]:
        """What is taken in which case."""
        from models.offline.en.choices import cases

        return cases(text)

    def read_trip(self, text: str, today: date, asked: Slot | None, month: date | None, running: bool) -> Reading:
        """What `text` says of a trip."""
        if _HELLO.match(text.strip()):
            return Reading()
        from models.offline.en.trips.read import read_trip

        return read_trip(_readable(text), today, asked, month, running)

    def read_offer_request(self, text: str) -> OfferRequest:
        """What `text` asks of offers and bookings."""
        from models.offline.en.trips.offers import read_offer_request

        return read_offer_request(_readable(text))

    def read_summary(self, text: str, today: date) -> Reading:
        """What the trip heading of a history summary says."""
        from models.offline.en.trips.read import read_trip
        from models.offline.tasks.headings import by_heading

        parts = by_heading(text)
        told = f"{parts.get('trip', '')}, {parts.get('travellers', '')}".split("Superseded:")[0]
        return read_trip(f"Travel {told}", today, None, None, False)

    def starts_over(self, text: str) -> bool:
        """True when `text` drops the trip that was being planned."""
        return bool(_OVER.search(text.lower()))

    def asks_for_trip(self, text: str) -> bool:
        """True when `text` asks for a journey."""
        return self.read_trip(text, date(2000, 1, 1), None, None, False).opens

    def restated_details(self, text: str) -> str:
        """The trip details in a reply that restates them."""
        heads = (self.say(key).split("{details}")[0] for key in ("summary", "have"))
        return next((text.split(head, 1)[1].split(".")[0] for head in heads if head in text), "")

    def split_travellers(self, details: str) -> tuple[str, str]:
        """Trip details without who travels, and who travels."""
        parts = details.split(", ")
        people = [part for part in parts if "traveller" in part]
        return ", ".join(part for part in parts if part not in people), "".join(people)

    def destination(self, details: str) -> str | None:
        """Where the trip goes."""
        return next((part.removeprefix("to ") for part in details.split(", ") if part.startswith("to ")), None)

    def format_date(self, day: date) -> str:
        """A date in words: "3 December 2026"."""
        return f"{day.day} {day:%B %Y}"

    def format_day(self, day: date) -> str:
        """A date in a table: "Thu 3 Dec"."""
        return f"{day:%a} {day.day} {day:%b}"

    def concern(self, text: str, kinds: Sequence[str]) -> Concern:
        """What `text` touches."""
        from models.offline.en.concerns import concern

        return concern(_readable(text), kinds)

    def relevant_kinds(self, text: str) -> frozenset[str]:
        """Kinds of requests that a note matters for."""
        from models.offline.en.concerns import relevant_kinds

        return relevant_kinds(text)

    def search_terms(self, text: str) -> str:
        """The words worth searching for."""
        from models.offline.en.recalling import search_terms

        return search_terms(_readable(text))

    def content_words(self, text: str) -> frozenset[str]:
        """Stems of the words that carry meaning."""
        from models.offline.en.concerns import content_words

        return content_words(text)

    def polarity(self, text: str) -> int:
        """Liking, dislike or neither."""
        from models.offline.en.concerns import polarity

        return polarity(text)

    def picked(self, text: str, choices: Sequence[str]) -> int | None:
        """Index of the choice that `text` picks, or None."""
        from models.offline.en.choices import picked

        return picked(text, choices)

    def restate(self, text: str) -> str:
        """The user's words as said back to them: "I am vegetarian" is "you are vegetarian"; fragments are quoted."""
        text = text.rstrip(". ")
        if verb := _VERB_LED.match(text):
            text = "I " + verb[0][:1].lower() + verb[0][1:].removesuffix("s") + text[verb.end() :]
        if not _OWN.match(text):
            return f'"{text}"'
        words = re.sub(r"\bI was\b", "you were", text)
        return re.sub(r"[A-Za-z']+", lambda match: _SECOND.get(match[0].lower(), match[0]), words)

    def alternatives(self, refusals: Sequence[str]) -> tuple[str, str] | None:
        """Ways of getting about that the refusals rule out, and those that remain; None when nothing is ruled out."""
        parts = [part for refusal in refusals for part in _PART.split(refusal.lower())]
        said = " ".join(part for part in parts if self.polarity(part) < 0)
        out = [name for name, pattern in _WAYS.items() if re.search(pattern, said)]
        left = [name for name in _WAYS if name not in out]
        return (", ".join(out), ", ".join(left[:2]) + " or " + left[2]) if out and len(left) > 2 else None


@cache
def _replies() -> dict[str, str]:
    return table("replies") | table("travel")


@cache
def _detected(text: str) -> tuple[Statement, ...]:
    from models.offline.en.notes.statements import detect

    return tuple(detect(text))
