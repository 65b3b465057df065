"""Compares texts by the words that carry meaning, by their sense, and by the topics that they name."""

import re
from functools import cache, lru_cache

from models.offline.notes.forms import form, language_of, plain, spoken
from models.offline.tables import NOTES
from text.terms import stem
from text.words import same_stem

_WORD = re.compile(r"[^\W_][\w-]*")
_TERM = re.compile(r"[一-鿿々]+|[ァ-ヴー]{2,}|[a-z0-9]+|そば|えび|かに|くるみ|たまご|ごま")


@lru_cache(maxsize=4096)
def content_words(text: str) -> frozenset[str]:
    """Return the stems of the English words that carry meaning; the terms of Japanese without the words around them."""
    if language_of(text) == "ja":
        return frozenset(_TERM.findall(NOTES.patterns("ja_compare")["frame"].sub(" ", form(text))))
    without = set(NOTES.table("en_compare")["without_content"].split())
    return frozenset(stem(word) for word in _WORD.findall(plain(text)) if word not in without)


@lru_cache(maxsize=2048)
def polarity(text: str) -> int:
    """Return 1 for a liking, -1 for a refusal or dislike, 0 where it can't be told."""
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
    """Return the content words of what a wish is about, without those of the asking."""
    asking = NOTES.table(f"{language_of(about)}_wishes")["asking"].split()
    if language_of(about) == "ja":
        # A single sign asks by itself ("前"), not in a word ("前方").
        asks = tuple(one for one in asking if len(one) > 1)
        return frozenset(word for word in content_words(about) if word not in asking and not word.startswith(asks))
    known = {stem(word) for word in asking}
    return frozenset(word for word in content_words(about) if word not in known)


def shares(word: str, text: str) -> bool:
    """Return whether `text` has a form of a content word."""
    if language_of(text) == "ja" or language_of(word) == "ja":
        return word in form(text)
    return any(same_stem(word, other) for other in content_words(text))


@lru_cache(maxsize=256)
def search_terms(text: str) -> str:
    """Return the words of a question about earlier conversations that are worth searching for, in their order."""
    if language_of(text) == "ja":
        asked = re.sub(NOTES.table("ja_wishes")["asked_back"], " ", form(text))
        found = _TERM.findall(NOTES.patterns("ja_compare")["frame"].sub(" ", asked))
        return " ".join(found) or text
    without = set(NOTES.table("en_compare")["without_content"].split())
    frame = re.compile(NOTES.table("en_wishes")["asked_back"])
    said = [(word, plain(word).split()) for word in re.findall(r"[^\W_][\w'’-]*", text)]
    words = [word for word, parts in said if not all(frame.fullmatch(part) or part in without for part in parts)]
    return " ".join(words) or text
