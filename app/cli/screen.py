"""Writes output: plain into a pipe; coloured, and wrapped at word boundaries, in a terminal."""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from app.cli.wording import counted, say, topic_name
from app.json_records import to_json_value
from text.normalise import SEQUENCE

if TYPE_CHECKING:
    from rich.console import Console

    from app.api.reply import ReplyMemory
    from memory.records.notes import Note


_MAX_CARD_WIDTH = 100
_HANGING = re.compile(r" *(?:· |\d+\. )? *")
"""Indentation and bullet of a line; wrapped rows are indented to its width."""
_ESCAPE = re.compile(SEQUENCE)


def printable(text: str) -> str:
    """Return `text` without escape sequences and control characters except line breaks and tabs."""
    return "".join(char for char in _ESCAPE.sub("", text) if char in "\n\t" or unicodedata.category(char) != "Cc")


def described(note: Note) -> str:
    """Return a note in one line: its text, and in parentheses its topic and restrictions."""
    limits: list[str] = [topic_name(note.topic)]
    if note.condition:
        limits.append(note.condition)
    if note.scope != "user":
        limits.append(say("trip_only") if note.scope == "trip" else note.scope)
    if note.hard:
        limits.append(say("must"))
    if note.expires_at:
        limits.append(say("until", day=f"{note.expires_at:%Y-%m-%d}"))
    return f"{note.text} ({', '.join(limits)})"


class Screen:
    """An output stream. Styles are rich styles, which only a terminal shows.

    Attributes:
        console: The terminal; None in a pipe.
        verbose: Whether `memory_summary` writes all details.
    """

    def __init__(self, stream: TextIO | None = None, *, verbose: bool = False) -> None:
        self._stream = stream or sys.stdout
        self.verbose = verbose
        self.console: Console | None = None
        if self._stream.isatty():
            from rich.console import Console

            self.console = Console(file=self._stream, highlight=False, markup=False, emoji=False)

    def write(self, text: str, *, style: str = "") -> None:
        """Write text and flush, without a line break."""
        if self.console:
            self.console.print(printable(text), end="", style=style or None, soft_wrap=True)
        else:
            self._stream.write(printable(text))
        self._stream.flush()

    def line(self, text: str = "", *, style: str = "", hanging: int | None = None) -> None:
        """Write a line; in a terminal, wrapped rows are indented by `hanging`, by default to below its text."""
        if not self.console:
            self.write(f"{text}\n")
            return
        from rich.text import Text

        start = _HANGING.match(text)
        front = hanging if hanging is not None else start.end() if start else 0
        lead, body = printable(text[:front]), Text(printable(text[front:]), style=style)
        margin = Text(lead).cell_len
        for row in body.wrap(self.console, max(20, self.console.width - margin)) or [body]:
            self.console.print(Text(lead, style=style), row, sep="", soft_wrap=True)
            lead = " " * margin

    def unwrapped(self, text: str) -> None:
        """Write a line without wrapping, so that it can be copied."""
        self.write(f"  · {text}\n", style="dim")

    def row(self, name: str, value: object, *, width: int = 12, style: str = "") -> None:
        """Write a name and its value; values of rows with the same `width` are aligned."""
        from rich.cells import cell_len

        lead = f"  {name}{' ' * max(1, width + 1 - cell_len(name))}"
        self.line(f"{lead}{value}", style=style, hanging=len(lead))

    def aside(self, text: str) -> None:
        """Write an indented line that is not part of the conversation."""
        self.line(f"  · {text}", style="dim")

    def one_row(self, text: str) -> None:
        """Write an aside in one row, truncated to the width of a terminal."""
        if not self.console:
            self.aside(text)
            return
        from rich.text import Text

        row = Text(printable(f"  · {text}").replace("\n", " "), style="dim")
        row.truncate(self.console.width, overflow="ellipsis")
        self.console.print(row)

    def markdown(self, text: str) -> None:
        """Write Markdown: rendered in a terminal, unchanged in a pipe."""
        if not self.console:
            self.line(text)
            return
        from app.cli.markdown import markdown

        self.console.print(markdown(printable(text.strip("\n"))))

    def doing(self, text: str) -> AbstractContextManager[object]:
        """Show a spinner with `text` in a terminal, until the context ends."""
        return self.console.status(f"{text} …", spinner_style="dim") if self.console else nullcontext()

    def card(self, paragraphs: Sequence[str], *, title: str) -> None:
        """Write paragraphs, framed in a terminal, with the first line of each as its heading."""
        if not self.console:
            self.aside(title)
            for text in paragraphs:
                self.line(f"  {text}".replace("\n", "\n    "))
            return
        from rich.panel import Panel
        from rich.text import Text

        content = Text()
        for index, text in enumerate(paragraphs):
            heading, _, rest = printable(text).partition("\n")
            content.append("\n\n" if index else "").append(heading, style="bold").append(f"\n{rest}" if rest else "")
        width = min(self.console.width, _MAX_CARD_WIDTH)
        self.console.print(Panel(content, title=Text(title), title_align="left", width=width, border_style="cyan"))

    def notes(self, notes: Sequence[Note], *, none: str, first: int = 1) -> None:
        """List notes with date and id, numbered from `first`; write `none` if there are no notes."""
        if not notes:
            self.aside(none)
        for number, note in enumerate(notes, start=first):
            state = "" if note.status == "active" else say("status", status=note.status)
            self.line(f"{number:>3}. {described(note)}{state}")
            self.line(f"     {note.last_update_date}  {note.id}", style="dim")

    def memory_summary(self, memory: ReplyMemory) -> None:
        """Write in one row what memory did in a turn; with `verbose`, note by note."""
        if self.verbose:
            self.memory_details(memory)
            return
        parts = [say("noted", what="; ".join(note.text for note in memory.written))] if memory.written else []
        parts += [counted(len(memory.used), "used")] if memory.used else []
        parts += [say("forgotten_count", count=len(memory.forgotten))] if memory.forgotten else []
        parts += [say("not_kept", what=len(memory.blocked))] if memory.blocked else []
        if parts:
            self.one_row(" · ".join(parts))

    def memory_details(self, memory: ReplyMemory) -> None:
        """Write note by note what memory used, staged and refused in a turn."""
        for note in memory.used:
            self.aside(say("used", what=described(note)))
        for note in memory.written:
            self.aside(say("noted", what=described(note)))
        for refusal in memory.blocked:
            self.aside(say("not_kept", what=refusal["code"]))


def print_json(value: object, *, lines: bool = True) -> None:
    """Print `value` as JSON on stdout, on one line or indented; records and dataclasses become objects."""
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    text = json.dumps(value, default=to_json_value, ensure_ascii=encoding != "utf8", indent=None if lines else 2)
    print(text, flush=True)


@dataclass(frozen=True, slots=True)
class Output:
    """The output of a command: `record` with `--json`, else what `write` writes; and its exit code."""

    record: object
    write: Callable[[Screen], object]
    code: int = 0

    def show(self, *, as_json: bool) -> None:
        """Print the output."""
        if as_json:
            print_json(self.record)
        else:
            self.write(Screen())


def text_output(record: object, *lines: str) -> Output:
    """Return an output whose text is `lines`, written as asides."""

    def write(screen: Screen) -> None:
        for text in lines:
            screen.aside(text)

    return Output(record, write)
