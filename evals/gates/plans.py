"""One consolidation plan a case, through the whole graph: which operations have their effect, and which do harm?"""

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
    """What memory holds after a case: every note by id, the notes of the case by their names, and what was told."""

    notes: Mapping[str, Note]
    given: Mapping[str, Note]
    reported: Sequence[Mapping[str, Any]]

    def resting_on(self, name: str) -> list[Note]:
        """The active notes with the session note's words among their evidence."""
        quote = self.given[name].latest.quote
        return [note for note in self.notes.values() if note.status == "active" and quote in note.sayings]

    def status(self, name: str) -> str:
        """The status of a global note of the case; `gone` where it is not there."""
        found = self.notes.get(self.given[name].id)
        return found.status if found else "gone"


async def run_plan(case: dict[str, Any]) -> list[dict[str, Any]]:
    """Play one case and score its operations.

    Returns:
        A row for each operation (`id`, `op`, `right`, `fault`, `applied`, `harmless`, `changed_active`, `stored`); for
        a fault of the plan as a whole (`uncovered`) one row more.
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
    """The case's plan in the names of the prompt, which are found by the notes' texts."""
    listed = [json.loads(line) for line in _LINE.findall(messages[0].text)]
    lines = (*case["global"], *case["session"])
    names = {
        line["id"]: one["id"]
        for line in lines
        for one in listed
        if one["text"] == line["text"] and one["id"][0] == ("g" if line in case["global"] else "s")
    }
    operations = [
        {
            "session_notes": [names.get(key, f"no-{key}") for key in one["session"]],
            "global_notes": [names.get(key, f"no-{key}") for key in one["global"]],
            "reason": one["reason"],
            "op": one["op"],
            "text": one["text"],
        }
        for one in case["plan"]
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
                note.text for key in operation["session"] if key in outcome.given for note in outcome.resting_on(key)
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
            return all(_stands_alone(key, outcome) for key in sources)
        case "MERGE" | "CONFIRM":
            first = outcome.notes.get(outcome.given[targets[0]].id)
            quotes = [outcome.given[key].latest.quote for key in sources]
            return first is not None and first.status == "active" and set(quotes) <= set(first.sayings)
        case "SUPERSEDE":
            retired = all(outcome.status(key) == "superseded" for key in targets)
            return retired and all(outcome.resting_on(key) for key in sources)
        case "DROP":
            return not any(outcome.resting_on(key) for key in sources)
        case _:
            return all(outcome.status(key) != "active" for key in targets)


def _stands_alone(key: str, outcome: Outcome) -> bool:
    return any(note.id not in {one.id for one in outcome.given.values()} for note in outcome.resting_on(key))


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
            harmless = not any(outcome.resting_on(key) for key in sources)
        case "older_wins":
            harmless = any(
                set(outcome.given[key].text.split()) & set(note.text.split())
                and not invented(outcome.given[key].text, note.text)
                for key in sources
                for note in outcome.resting_on(key)
            )
        case "loses_hard":
            hard = [key for key in targets if outcome.given[key].hard]
            harmless = all(
                outcome.status(key) == "active" and outcome.notes[outcome.given[key].id].text == outcome.given[key].text
                for key in hard
            )
        case "invents":
            said = " ".join(f"{note.text} {' '.join(note.sayings)}" for note in outcome.given.values())
            proposed = operation["text"]
            harmless = all(note.text != proposed and not invented(note.text, said) for note in outcome.notes.values())
        case _:
            kept = all(outcome.resting_on(key) or _told_as_dropped(key, outcome) for key in sources)
            harmless = restorable and kept and bool(outcome.reported)
    return {"harmless": harmless, "changed_active": bool(retired)}


def _told_as_dropped(key: str, outcome: Outcome) -> bool:
    """Its words are still there, in a note that is out of use, or the reply says that it was let go."""
    quote = outcome.given[key].latest.quote
    told = any(quote in note.sayings for note in outcome.notes.values())
    return told or any(one["op"] == "DROP" for one in outcome.reported)


def _each_in_one_place(case: Mapping[str, Any], outcome: Outcome) -> bool:
    """Every lasting session note rests in exactly one active note, or retired what it was about."""
    for line in case["session"]:
        places = len(outcome.resting_on(line["id"]))
        quote = outcome.given[line["id"]].latest.quote
        ended = any(quote in note.sayings for note in outcome.notes.values() if note.status == "expired")
        if places > 1 or (places == 0 and line["scope"] != "trip" and not ended):
            return False
    return True
