"""Measures the memory use of an import: of an export of the largest accepted size, and of 30 MB, which is refused.

Each import runs in its own process. The result is the peak memory minus the peak before the import.

    python -m benchmarks.imports
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from langgraph.store.memory import InMemoryStore

from benchmarks.turn import notes
from config.errors import InvalidInputError
from memory.policy import Gate
from memory.records.journal import Step, changed
from memory.records.notes import Evidence
from memory.records.repository import UserMemory
from memory.selection import Limits
from memory.transfer.export import export, loaded
from memory.transfer.importing import import_

TARGET_MB = 150
LIMIT = 500
SIZES_MB = (7, 30)
_EACH = 3200
"""Approximate bytes of a note in an export, including its journal entry."""
_NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)


def _memory(user_id: str) -> UserMemory:
    return UserMemory(InMemoryStore(), user_id, clock=lambda: _NOW)


async def written(megabytes: int) -> str:
    """Return an export of about this size."""
    memory = _memory("ana")
    seeded = [
        note.model_copy(update={"evidence": (Evidence(quote=(f"{note.text} " * 20)[:900]),)})
        for note in notes(megabytes * 1_000_000 // _EACH)
    ]
    await memory.commit([Step("seed", "system", "seeded", tuple(changed(None, note) for note in seeded))])
    return json.dumps(await export(memory, now=_NOW), ensure_ascii=False)


def take(path: Path) -> dict[str, Any]:
    """Import the file in this process; return the memory used, the outcome, and the number of live notes."""
    before = _peak()
    memory = _memory("bob")
    try:
        data = loaded(path.read_bytes())
        report = asyncio.run(import_(memory, data, gate=Gate(), now=_NOW, limits=Limits(LIMIT)))
        outcome = f"{report.notes} notes taken, {report.over_limit} over the limit"
    except InvalidInputError:
        outcome = "refused"
    return {
        "file_mb": round(path.stat().st_size / 1e6, 1),
        "taken_mb": round(_peak() - before),
        "outcome": outcome,
        "live_notes": len(asyncio.run(memory.notes())),
    }


def _peak() -> float:
    """Return the peak memory of this process in megabytes; `ru_maxrss` would include the parent process."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def measure() -> list[dict[str, Any]]:
    """Return the results of both imports."""
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for megabytes in SIZES_MB:
            path = Path(folder) / f"{megabytes}.json"
            path.write_text(asyncio.run(written(megabytes)), encoding="utf-8")
            command = [sys.executable, "-m", "benchmarks.imports", "--take", str(path)]
            results.append(json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout))
    return results


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--take", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.take:
        print(json.dumps(take(options.take)))
        return
    print(json.dumps({"imports": measure(), "target_mb": TARGET_MB}, indent=1))


if __name__ == "__main__":
    main()
