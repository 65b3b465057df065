"""Words of text in any language: sentences, content words by the lists of `words.toml`, and forms of one word."""

import re
import unicodedata
from functools import cache
from typing import Literal

from stopwordsiso import stopwords

from text.normalise import normalise
from text.numbers import NUMBER_WORDS
from text.tables import OWN

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+(?:[.,:]\d+)*")
_UNSPACED = re.compile(r"[\u3400-\u9fff\u3040-\u30ff々\u0e00-\u0eff\u1780-\u17ff\u1000-\u109f]")
_CONTENT = re.compile(r"[ァ-ヺー]{2,}|[\u3400-\u9fff々\u0e00-\u0eff\u1780-\u17ff\u1000-\u109f]")
"""What carries meaning in scripts without spaces: words in katakana, else characters; hiragana is grammar."""
_JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f]")
_SHARED_LETTERS, _SHARED_PART = 4, 0.6
Mark = Literal["denials", "absolutes", "sure", "hedges", "frames"]
_LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "no", "pl", "cs", "tr", "ko", "id")


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


@cache
def word_list(name: str) -> tuple[str, ...]:
    """Return the named list in its order. Raises KeyError when there is none."""
    words: str = OWN.table("words")[name]
    return tuple(words.split())


@cache
def word_set(name: str) -> frozenset[str]:
    """Return the named list as a set. Raises KeyError when there is none."""
    return frozenset(word_list(name))


@cache
def irregular_forms() -> dict[str, str]:
    """Return the English forms that no stemmer joins, each with the form it is indexed under."""
    forms: dict[str, str] = OWN.table("words")["irregular"]
    return {form: base for base, irregular in forms.items() for form in irregular.split()}


def english_words(text: str) -> list[str]:
    """Return the lower-case words and numbers of `text` in Latin script; hyphens and apostrophes end a word."""
    whole = normalise(text).casefold().replace("can't", "can not").replace("won't", "will not")
    return re.findall(r"[a-z]+|\d+(?:[.,:]\d+)*", whole.replace("n't", " not").replace("'", " "), re.ASCII)


def content_words(text: str) -> list[str]:
    """Return the words of `text` that state something, in order, unstemmed; number words as digits."""
    numbers = {word: str(value) for word, value in NUMBER_WORDS.items() if word != "one"}
    words = [numbers.get(word, word) for word in english_words(text)]
    return [word for word in words if word not in word_set("function_words") and (len(word) > 1 or word.isdigit())]


def japanese_terms(text: str) -> list[str]:
    """Return the runs of kanji or katakana that state something, without the words a preference is framed in."""
    text = normalise(text)
    for frame in word_list("frames_ja"):
        text = text.replace(frame, " ")
    return re.findall(r"[\u3400-\u9fff々]+|[ァ-ヺー]{2,}", text)


def key_terms(text: str, most: int) -> tuple[str, ...]:
    """Return up to `most` keywords of `text`: the longest content words in the order they occur."""
    generic = word_set("generic_words")
    words = [word for word in content_words(text) if word not in generic and not word.isdigit()]
    words += [term for term in japanese_terms(text) if len(term) > 1]
    words += [word for word in content_words(text) if word in generic]
    words = [word[:40] for word in words]
    chosen = sorted(dict.fromkeys(words), key=len, reverse=True)[:most]
    return tuple(sorted(chosen, key=words.index))


def sentences(text: str) -> list[str]:
    """Return the sentences of `text`, trimmed; a line break ends one too."""
    parts = re.split(r"(?<=[.!?。！？])\s*(?=\s|[^\x00-\x7f]|$)|[\r\n]+", text)
    return [part.strip() for part in parts if part and part.strip()]


def plain_words(text: str) -> str:
    """Return the letters and digits of `text` with single blanks, to find a quote whatever its punctuation."""
    return " ".join(re.findall(r"[^\W_]+", normalise(text).casefold().replace("'", "")))


def same_words(part: str, whole: str) -> bool:
    """Return whether the words of `part` occur in `whole` in order, side by side."""
    needle, hay = plain_words(part), plain_words(whole)
    if not needle:
        return False
    if not needle.isascii():
        return needle.replace(" ", "") in hay.replace(" ", "")
    return f" {needle} " in f" {hay} "


def marks(text: str, kind: Mark) -> frozenset[str]:
    """Return the words of one kind in `text`, each by the entry of the table that it meets."""
    spaced, anywhere = _entries(kind)
    folded = fold(text).replace("can't", "cannot").replace("can not", "cannot")
    spoken = re.findall(r"[^\W\d_]+", folded.replace("'", ""))
    found = {entry for word in spoken for entry in spaced if _meets(word, entry)}
    return frozenset(found | {entry for entry in anywhere if entry in text})


def unframed(text: str) -> str:
    """Return `text` without the words in which a note puts its stance, in scripts without spaces."""
    for entry in _entries("frames")[1]:
        text = text.replace(entry, " ")
    return text


def is_frame(word: str) -> bool:
    """Return True for a folded word in which a note puts its stance ("prefers")."""
    return any(_meets(word, entry) for entry in _entries("frames")[0])


def function_words(text: str) -> frozenset[str]:
    """Return the words that say nothing by themselves in the language that most of `text` is written in, folded.

    Where several languages have as many of its words, as in a short text, the words of all of them count.
    """
    spoken = {fold(word) for word in words(text)}
    hits = {language: len(spoken & listed) for language, listed in _function_words().items()}
    most = max(hits.values(), default=0)
    chosen = [listed for language, listed in _function_words().items() if hits[language] == most] if most else []
    return frozenset().union(*chosen)


def _meets(word: str, entry: str) -> bool:
    return word.startswith(entry[:-1]) if entry.endswith("*") else word == entry


@cache
def _entries(kind: Mark) -> tuple[tuple[str, ...], tuple[str, ...]]:
    table = OWN.table("grammar")
    return tuple(dict.fromkeys(fold(entry) for entry in table[kind])), tuple(table[f"{kind}_anywhere"])


@cache
def _function_words() -> dict[str, frozenset[str]]:
    return {language: frozenset(map(fold, stopwords(language))) for language in _LANGUAGES}
