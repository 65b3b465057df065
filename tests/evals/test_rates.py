"""A sample of `make eval`: the rates of the gates and the policy are no worse than the committed ones.

`rates.json` holds what a fixed sample of the cases of each figure gave. A change that lowers one has to be put right; a
change that raises one is committed with `python -m tests.evals.test_rates`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evals.figures import Figure, cases
from evals.gates import measured as gates
from evals.gates.saves import run_save
from evals.policy import run as policy

_COMMITTED = Path(__file__).with_name("rates.json")
_ROOT = Path(gates.__file__).parent
_EVERY_SAVE = 4
"""Every fourth case: a minute of the whole suites becomes a few seconds."""
_EVERY_TEXT = 6


def _sampled() -> dict[str, tuple[int, int]]:
    """Return hits and cases by figure, where more hits are better."""
    return {**_policy(), **asyncio.run(_saves())}


def _policy() -> dict[str, tuple[int, int]]:
    found: list[Figure] = policy.figures("measure", every=_EVERY_TEXT)
    return {one.suite: (one.hits if one.at_least is not None else one.cases - one.hits, one.cases) for one in found}


async def _saves() -> dict[str, tuple[int, int]]:
    rows = [await run_save(case) for case in cases(_ROOT, "tune", "saves")[::_EVERY_SAVE]]
    right = [row for row in rows if row["right"]]
    wrong = [row for row in rows if not row["right"] and row["fault"] in gates.FORGED]
    return {"gates: kept": _counted(right, "kept"), "gates: forged harmless": _counted(wrong, "harmless")}


def _counted(rows: Sequence[dict[str, Any]], name: str) -> tuple[int, int]:
    return sum(row[name] for row in rows), len(rows)


def test_no_rate_is_worse_than_the_committed_one() -> None:
    committed = json.loads(_COMMITTED.read_text(encoding="utf-8"))
    found = _sampled()
    assert {name: of for name, (_, of) in found.items()} == {name: of for name, (_, of) in committed.items()}
    assert {name: hits for name, (hits, _) in found.items() if hits < committed[name][0]} == {}


if __name__ == "__main__":
    _COMMITTED.write_text(json.dumps(_sampled(), indent=2) + "\n", encoding="utf-8")
