"""Holds a text with its readings, and undoes encodings and words spelled letter by letter."""

from __future__ import annotations

import base64
import binascii
import html
import re
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import unquote

from text.normalise import normalise
from text.spelled import fold_numbers

_DEPTH = 3


def _readable(raw: bytes) -> str:
    """Return the bytes as text, empty when they are not text that a person would write."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    visible = sum(char.isprintable() or char.isspace() for char in text)
    wordlike = sum(char.isalnum() or char in " @.-+" for char in text)
    return text if len(text) >= 4 and visible == len(text) and wordlike >= 0.8 * len(text) else ""


def _from_base64(match: re.Match[str]) -> str:
    token = match.group().replace("-", "+").replace("_", "/").rstrip("=")
    try:
        return _readable(base64.b64decode(token + "=" * (-len(token) % 4), validate=True)) or match.group()
    except (binascii.Error, ValueError):
        return match.group()


def _from_hex(match: re.Match[str]) -> str:
    return _readable(bytes.fromhex(re.sub(r"0x|\\x|[\s:]", "", match.group()))) or match.group()


def _from_escape(match: re.Match[str]) -> str:
    return chr(int(match.group(1) or match.group(2), 16))


def _without_blanks(match: re.Match[str]) -> str:
    return match.group().replace(" ", "")


def _without_gaps(match: re.Match[str]) -> str:
    return re.sub(r"[ .\-_*|]", "", match.group())


def _decode_once(text: str) -> str:
    if "%" in text:
        text = unquote(text)
    if "&" in text and ";" in text:
        text = html.unescape(text)
    text = re.sub(r"\\[nrt]", " ", text)
    if "\\u" in text or "\\x" in text:
        text = re.sub(r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})", _from_escape, text)
    if re.search(r"[A-Za-z0-9+/_-]{10}", text):
        text = re.sub(r"\b(?=\d*[a-fA-F])(?:[0-9a-fA-F]{2}){8,}\b", _from_hex, text)
        text = re.sub(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{12,}={0,2}", _from_base64, text)
    if re.search(r"(?:\b[0-9a-fA-F]{2}[\s:]){8}", text):
        text = re.sub(r"\b(?:[0-9a-fA-F]{2}[\s:]){8,}[0-9a-fA-F]{2}\b", _from_hex, text)
    return text


def decode(text: str) -> str:
    """Return `text` without URL, HTML, escape, base64 and hexadecimal encodings, up to three layers deep."""
    for _ in range(_DEPTH):
        plain = _decode_once(text)
        if plain == text:
            break
        text = plain
    return text


def join_letters(text: str) -> str:
    """Return `text` with words that are written letter by letter ("i g n o r e", "p-r-e-v") joined."""
    text = re.sub(r"(?<!\S)(?:\S ){4,}\S(?!\S)", _without_blanks, text)
    return re.sub(r"(?<![^\W_])(?:[^\W_][ .\-_*|]{1,2}){3,}[^\W_](?![^\W_])", _without_gaps, text)


@dataclass(frozen=True)
class Text:
    """A text as it was written (`raw`) and as it can be read."""

    raw: str

    @cached_property
    def normalised(self) -> str:
        """Return the text on one line with look-alikes folded, case kept."""
        return normalise(self.raw)

    @cached_property
    def decoded(self) -> str:
        """Return the normalised text without URL, HTML, escape, base64 and hexadecimal encodings."""
        return normalise(decode(self.raw))

    @cached_property
    def readings(self) -> tuple[str, ...]:
        """Plain ways to read the text, each normalised, without repeats; the first is `normalised`.

        They cover encodings, words spelled letter by letter, and digits in words.
        """
        found = [self.normalised, normalise(decode(self.normalised)), self.decoded]
        found += [join_letters(reading) for reading in found[:2]]
        found += [fold_numbers(reading) for reading in found]
        return tuple(dict.fromkeys(found))
