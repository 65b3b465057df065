"""Tells the act and the topic of a Japanese clause by its words and its ending."""

from typing import get_args

from models.offline.ja.form import WORDS
from models.offline.reading.draft import topic_of
from models.offline.reading.form import Form
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


def is_question(form: Form, marked: bool = False) -> bool:
    """Return whether a clause asks something, by a question mark or by its form."""
    if (form.says("request") and not form.says("asks_what")) or form.says("reason"):
        return False
    return marked or (form.says("question") and not form.says("no_question"))


def act_of(form: Form, asked: bool) -> tuple[Act, Topic] | None:
    """Return the act of a clause and, for a question, its topic; None where only its values tell."""
    for name in form.patterns("acts", "acts"):
        if not form.says(name, "acts"):
            continue
        can_be_done = name.partition("_")[0] in _DONE and form.says("can_do") and not form.says("how_to")
        if asked and name not in _ASKABLE and not can_be_done:
            continue
        return _ACTS[name.partition("_")[0]], ""
    topic = topic_of(form)
    shows = topic in _SHOWN and form.says("show")
    return ("ask", topic) if asked or shows else None


def is_pasted(said: str) -> bool:
    """Return whether a text is code, a page, or a text to work on rather than something said."""
    forms = WORDS.patterns("acts", "forms")
    return bool(forms["code"].search(said) or forms["story"].search(said.lower())) or len(said) > _LONGEST


def is_of_others(form: Form) -> bool:
    """Return whether a clause tells of somebody else or of the past, and asks for nothing."""
    return (form.says("others") or form.says("past")) and not form.says("request")
