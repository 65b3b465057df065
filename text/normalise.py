"""Rewrites text: `normalise` to compare it, `neutralise` to show it as data, `tidy` to keep it."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

_ROUNDS = 4
"""Folding can yield characters that compose and fold again, so it is repeated until nothing changes."""

_LOOKALIKES = {
    "a": "\u0430\u0410\u03b1\u0391\u1d00\u0251\u13aa",
    "b": "\u0412\u0392\u0299\u13cf",
    "c": "\u0441\u0421\u03f2\u1d04\u13df",
    "d": "\u0501\u1d05\u13a0",
    "e": "\u0435\u0415\u03b5\u0395\u1d07\u0454\u13ac",
    "f": "\ua730\u03dd",
    "g": "\u0261\u0262\u050d",
    "h": "\u04bb\u041d\u0397\u029c\u0570\u13bb",
    "i": "\u0456\u0406\u03b9\u0399\u0131\u026a\u04cf\u0269",
    "j": "\u0458\u0408\u1d0a\u03f3",
    "k": "\u043a\u041a\u03ba\u039a\u1d0b\u13e6",
    "l": "\u029f\u01c0\u13de",
    "m": "\u043c\u041c\u039c\u1d0d\u13b7",
    "n": "\u039d\u0274\u0578\u043f",
    "o": "\u043e\u041e\u03bf\u039f\u1d0f\u0585\u0665",
    "p": "\u0440\u0420\u03c1\u03a1\u1d18\u13e2",
    "q": "\u051b\u0566",
    "r": "\u0280\u0433\u1d26",
    "s": "\u0455\u0405\ua731\u13da",
    "t": "\u0442\u0422\u03c4\u03a4\u1d1b\u13a2",
    "u": "\u03c5\u057d\u1d1c\u0446",
    "v": "\u03bd\u0475\u1d20\u13d9",
    "w": "\u051d\u1d21\u0461\u13b3",
    "x": "\u0445\u0425\u03c7\u03a7",
    "y": "\u0443\u0423\u04af\u028f\u03a5",
    "z": "\u03b6\u0396\u1d22\u13c3",
}
_MARKS = {
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2500",
    "'": "\u2018\u2019\u02bc\u2032\u00b4`",
    '"': "\u201c\u201d\u2033",
}
_SHOWN_AS: dict[str, str | int | None] = {
    "<": "\u2039", ">": "\u203a", "`": "'", "[": "(", "]": ")", "{": "(", "}": ")",
    "\uff1c": "\u2039", "\uff1e": "\u203a", "\uff3b": "(", "\uff3d": ")", "\uff40": "'", "\uff5b": "(", "\uff5d": ")",
}  # fmt: skip


INVISIBLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2060\ufeff]")
"""Control, zero-width and direction characters."""


@cache
def _folds() -> dict[int, str]:
    table: dict[int, str] = {}
    for plain, strange in _LOOKALIKES.items():
        for char in strange:
            table[ord(char)] = plain.upper() if char.isupper() else plain
    for plain, strange in _MARKS.items():
        table.update({ord(char): plain for char in strange})
    return table


def _invisible(char: str) -> bool:
    return unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn"}


def _strip_accents(text: str) -> str:
    """Return `text` without marks on letters; marks that belong to kana stay."""
    out: list[str] = []
    for char in unicodedata.normalize("NFD", text):
        if unicodedata.category(char) in {"Mn", "Me"} and char not in "\u3099\u309a":
            continue
        out.append(char)
    return unicodedata.normalize("NFC", "".join(out))


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
    """Return `text` as a detector should read it: one line, NFKC, no invisible characters, look-alikes folded.

    Accents go, digits of every script become ASCII, quotes and dashes become plain. Case is kept. Idempotent.
    Meant for detection and comparison, never for showing.
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
    """Return `text` on one line with single blanks and without invisible characters; letters and marks stay."""
    return re.sub(r"\s+", " ", INVISIBLE.sub("", unicodedata.normalize("NFC", text))).strip()


def neutralise(text: str) -> str:
    """Return `text` made safe to stand in a prompt as data: one line without markup, delimiters or handles.

    Control, zero-width and direction characters go, brackets and backticks turn into harmless look-alikes, and
    runs that could close a block (`---`, `###`, `===`) shrink. Letters, accents and case stay. Idempotent.
    """
    composed = unicodedata.normalize("NFC", text)
    kept = "".join(" " if char.isspace() else "" if _invisible(char) else char for char in composed)
    kept = kept.translate(str.maketrans(_SHOWN_AS))
    kept = re.sub(r"([-#=*_~|])\1{2,}", r"\1", kept)
    return unicodedata.normalize("NFC", " ".join(kept.split()))


def storable(text: str) -> str:
    """Return text without NUL and lone surrogates, in the composed form: what every store can hold."""
    whole = text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "")
    return unicodedata.normalize("NFC", whole)
