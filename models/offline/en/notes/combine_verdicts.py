"""Where rules and the trained judgement meet: sentence by sentence, the surer of the two decides."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from models.offline.en.clauses import Clause, is_question, trimmed
from models.offline.en.notes import scope_cues
from models.offline.en.notes.conditions import split_condition
from models.offline.en.notes.durability import durability_score
from models.offline.en.notes.judge_clause import CONFIDENCE, Judged
from models.offline.en.notes.topics import hits, topic_of
from models.offline.en.wording import plain, quoted

_LASTING = 1.0
"""Log-odds above which a sentence is kept that the rules pass over: 3 % of ordinary passing remarks in training."""
_PASSING = {CONFIDENCE["hard"]: -2.5, CONFIDENCE["strong"]: -2.0}
_PASSING_ELSE = 0.5
"""Log-odds below which one is dropped that the rules keep; what they are surer of has to be refuted more plainly."""
_LEAST_WORDS = 2
_TURN = re.compile(
    r"^(?:(?:actually|well|no|hm+|oh|okay|ok|on second thoughts?|come to think of it)\b[,;:.]?\s+)+|"
    r",?\s+(?:now|these days|instead|after all)\W*$",
    re.IGNORECASE,
)
"""Words that turn a statement against an earlier one. To the trained judgement they sound like a passing remark."""
_OWN = re.compile(r"(?:i|we|my|our)\b", re.IGNORECASE)


def combine_verdicts(judged: Sequence[Judged], source: str) -> list[Judged]:
    """The `judged` clauses of `source`, a clean message, with the trained judgement heard on each sentence."""
    heard: list[Judged] = []
    for _, clauses in groupby(judged, key=lambda item: item.clause.sentence):
        heard += _heard(list(clauses), source)
    return heard


def _heard(judged: list[Judged], source: str) -> list[Judged]:
    """The clauses of one sentence. A request to remember, and what holds for one trip, stay with the rules."""
    if any(item.asked or (item.keep and item.trip_only) for item in judged):
        return judged
    kept = [item for item in judged if item.keep]
    if kept:
        parts = (judged,) if kept == judged else (judged, kept)
        said = [(source_span(part, source), part) for part in parts]
        lean = max(durability_score(text, part) for told, part in said for text in (told, _without_turn(told)))
        least = min(_PASSING.get(item.confidence, _PASSING_ELSE) for item in kept)
        return _carried_on(judged) if lean >= least else [replace(item, keep=False) for item in judged]
    told = _told(judged)
    sentence = source_span(told, source) if told else ""
    if len(sentence.split()) < _LEAST_WORDS or durability_score(sentence, told) <= _LASTING:
        return judged
    return [_taken_up(sentence, told)]


def _carried_on(judged: Sequence[Judged]) -> list[Judged]:
    """A kept clause lends its verb: "I prefer the window on long flights and the aisle on short ones" is two."""
    found: list[Judged] = []
    for item in judged:
        before = found[-1] if found else None
        if before and before.keep and not item.keep and item.topic == before.topic and _lacks_only_a_verb(item, before):
            item = replace(item, keep=True, trip_only=before.trip_only, confidence=before.confidence)
        found.append(item)
    return found


def _lacks_only_a_verb(item: Judged, before: Judged) -> bool:
    """True for another wish under another condition, joined on by "and"."""
    conditions = [split_condition(trimmed(one.clause.text))[1] for one in (item, before)]
    joined = item.clause.link in ("and", "but", "while", "whereas") and not is_question(item.clause)
    return joined and all(conditions) and conditions[0] != conditions[1]


def _without_turn(told: str) -> str:
    """What somebody says of themselves, without the words that turn it against what they said before."""
    turned = _TURN.sub("", told)
    return turned if _OWN.match(turned) else told


def _told(judged: list[Judged]) -> list[Judged]:
    """The clauses without questions before and after them; none when one is of a single trip."""
    asked = [is_question(item.clause) for item in judged]
    if all(asked) or any(scope_cues.one_trip(plain(item.clause.text)) for item in judged):
        return []
    told = judged[asked.index(False) : len(asked) - asked[::-1].index(False)]
    return [] if any(is_question(item.clause) for item in told) else told


def source_span(judged: Sequence[Judged], source: str) -> str:
    """The exact stretch of `source`, a clean message, from the first of the `judged` clauses to the last."""
    return quoted(source, judged[0].clause.text, judged[-1].clause.text)


def _taken_up(sentence: str, judged: Sequence[Judged]) -> Judged:
    """One clause in place of `judged`: what the rules take no stance in can't be cut where they would cut it."""
    first = judged[0].clause
    found = hits(plain(sentence))
    return Judged(
        clause=Clause(sentence, first.link, False, first.sentence),
        keep=True,
        trip_only=False,
        topic=topic_of(found),
        found=found,
        confidence=CONFIDENCE["habit"],
        asked=False,
    )
