"""Defines the result of an eval, a figure with its target and misses, and renders figures."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from text import neutralise

Part = Literal["tune", "measure"]
PARTS: tuple[Part, ...] = ("tune", "measure")
"""Developers may read the cases of `tune`; those of `measure` are only used to measure."""

_CONFIDENCE = 1.96


@dataclass(frozen=True, slots=True)
class Miss:
    """A failed case: its id, its text, and the wrong result."""

    case: str
    text: str
    found: str


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured rate.

    Attributes:
        suite: The suite that it belongs to.
        part: The part of the cases.
        name: What is counted.
        hits: Number of cases in which it occurred.
        cases: Number of all cases.
        at_least: The lower bound of the target, if any.
        at_most: The upper bound of the target, if any.
        misses: The failed cases.
    """

    suite: str
    part: Part
    name: str
    hits: int
    cases: int
    at_least: float | None = None
    at_most: float | None = None
    misses: tuple[Miss, ...] = field(default=())

    @property
    def rate(self) -> float:
        """Return the share of `hits` in `cases`; NaN without cases."""
        return self.hits / self.cases if self.cases else math.nan

    @property
    def reached(self) -> bool:
        """Return whether the target is met; False without cases."""
        if not self.cases:
            return False
        low, high = self.at_least, self.at_most
        return (low is None or self.rate >= low) and (high is None or self.rate <= high)

    @property
    def target(self) -> str:
        """Return the target in words."""
        return f"at least {self.at_least:g}" if self.at_least is not None else f"at most {self.at_most:g}"

    @property
    def interval(self) -> tuple[float, float]:
        """Return the Wilson score interval of the rate at 95 %."""
        if not self.cases:
            return 0.0, 1.0
        n, p, z = self.cases, self.rate, _CONFIDENCE
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return max(0.0, middle - half), min(1.0, middle + half)


def cases(folder: Path, part: Part, name: str) -> list[dict[str, Any]]:
    """Return the cases of one JSONL file, in file order."""
    lines = (folder / part / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


_HEAD = ("suite", "part", "what", "rate", "95 % interval", "cases", "target", "")
_HEADING = """# What the evals found

Made by `make eval`, offline and deterministic. `tune` are the cases that were looked at while the concierge was built,
`measure` those that were only opened to measure. The interval is Wilson's at 95 %: where the rate of other cases of
this kind can be expected. Every miss of `tune` is listed; those of `measure` stay unread. Personal data is invented.
"""


def table(figures: Sequence[Figure]) -> str:
    """Return the figures as a table of text columns."""
    rows: list[tuple[str, ...]] = [_HEAD, *map(_row, figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
                     for row in rows)  # fmt: skip


def markdown(figures: Sequence[Figure]) -> str:
    """Return the report in Markdown: all figures, and the misses of the part `tune` only."""
    lines = [_line(_HEAD), _line(["---"] * len(_HEAD)), *(_line(_row(figure)) for figure in figures)]
    parts = [_HEADING, "\n".join(lines)]
    for figure in figures:
        if figure.misses and figure.part != "measure":
            misses = [f"- `{miss.case}` {miss.found}: {neutralise(miss.text)}" for miss in figure.misses]
            parts.append(f"## {figure.suite}, {figure.part}: {figure.name}\n\n" + "\n".join(misses))
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
