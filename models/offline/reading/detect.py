"""Tells which language a message is written in, by its script and its commonest words."""

import re
import tomllib
from pathlib import Path

from text.words import fold, is_japanese

_TABLE = tomllib.loads((Path(__file__).parent / "words" / "languages.toml").read_text(encoding="utf-8"))
_WORDS = {code: frozenset(words.split()) for code, words in _TABLE["words"].items()}
_SURE = 2
"""Words of a language that a message must have to be of another one than English."""
_OTHER_SCRIPT = re.compile(r"[\u0370-\u03ff\u0400-\u052f\u0590-\u06ff\u0900-\u0dff\u0e00-\u0eff\uac00-\ud7af]")
_SPOKEN = ("es", "fr", "de")


def language_of(said: str, language: str = "en") -> str:
    """Return the language code of `said`; `language` where its words don't tell, empty for one that is not known."""
    if is_japanese(said):
        return "ja"
    if len(_OTHER_SCRIPT.findall(said)) >= max(2, sum(map(str.isalpha, said)) // 2):
        return ""
    words = re.findall(r"[a-z]+", fold(said))
    points = {code: sum(word in common for word in words) for code, common in _WORDS.items()}
    for code, marks in _TABLE["marks"].items():
        points[code] += any(mark in said.casefold() for mark in marks) and points[code] > 0
    best = max(points, key=lambda code: points[code])
    if points[best] < _SURE or points[best] <= points["en"]:
        return "en" if points["en"] or language not in points | {"ja": 0} else language
    return best if best in _SPOKEN else ""
