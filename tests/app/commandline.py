"""The installed command `concierge` in a process of its own, as a person or a program would call it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COMMAND = str(Path(sys.executable).with_name("concierge"))
_TIMEOUT = 120


@dataclass(frozen=True)
class Outcome:
    """What a finished command left: its exit code and both streams."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Stdout as one JSON document."""
        return json.loads(self.out)

    @property
    def turns(self) -> list[dict[str, Any]]:
        """Stdout as one JSON object a line."""
        return [json.loads(line) for line in self.out.splitlines()]


class CommandLine:
    """`concierge` on one data directory, offline unless the environment given says otherwise."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data_dir = folder / "data"

    def env(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """The environment of the commands: nothing of ours or of a model provider comes from the machine."""
        machine = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("CONCIERGE_", "OPENAI_", "LANGSMITH_"))
        }
        return {**machine, "CONCIERGE_DATA_DIR": str(self.data_dir), **(extra or {})}

    def __call__(self, *args: str, stdin: str | bytes = "", env: Mapping[str, str] | None = None) -> Outcome:
        """Run `concierge` with `args` and wait for its end."""
        given = stdin if isinstance(stdin, bytes) else stdin.encode("utf-8", "surrogateescape")
        done = subprocess.run(
            [COMMAND, *args], input=given, capture_output=True, env=self.env(env), cwd=self.folder, timeout=_TIMEOUT
        )
        outcome = Outcome(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))
        assert "Traceback" not in outcome.out + outcome.err
        return outcome

    def say(self, user: str, thread: str, *messages: str) -> list[dict[str, Any]]:
        """One turn for each message, as JSON."""
        flags = [part for message in messages for part in ("--message", message)]
        outcome = self("chat", "--user", user, "--thread", thread, "--json", *flags)
        assert outcome.code == 0, outcome.err
        return outcome.turns

    def end(self, user: str, thread: str) -> dict[str, Any]:
        """End the session of a thread."""
        outcome = self("sessions", "end", "--user", user, "--thread", thread, "--json")
        assert outcome.code == 0, outcome.err
        ended: dict[str, Any] = outcome.json
        return ended

    def notes(self, user: str) -> list[dict[str, Any]]:
        """The live long-term notes of a user."""
        outcome = self("memory", "list", "--user", user, "--json")
        assert outcome.code == 0, outcome.err
        listed: list[dict[str, Any]] = outcome.json
        return listed
