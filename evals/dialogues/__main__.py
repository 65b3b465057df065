"""`python -m evals dialogues FILE [--now DATE] [--model NAME] [--row ID] [--json]`: scripted travellers, judged.

Each row of the file is a dialogue (docs/dialogues.md): a new traveller in a new thread, played through
`open_concierge` and judged by its tool calls, approvals, bookings and notes. The exit status is 0 whatever they are.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from rich.console import Console

from evals.dialogues.report import record, show_counts, show_misses, show_row
from evals.dialogues.rows import read_rows
from evals.dialogues.run import CANARIES, play_all


def main(arguments: Sequence[str] | None = None) -> None:
    """Play the rows and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m evals dialogues", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--now", type=date.fromisoformat, default=date(2026, 11, 22), help="the day of every row")
    parser.add_argument(
        "--model",
        default="offline",
        help=f"`offline`, `settings` for what the environment sets, the name of a model at the endpoint that it sets, "
        f"or one that understands nothing ({', '.join(CANARIES)})",
    )
    parser.add_argument("--row", action="append", help="only this row, as a transcript; may be given again")
    parser.add_argument("--misses", action="store_true", help="also print each check that does not hold")
    parser.add_argument("--json", action="store_true", help="print one JSON object with the figures and every miss")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--keep-open", action="store_true", help="judge the end without ending the session")
    given = parser.parse_args(arguments)
    rows = [row for row in read_rows(given.file) if not given.row or row.id in given.row]
    played = play_all(rows, model=given.model, now=given.now, jobs=given.jobs, keep_open=given.keep_open)
    console = Console(soft_wrap=True)
    if given.json:
        result = {"file": str(given.file), "model": given.model, "now": given.now.isoformat(), **record(played)}
        print(json.dumps(result, ensure_ascii=False))
        return
    for one in played if given.row else ():
        show_row(one, console)
    if given.misses:
        show_misses(played, console)
    show_counts(played, console)


if __name__ == "__main__":
    main()
