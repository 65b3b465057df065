"""Reads people in a list beside one who is known: "our CEO, the head of sales and I", "me + Sara + Sara's mother".

Those whom the patterns of `words/people.toml` have taken stand as `KNOWN` in what is matched here. An item beside them
is a name, or what somebody is by their work or to another. In an answer to who travels any item may be a person.
"""

import re
from collections.abc import Iterator

from models.offline.reading.form import BLANK, Form
from models.offline.reading.values.names import companies_in, longest_at
from text.words import is_japanese, word_set, words

KNOWN = "◆"
"""What stands for a letter of people that have been read."""
_SELLERS = ("airline", "hotel", "car")


def listed(form: Form, *, asked: bool, opens: bool) -> Iterator[re.Match[str]]:
    """Yield each further item of a list of people, and blank it out.

    Args:
        form: The clause, in which the people known so far are blanked out as `people`.
        asked: Whether the clause answers who travels: a list then needs nobody who is known, and names no capitals.
        opens: Whether a list of names alone may stand for who travels.
    """
    known = form.patterns("people", "lists")
    keys = ["single", "first", "answer"] * asked + ["beside", "before"] + ["named"] * opens
    while found := next((each for key in keys for each in _items(form, known[key], asked=asked)), None):
        form.blank(*_span(found), "people")
        keys = ["answer", *keys] if found.re is known["named"] and found["item"] else keys
        yield found


def _items(form: Form, known: re.Pattern[str], *, asked: bool) -> Iterator[re.Match[str]]:
    marked, at = form.left, 0
    for start, end, what in form.taken:
        if what == "people":
            marked = marked[:start] + marked[start:end].replace(BLANK, KNOWN) + marked[end:]
    while match := known.search(marked, at):
        at = match.start() + 1
        start, end = _span(match)
        if BLANK not in form.left[start:end] and _is_person(form, match, asked=asked):
            yield match


def _span(match: re.Match[str], of: str = "item") -> tuple[int, int]:
    """Return where the group `of` matched, whatever stands for it; (-1, -1) for nowhere."""
    return max(match.span(name) for name in match.groupdict() if name.rstrip("2") == of)


def _is_person(form: Form, match: re.Match[str], *, asked: bool) -> bool:
    """Return whether what stands as a name is written as one and no word or place of its own."""
    start, end = _span(match, "who") if "who" in match.re.groupindex else (-1, -1)
    bare = match.groupdict().get("bare") is not None
    if (start < 0 and not bare) or is_japanese(form.whole):
        return True
    start, end = _span(match) if bare else (start, end)
    own = words(form.own(start, end))
    if bare or not own[-1][0].isupper():
        named = (asked or form.said.islower()) and not any(form.words.ordinary(word.casefold()) for word in own)
    else:
        named = not any(word.casefold() in word_set("stop_words") for word in own)
    sold = any(companies_in(form.own(start, end), of) for of in _SELLERS)
    return named and (asked or not (sold or longest_at(form.whole[start:end].split(), 0)))
