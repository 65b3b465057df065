"""Scores the notes that are active after a session against those that a scenario expects."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from memory.policy.candidate import is_hard
from memory.records.notes import Claim, Evidence, Note
from memory.schema import load_schema
from models.offline.notes.claims import meaning_of
from text import stem
from text.words import english_words, japanese_terms

_INTERVAL = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario, with its notes by key. Exactly one note of each group in `active` must be active at the end."""

    id: str
    set: str
    known: Mapping[str, Note]
    session: Mapping[str, Note]
    active: tuple[tuple[str, ...], ...]
    gone: tuple[str, ...]

    @property
    def notes(self) -> Mapping[str, Note]:
        """Return all notes by key."""
        return {**self.known, **self.session}


def read(folder: Path) -> list[Scenario]:
    """Return the scenarios of all `*.jsonl` files in `folder`, ordered by file and line.

    Raises:
        ValueError: A line is not JSON, or its expectations do not name each of its notes exactly once.
    """
    return [
        _scenario(json.loads(line))
        for path in sorted(folder.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.strip()
    ]


def _scenario(line: dict[str, Any]) -> Scenario:
    scenario = Scenario(
        id=line["id"],
        set=line["set"],
        known={note["key"]: _note(line["id"], note, place) for place, note in enumerate(line["known"])},
        session={note["key"]: _note(line["id"], note, 500 + place) for place, note in enumerate(line["session"])},
        active=tuple(tuple(group) for group in line["expect"]["active"]),
        gone=tuple(line["expect"]["gone"]),
    )
    keys = [*scenario.gone, *(key for group in scenario.active for key in group)]
    if sorted(keys) != sorted(scenario.notes):
        raise ValueError(
            f"Scenario {scenario.id} has expectations for {sorted(keys)}, not for {sorted(scenario.notes)}."
        )
    return scenario


def _note(scenario: str, line: dict[str, Any], place: int) -> Note:
    """Return a note with the claims that the offline model reads in its text."""
    day = date.fromisoformat(line["date"])
    meaning = meaning_of(line["text"], line["topic"], line["condition"])
    claims = tuple(Claim.model_validate({"about": meaning.about, **claim}) for claim in meaning.claims)
    return Note(
        id=f"{scenario}/{line['key']}",
        text=line["text"],
        topic=line["topic"],
        scope=line["scope"],
        claims=claims,
        when={item["key"]: item["value"] for item in meaning.when},
        hard=is_hard(claims, line["topic"], load_schema()),
        created_at=datetime(day.year, day.month, day.day, tzinfo=UTC) + place * _INTERVAL,
        last_update_date=day,
        evidence=(Evidence(thread_id=scenario, quote=line["text"], said_on=day),),
    )


@dataclass(frozen=True, slots=True)
class Active:
    """The notes that are active after a session, the keys of their sources by note id, and why plans were refused."""

    notes: tuple[Note, ...]
    origins: Mapping[str, tuple[str, ...]]
    refused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Miss:
    """One error: the id of its scenario and its description."""

    id: str
    what: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one measure: the number of checks and the misses among them."""

    measure: str
    total: int
    misses: tuple[Miss, ...]

    @property
    def rate(self) -> float:
        """Return the share of checks without a miss, 0..1; 1 without checks."""
        return 1 - len(self.misses) / self.total if self.total else 1.0


def score(scenarios: Sequence[Scenario], results: Sequence[Active]) -> list[Outcome]:
    """Return the outcome of each measure; a miss is one duplicate left, one fact lost, and so on."""
    pairs = [(scenario, active, _shown(scenario, active)) for scenario, active in zip(scenarios, results, strict=True)]
    lasting = [(scenario, key) for scenario, _, _ in pairs for key in scenario.gone if _lasts(scenario, key)]
    return [
        Outcome(
            "duplicates_removed",
            sum(len(group) - 1 for scenario in scenarios for group in scenario.active),
            tuple(miss for scenario, _, shown in pairs for miss in _duplicates(scenario, shown)),
        ),
        Outcome(
            "distinct_lost",
            sum(len(scenario.active) for scenario in scenarios),
            tuple(miss for scenario, _, shown in pairs for miss in _lost(scenario, shown)),
        ),
        Outcome(
            "newest_wins", len(lasting), tuple(miss for scenario, _, shown in pairs for miss in _stale(scenario, shown))
        ),
        Outcome(
            "invented",
            sum(len(active.notes) for active in results),
            tuple(miss for scenario, active, _ in pairs for miss in _invented(scenario, active)),
        ),
        Outcome(
            "trip_leaks",
            sum(note.scope == "trip" for scenario in scenarios for note in scenario.notes.values()),
            tuple(miss for scenario, _, shown in pairs for miss in _leaks(scenario, shown)),
        ),
        Outcome(
            "hard_lost",
            sum(len(_hard_groups(scenario)) for scenario in scenarios),
            tuple(miss for scenario, _, shown in pairs for miss in _lost(scenario, shown, hard=True)),
        ),
        Outcome(
            "refused_plans",
            len(pairs),
            tuple(Miss(scenario.id, "; ".join(active.refused)) for scenario, active, _ in pairs if active.refused),
        ),
    ]


def _shown(scenario: Scenario, active: Active) -> list[tuple[str, ...]]:
    """Return, for each active note, the key of the note with the same text, else the keys of all its sources."""
    keys = {note.id: key for key, note in scenario.known.items()}
    shown: list[tuple[str, ...]] = []
    for note in active.notes:
        origins = active.origins.get(note.id, ())
        if note.id in keys and note.text == scenario.known[keys[note.id]].text:
            shown.append((keys[note.id],))
        else:
            same = tuple(key for key in origins if scenario.notes[key].text == note.text)
            shown.append(same[:1] or origins)
    return shown


def _occurrences(shown: Iterable[tuple[str, ...]], group: Sequence[str]) -> int:
    return sum(bool(set(keys) & set(group)) for keys in shown)


def _texts(scenario: Scenario, keys: Iterable[str]) -> str:
    return " / ".join(f"{scenario.notes[key].text!r}" for key in keys)


def _duplicates(scenario: Scenario, shown: Sequence[tuple[str, ...]]) -> Iterator[Miss]:
    for group in scenario.active:
        for _ in range(_occurrences(shown, group) - 1):
            yield Miss(scenario.id, f"still twice: {_texts(scenario, group)}")


def _hard_groups(scenario: Scenario) -> list[tuple[str, ...]]:
    return [group for group in scenario.active if any(scenario.notes[key].hard for key in group)]


def _lost(scenario: Scenario, shown: Sequence[tuple[str, ...]], *, hard: bool = False) -> Iterator[Miss]:
    for group in _hard_groups(scenario) if hard else scenario.active:
        if not _occurrences(shown, group):
            yield Miss(scenario.id, f"lost: {_texts(scenario, group)}")


def _lasts(scenario: Scenario, key: str) -> bool:
    return scenario.notes[key].scope != "trip"


def _stale(scenario: Scenario, shown: Sequence[tuple[str, ...]]) -> Iterator[Miss]:
    for key in scenario.gone:
        if _lasts(scenario, key) and _occurrences(shown, [key]):
            yield Miss(scenario.id, f"still active: {_texts(scenario, [key])}")


def _leaks(scenario: Scenario, shown: Sequence[tuple[str, ...]]) -> Iterator[Miss]:
    for key, note in scenario.notes.items():
        if note.scope == "trip" and _occurrences(shown, [key]):
            yield Miss(scenario.id, f"leaked: {note.text!r}")


def _invented(scenario: Scenario, active: Active) -> Iterator[Miss]:
    """Yield a miss for each active note with words that none of its sources has."""
    for note in active.notes:
        origins = active.origins.get(note.id) or tuple(key for key, one in scenario.known.items() if one.id == note.id)
        sources = " ".join(f"{scenario.notes[key].text} {scenario.notes[key].condition or ''}" for key in origins)
        if new := _words(f"{note.text} {note.condition or ''}") - _words(sources):
            yield Miss(scenario.id, f"invented: {', '.join(sorted(new))}")


def _words(text: str) -> set[str]:
    return {stem(word) for word in english_words(text)} | set(japanese_terms(text))
