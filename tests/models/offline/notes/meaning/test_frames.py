"""Ways to say one thing, whatever it is said of: `frames.txt` fills each of them with several things.

A block begins with its topic and the things, each with the forms that the ways need. All ways of a block say the same
of one thing; those marked with "-" say something else of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from pathlib import Path

from memory.records.notes import Note
from models.offline.notes.meaning import covers
from tests.samples import stated
from tests.tables import table
from text.words import is_japanese

_FILE = Path(__file__).with_name("frames.txt")
_Block = tuple[str, list[list[str]], list[str]]


def _blocks() -> list[_Block]:
    """The topic, the things in their forms, and the ways of each block."""
    found: list[_Block] = []
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            topic, things = line[2:].split(": ", 1)
            found.append((topic, [thing.split(", ") for thing in things.split("; ")], []))
        else:
            found[-1][2].append(line)
    return found


def _said(way: str, thing: Sequence[str], topic: str) -> Note:
    text = way.removeprefix("- ").format(*thing)
    return _noted(text[0].upper() + text[1:], topic)


@cache
def _noted(text: str, topic: str) -> Note:
    return stated(text, topic, when={})


def _meet(one: Note, other: Note) -> bool:
    return covers(one, other) or covers(other, one)


@table("block", _blocks())
def test_all_ways_say_the_same_of_one_thing_and_nothing_of_another(block: _Block) -> None:
    topic, things, ways = block
    for thing in things:
        plain = _said(ways[0], thing, topic)
        told = {way: _said(way, thing, topic) for way in ways}
        assert [one.text for way, one in told.items() if way[0] != "-" and not _meet(one, plain)] == []
        assert [one.text for way, one in told.items() if way[0] == "-" and _meet(one, plain)] == []
        others = [_said(ways[0], other, topic) for other in things if other != thing]
        assert [(one.text, other.text) for one, other in product(told.values(), others) if _meet(one, other)] == []


@table("topic", sorted({topic for topic, _, _ in _blocks()}))
def test_ways_of_one_block_say_nothing_of_the_things_of_another(topic: str) -> None:
    blocks = [block for block in _blocks() if block[0] == topic and block[1] != [["-"]]]
    met = [
        (one.text, other.text)
        for (_, mine, ways), (_, theirs, more) in product(blocks, blocks)
        for thing, another in product(mine, theirs)
        if not set(thing) & set(another) and is_japanese(ways[0]) == is_japanese(more[0])
        for one, other in product([_said(way, thing, topic) for way in ways], [_said(more[0], another, topic)])
        if _meet(one, other)
    ]
    assert met == []
