"""Shows an answer while it is streamed: the current step, paragraphs of Markdown, and what memory did."""

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
    """Writes tokens as they arrive; a terminal keeps finished paragraphs and redraws the current one.

    Attributes:
        written: Whether any text was written so far.
    """

    def __init__(self, screen: Screen) -> None:
        self.written = False
        self._has_paragraphs = False
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
        """Show the step that starts: a tool by its name, or `thinking`."""
        if self._screen.console:
            self._finish(self._pending)
            self._spinner.update(text=f"{doing(step)} …")
            self._live.refresh()

    def add(self, text: str) -> None:
        """Add the next piece of the answer."""
        self.written = self.written or bool(text.strip())
        if not self._screen.console:
            self._screen.write(text)
            return
        self._pending += printable(text)
        if _END in self._pending and self._pending.count("```") % 2 == 0:
            finished, _, rest = self._pending.rpartition(_END)
            self._finish(finished, rest)

    def _finish(self, finished: str, rest: str = "") -> None:
        """Write finished paragraphs above the live display, which goes on with `rest`."""
        self._pending = rest
        if finished.strip():
            # Stop the thread that redraws the live display, so that the two do not write at once.
            self._live.stop()
            self._write(finished)
            self._live.start()

    def _write(self, text: str) -> None:
        if self._screen.console and text.strip():
            if self._has_paragraphs:
                self._screen.console.print()
            self._screen.markdown(text)
            self._has_paragraphs = True

    def _shown(self) -> RenderableType:
        return self._markdown(self._pending) if self._pending.strip() else self._spinner


async def write_answer(screen: Screen, events: AsyncIterator[Event]) -> Reply:
    """Write the events of a run as they arrive, then what memory did; return the reply."""
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
