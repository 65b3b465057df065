"""Generates the outputs in README.md and the tables in docs/schema.md: `python -m tests.readme` rewrites both."""

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
"""The date that replaces today's in outputs."""


def refreshed(text: str) -> str:
    """Return `text` with the current outputs of its console and Python blocks, and the current drawing of the graph.

    The blocks run in order in one temporary folder; a `text` block gets the output of the Python block before it.
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
    """Return the commands of a block, each followed by its current output."""
    commands = [line.removeprefix(_PROMPT) for line in body.splitlines() if line.startswith(_PROMPT)]
    parts = []
    for command in commands:
        name, *args = shlex.split(command)
        assert name == "concierge", f"README shows a command that is not ours: {command}"
        parts += [f"{_PROMPT}{command}\n", _output(_COMMAND, args, folder)]
    return "".join(parts)


def _output(program: str, args: list[str], folder: str) -> str:
    env = {name: value for name, value in os.environ.items() if not name.startswith(("CONCIERGE_", "OPENAI_"))}
    started_on = datetime.now(UTC).date()
    done = run(program, args, cwd=Path(folder), env=env)
    assert (done.returncode, done.stderr) == (0, b""), done.stderr
    output = done.stdout.decode()
    for today in (started_on, datetime.now(UTC).date()):
        output = output.replace(today.isoformat(), _DAY)
    return output


def shown(schema: Schema) -> str:
    """Render a schema as one table per topic, with the questions that ask about the topic."""
    keys = [f"`{key}` ({', '.join(condition.values) or condition.name})" for key, condition in schema.when.items()]
    conditions = f"Conditions: {'; '.join(keys)}; anything else in free words under `other`."
    parts = [f"{_HEADING} `{schema.name}`", "", conditions]
    for name, topic in schema.topics.items():
        hard = " A note of this topic that makes no claim is a hard constraint." if topic.hard else ""
        parts += ["", f"### {name}", "", f"{topic.about}{hard} Ask: {' '.join(topic.ask)}", ""]
        parts += ["| attribute | takes | several | hard | profile | offers |", "|---|---|---|---|---|---|"]
        for key, attribute in topic.attributes.items():
            values = ", ".join(attribute.values) or attribute.number or attribute.name
            offers = ", ".join(f"`{offer}`" for offer in attribute.offer)
            marks = ("yes" if attribute.many else "", "yes" if attribute.hard else "", attribute.profile)
            parts.append(f"| `{key}` | {values} | {' | '.join(marks)} | {offers} |")
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    README.write_text(refreshed(README.read_text(encoding="utf-8")), encoding="utf-8")
    explained = SCHEMA.read_text(encoding="utf-8").partition(_HEADING)[0]
    SCHEMA.write_text(explained + shown(load_schema()), encoding="utf-8")
