"""Finds what the user says of themselves that is worth keeping (S3.2): durable, actionable, in their own words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from llm.offline.en import anchors
from llm.offline.en.clauses import Clause, clauses, is_question, trimmed
from llm.offline.en.conditions import split_condition
from llm.offline.en.remembering import asked_to_keep, without_request
from llm.offline.en.stance import Stance, stances
from llm.offline.en.topics import Hit, hits, keywords_of, telling, topic_of
from llm.offline.en.wording import clean, plain, quoted, reduce
from llm.offline.tongue import Statement
from stores.notes import MAX_TEXT, Topic

_MOST = 6
_CONFIDENCE = {"hard": 0.95, "strong": 0.9, "mild": 0.85, "fragment": 0.8, "habit": 0.75, "wish": 0.7}
_LIMITS = frozenset({"meal", "accessibility"})
_FEATURES = frozenset({"seat", "cabin", "meal", "room", "baggage", "layover", "airline", "hotel", "neighborhood", "transport", "car", "pace"})
_GENERIC = re.compile(r"\b(?:every|everything|hotels|flights|rooms|seats|places|trains|airlines|destinations|restaurants|cities|beds|floors|neighborhoods|areas|trips|fares|tours|museums|cars|to feel|to be (?:able|within|near|close)|wherever|anywhere|everywhere|than|my own|free|at least|everything|options)\b")
_OF_THINGS = frozenset({"body_of_evidence", "affect", "must_be", "matters", "to_me", "rule", "standing_order", "or_nothing", "makes_ill", "favorite", "about_me"})
_DANGLING = re.compile(r"\b(?:them|it|there|she|he|one|ones|both|neither|those)\b", re.IGNORECASE)
_FREE_OF_OBJECT = frozenset({"short_answer", "to_me", "with_party", "favorite", "frequency", "standing_tail", "body_of_evidence", "matters", "manner"})
_NUMBERED = re.compile(r"^(?:no|only|at most|max|maximum) (?:\d+|one|two|three|four|five|six|a)(?: of us| nights?| days?| people| adults?| rooms?| tickets?)|^ME only (?:need|have|want|stay)\w* (?:one|two|three|\d)")


@dataclass(frozen=True, slots=True)
class _Judged:
    clause: Clause
    keep: bool
    trip_only: bool
    topic: Topic | None
    found: list[Hit]
    confidence: float
    asked: bool


def detect(text: str) -> list[Statement]:
    """Statements worth keeping in `text`, at most six. Questions, trip details and small talk give none."""
    judged: list[_Judged] = []
    for clause in _with_short_questions(clauses(clean(text))):
        judged.append(_judge(clause, judged[-1] if judged else None))
    return [_statement(group, text) for group in _grouped(_persistent(judged))][:_MOST]


def _with_short_questions(found: list[Clause]) -> list[Clause]:
    """"Cruises? Not my thing." is one statement: a short question is joined with the fragment after it."""
    joined: list[Clause] = []
    for clause in found:
        before = joined[-1] if joined else None
        if before and before.asked and len(before.text.split()) <= 4 and hits(plain(before.text)) and _answers(clause.text):
            joined[-1] = Clause(f"{before.text}? {clause.text}", before.link, False, before.sentence)
        else:
            joined.append(clause)
    return joined


def _answers(text: str) -> bool:
    return bool(re.match(r"(?:not|never|no\b|always|love|hate|can't|yes|absolutely|count me|hard (?:pass|no)|only|i'd|no way|over my dead|pass|nah|nope|any ?day|every time|forget (?:it|them)|don't|won't|i'm|can't|i (?:hate|love|avoid|refuse|never|always|prefer|like|can't|don't))\b", text, re.IGNORECASE))


def _judge(clause: Clause, before: _Judged | None) -> _Judged:
    asked = asked_to_keep(clause.text)
    words = without_request(clause.text) if asked else clause.text
    form = plain(trimmed(words)) if words else ""
    reduced = reduce(form)
    found = hits(form)
    if not form or (is_question(Clause(words, clause.link, clause.asked and not asked, 0))):
        return _Judged(clause, False, False, None, found, 0.0, asked)
    found = hits(plain(split_condition(trimmed(words))[0])) or found
    topic = topic_of(found)
    if topic is None and before and _named_by(clause, before):
        topic = before.topic
    verdict = _verdict(form, reduced, topic, asked)
    if verdict == "hard":
        topic = topic_of([hit for hit in found if hit.topic in _LIMITS]) or topic
    if verdict == "habit" and not telling(found):
        verdict = None
    trip_only = anchors.one_trip(form) or verdict == "once"
    return _Judged(clause, verdict is not None, trip_only, topic, found, _CONFIDENCE.get(verdict or "", 0.7), asked)


def _verdict(form: str, reduced: str, topic: Topic | None, asked: bool) -> str | None:
    """The level at which a clause is kept, `once` for a trip-only one, or None."""
    if anchors.others(reduced) or anchors.hypothetical(reduced):
        return None
    general = reduce(plain(split_condition(trimmed(form))[0]))
    ordered = stances(reduced) + (stances(general) if general != reduced else [])
    for stance in ordered:
        level = _allowed(stance, form, reduced, topic)
        if level:
            return level
    if asked and len(form.split()) >= 2:
        return "once" if anchors.dated(form) or anchors.past(reduced) else "strong"
    return None


def _allowed(stance: Stance, form: str, reduced: str, topic: Topic | None) -> str | None:
    rest = reduced[stance.end :]
    if stance.name in _OF_THINGS and anchors.definite_subject(reduced):
        return None
    if stance.level == "hard":
        if stance.name != "changed" and anchors.past(reduced) and "diagnosed" not in reduced:
            return None
        return "hard" if not (stance.name == "my_body" and anchors.one_trip(form)) else None
    if topic is None or _NUMBERED.match(reduced):
        return None
    if stance.level in {"fragment", "mild"} and anchors.command(reduced):
        return None
    if anchors.one_trip(form):
        wished = topic in _FEATURES and stance.level != "habit" and not anchors.request_for_one(reduced)
        return "once" if wished and not anchors.past(reduced) else None
    if stance.name != "gave_up" and anchors.past(reduced):
        return None
    chosen = stance.name == "refusal" and " than " in rest
    if stance.level != "fragment" and stance.name not in _FREE_OF_OBJECT and not chosen and anchors.definite(rest):
        return None
    if stance.level == "strong":
        return None if anchors.dated(form) and stance.name not in {"frequency", "gave_up", "favorite", "have_always"} else "strong"
    if anchors.dated(form):
        return None
    return _tasteful(stance, form, reduced)


def _tasteful(stance: Stance, form: str, reduced: str) -> str | None:
    if (anchors.definite_mention(reduced) and stance.name not in {"body_of_evidence", "matters"}) or form.endswith(" then"):
        return None
    if stance.level == "wish":
        if anchors.request_for_one(reduced) or anchors.route(reduced):
            return None
        return "wish" if _GENERIC.search(reduced[stance.end :]) else "once"
    if stance.name in {"need", "present", "liking"} and anchors.request_for_one(reduced) and not re.search(r"\bdo(?:es)? not\b", reduced):
        return None
    if stance.level == "habit" and (anchors.route(reduced) or re.search(r"\b(?:your|this|it)\b|\bthat$", reduced)):
        return None
    return stance.level


def _persistent(judged: list[_Judged]) -> list[_Judged]:
    """A note of one trip makes the clauses that explain it trip-only as well."""
    found: list[_Judged] = []
    for item in judged:
        before = found[-1] if found else None
        if item.keep and before and before.keep and before.trip_only and item.clause.sentence == before.clause.sentence and item.topic == before.topic:
            item = _Judged(item.clause, True, True, item.topic, item.found, item.confidence, item.asked)
        found.append(item)
    return found


def _grouped(judged: list[_Judged]) -> list[list[_Judged]]:
    """Kept clauses, each with the clause that explains it when that says no more than its reason."""
    groups: list[list[_Judged]] = []
    open_group = False
    for before, item in zip([None, *judged], judged, strict=False):
        if not item.keep:
            open_group = False
            continue
        if before is not None and _leans(item, before):
            groups.append([before, item])
            open_group = True
            continue
        last = groups[-1][-1] if groups else None
        joins = (
            open_group and last is not None and item.clause.sentence == last.clause.sentence
            and item.clause.explains and item.trip_only == last.trip_only and (item.topic in (last.topic, None, "other") or last.topic == "other")
        )
        if joins:
            groups[-1].append(item)
        else:
            groups.append([item])
        open_group = True
    return groups


def _named_by(clause: Clause, before: _Judged) -> bool:
    """True when a "them" or "it" of the clause can stand for what the clause before it names."""
    return (
        bool(before.found) and not is_question(before.clause) and before.clause.sentence == clause.sentence
        and bool(_DANGLING.search(clause.text)) and not anchors.dated(plain(before.clause.text)) and not anchors.past(reduce(plain(before.clause.text)))
    )


def _leans(item: _Judged, before: _Judged) -> bool:
    """True when the clause says "them" or "it" of what the clause before it named without taking a stance."""
    return (
        not before.keep and _named_by(item.clause, before)
    )


def _statement(group: list[_Judged], source: str) -> Statement:
    quote = quoted(source, group[0].clause.text, group[-1].clause.text)
    words = without_request(quote) if any(item.asked for item in group) else quote
    text, condition = split_condition(trimmed(clean(words)))
    text = _shortened(text)
    found = hits(plain(text)) or [hit for item in group for hit in item.found]
    topic = next((item.topic for item in group if item.keep and item.topic not in (None, "other")), None) or topic_of(found) or "other"
    return Statement(
        text=text,
        quote=quote,
        topic=topic,
        keywords=keywords_of(text, hits(plain(text))),
        trip_only=group[-1].trip_only,
        condition=condition,
        confidence=max(item.confidence for item in group),
    )


def _shortened(text: str) -> str:
    if len(text) <= MAX_TEXT:
        return text
    return text[: MAX_TEXT - 1].rsplit(" ", 1)[0].rstrip(" ,;:")
