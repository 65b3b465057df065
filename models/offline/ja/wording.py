"""Reads Japanese spelling: one normal form for matching, while the user's own characters stay for what is kept."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, partial

from models.offline import tables
from models.offline.tables import alternatives
from text import tidy
from text.normalise import INVISIBLE

table = partial(tables.table, "ja")

_MARKS = str.maketrans({"〜": "~", "～": "~", "－": "-", "–": "-", "—": "-", "．": "."})


def clean(text: str) -> str:
    """`text` on one line, without invisible characters and without blanks between Japanese characters."""
    return re.sub(r"(?<=[^\x00-\x7f]) (?=[^\x00-\x7f])", "", tidy(text))


def plain(text: str) -> str:
    """The form that is matched: NFKC, lower case, no blanks; sentence marks stay."""
    folded = unicodedata.normalize("NFKC", INVISIBLE.sub("", text).translate(_MARKS)).lower()
    return re.sub(r"\s+", "", folded).translate(_MARKS)


@cache
def places() -> tuple[str, ...]:
    """Names of places in Japanese, longest first."""
    return tuple(sorted(table("places")["names"], key=len, reverse=True))


@cache
def place_pattern() -> str:
    """A regular expression group that matches the name of a place, in its matched form."""
    return alternatives([re.escape(plain(name)) for name in places()])
