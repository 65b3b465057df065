"""Reads Japanese spelling: one normal form for matching, while the user's own characters stay for what is kept."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any

_WORDS = Path(__file__).parent / "words"
_INVISIBLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2060\ufeff]")
_MARKS = str.maketrans({"〜": "~", "～": "~", "－": "-", "–": "-", "—": "-", "．": "."})


@cache
def table(name: str) -> dict[str, Any]:
    """The word table `words/<name>.toml`. Raises FileNotFoundError when there is none."""
    return tomllib.loads((_WORDS / f"{name}.toml").read_text(encoding="utf-8"))


def clean(text: str) -> str:
    """`text` on one line, without invisible characters and without blanks between Japanese characters."""
    text = re.sub(r"\s+", " ", _INVISIBLE.sub("", unicodedata.normalize("NFC", text))).strip()
    return re.sub(r"(?<=[^\x00-\x7f]) (?=[^\x00-\x7f])", "", text)


def plain(text: str) -> str:
    """The form that is matched: NFKC, lower case, no blanks; sentence marks stay."""
    folded = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text).translate(_MARKS)).lower()
    return re.sub(r"\s+", "", folded).translate(_MARKS)


def alternatives(words: list[str]) -> str:
    """A regular expression group that matches any of `words`, longest first."""
    return "(?:" + "|".join(sorted(words, key=len, reverse=True)) + ")"


@cache
def places() -> tuple[str, ...]:
    """Names of places in Japanese, longest first."""
    return tuple(sorted(table("places")["names"], key=len, reverse=True))


@cache
def place_pattern() -> str:
    """A regular expression group that matches the name of a place, in its matched form."""
    return alternatives([re.escape(plain(name)) for name in places()])
