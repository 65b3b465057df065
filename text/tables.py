"""The tables of words: TOML files that hold lists, and patterns that compile at their first use."""

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
    """The tables of a folder, `<name>.toml`; `basics` are parts of patterns that all of them may use.

    For the folder of a language `code` names it, and `number` returns the value of a count in digits or words, 0 for
    what is none.
    """

    folder: Path
    code: str = ""
    basics: Mapping[str, str] = field(default_factory=dict)
    number: Callable[[str], int] = int

    @cache  # noqa: B019 - there is one object for each folder
    def table(self, name: str) -> dict[str, Any]:
        """Return the table `<name>.toml`. Raises FileNotFoundError when there is none."""
        return tomllib.loads((self.folder / f"{name}.toml").read_text(encoding="utf-8"))

    @cache  # noqa: B019
    def patterns(self, name: str, group: str = "") -> Mapping[str, re.Pattern[str]]:
        """Return the patterns of a table, or of a group of it, in their order; {part} is an entry of its macros."""
        table = self.table(name)
        macros = table.get("macros", {})
        bodies = table.get(group, {}) if group else {key: body for key, body in table.items() if body is not macros}
        return _Patterns(bodies, {**self.basics, **macros})

    def found(self, text: str, name: str, group: str = "") -> set[str]:
        """Return the keys of the patterns of a table, or of a group of it, that `text` matches."""
        return {key for key, known in self.patterns(name, group).items() if known.search(text)}

    def first(self, text: str, name: str, group: str = "") -> str:
        """Return the key of the first of the patterns that `text` matches; empty for none."""
        return next((key for key, known in self.patterns(name, group).items() if known.search(text)), "")


@dataclass(frozen=True, slots=True)
class _Patterns(Mapping[str, re.Pattern[str]]):
    """The patterns of a group; one that it does not have matches nothing."""

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
    """Return `body` with each `{name}` written out; `{hour2}` is `{hour}` with groups `hour2` and so on.

    A macro is a part of a pattern, or a list of words of which one is meant.
    """
    while found := re.search(r"\{([A-Za-z_]+)(2?)\}", body):
        macro = macros[found[1]]
        written = macro if isinstance(macro, str) else alternatives(map(re.escape, macro))
        written = re.sub(r"\(\?P<(\w+)>", r"(?P<\g<1>2>", written) if found[2] else written
        body = body[: found.start()] + written + body[found.end() :]
    return body


def alternatives(words: Iterable[str]) -> str:
    """Return a regular expression group that matches any of `words`, the longest first."""
    return "(?:" + "|".join(sorted(words, key=len, reverse=True)) + ")"


OWN = Words(Path(__file__).parent)
"""The tables of this room, `words` and `grammar`."""
