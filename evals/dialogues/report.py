"""Counts faults, and shows them as figures, as one JSON object, or as the transcript of one row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from app.api.reply import ToolUse
from evals.dialogues.judge import Fault
from evals.dialogues.play import Turn
from evals.dialogues.run import Played

Figures = dict[str, Any]


def counts(played: Sequence[Played]) -> Figures:
    """Return the number of right turns and dialogues, overall, by language and by kind, and the faults by kind."""
    grave = Counter(fault.grave for one in played for fault in one.faults if fault.grave)
    return {
        **_rates(played),
        "by_language": _by(played, lambda one: one.row.language),
        "by_kind": _by(played, lambda one: one.row.kind),
        "grave": dict(sorted(grave.items())),
        "failed_checks": dict(Counter(fault.check for one in played for fault in one.faults).most_common()),
        "broken": [f"{one.row.id}.{turn.number}" for one in played for turn, _ in one.turns if turn.broken],
        "world": [one.row.id for one in played if one.lacking],
    }


def _rates(played: Sequence[Played]) -> Figures:
    turns = [faults for one in played for _, faults in one.turns]
    return {
        "turns": len(turns),
        "turns_right": sum(not faults for faults in turns),
        "dialogues": len(played),
        "dialogues_right": sum(not one.faults for one in played),
    }


def _by(played: Sequence[Played], group: Callable[[Played], str]) -> dict[str, Figures]:
    return {name: _rates([one for one in played if group(one) == name]) for name in dict.fromkeys(map(group, played))}


def record(played: Sequence[Played]) -> Figures:
    """Return the figures and every miss, as plain JSON values."""
    misses = [miss for one in played for miss in _misses(one)]
    return {"counts": counts(played), "misses": misses, "rows": [_row(one) for one in played]}


def _row(one: Played) -> Figures:
    right = [not faults for _, faults in one.turns]
    return {"id": one.row.id, "right": not one.faults, "turns": right, "end": not one.end, "world": one.lacking}


def _misses(one: Played) -> list[Figures]:
    misses = [{**_turn(one, turn), "faults": list(map(_fault, faults))} for turn, faults in one.turns if faults]
    if one.end:
        notes = [{"text": note.text, "scope": note.scope} for note in one.notes]
        misses.append({"row": one.row.id, "turn": "end", "notes": notes, "faults": list(map(_fault, one.end))})
    return misses


def _turn(one: Played, turn: Turn) -> Figures:
    return {
        "row": one.row.id,
        "turn": turn.number,
        "say": turn.script.say,
        "decide": turn.script.decide,
        "sent": turn.sent,
        "reply": turn.reply,
        "tools": [{"name": use.name, "arguments": use.arguments, "outcome": use.outcome} for use in turn.calls],
        "waiting": [{"name": call["name"], "arguments": call["args"]} for call in turn.waiting],
        "noted": [{"text": note.text, "scope": note.scope} for note in turn.added],
    }


def _fault(fault: Fault) -> Figures:
    return {"check": fault.check, "why": fault.why, **({"grave": fault.grave} if fault.grave else {})}


def show_counts(played: Sequence[Played], console: Console) -> None:
    """Print the figures."""
    figures = counts(played)
    console.print(
        f"turns right: {figures['turns_right']} of {figures['turns']}; "
        f"dialogues wholly right: {figures['dialogues_right']} of {figures['dialogues']}"
    )
    console.print(f"grave faults: {_listed(figures['grave'])}")
    console.print(f"failed checks: {_listed(figures['failed_checks'])}")
    if figures["broken"]:
        console.print(f"no answer because of a fault: {', '.join(figures['broken'])}")
    if figures["world"]:
        console.print(f"nothing fitting in the sample world: {', '.join(figures['world'])}")
    table = Table("", "turns right", "dialogues right")
    for name, rates in {**figures["by_language"], **figures["by_kind"]}.items():
        table.add_row(
            name, f"{rates['turns_right']} of {rates['turns']}", f"{rates['dialogues_right']} of {rates['dialogues']}"
        )
    console.print(table)


def _listed(totals: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in totals.items()) or "none"


def show_misses(played: Sequence[Played], console: Console) -> None:
    """Print a line for each failed check."""
    for one in played:
        for turn, faults in one.turns:
            for fault in faults:
                _line(console, f"{one.row.id}.{turn.number}  {turn.script.say or turn.script.decide}", fault)
        for fault in one.end:
            _line(console, f"{one.row.id}.end", fault)


def show_row(one: Played, console: Console) -> None:
    """Print a row as a transcript, with every call, waiting call, new note and failed check."""
    row = one.row
    console.print(f"[bold]{escape(row.id)}[/]  {escape(row.about)}  ({row.language})")
    console.print(f"profile: {dict(row.profile)}; notes: {list(row.notes)}", markup=False)
    for turn, faults in one.turns:
        decided = f"   <{turn.script.decide}: {turn.sent}>" if turn.script.decide else ""
        console.print(f"\n[bold]{turn.number}. {escape(turn.script.say or '')}[/]{escape(decided)}")
        for use in turn.calls:
            console.print(f"   {_call(use)}", markup=False)
        console.print(turn.reply or "(no reply)", markup=False)
        for call in turn.waiting:
            console.print(f"   waits: {call['name']} {call['args']}\n   {call['description']}", markup=False)
        for note in turn.added:
            console.print(f"   noted: {note.text!r} ({note.scope})", markup=False)
        if turn.broken:
            console.print(f"   no answer because of a fault: {turn.broken}", markup=False)
        for fault in faults:
            _line(console, "   ", fault)
    console.print("\n[bold]end[/]")
    for note in one.notes:
        console.print(f"   note: {note.text!r} ({note.scope})", markup=False)
    for booking in one.turns[-1][0].booked if one.turns else ():
        console.print(f"   booked: {booking.title}", markup=False)
    for fault in one.end:
        _line(console, "   ", fault)


def _call(use: ToolUse) -> str:
    arguments = ", ".join(f"{name}={value!r}" for name, value in use.arguments.items())
    error = f": {use.result}" if use.outcome == "failed" else ""
    return f"{use.name}({arguments}) {use.outcome}{error}"


def _line(console: Console, where: str, fault: Fault) -> None:
    grave = f" GRAVE ({fault.grave})" if fault.grave else ""
    console.print(f"{escape(where)}\n      [red]MISS{grave} {fault.check}[/]: {escape(fault.why)}", highlight=False)
