"""Runs each command once, in order, on the same data; some in a process of their own, as installed."""

from __future__ import annotations

import shlex

import typer

from app.cli.main import app
from tests.app.commandline import CommandLine
from tests.app.pending import bookings_wait

_BY_ANYBODY = {"reindex", "settings", "doctor", "graph", "sweep", "sessions history", "backup", "restore"}
STEPS = (
    ("demo", "is now the demo traveller"),
    ("chat --thread t --resume approve --json", '"stop_reason": "answered"'),
    ("chat --thread u -m 'I prefer aisle seats.' -m 'I love museums.'", "noted: "),
    ("sessions list", "u  "),
    ("sessions end --thread u", "kept for next time"),
    ("sessions history --thread u", "you> I love museums."),
    ("sessions delete --thread u --yes", "conversation u is deleted"),
    ("sweep --idle 0", "sessions ended: 1"),
    ("memory list", "I love museums"),
    ("memory show aisle", "conversation u: "),
    ("memory search museums", "I love museums"),
    ("memory edit aisle 'I prefer window seats'", "I prefer window seats"),
    ("memory history", "I prefer aisle seats -> I prefer window seats"),
    ("memory undo", "to redo it"),
    ("memory forget museums --keep", "I love museums"),
    ("memory restore museums", "in use again"),
    ("memory pause", "memory is paused"),
    ("memory resume", "memory is on"),
    ("memory profile home_city=Porto", "Porto"),
    ("memory consent --deny meal", "meal           denied"),
    ("memory export ana.json", "2 notes"),
    ("memory import ana.json", "nothing new in it"),
    ("trips list", "booked, paid $"),
    ("trips show", "Berlin (BER) - Lisbon (LIS)"),
    ("trips export ana.ics", "1 booking (sample data)"),
    ("trips cancel flight --yes", "paid back: $"),
    ("backup all.zip", "backed up into all.zip"),
    ("CONCIERGE_DATA_DIR=again restore all.zip", "restored into again"),
    ("memory clear --yes ana", "deleted for good: 2 notes"),
    ("reindex", "texts indexed: "),
    ("token --hours 1", "eyJ"),
    ("settings", "CONCIERGE_DATA_DIR="),
    ("doctor", "all is well: everything that is kept can be read"),
    ("graph", "graph TD;"),
    ("mcp", ""),
)


_INSTALLED = {"demo", "chat", "memory list", "doctor", "mcp"}
"""Commands that run in a new process, which takes seconds; the others start the same way."""

_ENDLESS = {"serve"}
"""Commands that run until they are stopped, which have tests of their own."""


def _name(line: str) -> str:
    """Return the command of a line, with its group."""
    words = [word for word in line.split() if not word.startswith("CONCIERGE_")]
    return " ".join(words[: 2 if words[0] in ("memory", "trips", "sessions") else 1])


def _every_command() -> set[str]:
    names: set[str] = set()
    for name, command in typer.main.get_group(app).commands.items():
        names |= {f"{name} {inner}" for inner in getattr(command, "commands", {})} or {name}
    return names


def test_every_command_runs(concierge: CommandLine, command_line: CommandLine) -> None:
    bookings_wait(concierge)
    for line, shown in STEPS:
        user = [] if _name(line) in _BY_ANYBODY else ["--user", "ana"]
        words = shlex.split(line)
        env = dict(word.split("=", 1) for word in words if word.startswith("CONCIERGE_"))
        run = command_line if _name(line) in _INSTALLED else concierge
        outcome = run(*words[len(env) :], *user, env=env)
        assert (outcome.code, outcome.err, shown in outcome.out) == (0, "", True), (line, outcome)
    assert {_name(line) for line, _ in STEPS} == _every_command() - _ENDLESS
