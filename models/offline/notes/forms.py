"""Normalises sentences for matching cues, and trims those that are kept, which otherwise stay as the user wrote them.

Texts are compared by their content words, by their polarity, and by the topics that they name.
"""

import re
import unicodedata
from functools import cache, lru_cache

from models.offline.en.form import WORDS, corrected
from models.offline.tables import NOTES
from text import tidy
from text.normalise import INVISIBLE
from text.tables import alternatives
from text.terms import stem
from text.words import is_japanese, same_stem

_STRAIGHT = str.maketrans("’‘ʼ`´“”–—‑‐", "'''''\"\"----")
_TOKEN = re.compile(r"[\w'’/&-]+|[^\w\s]")
_WORD = re.compile(r"[^\W_][\w-]*")
_TERM = re.compile(r"[一-鿿々]+|[ァ-ヴー]{2,}|[a-z0-9]+|そば|えび|かに|くるみ|たまご|ごま")


def language_of(text: str) -> str:
    """Return `ja` for text with kana or kanji, else `en`."""
    return "ja" if is_japanese(text) else "en"


@lru_cache(maxsize=4096)
def form(text: str) -> str:
    """Return the form of `text` that cues are matched against.

    English: lower case, contractions written out, fillers dropped, every subject of the user's party replaced by ME.
    Japanese: NFKC, lower case, no spaces, 「じゃない」 as 「でない」.
    """
    if is_japanese(text):
        folded = unicodedata.normalize("NFKC", INVISIBLE.sub("", text)).lower().replace("〜", "~")
        return re.sub(r"じゃ(?=な|あり)", "で", re.sub(r"\s+", "", folded))
    known = NOTES.patterns("en_forms")
    reduced = known["filler"].sub(" ", known["subjects"].sub("ME", plain(text)))
    return " ".join(re.sub(r"[,;:()\"!.…*-]+(?= |$)|^[-*•\s]+", " ", reduced).split())


def spoken(text: str) -> str:
    """Return the form of `text` for patterns over whole words: `form` for Japanese, `plain` for English."""
    return form(text).strip("。!") if language_of(text) == "ja" else plain(text)


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Return English `text` in lower case and American spelling, with contractions written out and typos corrected."""
    contraction, written_out = _contractions()
    lowered = contraction.sub(lambda match: written_out[match[0]], tidy(text).translate(_STRAIGHT).lower())
    words = [corrected(word) for word in _TOKEN.findall(lowered)]
    return re.sub(r" (?=[.,!?;:)%])|(?<=[($€£]) ", "", " ".join(words)).strip()


@cache
def _contractions() -> tuple[re.Pattern[str], dict[str, str]]:
    """Return a pattern for contractions and their full forms, from the tables of the reader and of the notes."""
    written: dict[str, str] = {**WORDS.table("spelling")["contractions"], **NOTES.table("en_forms")["contractions"]}
    return re.compile(rf"(?<![\w']){alternatives(map(re.escape, written))}(?![\w'])"), written


def trimmed(text: str) -> str:
    """Return `text` without filler phrases at its start and end, beginning with a capital letter."""
    before, known = None, NOTES.patterns(f"{language_of(text)}_forms")
    while before != text:
        before = text
        text = known["lead"].sub("", text).strip(" ,;:-.!\"'、，。．！・~〜*")
        text = known["tail"].sub("", text).strip(' ,;:-.!"、，。．！・~〜')
    return capitalised(text)


def capitalised(text: str) -> str:
    """Return `text` with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def without_leads(text: str) -> str:
    """Return `text` without filler phrases at its start ("Hello, by the way, ")."""
    before = ""
    while before != text:
        before, text = text, NOTES.patterns(f"{language_of(text)}_forms")["lead"].sub("", text)
    return text


@lru_cache(maxsize=1024)
def is_passing(text: str) -> bool:
    """Return whether a text consists only of filler: a greeting, thanks."""
    known = NOTES.patterns(f"{language_of(text)}_forms")["passing"]
    return bool(known.fullmatch(text.lower().strip(" !.,、。！")))


@lru_cache(maxsize=4096)
def content_words(text: str) -> frozenset[str]:
    """Return the stems of the content words of English, or the content terms of Japanese."""
    if language_of(text) == "ja":
        return frozenset(_TERM.findall(NOTES.patterns("ja_compare")["frame"].sub(" ", form(text))))
    without = set(NOTES.table("en_compare")["without_content"].split())
    return frozenset(stem(word) for word in _WORD.findall(plain(text)) if word not in without)


@lru_cache(maxsize=2048)
def polarity(text: str) -> int:
    """Return 1 for a liking, -1 for a refusal or dislike, 0 if unclear."""
    known, said = NOTES.table(f"{language_of(text)}_compare"), spoken(text)
    insists = re.search(known["insists"], said)
    if language_of(text) == "en":
        said, insists = re.sub(known["insists"], "fine", said), None
    if re.search(known["negative"], said) and not insists:
        return -1
    return 1 if insists or re.search(known["positive"], said) else 0


@lru_cache(maxsize=1024)
def topics_named(text: str) -> frozenset[str]:
    """Return the topics, and attributes as "topic/attribute", that `text` names in everyday words ("food": `meal`)."""
    return frozenset(name for name, words in _names(language_of(text)).items() if words.search(spoken(text)))


def without_names(text: str) -> str:
    """Return `text` without the words that name a topic."""
    left = spoken(text)
    for words in _names(language_of(text)).values():
        left = words.sub(" ", left)
    return left


@cache
def _names(language: str) -> dict[str, re.Pattern[str]]:
    edge = r"\b" if language == "en" else ""
    named = NOTES.table(f"{language}_wishes")["named"].items()
    return {name: re.compile(f"{edge}(?:{words}){edge}") for name, words in named}


@lru_cache(maxsize=1024)
def words_meant(about: str) -> frozenset[str]:
    """Return the content words of what a request is about, without the words of the request itself."""
    asking = NOTES.table(f"{language_of(about)}_wishes")["asking"].split()
    if language_of(about) == "ja":
        # A single character is a word of the request only by itself ("前"), not inside a word ("前方").
        asks = tuple(one for one in asking if len(one) > 1)
        return frozenset(word for word in content_words(about) if word not in asking and not word.startswith(asks))
    known = {stem(word) for word in asking}
    return frozenset(word for word in content_words(about) if word not in known)


def shares(word: str, text: str) -> bool:
    """Return whether `text` contains a form of a content word."""
    if language_of(text) == "ja" or language_of(word) == "ja":
        return word in form(text)
    return any(same_stem(word, other) for other in content_words(text))


@lru_cache(maxsize=256)
def search_terms(text: str) -> str:
    """Return the search terms in a question about earlier conversations, in order; all of `text` if there are none."""
    if language_of(text) == "ja":
        asked = re.sub(NOTES.table("ja_wishes")["asked_back"], " ", form(text))
        found = _TERM.findall(NOTES.patterns("ja_compare")["frame"].sub(" ", asked))
        return " ".join(found) or text
    without = set(NOTES.table("en_compare")["without_content"].split())
    frame = re.compile(NOTES.table("en_wishes")["asked_back"])
    said = [(word, plain(word).split()) for word in re.findall(r"[^\W_][\w'’-]*", text)]
    words = [word for word, parts in said if not all(frame.fullmatch(part) or part in without for part in parts)]
    return " ".join(words) or text
