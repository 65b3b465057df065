"""Tables of words in TOML files: lists, and regular expressions that are compiled at first use."""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

_NOTHING = re.compile(r"(?!)")


@dataclass(frozen=True, eq=False)
class Words:
    """The tables `<name>.toml` of a folder; `basics` are macros that the patterns of all tables may use.

    For the folder of a language, `code` is the language, and `number` returns the value of a count in digits or words,
    or 0 for any other text.
    """

    folder: Path
    code: str = ""
    basics: Mapping[str, str] = field(default_factory=dict)
    number: Callable[[str], int] = int

    @cache  # noqa: B019 - there is one object for each folder
    def table(self, name: str) -> dict[str, Any]:
        """Return the table `<name>.toml`. Raises FileNotFoundError if it does not exist."""
        return tomllib.loads((self.folder / f"{name}.toml").read_text(encoding="utf-8"))

    @cache  # noqa: B019
    def patterns(self, name: str, group: str = "") -> Mapping[str, re.Pattern[str]]:
        """Return the patterns of a table, or of one group of it, in order; `{name}` in a pattern is a macro."""
        table = self.table(name)
        macros = table.get("macros", {})
        bodies = table.get(group, {}) if group else {key: body for key, body in table.items() if body is not macros}
        return _Patterns(bodies, {**self.basics, **macros})

    def found(self, text: str, name: str, group: str = "") -> set[str]:
        """Return the keys of the patterns of a table, or of one group of it, that occur in `text`."""
        return {key for key, pattern in self.patterns(name, group).items() if pattern.search(text)}

    def first(self, text: str, name: str, group: str = "") -> str:
        """Return the key of the first of these patterns that occurs in `text`, or an empty string."""
        return next((key for key, pattern in self.patterns(name, group).items() if pattern.search(text)), "")


@dataclass(frozen=True, slots=True)
class _Patterns(Mapping[str, re.Pattern[str]]):
    """The compiled patterns of a group; the pattern of an unknown key matches nothing."""

    bodies: Mapping[str, str]
    macros: Mapping[str, str | list[str]]
    compiled: dict[str, re.Pattern[str]] = field(default_factory=dict)

    def __getitem__(self, key: str) -> re.Pattern[str]:
        if key not in self.compiled:
            body = self.bodies.get(key)
            self.compiled[key] = _NOTHING if body is None else re.compile(expanded(body, self.macros))
        return self.compiled[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.bodies)

    def __len__(self) -> int:
        return len(self.bodies)


def expanded(body: str, macros: Mapping[str, str | list[str]]) -> str:
    """Return `body` with each `{name}` replaced by its macro; `{hour2}` is `{hour}` with 2 added to its group names.

    A macro is a part of a pattern, or a list of alternative words.
    """
    while match := re.search(r"\{([A-Za-z_]+)(2?)\}", body):
        macro = macros[match[1]]
        expansion = macro if isinstance(macro, str) else alternatives(map(re.escape, macro))
        expansion = re.sub(r"\(\?P<(\w+)>", r"(?P<\g<1>2>", expansion) if match[2] else expansion
        body = body[: match.start()] + expansion + body[match.end() :]
    return body


def alternatives(words: Iterable[str]) -> str:
    """Return a regular expression group that matches any of `words`, the longest first."""
    return "(?:" + "|".join(sorted(words, key=len, reverse=True)) + ")"


TABLES = Words(Path(__file__).parent)
"""The tables of this package, `words` and `grammar`."""
