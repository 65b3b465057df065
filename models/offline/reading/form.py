"""The normal form of a clause that patterns match, the split of a message into clauses, and language detection."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from models.offline.reading.understanding import Clause, Place, ReadingContext, Role, Topic
from models.offline.tables import READING
from text.tables import Words
from text.words import fold, is_japanese

BLANK = "■"
"""Replaces each letter that a reader has consumed."""
_WITHIN = re.compile(r"(?<=[ァ-ヴー])[ァ-ヴー]")
"""A position inside a katakana word (「プール」 in 「クアラルンプール」)."""


Parts = dict[str, str]
"""The named groups of a match that took part in it."""


def parts_of(match: re.Match[str]) -> Parts:
    """Return the named groups that matched; a trailing "2", for a second position in the pattern, is dropped."""
    return {key.rstrip("2"): value for key, value in match.groupdict().items() if value is not None}


@dataclass(slots=True)
class Form:
    """A clause in its normal form (`text`), and `rest`, in which what has been read is blanked out for later readers.

    `core` is the text without opening words, on which acts are matched. `taken` are the stretches that were read, with
    the kind of value; `unread` are wishes that were recognised but cannot be searched for, `refused` unwanted airports.
    `spans` are (start, end) of each word in `text` and in `original`; empty in Japanese, which is searched instead.
    """

    original: str
    text: str
    core: str
    words: Words
    spans: Sequence[tuple[int, int, int, int]] = ()
    rest: str = ""
    taken: list[tuple[int, int, str]] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Start with nothing consumed."""
        self.rest = self.text

    def patterns(self, name: str, group: str) -> Mapping[str, re.Pattern[str]]:
        """Return the patterns of a section of a word table, in the language of the clause."""
        return self.words.patterns(name, group)

    def says(self, key: str, group: str = "forms", *, rest: bool = False) -> bool:
        """Return whether a pattern of the table of acts matches the core of the clause, or its unread `rest`."""
        return bool(self.patterns("acts", group)[key].search(self.rest if rest else self.core))

    def asks(self, key: str, topic: Topic) -> bool:
        """Return whether the list `key` of the table of acts contains a topic of questions."""
        return topic in self.words.table("acts")["asked"][key]

    def take(self, pattern: re.Pattern[str], kind: str) -> Iterator[re.Match[str]]:
        """Yield the matches in the unread rest and blank them out; skip those that start inside a katakana word."""
        for match in pattern.finditer(self.rest):
            if BLANK not in match[0] and not _WITHIN.match(self.rest, match.start()):
                self.blank(match.start(), match.end(), kind)
                yield match

    def take_first(self, pattern: re.Pattern[str], kind: str) -> re.Match[str] | None:
        """Return the first match in the unread rest and blank it out; None if there is none."""
        if match := pattern.search(self.rest):
            self.blank(match.start(), match.end(), kind)
        return match

    def blank(self, start: int, end: int, kind: str) -> None:
        """Blank out a stretch of the rest, and record the kind of value that it was read as."""
        self.rest = self.rest[:start] + re.sub(r"\S", BLANK, self.rest[start:end]) + self.rest[end:]
        self.taken.append((start, end, kind))

    def has(self, kind: str) -> bool:
        """Return whether a stretch was read as a kind of value."""
        return any(what == kind for _, _, what in self.taken)

    def restore(self, start: int, end: int) -> None:
        """Undo the blanking of a stretch, so that a later reader can take it."""
        self.rest = self.rest[:start] + self.text[start:end] + self.rest[end:]

    def original_at(self, start: int, end: int) -> str:
        """Return the traveller's own words for a stretch of the text."""
        if inside := [span for span in self.spans if span[0] < end and span[1] > start]:
            return self.original[inside[0][2] : inside[-1][3]]
        found = re.search(re.escape(self.text[start:end]), self.original, re.IGNORECASE)
        return found[0] if found else self.text[start:end]


@dataclass(frozen=True, slots=True)
class Piece:
    """One clause of a message, in the traveller's own words.

    `asked` marks a question, by its mark or its wording, `formed` one by its wording alone. `joined` means that the
    clause shares the act of the one before it ("book the first hotel and the cheapest flight"), `onward` that it
    continues the journey of the one before it ("then to Athens"); `otherwise` is as in `Clause`.
    """

    text: str
    asked: bool = False
    formed: bool = False
    joined: bool = False
    otherwise: bool = False
    onward: bool = False


@dataclass(frozen=True)
class Language:
    """The reader of one language: its word tables, and pure functions.

    Attributes:
        words: The tables; `leg` of `cutting` matches where another journey may start ("Berlin to Rome, then to
            Athens"), `homeward` a clause about the way back ("back to Leeds on the 9th").
        form_of: Returns the normal form of a text.
        pieces: Splits a message into clauses.
        draft: Returns a clause with its values, its topic, its unread words, and the act by rule.
        split_condition: Splits a conditional order into the order, the condition, and whether the condition must not
            hold ("unless"); returns None for any other text.
    """

    words: Words
    form_of: Callable[[str], Form]
    pieces: Callable[[str], Sequence[Piece]]
    draft: Callable[[Piece, ReadingContext], Clause]
    split_condition: Callable[[str], tuple[str, str, bool] | None]


@dataclass(slots=True)
class Mention:
    """The name of a place in a clause, while its role is being decided; None if one doesn't travel from or to it."""

    name: str
    said: str
    start: int
    end: int
    role: Role | None = "unsaid"
    known: bool = True
    area: bool = False
    joined: bool = False
    either: bool = False
    others: tuple[str, ...] = ()

    @property
    def place(self) -> Place:
        """The mention as a place of the clause."""
        return Place(self.name, self.role or "unsaid", self.said, self.known, self.either, self.others)


def is_pasted(text: str, words: Words) -> bool:
    """Return whether a text is code, a pasted page or a story rather than a message; its act is always `chat`."""
    return bool(words.patterns("cutting")["pasted"].search(text))


def sentences(text: str, words: Words) -> Iterator[tuple[str, bool]]:
    """Yield the sentences of a text without their final marks, each with whether it ended in a question mark."""
    at = 0
    for match in words.patterns("cutting")["sentence"].finditer(text):
        yield text[at : match.start()].strip(), "?" in match[0] or "？" in match[0]
        at = match.end()
    yield text[at:].strip(), False


_TURN = re.compile(r"(?:,|;| (?:and|but|while)) (?:and |but )?|(?<=て)、|(?<=[るすんいだ]が)、?|けれ?ど(?:も)?、?")
"""Where a clause may turn to another person."""


def split_parties(reader: Language, pieces: Sequence[Piece], context: ReadingContext) -> Iterator[Piece]:
    """Yield the clauses of a message; split one in which somebody joins the trip and somebody else leaves it."""
    for piece in pieces:
        texts = _TURN.split(piece.text) if context.trip_open else []
        parties = [reader.draft(replace(piece, text=text), context).party for text in texts] if len(texts) == 2 else []
        changes = {(each.joins, each.leaves) for each in parties if each and (each.joins or each.leaves or each.unsure)}
        yield from (replace(piece, text=text) for text in texts) if len(changes) == 2 else (piece,)


def ends_of(clause: Clause) -> tuple[str | None, str | None]:
    """Return the origin and the destination that a clause names, or None for each."""
    places = {place.role: place.name for place in clause.places if not place.either}
    return places.get("origin"), places.get("destination") or places.get("unsaid")


def split_journeys(reader: Language, pieces: Iterable[Piece], context: ReadingContext) -> Iterator[Piece]:
    """Yield the clauses of a message; split one that names several journeys into one clause for each."""
    for piece in pieces:
        parts = reader.words.patterns("cutting")["leg"].split(piece.text)
        begins = [part.strip(" ,;") for part in parts[: len(parts) > 1]] == [""]
        texts = [text for part in parts if (text := part.strip(" ,;"))]
        drafts = [reader.draft(replace(piece, text=text), context) for text in texts] if texts[1:] else []
        goals = [goal or (origin and f"from {origin}") for origin, goal in map(ends_of, drafts)]
        if len({goal for goal in goals if goal}) < 2:
            yield replace(piece, onward=begins)
        else:
            yield from (replace(piece, text=text, onward=at > 0) for at, text in enumerate(texts))


_TABLE = READING.table("languages")
_WORDS = {code: frozenset(words.split()) for code, words in _TABLE["words"].items()}
_SURE = 2
"""Least number of a language's common words in a message before it is taken for that language and not for English."""
_OTHER_SCRIPT = re.compile(r"[\u0370-\u03ff\u0400-\u052f\u0590-\u06ff\u0900-\u0dff\u0e00-\u0eff\uac00-\ud7af]")
_SPOKEN = ("es", "fr", "de")


def language_of(said: str, language: str = "en") -> str:
    """Return the language code of `said`: `language` if its words don't show one, "" for an unsupported language."""
    if is_japanese(said):
        return "ja"
    if len(_OTHER_SCRIPT.findall(said)) >= max(2, sum(map(str.isalpha, said)) // 2):
        return ""
    words = re.findall(r"[a-z]+", fold(said))
    points = {code: sum(word in common for word in words) for code, common in _WORDS.items()}
    for code, marks in _TABLE["marks"].items():
        points[code] += any(mark in said.casefold() for mark in marks) and points[code] > 0
    best = max(points, key=lambda code: points[code])
    if points[best] < _SURE or points[best] <= points["en"]:
        return "en" if points["en"] or language not in points | {"ja": 0} else language
    return best if best in _SPOKEN else ""
