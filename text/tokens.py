"""Tokens of text in any language, and when two of them are forms of one word. No token is looked up for its meaning."""

from __future__ import annotations

import re
import unicodedata

from text.normalise import normalise

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+(?:[.,:]\d+)*")
_UNSPACED = re.compile(r"[\u3400-\u9fff\u3040-\u30ff々\u0e00-\u0eff\u1780-\u17ff\u1000-\u109f]")
_CONTENT = re.compile(r"[ァ-ヺー]{2,}|[\u3400-\u9fff々\u0e00-\u0eff\u1780-\u17ff\u1000-\u109f]")
"""What carries meaning in scripts without spaces: words in katakana, else characters; hiragana is grammar."""
_JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f]")
_SHARED_LETTERS, _SHARED_PART = 4, 0.6


def fold(text: str) -> str:
    """Return `text` normalised, in lower case and without accents, one form for comparing words."""
    parts = unicodedata.normalize("NFKD", normalise(text).casefold())
    plain = "".join(char for char in parts if not unicodedata.combining(char))
    return unicodedata.normalize("NFC", plain).replace("’", "'")


def words(text: str) -> list[str]:
    """Words and numbers of scripts with spaces, as they are written."""
    return [word for word in _WORD.findall(normalise(text)) if not _UNSPACED.search(word)]


def numbers(text: str) -> set[str]:
    """Return the numbers of `text` in digits, without leading zeros."""
    return {digits.lstrip("0") or "0" for digits in re.findall(r"\d+", normalise(text))}


def characters(text: str) -> list[str]:
    """Return the characters that carry meaning in scripts without spaces, in order; words in katakana whole."""
    return _CONTENT.findall(normalise(text))


def is_unspaced(text: str) -> bool:
    """Return whether `text` is written in a script without spaces."""
    return bool(_UNSPACED.search(text))


def is_japanese(text: str) -> bool:
    """Return True for text with kana or kanji."""
    return bool(_JAPANESE.search(text))


def same_stem(one: str, other: str) -> bool:
    """Return whether two folded words are equal, or begin alike for most of the shorter: "birding", "birds"."""
    if one == other:
        return True
    shortest = min(len(one), len(other))
    shared = next((at for at in range(shortest) if one[at] != other[at]), shortest)
    return shared >= _SHARED_LETTERS and shared >= _SHARED_PART * shortest
