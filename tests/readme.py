"""What README.md shows, run, and what docs/schema.md shows: `python -m tests.readme` writes both anew."""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from app.cli.system.settings import drawing
from memory.schema import Schema, load_schema
from tests.warm import run

README = Path(__file__).parents[1] / "README.md"
SCHEMA = Path(__file__).parents[1] / "docs" / "schema.md"
_HEADING = "## The schema"
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


def shown(schema: Schema) -> str:
    """A schema as one table a topic, with the questions that bring the topic up."""
    keys = [f"`{key}` ({', '.join(one.values) or one.name})" for key, one in schema.when.items()]
    conditions = f"Conditions: {'; '.join(keys)}; anything else in free words under `other`."
    parts = [f"{_HEADING} `{schema.name}`", "", conditions]
    for name, topic in schema.topics.items():
        hard = " A note of this topic that makes no claim is a hard constraint." if topic.hard else ""
        parts += ["", f"### {name}", "", f"{topic.about}{hard} Ask: {' '.join(topic.ask)}", ""]
        parts += ["| attribute | takes | several | hard | profile | offers |", "|---|---|---|---|---|---|"]
        for key, one in topic.attributes.items():
            taken = ", ".join(one.values) or one.number or one.name
            offers = ", ".join(f"`{offer}`" for offer in one.offer)
            marks = ("yes" if one.many else "", "yes" if one.hard else "", one.profile)
            parts.append(f"| `{key}` | {taken} | {' | '.join(marks)} | {offers} |")
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    README.write_text(refreshed(README.read_text(encoding="utf-8")), encoding="utf-8")
    explained = SCHEMA.read_text(encoding="utf-8").partition(_HEADING)[0]
    SCHEMA.write_text(explained + shown(load_schema()), encoding="utf-8")
