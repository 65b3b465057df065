"""Scores what is active after a session against what a scenario expects."""

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

_SAID_AFTER = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario; notes are by their key. Of each group in `active`, exactly one note is to be left active."""

    id: str
    set: str
    known: Mapping[str, Note]
    session: Mapping[str, Note]
    active: tuple[tuple[str, ...], ...]
    gone: tuple[str, ...]

    @property
    def notes(self) -> Mapping[str, Note]:
        """All notes by key."""
        return {**self.known, **self.session}


def read(folder: Path) -> list[Scenario]:
    """The scenarios of all `*.jsonl` files in `folder`, by file and line.

    Raises:
        ValueError: a line is no scenario, or expects nothing of one of its notes.
    """
    return [
        _scenario(json.loads(line))
        for path in sorted(folder.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.strip()
    ]


def _scenario(line: dict[str, Any]) -> Scenario:
    found = Scenario(
        id=line["id"],
        set=line["set"],
        known={one["key"]: _note(line["id"], one, place) for place, one in enumerate(line["known"])},
        session={one["key"]: _note(line["id"], one, 500 + place) for place, one in enumerate(line["session"])},
        active=tuple(tuple(group) for group in line["expect"]["active"]),
        gone=tuple(line["expect"]["gone"]),
    )
    told = [*found.gone, *(key for group in found.active for key in group)]
    if sorted(told) != sorted(found.notes):
        raise ValueError(f"Scenario {found.id} expects something of {sorted(told)}, and has {sorted(found.notes)}.")
    return found


def _note(scenario: str, line: dict[str, Any], place: int) -> Note:
    """A note with the claims that the offline model reads in its text."""
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
        created_at=datetime(day.year, day.month, day.day, tzinfo=UTC) + place * _SAID_AFTER,
        last_update_date=day,
        evidence=(Evidence(thread_id=scenario, quote=line["text"], said_on=day),),
    )


@dataclass(frozen=True, slots=True)
class Active:
    """The notes active after a session, the keys that each written one rests on, and why its plan was refused."""

    notes: tuple[Note, ...]
    origins: Mapping[str, tuple[str, ...]]
    refused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Miss:
    """What went wrong, in which scenario."""

    id: str
    what: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """One measure: how many of `total` went right, and the misses."""

    measure: str
    total: int
    misses: tuple[Miss, ...]

    @property
    def rate(self) -> float:
        """The part that went right, 0..1; 1 where there was nothing to get right."""
        return 1 - len(self.misses) / self.total if self.total else 1.0


def score(scenarios: Sequence[Scenario], found: Sequence[Active]) -> list[Outcome]:
    """The outcomes of all measures: `duplicates_removed`, `distinct_lost`, `newest_wins`, `invented`, `trip_leaks`,
    `hard_lost` and `refused_plans`; the number of misses of a measure is the number of duplicates left, facts lost…
    """
    pairs = [(scenario, active, _shown(scenario, active)) for scenario, active in zip(scenarios, found, strict=True)]
    lasting = [(scenario, key) for scenario, _, _ in pairs for key in scenario.gone if _lasts(scenario, key)]
    return [
        Outcome(
            "duplicates_removed",
            sum(len(group) - 1 for scenario in scenarios for group in scenario.active),
            tuple(miss for one, _, shown in pairs for miss in _left(one, shown)),
        ),
        Outcome(
            "distinct_lost",
            sum(len(scenario.active) for scenario in scenarios),
            tuple(miss for one, _, shown in pairs for miss in _lost(one, shown)),
        ),
        Outcome("newest_wins", len(lasting), tuple(miss for one, _, shown in pairs for miss in _stale(one, shown))),
        Outcome(
            "invented",
            sum(len(active.notes) for active in found),
            tuple(miss for one, active, _ in pairs for miss in _invented(one, active)),
        ),
        Outcome(
            "trip_leaks",
            sum(note.scope == "trip" for scenario in scenarios for note in scenario.notes.values()),
            tuple(miss for one, _, shown in pairs for miss in _leaks(one, shown)),
        ),
        Outcome(
            "hard_lost",
            sum(len(_hard_groups(scenario)) for scenario in scenarios),
            tuple(miss for one, _, shown in pairs for miss in _lost(one, shown, hard=True)),
        ),
        Outcome(
            "refused_plans",
            len(pairs),
            tuple(Miss(one.id, "; ".join(active.refused)) for one, active, _ in pairs if active.refused),
        ),
    ]


def _shown(scenario: Scenario, active: Active) -> list[tuple[str, ...]]:
    """For each active note the keys that it tells: those whose words it has, else all that it was made from."""
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


def _telling(shown: Iterable[tuple[str, ...]], group: Sequence[str]) -> int:
    return sum(bool(set(keys) & set(group)) for keys in shown)


def _told(scenario: Scenario, keys: Iterable[str]) -> str:
    return " / ".join(f"{scenario.notes[key].text!r}" for key in keys)


def _left(scenario: Scenario, shown: Sequence[tuple[str, ...]]) -> Iterator[Miss]:
    for group in scenario.active:
        for _ in range(_telling(shown, group) - 1):
            yield Miss(scenario.id, f"still twice: {_told(scenario, group)}")


def _hard_groups(scenario: Scenario) -> list[tuple[str, ...]]:
    return [group for group in scenario.active if any(scenario.notes[key].hard for key in group)]


def _lost(scenario: Scenario, shown: Sequence[tuple[str, ...]], *, hard: bool = False) -> Iterator[Miss]:
    for group in _hard_groups(scenario) if hard else scenario.active:
        if not _telling(shown, group):
            yield Miss(scenario.id, f"lost: {_told(scenario, group)}")


def _lasts(scenario: Scenario, key: str) -> bool:
    return scenario.notes[key].scope != "trip"


def _stale(scenario: Scenario, shown: Sequence[tuple[str, ...]]) -> Iterator[Miss]:
    for key in scenario.gone:
        if _lasts(scenario, key) and _telling(shown, [key]):
            yield Miss(scenario.id, f"still active: {_told(scenario, [key])}")


def _leaks(scenario: Scenario, shown: Sequence[tuple[str, ...]]) -> Iterator[Miss]:
    for key, note in scenario.notes.items():
        if note.scope == "trip" and _telling(shown, [key]):
            yield Miss(scenario.id, f"leaked: {note.text!r}")


def _invented(scenario: Scenario, active: Active) -> Iterator[Miss]:
    """Words, numbers and names of an active note that none of the notes it rests on has."""
    for note in active.notes:
        origins = active.origins.get(note.id) or tuple(key for key, one in scenario.known.items() if one.id == note.id)
        said = " ".join(f"{scenario.notes[key].text} {scenario.notes[key].condition or ''}" for key in origins)
        if new := _words(f"{note.text} {note.condition or ''}") - _words(said):
            yield Miss(scenario.id, f"invented: {', '.join(sorted(new))}")


def _words(text: str) -> set[str]:
    return {stem(word) for word in english_words(text)} | set(japanese_terms(text))
