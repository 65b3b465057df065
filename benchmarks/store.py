"""`ChromaStore` beside bare Chroma: search, put, load, memory and disk at several sizes.

Each store is measured in a process of its own, one after the other, so the ratios hold on a busy machine as well.
Prints a table and JSON, and writes plots:

    python -m benchmarks.store [--quick | --million] [--out build/bench] [--json]

`--quick` takes under a minute (1,000 and 5,000 notes); the full run has 1,000, 10,000 and 100,000. Plots need the
`bench` extra; without it they are left out.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

SUBJECTS = ("ours", "bare")
COLUMNS = {
    "search p50": ("search_ms", "p50"),
    "search p95": ("search_ms", "p95"),
    "first p50": ("first_search_ms", "p50"),
    "put p50": ("put_ms", "p50"),
    "load s": ("load_s",),
    "index s": ("index_s",),
    "lag p99": ("loop_lag_ms", "p99"),
    "idle lag": ("idle_lag_ms", "p99"),
    "memory MB": ("memory_mb",),
    "disk MB": ("disk_mb",),
}

Result = Mapping[str, Any]


def sizes(*, quick: bool, million: bool) -> list[tuple[str, int]]:
    """Subjects and numbers of notes, in the order of measuring."""
    if million:
        return [("ours", 1_000), ("ours", 1_000_000)]
    return [(subject, rows) for rows in ((1_000, 5_000) if quick else (1_000, 10_000, 100_000)) for subject in SUBJECTS]


def run(subject: str, rows: int) -> Result:
    """Measure in a fresh process. Raises CalledProcessError when it fails."""
    command = [sys.executable, "-m", "benchmarks.store_worker", subject, str(rows)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    result: Result = json.loads(done.stdout)
    return result


def value(result: Result, path: Sequence[str]) -> float | None:
    """One figure of a result; None where it was not measured."""
    found: Any = result
    for part in path:
        found = found.get(part) if isinstance(found, Mapping) else None
    return None if found is None else float(found)


def ratios(results: Sequence[Result]) -> dict[str, float]:
    """The figures that are aimed at, from the smallest and the largest size of one run."""
    by = {(result["subject"], result["rows"]): result for result in results}
    small, large = min(rows for _, rows in by), max(rows for _, rows in by)
    ours, first = by["ours", large], by["ours", small]
    found = {
        "search, large over small (at most 1.3)": ours["search_ms"]["p50"] / first["search_ms"]["p50"],
        "first search of a user, large over small": ours["first_search_ms"]["p50"] / first["first_search_ms"]["p50"],
    }
    bare = by.get(("bare", large))
    if bare:
        found |= {
            "search, times faster than bare (at least 25 at 100,000)": bare["search_ms"]["p50"]
            / ours["search_ms"]["p50"],
            "first search of a user, times faster than bare": bare["search_ms"]["p50"] / ours["first_search_ms"]["p50"],
            "put, times faster than bare (at least 5)": bare["put_ms"]["p50"] / ours["put_ms"]["p50"],
            "load, time of bare over ours (at least 1)": bare["index_s"] / ours["load_s"],
            "load with its index, time of bare over ours": bare["index_s"] / (ours["load_s"] + ours["index_s"]),
            "memory over bare": ours["memory_mb"] / bare["memory_mb"],
            "disk over bare": ours["disk_mb"] / bare["disk_mb"],
        }
    return {name: round(ratio, 2) for name, ratio in found.items()}


def table(results: Sequence[Result]) -> str:
    """The results for people to read; times of search, put and lag in milliseconds."""
    lines = [f"{'store':<6}{'notes':>9}" + "".join(f"{name:>12}" for name in COLUMNS)]
    for result in results:
        cells = [value(result, path) for path in COLUMNS.values()]
        shown = "".join(f"{'-' if cell is None else format(cell, '.2f'):>12}" for cell in cells)
        lines.append(f"{result['subject']:<6}{result['rows']:>9}{shown}")
    return "\n".join(lines)


def plot(results: Sequence[Result], out: Path) -> list[Path]:
    """One PNG per figure over the number of notes, both axes logarithmic; none without matplotlib."""
    try:
        import matplotlib
    except ImportError:
        return []
    matplotlib.use("Agg")
    from matplotlib import pyplot

    out.mkdir(parents=True, exist_ok=True)
    written = []
    for name in ("search p50", "first p50", "put p50", "memory MB", "disk MB"):
        figure, axes = pyplot.subplots(figsize=(6, 4))
        for subject in SUBJECTS:
            points = [(each["rows"], value(each, COLUMNS[name])) for each in results if each["subject"] == subject]
            known = [(rows, figure_) for rows, figure_ in points if figure_ is not None]
            if known:
                axes.loglog(*zip(*known, strict=True), marker="o", label=subject)
        axes.set(xlabel="notes in the store", ylabel=name + ("" if "MB" in name else " (ms)"))
        axes.legend()
        path = out / f"store_{name.replace(' ', '_')}.png"
        figure.savefig(path, bbox_inches="tight")
        pyplot.close(figure)
        written.append(path)
    return written


def main() -> None:
    """Measure, print and plot."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small sizes, under a minute")
    parser.add_argument("--million", action="store_true", help="1,000,000 notes, ours alone; takes long")
    parser.add_argument("--out", type=Path, default=Path("build/bench"), help="folder of the plots")
    parser.add_argument("--json", action="store_true", help="print JSON alone")
    given = parser.parse_args()
    results = [run(subject, rows) for subject, rows in sizes(quick=given.quick, million=given.million)]
    found = ratios(results)
    plots = [str(path) for path in plot(results, given.out)]
    if not given.json:
        print(table(results), "", *(f"{ratio:>8.2f}  {name}" for name, ratio in found.items()), "", sep="\n")
    print(json.dumps({"results": results, "ratios": found, "plots": plots}, indent=2 if given.json else None))


if __name__ == "__main__":
    main()
