"""The form of a clause in which it is matched, and the tables of words and patterns of a language."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

BLANK = "■"
_NOTHING = re.compile(r"(?!)")
"""What stands for a letter that has been read."""
_KATAKANA = re.compile(r"[ァ-ヴー]")


@dataclass(frozen=True, eq=False)
class Words:
    """The tables of a language, `words/<name>.toml`; `basics` are parts of patterns that all of them may use."""

    code: str
    folder: Path
    basics: Mapping[str, str]
    number: Callable[[str], int]
    """Returns the value of a count in digits or words, 0 for what is none."""

    @cache  # noqa: B019 - there is one object for each language
    def table(self, name: str) -> dict[str, Any]:
        """Return the table `words/<name>.toml`."""
        return tomllib.loads((self.folder / "words" / f"{name}.toml").read_text(encoding="utf-8"))

    @cache  # noqa: B019
    def patterns(self, name: str, group: str) -> Mapping[str, re.Pattern[str]]:
        """Return the patterns of a group of a table in their order; {part} in one stands for an entry of its macros."""
        words = self.table(name)
        return _Patterns(words.get(group, {}), {**self.basics, **words.get("macros", {})})


@dataclass(frozen=True, slots=True)
class _Patterns(Mapping[str, re.Pattern[str]]):
    """The patterns of a group, each compiled at its first use; one that a language does not have matches nothing."""

    bodies: Mapping[str, str]
    macros: Mapping[str, str]
    compiled: dict[str, re.Pattern[str]] = field(default_factory=dict)

    def __getitem__(self, key: str) -> re.Pattern[str]:
        if key not in self.compiled:
            body = self.bodies.get(key)
            self.compiled[key] = _NOTHING if body is None else re.compile(_expanded(body, self.macros))
        return self.compiled[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.bodies)

    def __len__(self) -> int:
        return len(self.bodies)


def _expanded(body: str, macros: Mapping[str, str]) -> str:
    """Return `body` with each `{name}` written out; `{hour2}` is `{hour}` with groups `hour2` and so on."""
    while found := re.search(r"\{([a-z_]+)(2?)\}", body):
        macro = re.sub(r"\(\?P<(\w+)>", r"(?P<\g<1>2>", macros[found[1]]) if found[2] else macros[found[1]]
        body = body[: found.start()] + macro + body[found.end() :]
    return body


@dataclass(slots=True)
class Form:
    """A clause as it is matched: `whole`, and `left`, in which what has been read is blanked out.

    So no later reader takes it again. `taken` are the stretches read, with what they were; `spans` say where each
    stretch of `whole` stands in `said`, and are empty where the two are as long as each other.
    """

    said: str
    whole: str
    words: Words
    spans: Sequence[tuple[int, int, int, int]] = ()
    left: str = ""
    taken: list[tuple[int, int, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Begin with all of it left."""
        self.left = self.whole

    def patterns(self, name: str, group: str) -> Mapping[str, re.Pattern[str]]:
        """Return the patterns of a group of the language of the clause."""
        return self.words.patterns(name, group)

    def says(self, name: str, group: str, key: str) -> re.Match[str] | None:
        """Return where the clause matches a pattern, read or not."""
        return self.patterns(name, group)[key].search(self.whole)

    def take(self, pattern: re.Pattern[str], what: str) -> Iterator[re.Match[str]]:
        """Yield the matches in what is left, and blank each out as `what`; none that begins within a katakana word."""
        for match in list(pattern.finditer(self.left)):
            if BLANK not in match[0] and not self._within_word(match.start()):
                self.blank(match.start(), match.end(), what)
                yield match

    def first(self, pattern: re.Pattern[str], what: str) -> re.Match[str] | None:
        """Return the first match in what is left, blanked out, or None."""
        found = pattern.search(self.left)
        if found:
            self.blank(found.start(), found.end(), what)
        return found

    def blank(self, start: int, end: int, what: str) -> None:
        """Blank out a stretch as read."""
        self.left = self.left[:start] + re.sub(r"\S", BLANK, self.left[start:end]) + self.left[end:]
        self.taken.append((start, end, what))

    def own(self, start: int, end: int) -> str:
        """Return the traveller's own words for a stretch."""
        inside = [span for span in self.spans if span[0] < end and span[1] > start]
        return self.said[inside[0][2] : inside[-1][3]] if inside else self.whole[start:end]

    def _within_word(self, at: int) -> bool:
        """Return whether a word in katakana goes on at `at` (「プール」 in 「クアラルンプール」)."""
        return at > 0 and bool(_KATAKANA.match(self.left, at)) and bool(_KATAKANA.match(self.left, at - 1))
