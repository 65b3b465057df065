"""Judges which sentences last, and joins those that only say so, or ask to remember, to the sentence they are about."""

from collections.abc import Sequence

from models.offline.notes import judge
from models.offline.notes.claims import USER, meaning_of
from models.offline.notes.forms import language_of
from models.offline.notes.judge import LEAST, Part, cues, signs, topic_of, topics_in
from models.offline.notes.values import listed
from models.offline.notes.wishes import adds_nothing, asks_to_remember, people_in, without_request
from models.offline.tables import NOTES

_LEAST_CLAIMED = -0.85
"""Log-odds from which a sentence with a claim, such as "my wife loves spas", counts as lasting."""
_OWN = frozenset({"of us", "begins never", "begins always", "begins only"})
"""Features of a full English sentence about the user: "window" alone states nothing."""
_UNCLAIMED = listed("words")["unclaimed"]


def is_lasting(text: str) -> bool:
    """Return whether a text states something lasting about its author or a companion."""
    odds, text_cues = judge.lasting(text), cues(text)
    if NOTES.patterns("claims")["born"].search(text) and people_in(text) and not text_cues & {"others", "hypothetical"}:
        return True  # a new family member
    if odds >= LEAST or odds < _LEAST_CLAIMED or text_cues & _UNCLAIMED or judge.merely_wishes(text):
        return odds >= LEAST and "one_trip" not in text_cues
    if "dated" in text_cues and not NOTES.patterns("claims")["until"].search(text):
        return False  # it is about one trip
    meaning = meaning_of(text, topic_of(text))
    own = meaning.about != USER if language_of(text) == "ja" else signs(text) & _OWN
    return bool(meaning.claims and own) and not meaning.stranger


def with_requests(kept: Sequence[Part], said: str) -> list[Part]:
    """Return the sentences; one that only asks to remember, or says that it always holds, joins the one it is about."""
    joined: list[Part] = []
    for part in kept:
        before = joined[-1] if joined else part
        asks, asked_before = asks_to_remember(part.text), asks_to_remember(before.text)
        leans = bool(joined) and _leans(part, before)
        if leans and (before.asked or asked_before or (is_lasting(before.text) and (not asks or is_reason(part.text)))):
            continue
        if leans or (joined and asked_before and not without_request(before.text)):
            joined[-1] = before.joined(part, said)
            if len(joined) > 1 and asks and (adds_nothing(before.text, "") or _claims(joined[-2]) > _claims(before)):
                joined[-2:] = [joined[-2].joined(part, said)]
        else:
            joined.append(part)
    return joined


def _leans(part: Part, before: Part) -> bool:
    """Return whether a sentence only asks to remember the one before it, or says that it holds for good."""
    if asks_to_remember(part.text):
        rest = without_request(part.text)
        return adds_nothing(rest, before.text) or (is_reason(part.text) and is_lasting(before.text))
    return is_lasting(part.text) and adds_nothing(part.text, "")


def _claims(part: Part) -> bool:
    return bool(meaning_of(part.text, topic_of(part.text)).claims)


def is_reason(text: str) -> bool:
    """Return whether a text is only the reason for a request to remember ("it's always a hassle, so remember it")."""
    rest = without_request(text) if asks_to_remember(text) else ""
    why = NOTES.patterns(f"{language_of(text)}_speech")["why_remember"].match(text.partition(rest)[2] if rest else "")
    return bool(why) and not (topics_in(rest)[:1] not in ((), ("other",)) or meaning_of(rest, "other").claims)
