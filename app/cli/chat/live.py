"""Shows an answer while it is written: what is done meanwhile, its Markdown by paragraphs, and what memory did."""

from __future__ import annotations

from collections.abc import AsyncIterator
from types import TracebackType
from typing import TYPE_CHECKING, Self

from app.cli.screen import Screen, printable
from app.cli.wording import doing

if TYPE_CHECKING:
    from rich.console import RenderableType

    from app.api.reply import Event, Reply


_END = "\n\n"


class LiveAnswer:
    """In a terminal, finished paragraphs stay and the one being written is redrawn; in a pipe, words as they come.

    Attributes:
        written: Whether anything was said so far.
    """

    def __init__(self, screen: Screen) -> None:
        self.written = False
        self._settled = False
        self._screen = screen
        self._pending = ""
        if screen.console:
            from rich.live import Live
            from rich.spinner import Spinner

            from app.cli.markdown import markdown

            self._markdown = markdown
            self._spinner = Spinner("dots", f"{doing('thinking')} …", style="dim")
            self._live = Live(console=screen.console, transient=True, refresh_per_second=12, get_renderable=self._shown)

    def __enter__(self) -> Self:
        if self._screen.console:
            self._live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._screen.console:
            self._live.stop()
            if kind is None:
                self._write(self._pending)
        elif self.written:
            self._screen.line()

    def doing(self, step: str) -> None:
        """Show what begins now: a tool by its name, or `thinking`."""
        if self._screen.console:
            self._settle(self._pending)
            self._spinner.update(text=f"{doing(step)} …")
            self._live.refresh()

    def add(self, text: str) -> None:
        """Take the next words of the answer."""
        self.written = self.written or bool(text.strip())
        if not self._screen.console:
            self._screen.write(text)
            return
        self._pending += printable(text)
        if _END in self._pending and self._pending.count("```") % 2 == 0:
            finished, _, rest = self._pending.rpartition(_END)
            self._settle(finished, rest)

    def _settle(self, finished: str, rest: str = "") -> None:
        """Write finished paragraphs where they stay; `rest` is being written."""
        self._pending = rest
        if finished.strip():
            # A thread of its own redraws what is live: the two must not write at once.
            self._live.stop()
            self._write(finished)
            self._live.start()

    def _write(self, text: str) -> None:
        if self._screen.console and text.strip():
            if self._settled:
                self._screen.console.print()
            self._screen.markdown(text)
            self._settled = True

    def _shown(self) -> RenderableType:
        return self._markdown(self._pending) if self._pending.strip() else self._spinner


async def write_answer(screen: Screen, events: AsyncIterator[Event]) -> Reply:
    """Write what is done and said as it happens, and then what memory did."""
    from app.api.reply import Reply, Step, Token

    reply: Reply | None = None
    with LiveAnswer(screen) as live:
        async for event in events:
            if isinstance(event, Token):
                live.add(event.text)
            elif isinstance(event, Step):
                live.doing(event.name)
            elif isinstance(event, Reply):
                reply = event
        assert reply is not None  # a stream always ends with one
        if not live.written and reply.text and not reply.interrupts:
            live.add(reply.text)
    screen.memory_summary(reply.memory)
    return reply
