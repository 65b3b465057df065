"""Measures memory and the offline model: `python -m evals [--part tune|measure] [--suite NAME] [--report]`.

Prints one line per figure, and exits with 1 if a target is missed. `--report` rewrites `evals/report.md`, with all
misses of the part `tune`.
"""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from evals.consolidation.run import figures as consolidation
from evals.deletion.run import figures as deletion
from evals.dialogues.__main__ import main as dialogues
from evals.extraction.__main__ import main as extraction
from evals.figures import PARTS, Figure, Part, markdown, table
from evals.gates.__main__ import main as gates
from evals.gates.measured import figures as gate_figures
from evals.policy.run import figures as policy
from evals.statements.run import figures as statements
from evals.values.run import figures as values

_SUITES: dict[str, Callable[[Part], list[Figure]]] = {
    "policy": policy,
    "gates": gate_figures,
    "consolidation": consolidation,
    "deletion": deletion,
    "statements": statements,
    "values": values,
}
_COMMANDS: dict[str, Callable[[Sequence[str]], None]] = {
    "dialogues": dialogues,
    "gates": gates,
    "extraction": extraction,
}
_REPORT = Path(__file__).parent / "report.md"


def main() -> None:
    """Run the selected suites, print their figures, and write the report."""
    logging.disable(logging.WARNING)  # many cases are about refusals, which are logged
    if sys.argv[1:2] and (command := _COMMANDS.get(sys.argv[1])):
        command(sys.argv[2:])
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=PARTS, help="one half of the cases; both without it")
    parser.add_argument("--suite", choices=tuple(_SUITES), help="one suite; all without it")
    parser.add_argument("--report", action="store_true", help=f"write {_REPORT.name} anew")
    options = parser.parse_args()
    suites = [_SUITES[options.suite]] if options.suite else list(_SUITES.values())
    parts = [options.part] if options.part else list(PARTS)
    figures = [figure for suite in suites for part in parts for figure in suite(part)]
    print(table(figures))
    if options.report:
        _REPORT.write_text(markdown(figures), encoding="utf-8")
    sys.exit(any(not figure.reached for figure in figures))


if __name__ == "__main__":
    main()
