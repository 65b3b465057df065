"""Brings a sentence into the form that cues are looked for in, while the user's own letters stay for what is kept."""

import re
import unicodedata
from functools import cache, lru_cache

from models.offline.en.form import WORDS, mended
from models.offline.tables import NOTES, alternatives
from text import tidy
from text.normalise import INVISIBLE
from text.words import is_japanese

_STRAIGHT = str.maketrans("’‘ʼ`´“”–—‑‐", "'''''\"\"----")
_TOKEN = re.compile(r"[\w'’/&-]+|[^\w\s]")


def language_of(text: str) -> str:
    """Return `ja` for text with kana or kanji, else `en`."""
    return "ja" if is_japanese(text) else "en"


@lru_cache(maxsize=4096)
def form(text: str) -> str:
    """Return `text` as cues match it.

    English: lower case, contractions written out, fillers dropped, every subject of the user's party written as ME.
    Japanese: NFKC, lower case, no blanks, 「じゃない」 as 「でない」.
    """
    if is_japanese(text):
        folded = unicodedata.normalize("NFKC", INVISIBLE.sub("", text)).lower().replace("〜", "~")
        return re.sub(r"じゃ(?=な|あり)", "で", re.sub(r"\s+", "", folded))
    reduced = _fillers().sub(" ", NOTES.patterns("en_forms")["subjects"].sub("ME", plain(text)))
    return " ".join(re.sub(r"[,;:()\"!.…*-]+(?= |$)|^[-*•\s]+", " ", reduced).split())


def spoken(text: str) -> str:
    """Return `text` as patterns over whole words match it: the form of Japanese, plain English."""
    return form(text) if language_of(text) == "ja" else plain(text)


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Return English `text` in lower case, in American spelling, with contractions written out and slips mended."""
    lowered = _contractions().sub(lambda match: _written_out()[match[0]], tidy(text).translate(_STRAIGHT).lower())
    words = [mended(word) for word in _TOKEN.findall(lowered)]
    return re.sub(r" (?=[.,!?;:)%])|(?<=[($€£]) ", "", " ".join(words)).strip()


@cache
def _written_out() -> dict[str, str]:
    """Return what stands for a contraction: in all reading, and in what people tell of themselves."""
    return {**WORDS.table("spelling")["contractions"], **NOTES.table("en_forms")["contractions"]}


@cache
def _contractions() -> re.Pattern[str]:
    keys = [re.escape(key) for key in _written_out()]
    return re.compile(rf"(?<![\w']){alternatives(keys)}(?![\w'])")


@cache
def _fillers() -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'-]){alternatives(NOTES.table('en_forms')['fillers'])}(?![\w'-])")


def trimmed(text: str) -> str:
    """Return `text` without what is said in passing at its head and tail; English begins with a capital letter."""
    before = None
    language = language_of(text)
    while before != text:
        before = text
        text = _leads(language).sub("", text).strip(" ,;:-.!\"'、，。．！・~〜*")
        text = _tails(language).sub("", text).strip(' ,;:-.!"、，。．！・~〜')
    return capitalised(text)


def capitalised(text: str) -> str:
    """Return `text` with a capital letter in front."""
    return text[:1].upper() + text[1:]


def without_leads(text: str) -> str:
    """Return `text` without the words in passing at its head ("Hello, by the way, ")."""
    before = ""
    while before != text:
        before, text = text, _leads(language_of(text)).sub("", text, count=1)
    return text


@lru_cache(maxsize=1024)
def is_passing(text: str) -> bool:
    """Return whether a text is only what is said in passing at a head or a tail: a greeting, thanks."""
    known = NOTES.table(f"{language_of(text)}_forms")
    return text.lower().strip(" !.,、。！") in {*known["leads"], *known["tails"]}


@cache
def _leads(language: str) -> re.Pattern[str]:
    words = [re.escape(word) for word in NOTES.table(f"{language}_forms")["leads"]]
    if language == "ja":
        attached = "やっぱり|やはり|やっぱ|実は|ちなみに|一応|個人的には|正直言うと"
        return re.compile(rf"^(?:{alternatives(words)}(?:[、,。！!・：:…\s]+|$)|(?:{attached})(?=.{{3}}))")
    closed = alternatives([*words, *map(re.escape, NOTES.table("en_forms")["leads_before_comma"])])
    return re.compile(
        rf"^(?:{closed}\s*[,:;!.-]+\s*|{alternatives(words)}\s+(?!(?:of|for|with|to|is|are)\b))", re.IGNORECASE
    )


@cache
def _tails(language: str) -> re.Pattern[str]:
    words = alternatives(re.escape(word) for word in NOTES.table(f"{language}_forms")["tails"])
    if language == "ja":
        return re.compile(rf"(?:[、,。！!\s]+{words}|ので(?:、)?よろしく(?:お願い(?:いた)?します)?|[(（]笑[)）])$")
    return re.compile(rf"(?:\s*[,;-]\s*|\s+){words}[.!)]*$", re.IGNORECASE)
