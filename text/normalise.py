"""Normal forms of text: `normalise` to compare it, `neutralise` to put it into a prompt, `tidy` to store it."""

import base64
import binascii
import html
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any
from urllib.parse import unquote

from text.numbers import fold_numbers
from text.tables import TABLES

_ROUNDS = 4
"""Most rounds of folding: its result can compose to characters that fold again, so it repeats until nothing changes."""

_SHOWN_AS: dict[str, str | int | None] = {
    "<": "\u2039", ">": "\u203a", "`": "'", "[": "(", "]": ")", "{": "(", "}": ")",
    "\uff1c": "\u2039", "\uff1e": "\u203a", "\uff3b": "(", "\uff3d": ")", "\uff40": "'", "\uff5b": "(", "\uff5d": ")",
}  # fmt: skip


SEQUENCE = r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-Z\\^-~]"
"""Terminal escape sequences."""
INVISIBLE = re.compile(rf"{SEQUENCE}|[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060\ufeff]")
"""Escape sequences, and control, zero-width and direction characters."""


@cache
def _folds() -> dict[int, str]:
    folds = {ord(char): plain for plain, strange in TABLES.table("words")["marks"].items() for char in strange}
    for plain, strange in TABLES.table("words")["lookalikes"].items():
        folds |= {ord(char): plain.upper() if char.isupper() else plain for char in strange}
    return folds


def _invisible(char: str) -> bool:
    return unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn"}


def _strip_accents(text: str) -> str:
    """Return `text` without combining marks, except for the voicing marks of kana."""
    kept = (
        char
        for char in unicodedata.normalize("NFD", text)
        if unicodedata.category(char) not in {"Mn", "Me"} or char in "\u3099\u309a"
    )
    return unicodedata.normalize("NFC", "".join(kept))


def _fold_once(text: str) -> str:
    text = unicodedata.normalize("NFKC", text)
    text = "".join(" " if char.isspace() else "" if _invisible(char) else _digit(char) for char in text)
    text = _strip_accents(text).translate(_folds())
    text = re.sub("(?<=\\d)\u30fc(?=\\d)", "-", text)
    return " ".join(text.split())


def _digit(char: str) -> str:
    if char.isascii() or unicodedata.category(char) != "Nd":
        return char
    return str(unicodedata.digit(char))


def normalise(text: str) -> str:
    """Return `text` in a form for detection and comparison: one line, NFKC, without invisible characters.

    Removes accents and folds look-alike letters; digits of every script become ASCII, quotes and dashes become plain.
    Keeps case. Idempotent. Not for display.
    """
    if text.isascii() and text.isprintable() and "`" not in text:
        return " ".join(text.split())
    for _ in range(_ROUNDS):
        folded = _fold_once(text)
        if folded == text:
            break
        text = folded
    return text


def tidy(text: str) -> str:
    """Return `text` on one line, with single spaces and without invisible characters."""
    kept = INVISIBLE.sub("", unicodedata.normalize("NFC", text))
    return " ".join("".join(char if char.isprintable() else " " if char.isspace() else "" for char in kept).split())


def neutralise(text: str) -> str:
    """Return `text` in a form that is safe as data in a prompt: one line without markup or delimiters.

    Removes control, zero-width and direction characters, replaces brackets and backticks by harmless look-alikes, and
    shortens runs that could close a block (`---`, `###`, `===`). Keeps letters, accents and case. Idempotent.
    """
    composed = unicodedata.normalize("NFC", text)
    kept = "".join(" " if char.isspace() else "" if _invisible(char) else char for char in composed)
    kept = kept.translate(str.maketrans(_SHOWN_AS))
    kept = re.sub(r"([-#=*_~|])\1{2,}", r"\1", kept)
    return unicodedata.normalize("NFC", " ".join(kept.split()))


def as_data(value: Any, change: Callable[[str], str] = neutralise, keys: Callable[[str], str] = neutralise) -> Any:
    """Return a JSON value with `change` applied to each text in it, and `keys` to each key."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {keys(str(key)): as_data(each, change, keys) for key, each in value.items()}
    return [as_data(each, change, keys) for each in value] if isinstance(value, list | tuple) else value


def storable(text: str) -> str:
    """Return `text` in NFC and without NUL and lone surrogates, so that every store accepts it."""
    encodable = text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "")
    return unicodedata.normalize("NFC", encodable)


_DEPTH = 3


def _readable(raw: bytes) -> str:
    """Decode bytes as UTF-8; return an empty string if the result does not look like written text."""
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


def _decode_once(text: str) -> str:
    if "%" in text:
        text = unquote(text)
    if "&" in text and ";" in text:
        text = html.unescape(text)
    text = re.sub(r"\\[nrt]", " ", text)
    if "\\u" in text or "\\x" in text:
        text = re.sub(
            r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})", lambda match: chr(int(match[1] or match[2], 16)), text
        )
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
    """Join words that are spelled letter by letter ("i g n o r e", "p-r-e-v")."""
    text = re.sub(r"(?<!\S)(?:\S ){4,}\S(?!\S)", lambda match: match[0].replace(" ", ""), text)
    return re.sub(
        r"(?<![^\W_])(?:[^\W_][ .\-_*|]{1,2}){3,}[^\W_](?![^\W_])",
        lambda match: re.sub(r"[ .\-_*|]", "", match[0]),
        text,
    )


@dataclass(frozen=True)
class Text:
    """A text as written (`raw`), and its normalised and decoded forms."""

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
        """Normalised readings of the text, without duplicates; the first is `normalised`.

        The others undo encodings, words spelled letter by letter, and numbers in words.
        """
        readings = [self.normalised, normalise(decode(self.normalised)), self.decoded]
        readings += map(join_letters, dict.fromkeys(readings[:2]))
        readings += map(fold_numbers, dict.fromkeys(readings))
        return tuple(dict.fromkeys(readings))
