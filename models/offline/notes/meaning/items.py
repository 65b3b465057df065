"""Reads a statement into items: concepts with what they do there, words, numbers and names, in their order.

At each place the longest phrase of the lexicon is taken. What the order of items makes of them, as in "leave the onions
out" or "an hour", is written down in `lexicon/order.toml`.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from models.offline.notes.meaning.lexicon import Entry, Token, longest, mended, phrases, relations, tokens, words
from models.offline.tables import LEXICON
from text import normalise
from text.numbers import MONTHS, kanji_number
from text.tables import expanded
from text.words import is_japanese


@dataclass(frozen=True, slots=True)
class Item:
    """A piece of a statement: what it does there (`role`), and what it says (`name`)."""

    role: str
    name: str = ""
    proper: bool = False


@lru_cache(maxsize=4096)
def items_of(text: str, topic: str = "") -> tuple[Item, ...]:
    """Return the concepts, words, numbers and names of `text` in their order, each with what it does there.

    Some words are a concept under one topic only ("brief", of messages).
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


def _minutes(found: re.Match[str]) -> str:
    number = found[1][1:]
    value = f"#{float(number) * _MINUTES[found[2]]:g}" if number.replace(".", "", 1).isdigit() else found[1]
    return f"number {value}min\n"


_END = Token(".", "mark")


def _english(text: str, topic: str = "") -> list[Item]:
    found = [mended(one) for one in (*tokens(text), _END) if one.base not in words("articles")]
    items: list[Item] = []
    at = 0
    while at < len(found):
        item, at = _next(found, at, topic)
        items.append(item)
    return _ordered(items, "english")


def _next(found: Sequence[Token], at: int, topic: str) -> tuple[Item, int]:
    """Return the item that begins at a place, and the place after it."""
    one = found[at]
    own, general = phrases("en", topic), phrases("en", "")
    entry, end = max((_phrase(found, at, own), _phrase(found, at, general)), key=lambda pair: pair[1])
    strange = relations()["strange"].get(topic, ())  # the "front" of a theatre is no seat on a plane
    if end == at + 1 and entry is not None and entry.name.partition(":")[0] in strange:
        entry = own.get(one.base)
    if end > at + 1 and one.base in words("spans") and at and found[at - 1].kind == "number":
        entry, end = None, at + 1
    # "Miles & More" and "Best Western" are names, whatever their words do elsewhere.
    if entry is not None and one.name and end == at + 1 and entry.role in words("grammar"):
        return Item("word", one.base, proper=True), end
    if one.raw in words("past") and end <= at + 1 and not any(each.raw in words("ongoing") for each in found[:at]):
        return Item("mention", one.base), at + 1
    if entry is not None:
        return Item(entry.role, entry.name or one.base), end
    role = "number" if one.kind == "number" else "word"
    return Item(role, one.raw if one.name else one.base, proper=one.name), at + 1  # Leeds is no plural


def _phrase(found: Sequence[Token], at: int, known: Mapping[str, Entry]) -> tuple[Entry | None, int]:
    """Return the entry of the longest phrase that begins at a place, and the place after it."""
    bases = [one.base for one in found[at : at + longest("en")]]
    for size in range(len(bases), 0, -1):
        if entry := known.get(" ".join(bases[:size])):
            return entry, at + size
    return None, at


_RUN = re.compile(r"[a-zA-Z][a-zA-Z.'&-]*(?: [a-zA-Z][a-zA-Z.'&-]*)*|\d+(?:[.,:]\d+)*")
_TIMES = {"万": 10_000, "千": 1_000}
_KATAKANA = re.compile(r"[\u30a0-\u30ff]+")
_SHORT = 3
"""Letters up to which a word in katakana is taken for a part of a longer one: "スイカ" holds no "イカ"."""


def _japanese(text: str, topic: str) -> list[Item]:
    plain = _figures(text)
    known = {**phrases("ja", ""), **phrases("ja", topic)} if phrases("ja", topic) else phrases("ja", "")
    items: list[Item] = []
    left, at = "", 0
    while at < len(plain):
        run = _RUN.match(plain, at)
        phrase = _letters(plain, at, known)
        if phrase and not _is_part(plain, at, phrase, left, known):
            items += [*_words(left), Item(known[phrase].role, known[phrase].name or phrase)]
            left, at = "", at + len(phrase)
        elif run:
            items += [*_words(left), *_foreign(run[0])]
            left, at = "", run.end()
        else:
            left += plain[at]
            at += 1
    return _ordered([*items, *_words(left)], "japanese")


def _figures(text: str) -> str:
    """Return a text with numbers in figures, times on the clock, spans in minutes, and dates as English has them."""
    known = LEXICON.patterns("order", "figures")
    plain = known["kanji"].sub(lambda found: str(kanji_number(found[0])), normalise(text))
    plain = known["both"].sub(lambda found: str(int(found[1]) * 10_000 + int(found[2]) * 1_000), plain)
    plain = known["date"].sub(lambda found: f"{found[3] or ''} {MONTHS[int(found[2]) - 1]} {found[1]} ", plain)
    plain = known["hour"].sub(_clock, plain)
    plain = known["span"].sub(lambda found: f"{int(found[1]) * 60 + (30 if found[2] else int(found[3]))}分", plain)
    plain = known["up_to"].sub(r"\1以下", plain).replace(",", "")
    return known["large"].sub(lambda found: f"{float(found[1]) * _TIMES[found[2]]:.0f}", plain)


def _clock(found: re.Match[str]) -> str:
    later = 12 if found[1] in ("午後", "夜", "夕方") and int(found[2]) < 12 else 0
    return f"{int(found[2]) + later}:{'30' if found[3] else found[4] or '00'}"


def _letters(plain: str, at: int, known: Mapping[str, Entry]) -> str:
    """Return the longest phrase that begins at a place, or a shorter joint before a longer thing; empty for none.

    「えびとかに」 is shrimp and crab, 「肉とかにんじん」 is meat, carrots and the like.
    """
    sizes = range(longest("ja"), 0, -1)
    found = [plain[at : at + size] for size in sizes if plain[at : at + size] in known]
    if len(found) < 2 or known[found[0]].role != "list":
        return next(iter(found), "")

    def reached(phrase: str) -> tuple[int, bool]:
        after = _letters(plain, at + len(phrase), known)
        return len(phrase + after), bool(after) and known[after].role == "value"

    return max(found, key=reached)


def _is_part(plain: str, at: int, phrase: str, left: str, known: Mapping[str, Entry]) -> bool:
    """Return whether a short word in katakana is but a part of a longer one, of which nothing else is known."""
    if len(phrase) > _SHORT or known[phrase].role != "value" or not _KATAKANA.fullmatch(phrase):
        return False
    end = at + len(phrase)
    goes_on = bool(_KATAKANA.match(plain, end)) and not _letters(plain, end, known)
    return bool(_KATAKANA.fullmatch(left[-1:])) or goes_on


def _words(left: str) -> list[Item]:
    """Return what no phrase took as a word; one sign of hiragana is the tail of an inflected form."""
    word = " ".join(left.split())
    return [Item("word", word)] if is_japanese(word) and not ("ぁ" <= word <= "ん" and len(word) == 1) else []


def _foreign(run: str) -> list[Item]:
    if run[0].isdigit():
        return [Item("number", "#" + run.replace(",", ""))]
    return [item for item in _english(run) if item.role in ("value", "context", "word", "person", "domain")]
