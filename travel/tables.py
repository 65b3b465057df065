"""Tables that ship (`data/`): lines of fields between bars, one of them with what is said of offers, by language."""

from functools import cache
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import BeforeValidator, TypeAdapter

_FOLDER = Path(__file__).parent / "data"
T = TypeVar("T")


def names(field: str) -> tuple[str, ...]:
    """Return the names of a field that holds several, between commas."""
    return tuple(name for name in field.split(",") if name)


Listed = Annotated[tuple[T, ...], BeforeValidator(names)]
"""A field that holds several values, between commas."""


def read_table(name: str) -> list[list[str]]:
    """Return the fields of each line of `data/<name>.txt`."""
    lines = (_FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [line.split("|") for line in lines if line and not line.startswith("#")]


def read_rows(name: str, row: type[T]) -> tuple[T, ...]:
    """Return each line of `data/<name>.txt` as a `row`: a NamedTuple whose types say how its fields are read."""
    adapter = TypeAdapter(row)
    return tuple(adapter.validate_python(fields) for fields in read_table(name))


Language = Literal["en", "ja"]


def worded(name: str, language: Language = "en", /, **values: object) -> str:
    """Return the text of this name, filled. Raises KeyError for a name or a value that is missing."""
    return _texts()[name][language].format(**values)


def labelled(name: str, language: Language) -> str:
    """Return what a provider calls something, as a traveller reads it; what is not known here stays as it is."""
    return worded(name, language) if name in _texts() else name


@cache
def _texts() -> dict[str, dict[Language, str]]:
    return {name: {"en": english, "ja": japanese} for name, english, japanese in read_table("texts")}
