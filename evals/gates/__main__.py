"""`python -m evals gates --saves FILE --plans FILE [--json]`: how the gates treat a model's proposals."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from evals.gates.plans import run_plan
from evals.gates.saves import run_save


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the cases of the files and print the counts. The exit status is 0 whatever they are."""
    parser = argparse.ArgumentParser(prog="python -m evals gates", description=__doc__)
    parser.add_argument("--saves", type=Path, help="proposed notes, one JSON object a line")
    parser.add_argument("--plans", type=Path, help="consolidation plans, one JSON object a line")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given = parser.parse_args(arguments)
    results = asyncio.run(_run(given.saves, given.plans))
    if given.json:
        print(json.dumps(results, ensure_ascii=False))
    else:
        _print(results)


async def _run(saves: Path | None, plans: Path | None) -> dict[str, Any]:
    saved = [await run_save(case) for case in _cases(saves)]
    planned = [row for case in _cases(plans) for row in await run_plan(case)]
    return {"saves": save_counts(saved), "plans": plan_counts(planned), "rows": [*saved, *planned]}


def _cases(path: Path | None) -> list[dict[str, Any]]:
    if path is None:
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def save_counts(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Count the right proposals that were kept, and the wrong ones by fault."""
    right = [row for row in rows if row["right"]]
    return {
        "right": len(right),
        "kept": sum(row["kept"] for row in right),
        "in_model_words": sum(row["in_model_words"] for row in right),
        "wrong": _by_fault([row for row in rows if not row["right"]], ("harmless",)),
    }


def plan_counts(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Count the right operations that were applied, and the wrong ones by fault."""
    right = [row for row in rows if row["right"]]
    return {
        "right_operations": len(right),
        "applied": sum(row["applied"] for row in right),
        "wrong": _by_fault([row for row in rows if not row["right"]], ("harmless", "changed_active")),
    }


def _by_fault(rows: Sequence[dict[str, Any]], counted: Sequence[str]) -> dict[str, dict[str, int]]:
    faults = dict.fromkeys(str(row["fault"]) for row in rows)
    return {
        fault: {
            "n": sum(row["fault"] == fault for row in rows),
            **{name: sum(row[name] for row in rows if row["fault"] == fault) for name in counted},
        }
        for fault in faults
    }


def _print(results: dict[str, Any]) -> None:
    console = Console()
    saves, plans = results["saves"], results["plans"]
    console.print(f"saves: {saves['kept']} of {saves['right']} right notes kept, {saves['in_model_words']} as worded")
    console.print(f"plans: {plans['applied']} of {plans['right_operations']} right operations applied")
    table = Table("gate", "fault", "cases", "harmless", "changed what is active")
    for gate in ("saves", "plans"):
        for fault, counts in results[gate]["wrong"].items():
            table.add_row(gate, fault, str(counts["n"]), str(counts["harmless"]), str(counts.get("changed_active", "")))
    console.print(table)
    misses = Table("case", "fault", "became", "why", "stored")
    for row in results["rows"]:
        if not row.get("kept" if "kept" in row else "applied", True) if row["right"] else not row["harmless"]:
            became = row.get("verdict") or row["op"]
            misses.add_row(row["id"], str(row["fault"]), str(became), str(row.get("hint", "")), str(row["stored"]))
    console.print(misses)


if __name__ == "__main__":
    main()
