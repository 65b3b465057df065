"""The bundled tables of `data/`, whose fields are separated by bars, and the texts about offers in `texts.txt`."""

from functools import cache
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import BeforeValidator, TypeAdapter

_FOLDER = Path(__file__).parent / "data"
T = TypeVar("T")


def names(field: str) -> tuple[str, ...]:
    """Split a comma-separated field, without empty names."""
    return tuple(name for name in field.split(",") if name)


Listed = Annotated[tuple[T, ...], BeforeValidator(names)]
"""The type of a comma-separated field."""


def read_table(name: str) -> list[list[str]]:
    """Return the fields of each line of `data/<name>.txt`."""
    lines = (_FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return [line.split("|") for line in lines if line and not line.startswith("#")]


def read_rows(name: str, row: type[T]) -> tuple[T, ...]:
    """Parse each line of `data/<name>.txt` as a `row`, which is a NamedTuple with the types of the fields."""
    adapter = TypeAdapter(row)
    return tuple(adapter.validate_python(fields) for fields in read_table(name))


Language = Literal["en", "ja"]


def worded(name: str, language: Language = "en", /, **values: object) -> str:
    """Return the text `name`, formatted with `values`. Raises KeyError if either is missing."""
    return _texts()[name][language].format(**values)


def labelled(name: str, language: Language) -> str:
    """Translate a label of a provider for travellers; return it unchanged if the table does not have it."""
    return worded(name, language) if name in _texts() else name


@cache
def _texts() -> dict[str, dict[Language, str]]:
    return {name: {"en": english, "ja": japanese} for name, english, japanese in read_table("texts")}
