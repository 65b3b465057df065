"""Writes for a person: plain into a pipe, coloured in a terminal."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console

    from app.api.reply import ReplyMemory
    from app.cli.json_records import Ended
    from memory.records.notes import Note


def printable(text: str) -> str:
    """Return `text` without the control characters that could steer a terminal; line breaks and tabs stay."""
    return "".join(char for char in text if char in "\n\t" or unicodedata.category(char) != "Cc")


def counted(count: int, thing: str, things: str = "") -> str:
    """So many things, as in `1 note` and `3 notes`."""
    return f"{count} {thing if count == 1 else things or f'{thing}s'}"


def described(note: Note) -> str:
    """Return a note in one line: its text, and what limits it."""
    limits: list[str] = [note.topic]
    if note.condition:
        limits.append(note.condition)
    if note.scope != "user":
        limits.append(f"this {note.scope} only" if note.scope == "trip" else note.scope)
    if note.hard:
        limits.append("must")
    if note.expires_at:
        limits.append(f"until {note.expires_at:%Y-%m-%d}")
    return f"{note.text} ({', '.join(limits)})"


class Screen:
    """One output stream. Styles are those of rich, and are used in a terminal only."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stdout
        self.is_terminal = self._stream.isatty()
        self._console: Console | None = None
        if self.is_terminal:
            from rich.console import Console

            self._console = Console(file=self._stream, highlight=False, soft_wrap=True)

    def write(self, text: str, *, style: str = "") -> None:
        """Write a piece at once, without a line break."""
        if self._console:
            self._console.print(printable(text), end="", style=style or None, markup=False)
        else:
            self._stream.write(printable(text))
        self._stream.flush()

    def line(self, text: str = "", *, style: str = "") -> None:
        """Write a line."""
        self.write(f"{text}\n", style=style)

    def aside(self, text: str) -> None:
        """Write a line that belongs to the machine and not to the conversation."""
        self.line(f"  · {text}", style="dim")

    def notes(self, notes: Sequence[Note], *, none: str, first: int = 1) -> None:
        """List notes with date and id, numbered from `first`; `none` where there are none."""
        if not notes:
            self.aside(none)
        for number, note in enumerate(notes, start=first):
            state = "" if note.status == "active" else f" [{note.status}]"
            self.line(f"{number:>3}. {described(note)}{state}")
            self.line(f"     {note.last_update_date}  {note.id}", style="dim")

    def account(self, memory: ReplyMemory) -> None:
        """Say what memory did in a turn: what was used, noted and refused."""
        for note in memory.used:
            self.aside(f"used: {described(note)}")
        for note in memory.written:
            self.aside(f"noted: {described(note)}")
        for refusal in memory.blocked:
            self.aside(f"not kept: {refusal['code']}")

    def ended(self, ended: Ended) -> None:
        """Say what a session left behind."""
        for note in ended.kept:
            self.aside(f"kept for next time: {described(note)}")
        if ended.dropped:
            self.aside(f"let go with this trip: {ended.dropped}")
        if not ended.kept and not ended.dropped:
            self.aside("nothing new to keep")
