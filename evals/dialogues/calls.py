"""Compares tool calls with those that a row expects."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from pydantic import BaseModel, ValidationError

from app.api.reply import ToolUse
from nodes.tools.call import arguments_of
from nodes.tools.memory.forget import forget_memory
from nodes.tools.memory.tools import list_memories, recall_memory
from nodes.tools.travel.acting import ACTS
from nodes.tools.travel.reading import READS

PLACES = frozenset(("origin", "destination", "city", "to"))
_EXACT = frozenset(("cabin", "sort", "category", "topic", "kind", "source", "target", "features", "interests", "parts"))
"""Arguments with a closed list of values, which must be equal; free text need only contain the expected words."""
_NEGATIONS_BEFORE = ("not", "no", "no longer", "never", "isn't", "without", "rather than", "instead of", "used to")
_NEGATIONS_AFTER = ("is fine", "are fine", "any more", "anymore", "ではない", "ではなく", "じゃない")
_LATIN = re.compile(r"[a-z0-9]")


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Return text in lower case, without accents, with straight apostrophes and single spaces."""
    bare = "".join(_base(letter) for letter in unicodedata.normalize("NFKC", text))
    return " ".join(bare.replace("’", "'").casefold().split())


def _base(letter: str) -> str:
    """Return a Latin letter without its accents, and any other character unchanged (kana keep their voicing marks)."""
    decomposed = unicodedata.normalize("NFD", letter)
    return decomposed[0] if decomposed[0].isascii() else letter


def position(phrase: str, text: str) -> int:
    """Return the offset of `phrase` in the plain text, or -1; a Latin phrase must start at the start of a word."""
    wanted, plain_text = plain(phrase), plain(text)
    if not wanted or not _LATIN.match(wanted):
        return plain_text.find(wanted) if wanted else -1
    match = re.search(rf"(?<![^\W_]){re.escape(wanted)}", plain_text)
    return match.start() if match else -1


def holds(text: str, phrases: Iterable[str]) -> bool:
    """Return whether the text contains one of these words or phrases."""
    return any(position(phrase, text) >= 0 for phrase in phrases)


def asserts(text: str, phrase: str) -> bool:
    """Return whether a sentence of the text contains `phrase` without negating it."""
    for sentence in re.split(r"(?<=[.!?。！？])\s*|\n+", text):
        at = position(phrase, sentence)
        if at < 0:
            continue
        before, after = plain(sentence)[:at], plain(sentence)[at + len(plain(phrase)) :]
        denied = any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", before) for word in _NEGATIONS_BEFORE)
        if not denied and not any(word in after for word in _NEGATIONS_AFTER):
            return True
    return False


def fits(name: str, wanted: Any, value: Any) -> bool:
    """Return whether `value` is one that a row allows for the argument `name`."""
    if isinstance(value, list):
        return _list_fits(name, wanted, value)
    if isinstance(wanted, list):
        return any(fits(name, option, value) for option in wanted)
    if isinstance(wanted, Mapping):
        low, high = wanted["between"]
        return value is not None and (low <= value <= high if type(low) is type(value) else _between(low, value, high))
    if wanted is None or value is None:
        return wanted is value
    if isinstance(wanted, str):
        return _text_fits(name, wanted, str(value))
    return isinstance(value, int | float) and float(value) == float(wanted)


def _between(low: Any, value: Any, high: Any) -> bool:
    return all(isinstance(number, int | float) for number in (low, value, high)) and low <= value <= high


def _text_fits(name: str, wanted: str, value: str) -> bool:
    if name in PLACES:
        after = r"(?!\w)" if plain(wanted).isascii() else ""
        return position(wanted, value) >= 0 and bool(re.search(re.escape(plain(wanted)) + after, plain(value)))
    if name in _EXACT:
        return plain(wanted) == plain(value)
    return position(wanted, value) >= 0


def _list_fits(name: str, wanted: Any, values: list[Any]) -> bool:
    def is_in(item: Any) -> bool:
        return any(fits(name, item, value) for value in values)

    if isinstance(wanted, Mapping):
        return all(map(is_in, wanted.get("all", ()))) and not any(map(is_in, wanted.get("none", ())))
    listed = wanted if isinstance(wanted, list) else [wanted]
    return not listed or any(map(is_in, listed)) or (not values and None in listed)


_ARGUMENTS: Mapping[str, type[BaseModel]] = {
    getattr(tool, "__name__", ""): arguments_of(tool)
    for tool in (*READS, *ACTS, recall_memory, forget_memory, list_memories)
}
"""The model of the arguments of each tool; the arguments of other tools are not validated."""


def tool_names(expected: Mapping[str, Any]) -> Sequence[str]:
    """Return the names of the tools that satisfy an expected call."""
    name = expected["name"]
    return [name] if isinstance(name, str) else list(name)


def full_arguments(use: ToolUse) -> dict[str, Any] | None:
    """Return the arguments of a call with their defaults, as plain JSON values; None if the tool rejects them."""
    arguments = _ARGUMENTS.get(use.name)
    if arguments is None:
        return use.arguments
    try:
        return arguments.model_validate(use.arguments).model_dump(mode="json")
    except ValidationError:
        return None


def matches_call(expected: Mapping[str, Any], use: ToolUse) -> bool:
    """Return whether `use` is the expected call."""
    return use.name in tool_names(expected) and not mismatches(expected, use)


def mismatches(expected: Mapping[str, Any], use: ToolUse) -> list[str]:
    """Describe each expected argument for which the call has another value, as in "adults is 1, not 2"."""
    given = full_arguments(use)
    if given is None:
        return ["its arguments do not fit"]
    wanted = expected.get("args") or {}
    return [
        f"{name} is {given.get(name)!r}, not {value!r}"
        for name, value in wanted.items()
        if not fits(name, value, given.get(name))
    ]


def nearest_mismatch(expected: Mapping[str, Any], uses: Sequence[ToolUse]) -> str:
    """Describe how the call with the fewest mismatches differs from the expected one."""
    wrong = [(use.name, mismatches(expected, use)) for use in uses if use.name in tool_names(expected)]
    if not wrong:
        return f"{' or '.join(tool_names(expected))} was not called"
    name, faults = min(wrong, key=lambda pair: len(pair[1]))
    return f"{name} was called with other arguments: {'; '.join(faults)}"
