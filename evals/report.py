"""The figures as tables that people can read: on the screen, and with every miss in Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from evals.figures import Figure
from text import neutralise

_HEAD = ("suite", "part", "what", "rate", "95 % interval", "cases", "target", "")
_HEADING = """# What the evals found

Made by `make eval`, offline and deterministic. `tune` are the cases that were looked at while the concierge was built,
`measure` those that were only opened to measure. The interval is Wilson's at 95 %: where the rate of other cases of
this kind can be expected. Every miss is listed, personal data in them is invented.
"""


def table(figures: Sequence[Figure]) -> str:
    """The figures in columns."""
    rows: list[tuple[str, ...]] = [_HEAD, *map(_row, figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
                     for row in rows)  # fmt: skip


def markdown(figures: Sequence[Figure]) -> str:
    """The report: the figures, then the misses of each."""
    lines = [_line(_HEAD), _line(["---"] * len(_HEAD)), *(_line(_row(figure)) for figure in figures)]
    parts = [_HEADING, "\n".join(lines)]
    for figure in figures:
        if figure.misses:
            told = [f"- `{miss.case}` {miss.found}: {neutralise(miss.text)}" for miss in figure.misses]
            parts.append(f"## {figure.suite}, {figure.part}: {figure.name}\n\n" + "\n".join(told))
    return "\n\n".join(parts) + "\n"


def _row(figure: Figure) -> tuple[str, ...]:
    low, high = figure.interval
    return (
        figure.suite,
        figure.part,
        figure.name,
        f"{figure.rate:.4f}",
        f"{low:.3f}-{high:.3f}",
        f"{figure.hits}/{figure.cases}",
        figure.target,
        "reached" if figure.reached else "MISSED",
    )


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
