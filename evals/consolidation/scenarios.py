"""The scenarios: notes known before, notes of the ending session, and what must be active afterwards."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from memory.policy.contract import is_hard
from memory.records.notes import Claim, Evidence, Note
from memory.schema import load_schema
from models.offline.notes.claims import meaning_of

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
