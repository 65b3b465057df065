"""Words and sentences of text in any language, and comparison of words, with the lists of `words.toml`."""

import re
import unicodedata
from functools import cache
from typing import Literal

from stopwordsiso import stopwords

from text.normalise import normalise
from text.numbers import NUMBER_WORDS
from text.tables import TABLES

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+(?:[.,:]\d+)*")
_UNSPACED = re.compile(r"[\u3400-\u9fff\u3040-\u30ff々\u0e00-\u0eff\u1780-\u17ff\u1000-\u109f]")
_CONTENT = re.compile(r"[ァ-ヺー]{2,}|[\u3400-\u9fff々\u0e00-\u0eff\u1780-\u17ff\u1000-\u109f]")
"""Content of scripts without spaces: words in katakana, other characters one by one; hiragana is mostly grammar."""
_JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f]")
_LONGEST = 400
"""The most characters of a sentence that is read in one."""
_SPACES = re.compile(r"(\s)\1{8,}")
_SENTENCE = re.compile(r"(?:[^.!?。！？\n]|[.!?](?!\s))+")
_LINE = re.compile(rf"(?:.{{{_LONGEST // 2},{_LONGEST - 1}}}[,，、;:\s]|.{{{_LONGEST}}})(?=.)")
_SHARED_LETTERS, _SHARED_PART = 4, 0.6
Mark = Literal["denials", "absolutes", "sure", "hedges", "frames"]
_LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "no", "pl", "cs", "tr", "ko", "id")


def fold(text: str) -> str:
    """Return `text` normalised, in lower case and without accents, to compare words."""
    parts = unicodedata.normalize("NFKD", normalise(text).casefold())
    plain = "".join(char for char in parts if not unicodedata.combining(char))
    return unicodedata.normalize("NFC", plain).replace("’", "'")


def words(text: str) -> list[str]:
    """Return the words and numbers of `text` that are in scripts with spaces."""
    return [word for word in _WORD.findall(normalise(text)) if not _UNSPACED.search(word)]


def numbers(text: str) -> set[str]:
    """Return the numbers of `text` in digits, without leading zeros."""
    return {digits.lstrip("0") or "0" for digits in re.findall(r"\d+", normalise(text))}


def characters(text: str) -> list[str]:
    """Return the content characters of scripts without spaces, in order; words in katakana are not split."""
    return _CONTENT.findall(normalise(text))


def is_unspaced(text: str) -> bool:
    """Return whether `text` is written in a script without spaces."""
    return bool(_UNSPACED.search(text))


def is_japanese(text: str) -> bool:
    """Return True for text with kana or kanji."""
    return bool(_JAPANESE.search(text))


def same_stem(one: str, other: str) -> bool:
    """Return whether two folded words are equal, or share most of the shorter one's beginning: "birding", "birds"."""
    if one == other:
        return True
    shortest = min(len(one), len(other))
    shared = next((index for index in range(shortest) if one[index] != other[index]), shortest)
    return shared >= _SHARED_LETTERS and shared >= _SHARED_PART * shortest


@cache
def word_list(name: str) -> tuple[str, ...]:
    """Return a list of `words.toml` in order. Raises KeyError if it does not exist."""
    words: str = TABLES.table("words")[name]
    return tuple(words.split())


@cache
def word_set(name: str) -> frozenset[str]:
    """Return a list of `words.toml` as a set. Raises KeyError if it does not exist."""
    return frozenset(word_list(name))


@cache
def irregular_forms() -> dict[str, str]:
    """Return irregular English forms that the stemmer does not know, each with its base form."""
    forms: dict[str, str] = TABLES.table("words")["irregular"]
    return {form: base for base, irregular in forms.items() for form in irregular.split()}


def english_words(text: str) -> list[str]:
    """Return the lower-case words and numbers of `text` in Latin script; hyphens and apostrophes end a word."""
    spelled = normalise(text).casefold().replace("can't", "can not").replace("won't", "will not")
    return re.findall(r"[a-z]+|\d+(?:[.,:]\d+)*", spelled.replace("n't", " not").replace("'", " "), re.ASCII)


def content_words(text: str) -> list[str]:
    """Return the content words of `text` in order, unstemmed; number words become digits."""
    numbers = {word: str(value) for word, value in NUMBER_WORDS.items() if word != "one"}
    words = [numbers.get(word, word) for word in english_words(text)]
    return [word for word in words if word not in word_set("function_words") and (len(word) > 1 or word.isdigit())]


def japanese_terms(text: str) -> list[str]:
    """Return the runs of kanji or katakana in `text`, without words that only express a preference."""
    text = normalise(text)
    for frame in word_list("frames_ja"):
        text = text.replace(frame, " ")
    return re.findall(r"[\u3400-\u9fff々]+|[ァ-ヺー]{2,}", text)


def key_terms(text: str, most: int) -> tuple[str, ...]:
    """Return up to `most` keywords of `text`: its longest content words, in order of occurrence."""
    generic = word_set("generic_words")
    words = [word for word in content_words(text) if word not in generic and not word.isdigit()]
    words += [term for term in japanese_terms(text) if len(term) > 1]
    words += [word for word in content_words(text) if word in generic]
    words = [word[:40] for word in words]
    chosen = sorted(dict.fromkeys(words), key=len, reverse=True)[:most]
    return tuple(sorted(chosen, key=words.index))


def sentences(text: str) -> list[str]:
    """Return the sentences of `text`, stripped; a line break ends a sentence too."""
    parts = re.split(r"(?<=[.!?。！？])\s*(?=\s|[^\x00-\x7f]|$)|[\r\n]+", text)
    return [part.strip() for part in parts if part and part.strip()]


def in_lines(text: str) -> str:
    """Return `text` with line breaks in sentences of more than 400 characters, after a comma or space if there is one.

    No pattern for a sentence is then matched against more, so that reading takes time in proportion to the length; for
    the same reason, of a longer run of equal spaces only two remain.
    """
    spaced = _SPACES.sub(r"\1\1", text)
    return _SENTENCE.sub(lambda each: each[0] if len(each[0]) <= _LONGEST else _LINE.sub(r"\g<0>\n", each[0]), spaced)


def plain_words(text: str) -> str:
    """Return the words of `text` with single spaces and without punctuation, to compare quotes."""
    return " ".join(re.findall(r"[^\W_]+", normalise(text).casefold().replace("'", "")))


def same_words(part: str, whole: str) -> bool:
    """Return whether the words of `part` occur in `whole`, consecutively and in order."""
    needle, haystack = plain_words(part), plain_words(whole)
    if not needle:
        return False
    if not needle.isascii():
        return needle.replace(" ", "") in haystack.replace(" ", "")
    return f" {needle} " in f" {haystack} "


def marks(text: str, kind: Mark) -> frozenset[str]:
    """Return the entries of one kind in `grammar.toml` that match a word of `text`."""
    spaced, anywhere = _entries(kind)
    folded = fold(text).replace("can't", "cannot").replace("can not", "cannot")
    in_text = re.findall(r"[^\W\d_]+", folded.replace("'", ""))
    matching = {entry for word in in_text for entry in spaced if _matches(word, entry)}
    return frozenset(matching | {entry for entry in anywhere if entry in text})


def unframed(text: str) -> str:
    """Return `text` without the words that express the stance of a note, in scripts without spaces."""
    for entry in _entries("frames")[1]:
        text = text.replace(entry, " ")
    return text


def is_frame(word: str) -> bool:
    """Return True for a folded word that expresses the stance of a note ("prefers")."""
    return any(_matches(word, entry) for entry in _entries("frames")[0])


def function_words(text: str) -> frozenset[str]:
    """Return all folded function words of the language with the most function words in `text`.

    If several languages have equally many, as in a short text, return the function words of all of them.
    """
    in_text = {fold(word) for word in words(text)}
    hits = {language: len(in_text & listed) for language, listed in _function_words().items()}
    most = max(hits.values(), default=0)
    chosen = [listed for language, listed in _function_words().items() if hits[language] == most] if most else []
    return frozenset().union(*chosen)


def _matches(word: str, entry: str) -> bool:
    return word.startswith(entry[:-1]) if entry.endswith("*") else word == entry


@cache
def _entries(kind: Mark) -> tuple[tuple[str, ...], tuple[str, ...]]:
    table = TABLES.table("grammar")
    return tuple(dict.fromkeys(fold(entry) for entry in table[kind])), tuple(table[f"{kind}_anywhere"])


@cache
def _function_words() -> dict[str, frozenset[str]]:
    return {language: frozenset(map(fold, stopwords(language))) for language in _LANGUAGES}
