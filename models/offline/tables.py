"""Reads the word tables of a language, and builds patterns from them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent
_OTHER_SHARE, _LATER = 0.25, -0.01
_LEVELS = ("hard", "strong", "mild", "habit", "wish", "fragment")


@cache
def table(code: str, name: str) -> dict[str, Any]:
    """Return the word table `<code>/words/<name>.toml`. Raises FileNotFoundError when there is none."""
    return tomllib.loads((_FOLDER / code / "words" / f"{name}.toml").read_text(encoding="utf-8"))


def alternatives(words: Iterable[str]) -> str:
    """Return a regular expression group that matches any of `words`, the longest first."""
    return "(?:" + "|".join(sorted(words, key=len, reverse=True)) + ")"


@dataclass(frozen=True, slots=True)
class RequestKind:
    """A kind of request: the words of such a request, and the words and topics of the notes that matter for it.

    `limits` lets every hard limit matter, `everything` every note.
    """

    kind: str
    pattern: re.Pattern[str]
    notes: re.Pattern[str] | None
    topics: tuple[str, ...]
    limits: bool
    everything: bool


@cache
def request_kinds(code: str) -> tuple[RequestKind, ...]:
    """Return the kinds of requests of a language; in English their patterns match whole words."""
    edge = r"\b" if code == "en" else ""
    return tuple(
        RequestKind(
            entry["kind"],
            re.compile(f"{edge}(?:{entry['pattern']}){edge}"),
            re.compile(f"{edge}(?:{entry['notes']}){edge}") if entry["notes"] else None,
            tuple(entry["topics"]),
            entry["limits"],
            entry.get("everything", False),
        )
        for entry in table(code, "concerns")["concern"]
    )


@dataclass(frozen=True, slots=True)
class Stance:
    """A stance found in a text: how lasting it is, and where its words end."""

    name: str
    level: str
    end: int


@cache
def _stances(code: str) -> list[tuple[str, str, re.Pattern[str]]]:
    words = table(code, "stance")
    macros: dict[str, str] = {}
    for name, body in words["macros"].items():
        macros[name] = _expand(body, macros)
    return [(entry["name"], entry["level"], re.compile(_expand(entry["pattern"], macros))) for entry in words["stance"]]


def _expand(body: str, macros: Mapping[str, str]) -> str:
    return re.sub(r"\{([A-Za-z]\w*)\}", lambda match: macros[match[1]], body)


def find_stances(code: str, form: str) -> list[Stance]:
    """Return every stance in matched text, the most lasting first."""
    found = [
        Stance(name, level, match.end()) for name, level, pattern in _stances(code) if (match := pattern.search(form))
    ]
    return sorted(found, key=lambda stance: _LEVELS.index(stance.level))


@dataclass(frozen=True, slots=True)
class Hit:
    """A travel word in a text: its place, its topic and its weight."""

    start: int
    end: int
    topic: str
    weight: float


def find_hits(text: str, patterns: Iterable[tuple[str, float, re.Pattern[str]]]) -> list[Hit]:
    """Return the travel words of `text`; of two that overlap the longer one, of equals the one listed first."""
    found = [
        Hit(match.start(), match.end(), topic, weight)
        for topic, weight, pattern in patterns
        for match in pattern.finditer(text)
    ]
    found.sort(key=lambda hit: (-(hit.end - hit.start), -hit.weight))
    kept: list[Hit] = []
    for hit in found:
        if all(hit.end <= other.start or hit.start >= other.end for other in kept):
            kept.append(hit)
    return sorted(kept, key=lambda hit: hit.start)


def heaviest_topic(found: Sequence[Hit], first: float = 0.0) -> str | None:
    """Return the topic with most weight, `other` only alone; None without a travel word. `first` favours the first."""
    weights: dict[str, float] = {}
    for position, hit in enumerate(found):
        bonus = _LATER * position if position else first
        share = hit.weight * (_OTHER_SHARE if hit.topic == "other" else 1.0) + bonus
        weights[hit.topic] = weights.get(hit.topic, 0.0) + share
    return max(weights, key=lambda topic: weights[topic], default=None)
