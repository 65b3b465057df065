"""Finds what the user says of themselves that is worth keeping: durable, actionable, in their own words."""

from __future__ import annotations

import re
from dataclasses import replace

from models.offline.en.clauses import Clause, clauses, trimmed
from models.offline.en.notes import scope_cues
from models.offline.en.notes.combine_verdicts import combine_verdicts
from models.offline.en.notes.conditions import split_condition
from models.offline.en.notes.durability import predict_topic
from models.offline.en.notes.judge_clause import CONFIDENCE, LIMITS, Judged, judge, named_by
from models.offline.en.notes.save_requests import without_request
from models.offline.en.notes.topics import hits
from models.offline.en.trips.read import names_party, sets_out
from models.offline.en.wording import clean, plain, quoted
from models.offline.readings import LONGEST_NOTE, Statement

_MOST = 6
_BARE = 2
_REASON = re.compile(
    r"(?:i|we)(?: really| just| do| only)* (?:want|need|have|hope|plan|intend|wish)(?:ed)? to (?:sleep|rest|work|relax|"
    r"read|nap|stretch|recover|arrive|be|feel|get|avoid|save|see|look)\b|(?:i|we)(?:'m| am|'re| are| will be|'ll be) "
    r"(?:\w+ )?(?:tired|exhausted|working|ill|sick|pregnant|jet ?-?lagged|in a hurry|celebrating|meeting|so|too)\b",
    re.IGNORECASE,
)
"""What follows the wish for one trip as its reason ("…, I really want to sleep")."""


def detect(text: str) -> list[Statement]:
    """Statements worth keeping in `text`, at most six. Questions, trip details and small talk give none."""
    heard = [
        replace(each, keep=each.keep and not names_party(trimmed(each.clause.text)) and not sets_out(each.clause.text))
        for each in combine_verdicts(read_clauses(text), clean(text))
    ]
    return _with_kinds([_statement(group, text) for group in _grouped(heard)])[:_MOST]


def _with_kinds(found: list[Statement]) -> list[Statement]:
    """ "On short ones" says of what only together with the condition before it: "on overnight flights"."""
    told: list[Statement] = []
    for each in found:
        before = told[-1].condition if told else None
        if before and each.condition and each.condition.endswith(" ones"):
            kind = before.rsplit(" ", 1)[-1]
            condition, sentence = (re.sub(r"(?<= )ones$", kind, words) for words in (each.condition, each.sentence))
            each = replace(each, condition=condition, sentence=sentence)
        told.append(each)
    return told


def read_clauses(text: str) -> list[Judged]:
    """Every clause of `text` with what the rules make of it."""
    judged: list[Judged] = []
    for clause in _with_short_questions(clauses(clean(text))):
        judged.append(judge(clause, judged[-1] if judged else None))
    return _persistent(judged)


def _with_short_questions(found: list[Clause]) -> list[Clause]:
    """ "Cruises? Not my thing." is one statement: a short question is joined with the fragment after it."""
    joined: list[Clause] = []
    for clause in found:
        before = joined[-1] if joined else None
        if (
            before
            and before.asked
            and len(before.text.split()) <= 4
            and hits(plain(before.text))
            and _answers(clause.text)
        ):
            joined[-1] = Clause(f"{before.text}? {clause.text}", before.link, False, before.sentence)
        else:
            joined.append(clause)
    return joined


def _answers(text: str) -> bool:
    return bool(
        re.match(
            r"(?:not|never|no\b|always|love|hate|can't|yes|absolutely|count me|hard (?:pass|no)|only|i'd|no way|over "
            r"my dead|pass|nah|nope|any ?day|every time|forget (?:it|them)|don't|won't|i'm|can't|i (?:hate|love|avoid|"
            r"refuse|never|always|prefer|like|can't|don't))\b",
            text,
            re.IGNORECASE,
        )
    )


def _persistent(judged: list[Judged]) -> list[Judged]:
    """A note of one trip makes the clauses that explain it trip-only as well."""
    found: list[Judged] = []
    for item in judged:
        before = found[-1] if found else None
        if (
            item.keep
            and before
            and before.keep
            and before.trip_only
            and item.clause.sentence == before.clause.sentence
            and item.topic == before.topic
        ):
            item = replace(item, trip_only=True)
        bare = item.confidence == CONFIDENCE["fragment"] or len(item.clause.text.split()) <= _BARE
        once = bare and any(_once(other) for other in judged if other.clause.sentence == item.clause.sentence)
        if item.keep and once:
            item = replace(item, trip_only=True)
        found.append(item)
    return found


def _once(item: Judged) -> bool:
    form = plain(item.clause.text)
    return scope_cues.one_trip(form) or scope_cues.dated(form)


def _grouped(judged: list[Judged]) -> list[list[Judged]]:
    """Kept clauses, each with the clause that explains it when that says no more than its reason."""
    groups: list[list[Judged]] = []
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
            open_group
            and last is not None
            and item.clause.sentence == last.clause.sentence
            and item.clause.explains
            and item.trip_only == last.trip_only
            and (
                item.topic in (last.topic, None, "other")
                or last.topic == "other"
                or (last.trip_only and _REASON.match(item.clause.text))
            )
        )
        if joins:
            groups[-1].append(item)
        else:
            groups.append([item])
        open_group = True
    return groups


def _leans(item: Judged, before: Judged) -> bool:
    """True when the clause says "them" or "it" of what the clause before it named without taking a stance."""
    return not before.keep and named_by(item.clause, before)


def _statement(group: list[Judged], source: str) -> Statement:
    quote = quoted(source, group[0].clause.text, group[-1].clause.text)
    words = without_request(quote) if any(item.asked for item in group) else quote
    sentence = trimmed(clean(words))
    text, condition = split_condition(sentence)
    text = _shortened(text)
    return Statement(
        text=text,
        quote=quote,
        topic=_topic(group, clean(words)),
        trip_only=group[-1].trip_only,
        condition=condition,
        confidence=max(item.confidence for item in group),
        sentence=_shortened(sentence[:1].upper() + sentence[1:]) if condition else "",
    )


def _topic(group: list[Judged], words: str) -> str:
    """What the words are about; the rules name it where they find a limit, such as an allergy, beyond doubt."""
    limits = (item.topic for item in group if item.keep and item.confidence == CONFIDENCE["hard"])
    return next((topic for topic in limits if topic in LIMITS), None) or predict_topic(words)


def _shortened(text: str) -> str:
    if len(text) <= LONGEST_NOTE:
        return text
    return text[: LONGEST_NOTE - 1].rsplit(" ", 1)[0].rstrip(" ,;:")
