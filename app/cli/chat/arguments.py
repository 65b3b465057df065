"""Shows the arguments of an action as a person reads and changes them: one `key=value` a line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from config.errors import InvalidInputError

_SEAT = re.compile(r"(?:(\d):)?([1-9][0-9]?[A-Za-z])")
_LISTS = ("seats", "requests")
"""Arguments that hold several values, also where an action comes without them."""


def written(value: Any) -> str:
    """Return one value as text: `12A, 1:14C` for seats, with commas for other lists; what is no plain text as JSON."""
    if isinstance(value, str):
        return value
    if _are_seats(value):
        return ", ".join(f"{one['segment']}:{one['seat']}" if one.get("segment") else one["seat"] for one in value)
    if isinstance(value, list) and all(isinstance(one, str) and "," not in one for one in value):
        return ", ".join(value)
    return json.dumps(value, ensure_ascii=False)


def written_lines(args: Mapping[str, Any]) -> list[str]:
    """Return every argument on a line of its own."""
    return [f"{key}={written(value)}" for key, value in args.items()]


def changed(args: Mapping[str, Any], lines: Sequence[str]) -> dict[str, Any]:
    """Return `args` with the changes of `lines`; `key=` takes an argument away.

    Raises:
        InvalidInputError: a line is no `key=value`.
    """
    made = dict(args)
    for line in lines:
        key, equals, text = (part.strip() for part in line.partition("="))
        if not (equals and key.isidentifier()):
            raise InvalidInputError(f"{line.strip()!r} is no key=value.")
        if text:
            made[key] = _read(key, text, args.get(key))
        else:
            made.pop(key, None)
    return made


def _read(key: str, text: str, before: Any) -> Any:
    """Return what `text` means for an argument that was `before`; whether it fits is for the tool to say."""
    if isinstance(before, str):
        return text
    if key == "seats" and (seats := [_SEAT.fullmatch(part.strip()) for part in text.split(",")]) and all(seats):
        return [{"segment": int(found[1] or 0), "seat": found[2].upper()} for found in seats if found]
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        several = isinstance(before, list) or key in _LISTS
        return [part.strip() for part in text.split(",") if part.strip()] if several else text


def _are_seats(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(one, Mapping) and set(one) <= {"segment", "seat"} and "seat" in one for one in value)
    )
