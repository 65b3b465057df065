"""Writes out the phrases of `injection_phrases/`: one file for each language, one kind of sentence a line.

A line begins with `+` (an instruction to the machine), `-` (something that people say), or `@` (words around either,
with `{}` where it stands). `{one|other}` is a choice; each line is written out several times with other choices.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from itertools import count
from pathlib import Path

_FOLDER = Path(__file__).parent / "injection_phrases"
_CHOICE = re.compile(r"\{([^{}]*\|[^{}]*)\}")
_VARIANTS = 20
_ENCLOSED, _FRAMED = 3, 10
"""One phrase and one other row in so many is put between the words of an `@` line."""


def framed(text: str, language: str) -> str | None:
    """Return one text in ten between words of its language; None for the others, and where the language has none."""
    around = _around(language)
    return _between(text, around) if around and _draw(text) % _FRAMED == 0 else None


def phrases() -> Iterator[tuple[str, bool]]:
    """Yield each sentence with whether it is an instruction, always in the same order."""
    for path in sorted(_FOLDER.glob("*.txt")):
        around = _around(path.stem)
        for line in (line for line in _lines(path.stem) if not line.startswith("@")):
            written = dict.fromkeys(_written(line[2:], variant) for variant in range(_VARIANTS))
            yield from ((_enclosed(text, around), line.startswith("+")) for text in written)


def _around(language: str) -> list[str]:
    return [line[2:] for line in _lines(language) if line.startswith("@")]


@cache
def _lines(language: str) -> tuple[str, ...]:
    path = _FOLDER / f"{language}.txt"
    return tuple(filter(None, path.read_text(encoding="utf-8").splitlines())) if path.exists() else ()


def _written(line: str, variant: int) -> str:
    """Return `line` with one way to choose at each of its choices."""
    at = count()

    def chosen(match: re.Match[str]) -> str:
        options = match[1].split("|")
        return options[_draw(f"{line} {variant} {next(at)}") % len(options)]

    return " ".join(_CHOICE.sub(chosen, line).split())


def _enclosed(text: str, around: list[str]) -> str:
    return text if not around or _draw(text) % _ENCLOSED else _between(text, around)


def _between(text: str, around: list[str]) -> str:
    return _written(around[_draw(f"{text} around") % len(around)], _draw(text)).replace("{}", text)


def _draw(seed: str) -> int:
    """Return a number that depends on `seed` alone."""
    return int.from_bytes(sha256(seed.encode()).digest()[:6])
