"""Draws Markdown in a terminal."""

import re
from itertools import dropwhile

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import Markdown, TableElement
from rich.measure import Measurement
from rich.segment import Segment
from rich.table import Table

_TAG = re.compile(r"(`+.*?`+)|<(?=[A-Za-z/!?])", re.DOTALL)
"""What looks like a tag, which Markdown would swallow, outside of code."""


class _CompactTable(TableElement):
    """A table without edges, which stands closer where that saves its rows from being broken."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for part in super().__rich_console__(console, options):
            if isinstance(part, Table):
                part.show_edge = False
                if Measurement.get(console, options.update(width=1000), part).maximum > options.max_width:
                    part.padding = (0, 0)
            yield part


class _Answer(Markdown):
    """Markdown as rich draws it, with compact tables and without an empty line in front."""

    elements = {**Markdown.elements, "table_open": _CompactTable}  # noqa: RUF012  (it is rich's own class variable)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        drawn = super().__rich_console__(console, options)
        yield from dropwhile(lambda part: isinstance(part, Segment) and part.text == "\n", drawn)


def markdown(text: str) -> Markdown:
    """Return Markdown in which a line break is one, and a `<` stands for itself."""
    return _Answer(_TAG.sub(lambda found: found[1] or r"\<", text).replace("\n", "  \n"), hyperlinks=False)
