"""Explain what is wrong with settings, without repeating a secret."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from pydantic import ValidationError

from config.redact import HIDDEN

_SECRET = ("key", "store_url")


def did_you_mean(name: str, known: Iterable[str], *, prefix: str = "") -> str:
    """Return the sentence that suggests the known name nearest to `name`; empty where none is near.

    Names are compared without `prefix`, which would make any two of them look alike.
    """
    names = {one.removeprefix(prefix): one for one in known}
    near = get_close_matches(name.removeprefix(prefix), names, n=1)
    return f" Did you mean {names[near[0]]}?" if near else ""


def explain(error: ValidationError) -> str:
    """Return one sentence with each wrong setting, its value unless it is secret, and what is allowed."""
    lines = []
    for fault in error.errors():
        if not fault["loc"]:
            lines.append(str(fault["msg"]).removeprefix("Value error, "))
            continue
        field = str(fault["loc"][0])
        name = field if field.startswith("OPENAI_") else f"CONCIERGE_{field.upper()}"
        shown = HIDDEN if field.lower().endswith(_SECRET) else repr(fault["input"])
        lines.append(f"{name} is {shown}: {str(fault['msg']).removeprefix('Value error, ')}")
    return "Wrong settings. " + "; ".join(lines) + "."
