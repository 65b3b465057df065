"""Reads the tables under `cases/`: one case per line, preceded by the expected kind if the table has kinds."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent / "cases"


def lines(*names: str) -> list[str]:
    return [line for name in names for line in (_FOLDER / f"{name}.txt").read_text("utf-8").splitlines() if line]


def labelled(*names: str) -> list[tuple[str, str]]:
    return [(kind, text) for line in lines(*names) for kind, _, text in [line.partition("\t")]]
