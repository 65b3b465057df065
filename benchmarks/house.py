"""Measures the size and shape of the code: `make house`.

Prints each figure with its limit, if it has one, and lists below it what was counted.

    python -m benchmarks.house
"""

from __future__ import annotations

import ast
import asyncio
import re
import sys
import tempfile
import threading
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import FrameType
from typing import Any

import grimp

ROOT = Path(__file__).parents[1]
BORDERS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
ROOMS: tuple[str, ...] = tuple(BORDERS["root_packages"])
LAYERS = [re.split(r" [|:] ", layer) for layer in BORDERS["contracts"][0]["layers"]]
OPEN_TO_NODES = {"graph.state", "graph.context"}
FILE_LINES, FOLDER_MODULES, FUNCTION_LINES = 300, 12, 40
TURN = "I'm vegetarian"
_WEIGHT = re.compile(r"\s(?:[\w-]+:)?-?\d+\.\d+$", re.MULTILINE)


@dataclass
class Figure:
    """One figure of the report: a number, its limit, if any, and the names of the counted items."""

    name: str
    value: float
    limit: float | None = None
    names: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        """Return the line of the figure, and a line for each name."""
        limit = "" if self.limit is None else f"(limit {self.limit:,g}){'' if self.value <= self.limit else '  OVER'}"
        return "\n".join(
            [f"{self.value:>8,g}  {self.name} {limit}".rstrip(), *(f"{'':12}{name}" for name in self.names)]
        )


def sources(*folders: str) -> list[Path]:
    """Return the Python files below these folders of the repository, sorted."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def lines(*folders: str) -> int:
    """Count the lines of the Python files below these folders."""
    return sum(_length(path) for path in sources(*folders))


def sizes() -> list[Figure]:
    """Count the Python lines of each package, of all packages and of everything outside tests."""
    rooms = Counter({room: lines(room) for room in ROOMS})
    total, (largest, most) = rooms.total(), rooms.most_common(1)[0]
    each = [f"{count:>6,}  {count / total:>4.0%}  {room}" for room, count in rooms.most_common()]
    return [
        Figure("Python lines outside tests, evals and benchmarks", total, 39_000, each),
        Figure("Python lines outside tests", total + lines("evals", "benchmarks")),
        Figure(f"percent of these rooms in the largest, {largest}", round(100 * most / total, 1), 26),
    ]


def imports() -> list[Figure]:
    """Count the imports from a higher layer, and the import cycles."""
    graph = grimp.build_graph(*ROOMS, cache_dir=None)
    imported = {module: graph.find_modules_directly_imported_by(module) for module in sorted(graph.modules)}
    upward = [f"{one} -> {other}" for one in imported for other in sorted(imported[one]) if _is_upward(one, other)]
    cycles = list(_cycles(imported))
    return [Figure("upward imports", len(upward), 0, upward), Figure("import circles", len(cycles), 0, cycles)]


def _is_upward(importer: str, imported: str) -> bool:
    rank = {room: number for number, layer in enumerate(LAYERS) for room in layer}
    source, target = importer.partition(".")[0], imported.partition(".")[0]
    return rank[target] < rank[source] and not (source == "nodes" and imported in OPEN_TO_NODES)


def _cycles(imported: dict[str, set[str]]) -> Iterator[str]:
    """Yield the import cycles; an import of each one is removed before the next is searched."""
    remaining = {module: set(targets) for module, targets in imported.items()}
    while True:
        try:
            TopologicalSorter(remaining).prepare()
            return
        except CycleError as error:
            cycle = error.args[1]
            yield " <- ".join(cycle)
            remaining[cycle[1]].discard(cycle[0])


def shapes() -> list[Figure]:
    """Count the files, folders and functions outside tests that are too long."""
    files = sources(*ROOMS, "evals", "benchmarks")
    folders = Counter(path.parent for path in files if path.name != "__init__.py")
    long = [f"{_length(path)}  {_name(path)}" for path in files if _length(path) > FILE_LINES]
    wide = [f"{count}  {_name(folder)}" for folder, count in folders.items() if count > FOLDER_MODULES]
    tall = [one for path in files for one in _long_functions(path)]
    return [
        Figure(f"files over {FILE_LINES} lines", len(long), 0, long),
        Figure(f"folders over {FOLDER_MODULES} modules", len(wide), None, wide),
        Figure(f"functions over {FUNCTION_LINES} lines", len(tall), None, tall),
    ]


def _long_functions(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > FUNCTION_LINES:
                yield f"{length}  {_name(path)}:{node.lineno} {node.name}"


def weights() -> Figure:
    """Count text files that look like learned weights: most of their lines end in a decimal number."""
    names = []
    for path in sorted(path for room in ROOMS for path in (ROOT / room).rglob("*") if path.suffix in (".txt", ".tsv")):
        text = path.read_text(encoding="utf-8")
        length = text.count("\n")
        if length >= 1000 and len(_WEIGHT.findall(text)) > length / 2:
            names.append(f"{length}  {_name(path)}")
    return Figure("text files of weights", len(names), 0, names)


def turn() -> Figure:
    """Count the files in which a function runs when a new user sends one message to an open offline concierge."""
    entered = asyncio.run(_entered(TURN))
    return Figure(f"files entered by the turn {TURN!r}", len(entered), 90)


async def _entered(message: str) -> set[str]:
    from app.api.opening import open_concierge
    from config.settings import load_settings

    seen: set[str] = set()
    folders = tuple(f"{ROOT / room}/" for room in ROOMS)

    def watch(frame: FrameType, event: str, _: Any) -> None:
        name, flags = frame.f_code.co_filename, frame.f_code.co_flags
        # Bodies of modules and classes, and what they call, only run during an import, and don't count.
        if event == "call" and flags & CO_OPTIMIZED and name.startswith(folders) and name not in seen:
            seen.update([] if _importing(frame) else [name])

    # Set before the stores start their threads: a thread only gets the profile function when it starts.
    threading.setprofile(watch)
    sys.setprofile(watch)
    with tempfile.TemporaryDirectory() as folder:
        async with open_concierge(load_settings(data_dir=Path(folder), model_provider="offline")) as concierge:
            seen.clear()
            await concierge.send(message, user_id="new", thread_id="first")
            sys.setprofile(None)
            return set(seen)


def _importing(frame: FrameType | None) -> bool:
    while frame is not None and frame.f_code.co_filename != __file__:
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return True
        frame = frame.f_back
    return False


def _length(path: Path) -> int:
    return path.read_text(encoding="utf-8").count("\n")


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def main() -> None:
    """Measure and print."""
    print(*sizes(), *imports(), *shapes(), turn(), weights(), sep="\n")


if __name__ == "__main__":
    main()
