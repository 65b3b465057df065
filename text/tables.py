"""Reads the tables of this room."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any


@cache
def tables(name: str) -> dict[str, Any]:
    """Return the tables of one file, `words` or `grammar`."""
    return tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8"))
