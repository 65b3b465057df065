"""Judges one clause: whether it says something lasting of the user, something for one trip, or nothing to keep."""

from __future__ import annotations

import re
from dataclasses import dataclass

from models.offline.en.clauses import Clause, is_question, trimmed
from models.offline.en.notes import scope_cues
from models.offline.en.notes.conditions import split_condition
from models.offline.en.notes.save_requests import asks_to_remember, without_request
from models.offline.en.notes.topics import hits, telling, topic_of
from models.offline.en.wording import plain, reduce
from models.offline.tables import Hit, Stance, find_stances

CONFIDENCE = {"hard": 0.95, "strong": 0.9, "mild": 0.85, "fragment": 0.8, "habit": 0.75, "wish": 0.7}
_LONGEST = 400
LIMITS = frozenset({"meal", "accessibility"})
_FEATURES = frozenset(
    {
        "seat",
        "cabin",
        "meal",
        "room",
        "baggage",
        "layover",
        "airline",
        "hotel",
        "neighborhood",
        "transport",
        "car",
        "pace",
    }
)
_GENERIC = re.compile(
    r"\b(?:every|everything|hotels|flights|rooms|seats|places|trains|airlines|destinations|restaurants|cities|beds|"
    r"floors|neighborhoods|areas|trips|fares|tours|museums|cars|to feel|to be (?:able|within|near|close)|wherever|"
    r"anywhere|everywhere|than|my own|free|at least|everything|options)\b"
)
_OF_THINGS = frozenset(
    {
        "body_of_evidence",
        "affect",
        "must_be",
        "matters",
        "to_me",
        "rule",
        "standing_order",
        "or_nothing",
        "makes_ill",
        "favorite",
        "about_me",
    }
)
_DANGLING = re.compile(r"\b(?:them|it|there|she|he|one|ones|both|neither|those)\b", re.IGNORECASE)
_FREE_OF_OBJECT = frozenset(
    {
        "short_answer",
        "to_me",
        "with_party",
        "favorite",
        "frequency",
        "standing_tail",
        "body_of_evidence",
        "matters",
        "manner",
    }
)
_DIETS = frozenset({"diet", "diet_named", "changed"})
_PERSONAL = frozenset({"unable", "negative_habit", "gave_up", "rule"})
_EACH = re.compile(r"^(?:on|during) .*(?:s|haul)$")
"""A condition that comes again: "on long flights" is no word about one of them."""
_FOR_THE_DAY = re.compile(r"\bfor (?:the|a) (?:day|night|evening|week|while|bit)\b")
_IN_JEST = re.compile(
    r"\ballergic to (?:\w+days?|work|my|you|your|this|that|everything about|waiting|meetings|nonsense|boredom)\b"
)
_NUMBERED = re.compile(
    r"^no (?:\w+ ){1,2}(?:needed|necessary|required|available|left)\b|^(?:no|only|at most|max|maximum) (?:\d+|one|"
    r"two|three|four|five|six|a)(?: of us| nights?| days?| people| adults?| rooms?| tickets?)|^ME only (?:need|"
    r"have|want|stay)\w* (?:one|two|three|\d)"
)


@dataclass(frozen=True, slots=True)
class Judged:
    """A clause with its verdict: whether it is kept, for how long, under which topic, and how sure that is."""

    clause: Clause
    keep: bool
    trip_only: bool
    topic: str | None
    found: list[Hit]
    confidence: float
    asked: bool


def judge(clause: Clause, before: Judged | None) -> Judged:
    """The verdict on `clause`; `before` is the verdict on the clause before it."""
    asked = asks_to_remember(clause.text)
    words = without_request(clause.text) if asked else clause.text
    form = plain(trimmed(words))[:_LONGEST] if words else ""
    reduced = reduce(form)
    found = hits(form)
    if not form or (is_question(Clause(words, clause.link, clause.asked and not asked, 0))):
        return Judged(clause, False, False, None, found, 0.0, asked)
    found = hits(plain(split_condition(trimmed(words))[0])) or found
    topic = topic_of(found)
    named = before is not None and named_by(clause, before)
    if topic is None and before and named:
        topic = before.topic
    verdict = _verdict(form, reduced, topic, asked, named)
    if verdict == "hard":
        topic = topic_of([hit for hit in found if hit.topic in LIMITS]) or topic
    if verdict in {"habit", "mild"} and found and not telling(found):
        verdict = None
    trip_only = scope_cues.one_trip(form) or verdict == "once"
    return Judged(clause, verdict is not None, trip_only, topic, found, CONFIDENCE.get(verdict or "", 0.7), asked)


def _verdict(form: str, reduced: str, topic: str | None, asked: bool, named: bool) -> str | None:
    """The level at which a clause is kept, `once` for a trip-only one, or None."""
    if scope_cues.others(reduced) or scope_cues.hypothetical(reduced) or _IN_JEST.search(form):
        return None
    general = reduce(plain(split_condition(trimmed(form))[0]))
    ordered = find_stances("en", reduced) + (find_stances("en", general) if general != reduced else [])
    for stance in ordered:
        level = _allowed(stance, form, reduced, topic, named)
        if level:
            return level
    if asked and len(form.split()) >= 2:
        return "once" if scope_cues.dated(form) or scope_cues.past(reduced) else "strong"
    return None


def _allowed(stance: Stance, form: str, reduced: str, topic: str | None, named: bool) -> str | None:
    rest = reduced[stance.end :]
    if (
        stance.name in _OF_THINGS
        and not (named and reduced.startswith(("it ", "they ")))
        and scope_cues.definite_subject(reduced)
    ):
        return None
    if stance.level == "hard":
        if stance.name in _DIETS and (scope_cues.one_trip(form) or _FOR_THE_DAY.search(form)):
            return "once"
        if stance.name != "changed" and scope_cues.past(reduced) and "diagnosed" not in reduced:
            return None
        passing = scope_cues.one_trip(form) or scope_cues.definite_mention(reduced)
        return None if stance.name == "my_body" and passing else "hard"
    if topic is None or _NUMBERED.match(reduced):
        return None
    if stance.level in {"fragment", "mild"} and scope_cues.command(reduced):
        return None
    if scope_cues.one_trip(form):
        wished = topic in _FEATURES and stance.level != "habit" and not scope_cues.request_for_one(reduced)
        return "once" if wished and not scope_cues.past(reduced) else None
    if stance.name != "gave_up" and scope_cues.past(reduced):
        return None
    chosen = stance.name == "refusal" and (" than " in rest or named)
    if stance.level != "fragment" and stance.name not in _FREE_OF_OBJECT and not chosen and scope_cues.definite(rest):
        return None
    if stance.level == "strong" and stance.name in _PERSONAL and scope_cues.definite_mention(reduced):
        return None
    if stance.level == "strong":
        return (
            None
            if scope_cues.dated(form) and stance.name not in {"frequency", "gave_up", "favorite", "have_always"}
            else "strong"
        )
    if scope_cues.dated(form):
        return None
    return _tasteful(stance, form, reduced)


def _tasteful(stance: Stance, form: str, reduced: str) -> str | None:
    if (scope_cues.definite_mention(reduced) and stance.name not in {"body_of_evidence", "matters"}) or form.endswith(
        " then"
    ):
        return None
    if stance.level == "wish":
        if _EACH.search(split_condition(trimmed(form))[1] or ""):
            return "strong"
        if scope_cues.request_for_one(reduced) or scope_cues.route(reduced):
            return None
        return "wish" if _GENERIC.search(reduced[stance.end :]) else "once"
    if (
        stance.name in {"need", "present", "liking"}
        and scope_cues.request_for_one(reduced)
        and not re.search(r"\bdo(?:es)? not\b", reduced)
    ):
        return None
    if stance.level == "habit" and (scope_cues.route(reduced) or re.search(r"\b(?:your|this|it)\b|\bthat$", reduced)):
        return None
    return stance.level


def named_by(clause: Clause, before: Judged) -> bool:
    """True when a "them" or "it" of the clause can stand for what the clause before it names."""
    return (
        bool(before.found)
        and not is_question(before.clause)
        and before.clause.sentence == clause.sentence
        and bool(_DANGLING.search(clause.text))
        and not scope_cues.dated(plain(before.clause.text))
        and not scope_cues.past(reduce(plain(before.clause.text)))
    )
