"""Reads Japanese spelling: one normal form for matching, while the user's own characters stay for what is kept."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, partial

from models.offline import tables
from models.offline.tables import alternatives

table = partial(tables.table, "ja")
_INVISIBLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2060\ufeff]")
_MARKS = str.maketrans({"〜": "~", "～": "~", "－": "-", "–": "-", "—": "-", "．": "."})


def clean(text: str) -> str:
    """`text` on one line, without invisible characters and without blanks between Japanese characters."""
    text = re.sub(r"\s+", " ", _INVISIBLE.sub("", unicodedata.normalize("NFC", text))).strip()
    return re.sub(r"(?<=[^\x00-\x7f]) (?=[^\x00-\x7f])", "", text)


def plain(text: str) -> str:
    """The form that is matched: NFKC, lower case, no blanks; sentence marks stay."""
    folded = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text).translate(_MARKS)).lower()
    return re.sub(r"\s+", "", folded).translate(_MARKS)


@cache
def places() -> tuple[str, ...]:
    """Names of places in Japanese, longest first."""
    return tuple(sorted(table("places")["names"], key=len, reverse=True))


@cache
def place_pattern() -> str:
    """A regular expression group that matches the name of a place, in its matched form."""
    return alternatives([re.escape(plain(name)) for name in places()])
