"""Tells the act and the topic of a Japanese clause by its words and its ending."""

from functools import lru_cache
from typing import get_args

from models.offline.ja.form import WORDS, matched
from models.offline.reading.understanding import Act, Topic

_ACTS: dict[str, Act] = {act: act for act in get_args(Act)}
"""The act of each entry of the table, which may go on after a "_"."""
_ASKABLE = frozenset(
    {"greet", "thanks", "bye", "help", "complain", "tell_memory", "ask_memory", "reject", "reject_order", "restart"}
)
"""What a question may be beside a question."""
_DONE = frozenset({"hold", "cancel", "change", "bags", "seats", "book"})
_SHOWN = frozenset({"calendar", "itinerary", "bookings", "reference", "offer"})
"""What is asked for by an order to show it."""
_LONGEST = 700
"""Characters of a message from which it is taken for a pasted text."""


def says(key: str, words: str) -> bool:
    """Return whether the words of a clause are of the kind `key` of the table of acts, as in `wants`."""
    return bool(WORDS.patterns("acts", "other")[key].search(words))


@lru_cache(maxsize=1024)
def core(text: str) -> str:
    """Return the matched form of a clause without what leads into it and without the marks at its end."""
    form, before = matched(text), ""
    while before != form:
        before = form
        form = WORDS.patterns("acts", "other")["tail"].sub("", WORDS.patterns("acts", "other")["lead"].sub("", form))
    return form


def is_question(words: str, marked: bool = False) -> bool:
    """Return whether a clause asks something, by a question mark or by its form."""
    if (says("request", words) and not says("asks_what", words)) or says("reason", words):
        return False
    return marked or (says("question", words) and not says("no_question", words))


def topic_of(words: str) -> Topic:
    """Return what a question is about; empty where that is not known."""
    topics: dict[str, Topic] = {topic: topic for topic in get_args(Topic)}
    found = (name for name, known in WORDS.patterns("acts", "topics").items() if known.search(words))
    return topics.get(next(found, ""), "")


@lru_cache(maxsize=1024)
def act_of(words: str, asked: bool) -> tuple[Act, Topic] | None:
    """Return the act of a clause and, for a question, its topic; None where only its values tell."""
    for name, known in WORDS.patterns("acts", "acts").items():
        if not known.search(words):
            continue
        can_be_done = name.partition("_")[0] in _DONE and says("can_do", words) and not says("how_to", words)
        if asked and name not in _ASKABLE and not can_be_done:
            continue
        return _ACTS[name.partition("_")[0]], ""
    topic = topic_of(words)
    shows = topic in _SHOWN and says("show", words)
    return ("ask", topic) if asked or shows else None


def is_foreign(said: str) -> bool:
    """Return whether a text is code, a page, or a text to work on rather than something said."""
    return says("code", said) or says("story", said.lower()) or len(said) > _LONGEST


def is_of_others(words: str) -> bool:
    """Return whether a clause tells of somebody else or of the past, and asks for nothing."""
    return (says("others", words) or says("past", words)) and not says("request", words)
