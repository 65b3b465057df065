"""Compiles regular expressions at their first use, and reads those of `tables/`: one file for each kind of data."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_TABLES = Path(__file__).parent / "tables"
_REFERENCE = re.compile(r"\(\?&(?:(\w+)\.)?(\w+)(?: (\d+) (\d+))?\)")
_BETWEEN = (
    r"(?:\s*(?:[:=#>.,;|/(\-\"']|->|ist?|est?|lautet|are|was|it's|its|'s|will|it|as|for|of|to|on|my|the|our|this|that|and|"
    r"number|numbers|num|no|nr|nos|code|id|ref|reference|card|visa|"
    r"reads?|ends?|starts?|goes|with|digits?|follows?|following|currently|still|new|old|here|full|british|us|"
    r"uk|japanese|german|french|"
    r"be|should|use|enter|type|set|you|can|me|at|on|under|reach|"
    r"普通|当座|支店|は|が|を|も|の|番号|コード|、|です|に|で|「|【|『|\uff1a)){0,7}\s*"
)
_AFTER = (
    r"[\s\"'」』】)]*(?:,|\.|-|\(|=|<-|is|are|was|as|が|は|というのが|\u2192)\s*(?:for )?(?:my|our|the|his|her|"
    r"私の|僕の)?\s*(?:\w+ ){0,2}"
)


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Return `pattern` compiled, at its first use: compiling all of them at import would take longer than most runs.

    Words and their edges are ASCII, so that a number right after a Japanese word still starts at an edge.
    """
    return re.compile(pattern, re.IGNORECASE | re.ASCII)


@cache
def _parts(words: str) -> tuple[str, ...]:
    return tuple(words.split("|"))


def has_any(words: str, text: str) -> bool:
    """Return whether one of `words`, separated by `|`, is a substring of `text`."""
    return any(map(text.__contains__, _parts(words)))


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern that is searched for only where one of its `triggers` occurs.

    Attributes:
        triggers: Lower-case substrings separated by `|`, one of which is in every text the pattern can match.
        pattern: A regular expression, matched without regard to case.
        unless: What makes the whole text harmless after all.
    """

    triggers: str
    pattern: str
    unless: str = ""

    def hits(self, text: str) -> bool:
        """Return whether the rule matches `text`, which is lower-case already."""
        if not has_any(self.triggers, text):
            return False
        if not compiled(self.pattern).search(text):
            return False
        return not (self.unless and compiled(self.unless).search(text))


@dataclass(frozen=True, slots=True)
class Label:
    """Words that announce a value of one kind, and what such a value looks like.

    Attributes:
        kind: What the value is.
        triggers: Lower-case substrings separated by `|`, one of which is in every text with the label.
        words: The label, as a regular expression.
        value: The value, as a regular expression.
        loose: A value so telling that any few words may stand between the label and it.
    """

    kind: str
    triggers: str
    words: str
    value: str
    loose: str = ""

    def hits(self, text: str) -> bool:
        """Return whether the label and a value stand together in `text`."""
        if not has_any(self.triggers, text.lower()):
            return False
        found = [rf"(?:{self.words}){_BETWEEN}(?:{self.value})", rf"(?:{self.value}){_AFTER}(?:{self.words})"]
        if self.loose:
            found.append(rf"(?:{self.words})[^\d;!?]{{0,40}}?(?:{self.loose})")
        return any(compiled(pattern).search(text) for pattern in found)


@dataclass(frozen=True, slots=True)
class Patterns:
    """The regular expressions of one file in `tables/`, read and compiled at their first use.

    A pattern may refer to others by name: `(?&name)` in the same file, `(?&file.name)` in another; `(?&digits 4 8)` and
    `(?&mixed 6 10)` stand for a value of that many characters. Line breaks in a pattern are ignored. A name may hold a
    list of patterns, any of which counts. Case is ignored unless the pattern says `(?-i:...)`.
    """

    file: str

    def search(self, name: str, text: str) -> re.Match[str] | None:
        """Return the first match of the named pattern, or of the first pattern of a list that matches."""
        return next((found for pattern in _sources(self.file, name) if (found := compiled(pattern).search(text))), None)

    def finditer(self, name: str, text: str) -> Iterator[re.Match[str]]:
        """Yield the matches of the named pattern or patterns."""
        for pattern in _sources(self.file, name):
            yield from compiled(pattern).finditer(text)

    def sub(self, name: str, new: str, text: str) -> str:
        """Return `text` with each match of the named pattern or patterns replaced by `new`."""
        for pattern in _sources(self.file, name):
            text = compiled(pattern).sub(new, text)
        return text

    def triggered(self, name: str, text: str) -> bool:
        """Return whether one of the named substrings, separated by `|`, is in `text`."""
        return has_any(_sources(self.file, name)[0], text)

    def words(self, name: str) -> frozenset[str]:
        """Return the named list of words, which blanks separate."""
        return _words(self.file, name)

    def records(self, name: str) -> tuple[dict[str, Any], ...]:
        """Return the named table, or array of tables, with references resolved."""
        return _records(self.file, name)

    def labels(self, name: str) -> tuple[Label, ...]:
        """Return the named label or labels."""
        return tuple(Label(**record) for record in self.records(name))

    def rule(self, name: str) -> Rule:
        """Return the named rule."""
        return Rule(**self.records(name)[0])


@cache
def _table(file: str) -> dict[str, Any]:
    return tomllib.loads((_TABLES / f"{file}.toml").read_text(encoding="utf-8"))


@cache
def _sources(file: str, name: str) -> tuple[str, ...]:
    value: str | list[str] = _table(file)[name]
    return tuple(_resolve(file, pattern) for pattern in ([value] if isinstance(value, str) else value))


@cache
def _words(file: str, name: str) -> frozenset[str]:
    return frozenset(_table(file)[name].split())


@cache
def _records(file: str, name: str) -> tuple[dict[str, Any], ...]:
    value: dict[str, Any] | list[dict[str, Any]] = _table(file)[name]
    records = [value] if isinstance(value, dict) else value
    return tuple(
        {key: _resolve(file, field) if isinstance(field, str) else field for key, field in record.items()}
        for record in records
    )


def _resolve(file: str, pattern: str) -> str:
    """Return `pattern` without line breaks and with the patterns that it refers to put in."""

    def resolved(reference: re.Match[str]) -> str:
        other, name, fewest, most = reference.groups()
        if fewest:
            return (_digits if name == "digits" else _mixed)(int(fewest), int(most))
        return _sources(other or file, name)[0]

    return _REFERENCE.sub(resolved, pattern.replace("\n", ""))


def _digits(fewest: int, most: int) -> str:
    """Return a pattern for `fewest`..`most` digits, spaced or dashed as people do."""
    return rf"(?<![\d])\d(?:[\s.\-/の]{{0,2}}\d){{{fewest - 1},{most - 1}}}(?!\d)"


def _mixed(fewest: int, most: int) -> str:
    """Return a pattern for `fewest`..`most` letters and digits with two digits or more, spaced or dashed in groups."""
    whole = rf"(?=(?:[a-z]*\d){{2}})[a-z0-9]{{{fewest},{most}}}"
    spaced = (
        r"(?!(?:in|on|at|to|by|of|is|no|nr|for|and|the|my|id|was|are|as|from|"
        r"till?)\b)[a-z]{1,3}(?:[\s\-.]?\d){3,12}(?:[\s\-.]?[a-z](?![a-z]))?"
    )
    dashed = r"(?=(?:[a-z\-]*\d){2})(?:[a-z0-9]{2,5}-){1,4}[a-z0-9]{2,5}"
    return rf"(?<![a-z0-9])(?:{whole}|{spaced}|{dashed})(?![a-z0-9])"
