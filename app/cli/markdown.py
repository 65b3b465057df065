"""Renders Markdown in a terminal."""

import re
from itertools import dropwhile

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import Markdown, TableElement
from rich.measure import Measurement
from rich.segment import Segment
from rich.table import Table

_TAG = re.compile(r"(`+.*?`+)|<(?=[A-Za-z/!?])", re.DOTALL)
"""A `<` that begins an HTML tag, which Markdown would drop; or code (group 1), in which it may stand."""


class _CompactTable(TableElement):
    """A table without edges, and without padding if it would be too wide otherwise."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for part in super().__rich_console__(console, options):
            if isinstance(part, Table):
                part.show_edge = False
                if Measurement.get(console, options.update(width=1000), part).maximum > options.max_width:
                    part.padding = (0, 0)
            yield part


class _Answer(Markdown):
    """Rich Markdown with compact tables and without leading empty lines."""

    elements = {**Markdown.elements, "table_open": _CompactTable}  # noqa: RUF012  (it is rich's own class variable)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        parts = super().__rich_console__(console, options)
        yield from dropwhile(lambda part: isinstance(part, Segment) and part.text == "\n", parts)


def markdown(text: str) -> Markdown:
    """Return renderable Markdown that keeps line breaks and shows HTML tags as text."""
    return _Answer(_TAG.sub(lambda match: match[1] or r"\<", text).replace("\n", "  \n"), hyperlinks=False)
