"""Prints JSON for programs, or asides for people."""

from __future__ import annotations

import json
import sys

from app.cli.screen import Screen
from app.json_records import plain


def print_json(value: object, *, lines: bool = True) -> None:
    """Print `value` on stdout, on one line or indented; records and dataclasses are told by their fields."""
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    text = json.dumps(value, default=plain, ensure_ascii=encoding != "utf8", indent=None if lines else 2)
    print(text, flush=True)


def report(value: object, *asides: str, as_json: bool) -> None:
    """Print `value` for a program, or `asides` for a person."""
    if as_json:
        print_json(value)
        return
    for text in asides:
        Screen().aside(text)
