"""Runs the consolidation plan of each case through the whole graph, and scores its operations.

A right operation must have its effect, and a wrong one must do no harm.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage

from evals.gates.model import ProposingModel, calling
from evals.gates.saves import NOW
from evals.session import end_session
from memory.policy.wording import invented
from memory.records.notes import FREE, Evidence, Note

_LINE = re.compile(r"^\{.*\}$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Memory after a case: all its notes by id, the notes of the case by their names, and the reported operations."""

    notes: Mapping[str, Note]
    given: Mapping[str, Note]
    reported: Sequence[Mapping[str, Any]]

    def supported_by(self, name: str) -> list[Note]:
        """Return the active notes whose evidence contains the quote of this note of the case."""
        quote = self.given[name].latest.quote
        return [note for note in self.notes.values() if note.status == "active" and quote in note.sayings]

    def status(self, name: str) -> str:
        """Return the status of a global note of the case, or `gone` if memory does not hold it."""
        note = self.notes.get(self.given[name].id)
        return note.status if note else "gone"


async def run_plan(case: dict[str, Any]) -> list[dict[str, Any]]:
    """Run one case and score its operations.

    Returns:
        A row for each operation, with `id`, `op`, `right`, `fault`, `stored`, and either `applied` (if it is right) or
        `harmless` and `changed_active`. The fault `uncovered` concerns the whole plan and has one more row.
    """
    given = {
        line["id"]: _note(case["id"], line, number) for number, line in enumerate((*case["global"], *case["session"]))
    }
    known = [given[line["id"]] for line in case["global"]]
    staged = [given[line["id"]] for line in case["session"]]
    model = ProposingModel(propose=lambda messages: _answer(messages, case))
    ended = await end_session(case["id"], known, staged, model=model, now=NOW)
    outcome = Outcome({note.id: note for note in ended.notes}, given, ended.reported)
    return _scored(case, outcome)


def _note(case: str, line: Mapping[str, Any], number: int) -> Note:
    day = date.fromisoformat(line["date"])
    return Note(
        id=f"{case}/{line['id']}",
        text=line["text"],
        topic=line["topic"],
        scope=line["scope"],
        when={FREE: line["condition"]} if line["condition"] else {},
        hard=line["hard"],
        evidence=(Evidence(quote=line.get("quote", line["text"]), thread_id=case, said_on=day),),
        created_at=datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(seconds=number),
        last_update_date=day,
        confirmations=line.get("confirmations", 1),
    )


def _answer(messages: Sequence[BaseMessage], case: Mapping[str, Any]) -> AIMessage:
    """Return the plan of the case, with the ids that the prompt lists for the texts of the notes."""
    listed = [json.loads(line) for line in _LINE.findall(messages[0].text)]
    lines = (*case["global"], *case["session"])
    names = {
        line["id"]: note["id"]
        for line in lines
        for note in listed
        if note["text"] == line["text"] and note["id"][0] == ("g" if line in case["global"] else "s")
    }
    operations = [
        {
            "session_notes": [names.get(key, f"no-{key}") for key in operation["session"]],
            "global_notes": [names.get(key, f"no-{key}") for key in operation["global"]],
            "reason": operation["reason"],
            "op": operation["op"],
            "text": operation["text"],
        }
        for operation in case["plan"]
    ]
    return calling("PlanProposal", "plan", operations=operations)


def _scored(case: Mapping[str, Any], outcome: Outcome) -> list[dict[str, Any]]:
    rows = []
    for place, (operation, right) in enumerate(zip(case["plan"], case["right"], strict=True)):
        row = {
            "id": f"{case['id']}/{place}",
            "op": operation["op"],
            "right": right,
            "fault": None if right else case["fault"],
            "stored": [
                note.text for key in operation["session"] if key in outcome.given for note in outcome.supported_by(key)
            ],
        }
        if right:
            row |= {"applied": _applied(operation, outcome)}
        else:
            row |= _harm(case, operation, outcome)
        rows.append(row)
    if case["fault"] == "uncovered":
        rows.append(
            {"id": f"{case['id']}/uncovered", "op": None, "right": False, "fault": "uncovered", "stored": [],
             "harmless": _each_in_one_place(case, outcome), "changed_active": False}
        )  # fmt: skip
    return rows


def _applied(operation: Mapping[str, Any], outcome: Outcome) -> bool:
    sources, targets = operation["session"], operation["global"]
    match operation["op"]:
        case "ADD":
            return all(_is_new(key, outcome) for key in sources)
        case "MERGE" | "CONFIRM":
            first = outcome.notes.get(outcome.given[targets[0]].id)
            quotes = [outcome.given[key].latest.quote for key in sources]
            return first is not None and first.status == "active" and set(quotes) <= set(first.sayings)
        case "SUPERSEDE":
            retired = all(outcome.status(key) == "superseded" for key in targets)
            return retired and all(outcome.supported_by(key) for key in sources)
        case "DROP":
            return not any(outcome.supported_by(key) for key in sources)
        case _:
            return all(outcome.status(key) != "active" for key in targets)


def _is_new(key: str, outcome: Outcome) -> bool:
    given = {note.id for note in outcome.given.values()}
    return any(note.id not in given for note in outcome.supported_by(key))


def _harm(case: Mapping[str, Any], operation: Mapping[str, Any], outcome: Outcome) -> dict[str, bool]:
    sources = [key for key in operation["session"] if key in outcome.given]
    targets = [key for key in operation["global"] if key in outcome.given]
    retired = [key for key in targets if outcome.status(key) != "active"]
    restorable = all(outcome.given[key].id in outcome.notes for key in targets)
    match case["fault"]:
        case "covered_twice" | "uncovered":
            harmless = _each_in_one_place(case, outcome)
        case "unknown_id":
            harmless = all(
                _applied(one, outcome) for one, right in zip(case["plan"], case["right"], strict=True) if right
            )
        case "promotes_trip_only":
            harmless = not any(outcome.supported_by(key) for key in sources)
        case "older_wins":
            harmless = any(
                set(outcome.given[key].text.split()) & set(note.text.split())
                and not invented(outcome.given[key].text, note.text)
                for key in sources
                for note in outcome.supported_by(key)
            )
        case "loses_hard":
            hard = [key for key in targets if outcome.given[key].hard]
            harmless = all(
                outcome.status(key) == "active" and outcome.notes[outcome.given[key].id].text == outcome.given[key].text
                for key in hard
            )
        case "invents":
            source = " ".join(f"{note.text} {' '.join(note.sayings)}" for note in outcome.given.values())
            proposed = operation["text"]
            harmless = all(note.text != proposed and not invented(note.text, source) for note in outcome.notes.values())
        case _:
            kept = all(outcome.supported_by(key) or _is_retired_or_dropped(key, outcome) for key in sources)
            harmless = restorable and kept and bool(outcome.reported)
    return {"harmless": harmless, "changed_active": bool(retired)}


def _is_retired_or_dropped(key: str, outcome: Outcome) -> bool:
    """Return whether some note, active or not, holds the quote, or the run reported a DROP."""
    quote = outcome.given[key].latest.quote
    held = any(quote in note.sayings for note in outcome.notes.values())
    return held or any(operation["op"] == "DROP" for operation in outcome.reported)


def _each_in_one_place(case: Mapping[str, Any], outcome: Outcome) -> bool:
    """Return whether exactly one active note rests on each lasting session note, or an expired one does."""
    for line in case["session"]:
        places = len(outcome.supported_by(line["id"]))
        quote = outcome.given[line["id"]].latest.quote
        ended = any(quote in note.sayings for note in outcome.notes.values() if note.status == "expired")
        if places > 1 or (places == 0 and line["scope"] != "trip" and not ended):
            return False
    return True
