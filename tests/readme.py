"""What README.md shows, run: `python -m tests.readme` writes the real output back into it."""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from app.cli.system.settings import drawing
from tests.warm import run

README = Path(__file__).parents[1] / "README.md"
_BLOCK = re.compile(r"^```(?P<kind>console|python|text|mermaid)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
_PROMPT = "$ "
_COMMAND = "from app.cli.main import main; main()"
_DAY = "2026-11-20"
"""What is printed of today is shown as this day."""


def refreshed(text: str) -> str:
    """`text` with the output of its console and Python blocks, and its drawing, as they are now.

    The blocks share one fresh folder, in order; a `text` block shows what the Python block before it printed.
    """
    printed = ""
    with tempfile.TemporaryDirectory() as folder:

        def show(block: re.Match[str]) -> str:
            nonlocal printed
            kind, body = block["kind"], block["body"]
            if kind == "console":
                body = _console(body, folder)
            elif kind == "python":
                printed = _output(body, [], folder)
            elif kind == "text":
                body = printed
            elif "__start__" in body:
                body = drawing()
            return f"```{kind}\n{body}```"

        return _BLOCK.sub(show, text)


def _console(body: str, folder: str) -> str:
    """The commands of a block, each followed by what it prints now."""
    commands = [line.removeprefix(_PROMPT) for line in body.splitlines() if line.startswith(_PROMPT)]
    parts = []
    for command in commands:
        name, *args = shlex.split(command)
        assert name == "concierge", f"README shows a command that is not ours: {command}"
        parts += [f"{_PROMPT}{command}\n", _output(_COMMAND, args, folder)]
    return "".join(parts)


def _output(program: str, args: list[str], folder: str) -> str:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CONCIERGE_", "OPENAI_"))}
    begun = datetime.now(UTC).date()
    done = run(program, args, cwd=Path(folder), env=kept)
    assert (done.returncode, done.stderr) == (0, b""), done.stderr
    told = done.stdout.decode()
    for today in (begun, datetime.now(UTC).date()):
        told = told.replace(today.isoformat(), _DAY)
    return told


if __name__ == "__main__":
    README.write_text(refreshed(README.read_text(encoding="utf-8")), encoding="utf-8")
