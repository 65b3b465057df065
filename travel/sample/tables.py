"""Reading the tables that ship: lines of fields between bars, comments behind a hash."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BeforeValidator, TypeAdapter

_FOLDER = Path(__file__).parents[1] / "data"
RowT = TypeVar("RowT")


def names(field: str) -> tuple[str, ...]:
    """Return the names of a field that holds several, between commas."""
    return tuple(name for name in field.split(",") if name)


Names = Annotated[tuple[str, ...], BeforeValidator(names)]
"""A field that holds several names."""
OrNone = BeforeValidator(lambda field: field or None)
"""A field that may be empty."""


def read_table(name: str) -> list[list[str]]:
    """Return the fields of each line of `data/<name>.txt`."""
    lines = (_FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [line.split("|") for line in lines if line and not line.startswith("#")]


def read_rows(name: str, row: type[RowT]) -> tuple[RowT, ...]:
    """Return each line of `data/<name>.txt` as a `row`: a NamedTuple whose types say how its fields are read."""
    adapter = TypeAdapter(row)
    return tuple(adapter.validate_python(fields) for fields in read_table(name))
