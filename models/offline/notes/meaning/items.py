"""Parses a statement into items: concepts with their roles, words, numbers and names, in order.

At each position the longest phrase of the lexicon wins. `lexicon/order.toml` has the rules that rewrite sequences of
items, such as "leave the onions out" or "an hour".
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from models.offline.notes.meaning.lexicon import Entry, Token, corrected, longest, phrases, relations, tokens, words
from models.offline.tables import LEXICON
from text import normalise
from text.numbers import MONTHS, kanji_number
from text.tables import expanded
from text.words import is_japanese


@dataclass(frozen=True, slots=True)
class Item:
    """A piece of a statement: its `role` and its content (`name`); `proper` if it was written as a proper name."""

    role: str
    name: str = ""
    proper: bool = False


@lru_cache(maxsize=4096)
def items_of(text: str, topic: str = "") -> tuple[Item, ...]:
    """Return the concepts, words, numbers and names of `text` in order.

    Some words are a concept under one `topic` only ("brief", of messages).
    """
    return tuple(_japanese(text, topic) if is_japanese(text) else _english(text, topic))


_LINE = re.compile(r"(\w*)(!?) (.*)\n")
_MINUTES = {"hour": 60, "minute": 1}


def _ordered(items: Sequence[Item], language: str) -> list[Item]:
    """Return the items rewritten by the rules of a language."""
    written = "".join(f"{one.role}{'!' * one.proper} {one.name}\n" for one in items)
    for pattern, new in _rules(language):
        written = pattern.sub(new, written)
    return [Item(role, name, bool(mark)) for role, mark, name in _LINE.findall(written)]


@cache
def _rules(language: str) -> list[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]]:
    table = LEXICON.table("order")
    rules = [(expanded(find, table["macros"]), put) for group in table[language] for find, put in table["rules"][group]]
    return [(re.compile(find, re.MULTILINE), _minutes if put == "@minutes" else put) for find, put in rules]


def _minutes(match: re.Match[str]) -> str:
    number = match[1][1:]
    value = f"#{float(number) * _MINUTES[match[2]]:g}" if number.replace(".", "", 1).isdigit() else match[1]
    return f"number {value}min\n"


_END = Token(".", "mark")


def _english(text: str, topic: str = "") -> list[Item]:
    sentence = [corrected(one) for one in (*tokens(text), _END) if one.base not in words("articles")]
    items: list[Item] = []
    at = 0
    while at < len(sentence):
        item, at = _next(sentence, at, topic)
        items.append(item)
    return _ordered(items, "english")


def _next(sentence: Sequence[Token], at: int, topic: str) -> tuple[Item, int]:
    """Return the item that begins at `at`, and the index after it."""
    token = sentence[at]
    own, general = phrases("en", topic), phrases("en", "")
    entry, end = max((_phrase(sentence, at, own), _phrase(sentence, at, general)), key=lambda pair: pair[1])
    strange = relations()["strange"].get(topic, ())  # the "front" of a theatre is no seat on a plane
    if end == at + 1 and entry is not None and entry.name.partition(":")[0] in strange:
        entry = own.get(token.base)
    if end > at + 1 and token.base in words("spans") and at and sentence[at - 1].kind == "number":
        entry, end = None, at + 1
    # "Miles & More" and "Best Western" are names, whatever their words do elsewhere.
    if entry is not None and token.name and end == at + 1 and entry.role in words("grammar"):
        return Item("word", token.base, proper=True), end
    if token.raw in words("past") and end <= at + 1 and not any(each.raw in words("ongoing") for each in sentence[:at]):
        return Item("mention", token.base), at + 1
    if entry is not None:
        return Item(entry.role, entry.name or token.base), end
    role = "number" if token.kind == "number" else "word"
    return Item(role, token.raw if token.name else token.base, proper=token.name), at + 1  # Leeds is no plural


def _phrase(sentence: Sequence[Token], at: int, entries: Mapping[str, Entry]) -> tuple[Entry | None, int]:
    """Return the entry of the longest phrase that begins at `at` (None for none), and the index after it."""
    bases = [one.base for one in sentence[at : at + longest("en")]]
    for size in range(len(bases), 0, -1):
        if entry := entries.get(" ".join(bases[:size])):
            return entry, at + size
    return None, at


_RUN = re.compile(r"[a-zA-Z][a-zA-Z.'&-]*(?: [a-zA-Z][a-zA-Z.'&-]*)*|\d+(?:[.,:]\d+)*")
_TIMES = {"万": 10_000, "千": 1_000}
_KATAKANA = re.compile(r"[\u30a0-\u30ff]+")
_SHORT = 3
"""The most letters of a katakana word that may be a part of an unknown longer one: "スイカ" does not contain "イカ"."""


def _japanese(text: str, topic: str) -> list[Item]:
    plain = _figures(text)
    entries = {**phrases("ja", ""), **phrases("ja", topic)} if phrases("ja", topic) else phrases("ja", "")
    items: list[Item] = []
    pending, at = "", 0
    while at < len(plain):
        run = _RUN.match(plain, at)
        phrase = _letters(plain, at, entries)
        if phrase and not _is_part(plain, at, phrase, pending, entries):
            items += [*_words(pending), Item(entries[phrase].role, entries[phrase].name or phrase)]
            pending, at = "", at + len(phrase)
        elif run:
            items += [*_words(pending), *_foreign(run[0])]
            pending, at = "", run.end()
        else:
            pending += plain[at]
            at += 1
    return _ordered([*items, *_words(pending)], "japanese")


def _figures(text: str) -> str:
    """Return a text with numbers in digits, times as H:MM, durations in minutes, and dates in English."""
    patterns = LEXICON.patterns("order", "figures")
    plain = patterns["kanji"].sub(lambda found: str(kanji_number(found[0])), normalise(text))
    plain = patterns["both"].sub(lambda found: str(int(found[1]) * 10_000 + int(found[2]) * 1_000), plain)
    plain = patterns["date"].sub(lambda found: f"{found[3] or ''} {MONTHS[int(found[2]) - 1]} {found[1]} ", plain)
    plain = patterns["hour"].sub(_clock, plain)
    plain = patterns["span"].sub(lambda found: f"{int(found[1]) * 60 + (30 if found[2] else int(found[3]))}分", plain)
    plain = patterns["up_to"].sub(r"\1以下", plain).replace(",", "")
    return patterns["large"].sub(lambda found: f"{float(found[1]) * _TIMES[found[2]]:.0f}", plain)


def _clock(match: re.Match[str]) -> str:
    later = 12 if match[1] in ("午後", "夜", "夕方") and int(match[2]) < 12 else 0
    return f"{int(match[2]) + later}:{'30' if match[3] else match[4] or '00'}"


def _letters(plain: str, at: int, entries: Mapping[str, Entry]) -> str:
    """Return the longest phrase that begins at `at`; of conjunctions, the one that reads furthest; empty for none.

    「えびとかに」 is shrimp and crab, 「肉とかにんじん」 is meat, carrots and the like.
    """
    sizes = range(longest("ja"), 0, -1)
    matches = [plain[at : at + size] for size in sizes if plain[at : at + size] in entries]
    if len(matches) < 2 or entries[matches[0]].role != "list":
        return next(iter(matches), "")

    def reached(phrase: str) -> tuple[int, bool]:
        after = _letters(plain, at + len(phrase), entries)
        return len(phrase + after), bool(after) and entries[after].role == "value"

    return max(matches, key=reached)


def _is_part(plain: str, at: int, phrase: str, pending: str, entries: Mapping[str, Entry]) -> bool:
    """Return whether a short katakana word is only a part of a longer, unknown one."""
    if len(phrase) > _SHORT or entries[phrase].role != "value" or not _KATAKANA.fullmatch(phrase):
        return False
    end = at + len(phrase)
    goes_on = bool(_KATAKANA.match(plain, end)) and not _letters(plain, end, entries)
    return bool(_KATAKANA.fullmatch(pending[-1:])) or goes_on


def _words(pending: str) -> list[Item]:
    """Return the text that no phrase matched as a word; a single hiragana is the tail of an inflected form."""
    word = " ".join(pending.split())
    return [Item("word", word)] if is_japanese(word) and not ("ぁ" <= word <= "ん" and len(word) == 1) else []


def _foreign(run: str) -> list[Item]:
    if run[0].isdigit():
        return [Item("number", "#" + run.replace(",", ""))]
    return [item for item in _english(run) if item.role in ("value", "context", "word", "person", "domain")]
