"""`python -m evals extraction FILE [--json]`: plain statements through the `turn` mode with the configured model.

Each line of the file is a JSON object with `id`, `user`, `question`, `lasting` and `meaning`. A lasting statement is
`usable` if a note is staged for later trips, and no note adds anything; a remark is `clean` if no such note is staged.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from config.settings import load_settings
from evals.gates.model import ProposingModel
from graph.builder import build_graph
from graph.context import Context
from graph.state import Input
from memory.policy.wording import overlap
from memory.records.notes import Note
from models.roles import Models
from nodes.capture import staged_notes

NOW = datetime(2026, 11, 22, 9, tzinfo=UTC)
_MOST_FOREIGN = 0.5


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the statements and print the counts and every note. The exit status is 0 whatever they are."""
    parser = argparse.ArgumentParser(prog="python -m evals extraction", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given = parser.parse_args(arguments)
    cases = [json.loads(line) for line in given.file.read_text(encoding="utf-8").splitlines() if line.strip()]
    rows = asyncio.run(_run(cases, show=not given.json))
    totals = counts(rows)
    print(json.dumps({"counts": totals, "rows": rows} if given.json else totals, ensure_ascii=False))


async def _run(cases: Sequence[dict[str, Any]], *, show: bool) -> list[dict[str, Any]]:
    settings = load_settings(distillation="turn", episodes="off", travel="off")
    model = Models(settings).get("consolidation")
    rows = []
    for case in cases:
        rows.append(await _one(case, model, settings))
        if show:  # at once: a small model on a slow machine takes many minutes for all rows
            _print(rows[-1])
    return rows


def _print(row: dict[str, Any]) -> None:
    print(f"{row['id']:>6} {'ok ' if row['good'] else 'MISS'} {row['seconds']:6.1f} s  {row['user']}", flush=True)
    for note in row["notes"]:
        print(f"            -> {note['text']}  [{note['topic']}, {note['scope']}] {note['claims']}", flush=True)


async def _one(case: dict[str, Any], model: Any, settings: Any) -> dict[str, Any]:
    graph = build_graph(
        settings,
        models={"agent": ProposingModel(propose=lambda _: AIMessage("I see.")), "consolidation": model},
        checkpointer=InMemorySaver(),
        store=InMemoryStore(),
        clock=lambda: NOW,
    )
    config = RunnableConfig(configurable={"thread_id": case["id"]})
    before = [AIMessage(case["question"])] if case.get("question") else []
    begun = time.monotonic()
    await graph.ainvoke(Input(messages=[*before, HumanMessage(case["user"])]), config, context=Context(user_id="case"))
    seconds = time.monotonic() - begun
    state = (await graph.aget_state(config)).values
    notes = staged_notes(state)
    kept = [note for note in notes if note.scope != "trip"]
    good = bool(kept) and all(_is_true(note, case) for note in notes) if case["lasting"] else not kept
    shown = {"text", "topic", "scope", "claims", "own_words"}
    return {
        "id": case["id"], "user": case["user"], "lasting": case["lasting"], "good": good, "seconds": round(seconds, 2),
        "notes": [note.model_dump(mode="json", include=shown) for note in notes],
    }  # fmt: skip


def _is_true(note: Note, case: dict[str, Any]) -> bool:
    """Return whether most words of the note come from the user, the meaning or the question of the case."""
    return overlap(note.text, f"{case['user']} {case['meaning']} {case.get('question', '')}").share <= _MOST_FOREIGN


def counts(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the number of usable statements and of clean remarks, and the median time of a turn in seconds."""
    lasting = [row for row in rows if row["lasting"]]
    remarks = [row for row in rows if not row["lasting"]]
    times = sorted(row["seconds"] for row in rows)
    return {
        "lasting": len(lasting),
        "usable": sum(row["good"] for row in lasting),
        "remarks": len(remarks),
        "clean": sum(row["good"] for row in remarks),
        "median_seconds": times[len(times) // 2] if times else None,
    }


if __name__ == "__main__":
    main()
