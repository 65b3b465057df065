"""Writes out the phrases of `injection_phrases/`: one file for each language, one kind of sentence a line.

A line begins with `+` (an instruction to the machine), `-` (something that people say), or `@` (words around either,
with `{}` where it stands). `{one|other}` is a choice; each line is written out several times with other choices.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from pathlib import Path

_FOLDER = Path(__file__).parent / "injection_phrases"
_CHOICE = re.compile(r"\{([^{}]*\|[^{}]*)\}")
_VARIANTS = 20
_ENCLOSED = 3
"""One in so many is put between the words of an `@` line."""


def phrases() -> Iterator[tuple[str, bool]]:
    """Yield each sentence with whether it is an instruction, always in the same order."""
    for path in sorted(_FOLDER.glob("*.txt")):
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line]
        around = [line[2:] for line in lines if line.startswith("@")]
        for line in (line for line in lines if not line.startswith("@")):
            written = dict.fromkeys(_written(line[2:], variant) for variant in range(_VARIANTS))
            yield from ((_enclosed(text, around), line.startswith("+")) for text in written)


def _written(line: str, variant: int) -> str:
    """Return `line` with one way to choose at each of its choices."""
    at = count()

    def chosen(match: re.Match[str]) -> str:
        options = match[1].split("|")
        return options[_draw(f"{line} {variant} {next(at)}") % len(options)]

    return " ".join(_CHOICE.sub(chosen, line).split())


def _enclosed(text: str, around: list[str]) -> str:
    if not around or _draw(text) % _ENCLOSED:
        return text
    return _written(around[_draw(f"{text} around") % len(around)], _draw(text)).replace("{}", text)


def _draw(seed: str) -> int:
    """Return a number that depends on `seed` alone."""
    return int.from_bytes(sha256(seed.encode()).digest()[:6])
