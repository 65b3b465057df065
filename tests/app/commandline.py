"""Runs the command `concierge`, in this process or in a new one."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextvars import Context
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from app.cli.main import main
from tests import warm

COMMAND = str(Path(sys.executable).with_name("concierge"))


@dataclass(frozen=True)
class Outcome:
    """The exit code and the output of a finished command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Return stdout parsed as one JSON document."""
        return json.loads(self.out)

    @property
    def turns(self) -> list[dict[str, Any]]:
        """Return stdout parsed as one JSON object per line."""
        return [json.loads(line) for line in self.out.splitlines()]


Run = Callable[[Sequence[str], bytes, Mapping[str, str], Path], Outcome]


def run_here(args: Sequence[str], given: bytes, env: Mapping[str, str], folder: Path) -> Outcome:
    raw = [io.BytesIO(given), io.BytesIO(), io.BytesIO()]
    stdin, out, err = (io.TextIOWrapper(stream, encoding="utf-8", newline="") for stream in raw)
    code: int | str | None = None
    with (
        contextlib.chdir(folder),
        patch.dict(os.environ, env, clear=True),
        patch.multiple(sys, argv=[COMMAND, *args], stdin=stdin, stdout=out, stderr=err),
        patch.object(logging.getLogger(), "handlers", []),
    ):
        try:
            Context().run(main)
        except SystemExit as done:
            code = done.code
    err.flush()
    assert not isinstance(code, str)
    return Outcome(code or 0, raw[1].getvalue().decode(), raw[2].getvalue().decode())


def run_process(args: Sequence[str], given: bytes, env: Mapping[str, str], folder: Path) -> Outcome:
    done = warm.run("from app.cli.main import main; main()", args, cwd=folder, env=env, given=given)
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


class CommandLine:
    """Runs `concierge` on one data directory; offline unless the environment configures a model."""

    def __init__(self, folder: Path, run: Run = run_here) -> None:
        self.folder = folder
        self.data_dir = folder / "data"
        self._run = run

    def env(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return the environment of the commands, without the machine's settings of ours and of model providers."""
        machine = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("CONCIERGE_", "OPENAI_", "LANGSMITH_"))
        }
        return {**machine, "CONCIERGE_DATA_DIR": str(self.data_dir), **(extra or {})}

    def __call__(self, *args: str, stdin: str | bytes = "", env: Mapping[str, str] | None = None) -> Outcome:
        """Run `concierge` with `args` and return its outcome."""
        given = stdin if isinstance(stdin, bytes) else stdin.encode("utf-8", "surrogateescape")
        outcome = self._run(args, given, self.env(env), self.folder)
        assert "Traceback" not in outcome.out + outcome.err
        return outcome

    def say(self, user: str, thread: str, *messages: str) -> list[dict[str, Any]]:
        """Send messages; return one turn for each, as JSON."""
        flags = [part for message in messages for part in ("--message", message)]
        outcome = self("chat", "--user", user, "--thread", thread, "--json", *flags)
        assert outcome.code == 0, outcome.err
        return outcome.turns

    def end(self, user: str, thread: str) -> dict[str, Any]:
        """End the session of a thread; return the turn, as JSON."""
        outcome = self("sessions", "end", "--user", user, "--thread", thread, "--json")
        assert outcome.code == 0, outcome.err
        turn: dict[str, Any] = outcome.json
        return turn

    def notes(self, user: str) -> list[dict[str, Any]]:
        outcome = self("memory", "list", "--user", user, "--json")
        assert outcome.code == 0, outcome.err
        notes: list[dict[str, Any]] = outcome.json
        return notes
