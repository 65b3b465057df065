"""Writes for a person: plain into a pipe; coloured, and wrapped at words, in a terminal."""

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


_WIDEST_CARD = 100
_HANGING = re.compile(r" *(?:· |\d+\. )? *")
"""What stands in front of a line, and below which its next rows begin."""


_STEERING = re.compile(SEQUENCE)


def printable(text: str) -> str:
    """Return `text` without what could steer a terminal; line breaks and tabs stay."""
    return "".join(char for char in _STEERING.sub("", text) if char in "\n\t" or unicodedata.category(char) != "Cc")


def described(note: Note) -> str:
    """Return a note in one line: its text, and what limits it."""
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
    """One output stream. Styles are those of rich, and are used in a terminal only.

    Attributes:
        console: The terminal; None in a pipe.
        verbose: Whether everything that memory did in a turn is written.
    """

    def __init__(self, stream: TextIO | None = None, *, verbose: bool = False) -> None:
        self._stream = stream or sys.stdout
        self.verbose = verbose
        self.console: Console | None = None
        if self._stream.isatty():
            from rich.console import Console

            self.console = Console(file=self._stream, highlight=False, markup=False, emoji=False)

    def write(self, text: str, *, style: str = "") -> None:
        """Write a piece at once, without a line break."""
        if self.console:
            self.console.print(printable(text), end="", style=style or None, soft_wrap=True)
        else:
            self._stream.write(printable(text))
        self._stream.flush()

    def line(self, text: str = "", *, style: str = "", hanging: int | None = None) -> None:
        """Write a line; where it is too long for a terminal, its next rows begin below its text."""
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
        """Write a line that stays in one piece, so that it can be copied."""
        self.write(f"  · {text}\n", style="dim")

    def row(self, name: str, value: object, *, width: int = 12, style: str = "") -> None:
        """Write a name and its value, the values of all rows of this width below each other."""
        from rich.cells import cell_len

        lead = f"  {name}{' ' * max(1, width + 1 - cell_len(name))}"
        self.line(f"{lead}{value}", style=style, hanging=len(lead))

    def aside(self, text: str) -> None:
        """Write a line that belongs to the machine and not to the conversation."""
        self.line(f"  · {text}", style="dim")

    def brief(self, text: str) -> None:
        """Write an aside that takes one row, whatever has to be left out of it in a terminal."""
        if not self.console:
            self.aside(text)
            return
        from rich.text import Text

        row = Text(printable(f"  · {text}").replace("\n", " "), style="dim")
        row.truncate(self.console.width, overflow="ellipsis")
        self.console.print(row)

    def markdown(self, text: str) -> None:
        """Write Markdown: drawn in a terminal, as it is in a pipe."""
        if not self.console:
            self.line(text)
            return
        from app.cli.markdown import markdown

        self.console.print(markdown(printable(text.strip("\n"))))

    def doing(self, text: str) -> AbstractContextManager[object]:
        """Show what is being done, in a terminal, for as long as it takes."""
        return self.console.status(f"{text} …", spinner_style="dim") if self.console else nullcontext()

    def card(self, paragraphs: Sequence[str], *, title: str) -> None:
        """Write paragraphs that belong together, the first line of each as its heading, framed in a terminal."""
        if not self.console:
            self.aside(title)
            for text in paragraphs:
                self.line(f"  {text}".replace("\n", "\n    "))
            return
        from rich.panel import Panel
        from rich.text import Text

        inside = Text()
        for place, text in enumerate(paragraphs):
            heading, _, rest = printable(text).partition("\n")
            inside.append("\n\n" if place else "").append(heading, style="bold").append(f"\n{rest}" if rest else "")
        width = min(self.console.width, _WIDEST_CARD)
        self.console.print(Panel(inside, title=Text(title), title_align="left", width=width, border_style="cyan"))

    def notes(self, notes: Sequence[Note], *, none: str, first: int = 1) -> None:
        """List notes with date and id, numbered from `first`; `none` where there are none."""
        if not notes:
            self.aside(none)
        for number, note in enumerate(notes, start=first):
            state = "" if note.status == "active" else say("status", status=note.status)
            self.line(f"{number:>3}. {described(note)}{state}")
            self.line(f"     {note.last_update_date}  {note.id}", style="dim")

    def memory_summary(self, memory: ReplyMemory) -> None:
        """Say in one line what memory did in a turn; note by note where everything is wanted."""
        if self.verbose:
            self.memory_details(memory)
            return
        told = [say("noted", what="; ".join(note.text for note in memory.written))] if memory.written else []
        told += [counted(len(memory.used), "used")] if memory.used else []
        told += [say("forgotten_count", count=len(memory.forgotten))] if memory.forgotten else []
        told += [say("not_kept", what=len(memory.blocked))] if memory.blocked else []
        if told:
            self.brief(" · ".join(told))

    def memory_details(self, memory: ReplyMemory) -> None:
        """Say note by note what memory used, noted and refused in a turn."""
        for note in memory.used:
            self.aside(say("used", what=described(note)))
        for note in memory.written:
            self.aside(say("noted", what=described(note)))
        for refusal in memory.blocked:
            self.aside(say("not_kept", what=refusal["code"]))


def print_json(value: object, *, lines: bool = True) -> None:
    """Print `value` on stdout, on one line or indented; records and dataclasses are told by their fields."""
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    text = json.dumps(value, default=to_json_value, ensure_ascii=encoding != "utf8", indent=None if lines else 2)
    print(text, flush=True)


@dataclass(frozen=True, slots=True)
class Output:
    """What a command has to say: `record` to a program that asked for JSON, and to a person what `write` writes.

    The command exits with `code`.
    """

    record: object
    write: Callable[[Screen], object]
    code: int = 0

    def show(self, *, as_json: bool) -> None:
        """Print it."""
        if as_json:
            print_json(self.record)
        else:
            self.write(Screen())


def text_output(record: object, *asides: str) -> Output:
    """Return what is told to a person in sentences."""

    def write(screen: Screen) -> None:
        for text in asides:
            screen.aside(text)

    return Output(record, write)
