"""A sample of `make eval`: no rate is worse than the committed one.

`rates.json` holds the hits in a fixed sample of the cases of each figure. A change that lowers one must be fixed. After
a change that raises one, run `python -m tests.evals.test_rates` and commit the file.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from evals.consolidation import run as consolidation
from evals.deletion import run as deletion
from evals.figures import cases
from evals.gates import measured as gates
from evals.gates.saves import run_save
from evals.policy import run as policy
from evals.statements import run as statements
from evals.values import run as values

pytestmark = pytest.mark.slow

_COMMITTED = Path(__file__).with_name("rates.json")
_ROOT = Path(gates.__file__).parent
_EVERY_SAVE, _EVERY_TEXT, _EVERY_SCENARIO, _EVERY_DELETION, _EVERY_MESSAGE = 4, 6, 8, 15, 7
"""The steps through the cases, which shorten the minutes of the whole suites to a few seconds."""


def _sampled() -> dict[str, tuple[int, int]]:
    """Return the hits and cases of each figure, where more hits are better."""
    figures = [
        *policy.figures("measure", every=_EVERY_TEXT),
        *consolidation.figures("measure", every=_EVERY_SCENARIO),
        *statements.figures("measure"),
        *values.figures("measure", every=_EVERY_MESSAGE),
        *deletion.figures("measure", every=_EVERY_DELETION),
    ]
    rates = {
        f"{one.suite}, {one.name}": (one.hits if one.at_least is not None else one.cases - one.hits, one.cases)
        for one in figures
    }
    return {**rates, **asyncio.run(_saves())}


async def _saves() -> dict[str, tuple[int, int]]:
    rows = [await run_save(case) for case in cases(_ROOT, "tune", "saves")[::_EVERY_SAVE]]
    right = [row for row in rows if row["right"]]
    wrong = [row for row in rows if not row["right"] and row["fault"] in gates.FORGED]
    return {"gates, kept": _rate(right, "kept"), "gates, forged harmless": _rate(wrong, "harmless")}


def _rate(rows: Sequence[dict[str, Any]], name: str) -> tuple[int, int]:
    return sum(row[name] for row in rows), len(rows)


def test_no_rate_is_worse_than_the_committed_one() -> None:
    committed = json.loads(_COMMITTED.read_text(encoding="utf-8"))
    sampled = _sampled()
    assert {name: total for name, (_, total) in sampled.items()} == {
        name: total for name, (_, total) in committed.items()
    }
    assert {name: hits for name, (hits, _) in sampled.items() if hits < committed[name][0]} == {}


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    rows = ",\n".join(f"  {json.dumps(name)}: {list(rate)}" for name, rate in _sampled().items())
    _COMMITTED.write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")
