"""Summarises the earlier part of a conversation (`HistorySummary`) from what was said, inventing nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable

from models.offline.dialogue.transcript import Turn
from models.offline.dialogue.turn_context import trip_question_in
from models.offline.languages import language_of
from models.offline.readings import Statement
from models.offline.statements import contradict, read, single_valued_topics
from models.offline.tasks.headings import FIELDS, UNVERIFIED, by_heading
from models.offline.travel.decisions import decisions

_WORDS = {
    "trip": 40,
    "travellers": 8,
    "preferences": 48,
    "constraints": 36,
    "options": 16,
    "decisions": 16,
    "open_questions": 16,
}
_LIMITS = frozenset({"meal", "accessibility", "document", "budget"})
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]{1,2}|[^\s\u3040-\u30ff\u3400-\u9fff]+")
_LINE = re.compile(r"^(user|assistant|tool): ?", re.IGNORECASE)


def summarise(previous: str, transcript: str) -> dict[str, str]:
    """The fields of the summary, at most 180 words together; facts of `previous` are carried on, newer ones win."""
    before = by_heading(previous) if previous and previous != "(none)" else {}
    lines = spoken(transcript)
    statements = _statements(text for role, text in lines if role == "user")
    preferences = [each for each in statements if each.topic not in _LIMITS]
    limits = [each for each in statements if each.topic in _LIMITS]
    trip, travellers = _trip(lines, before)
    fields = {
        "trip": trip,
        "travellers": travellers or before.get("travellers", ""),
        "preferences": _listed(preferences, before.get("preferences", "")),
        "constraints": _listed(limits, before.get("constraints", "")),
        "options": before.get("options", ""),
        "decisions": decisions((text for role, text in lines if role == "assistant"), before.get("decisions", "")),
        "open_questions": _open_question(lines) or "",
    }
    return {name: _cut(fields[name], _WORDS[name]) or UNVERIFIED for name in FIELDS}


def spoken(transcript: str) -> list[tuple[str, str]]:
    """Role and text of each message; a line without a role goes on with the one before it."""
    found: list[tuple[str, str]] = []
    for line in transcript.splitlines():
        match = _LINE.match(line)
        if match:
            found.append((match[1].lower(), line[match.end() :]))
        elif found:
            role, text = found[-1]
            found[-1] = (role, f"{text}\n{line}")
    return found


def _statements(said: Iterable[str]) -> list[Statement]:
    found: dict[str, Statement] = {}
    for text in said:
        language = language_of(text)
        for each in language.statements(text):
            found[each.text.lower()] = each
    return list(found.values())


def _replaces(new: Statement, old: Statement) -> bool:
    """True when the two answer one question of one topic differently, under the same condition."""
    one, other = (read(each.text, each.condition or "", each.topic) for each in (new, old))
    same = new.topic == old.topic and one.condition == other.condition
    return same and contradict(one, other)


def _listed(statements: list[Statement], before: str) -> str:
    """Statements, the newest first, then what was known before; what was replaced comes last, marked so."""
    current: list[str] = []
    replaced: list[str] = []
    taken: list[Statement] = []
    for each in reversed(statements):
        old = each.topic in single_valued_topics() and any(_replaces(other, each) for other in taken)
        (replaced if old else current).append(_said(each))
        taken.append(each)
    carried = [part for part in re.split(r"; ", before) if part and part not in current]
    return "; ".join((*current, *carried, *(f"Superseded: {text}" for text in replaced)))


def _said(statement: Statement) -> str:
    say = language_of(statement.text).say
    condition = say("condition", condition=statement.condition) if statement.condition else ""
    return f"{statement.text}{condition}{say('trip_only') if statement.trip_only else ''}"


def _trip(lines: list[tuple[str, str]], before: dict[str, str]) -> tuple[str, str]:
    """The trip as the concierge restated it last, and who travels; else the user's own words about it."""
    restated: list[str] = []
    for role, text in lines:
        details = language_of(text).restated_details(text) if role == "assistant" else ""
        if details:
            restated.append(details)
    if not restated:
        return before.get("trip", "") or _in_own_words(lines), ""
    language = language_of(restated[-1])
    latest, travellers = language.split_travellers(restated[-1])
    destinations = [place for each in restated if (place := language_of(each).destination(each))]
    old = [place for place in dict.fromkeys(destinations) if place != destinations[-1]] if destinations else []
    return latest + "".join(f". Superseded: {place}" for place in old), travellers


def _in_own_words(lines: list[tuple[str, str]]) -> str:
    asked = [text for role, text in lines if role == "user" and language_of(text).asks_for_trip(text)]
    return asked[-1].replace("\n", " ") if asked else ""


def _open_question(lines: list[tuple[str, str]]) -> str:
    last = next((text for role, text in reversed(lines) if role == "assistant"), "")
    if not trip_question_in(Turn("", "", reply=last)):
        return ""
    questions = re.findall(r"[^.!?。？\n]*(?:[?？]|か。)", last)
    return questions[-1].strip() if questions else ""


def _cut(text: str, words: int) -> str:
    """The first `words` words of `text`; in scripts without spaces, two characters count as one."""
    ends = [match.end() for match in _WORD.finditer(text)]
    return text if len(ends) <= words else text[: ends[words - 1]].rstrip(",;、")
