"""The form of a clause in which it is matched, how what was said is cut, and which language it is in."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from models.offline.reading.understanding import Clause, Place, ReadingContext, Role, Topic
from models.offline.tables import READING
from text.tables import Words
from text.words import fold, is_japanese

BLANK = "■"
"""What stands for a letter that has been read."""
_WITHIN = re.compile(r"(?<=[ァ-ヴー])[ァ-ヴー]")
"""Where a word in katakana goes on (「プール」 in 「クアラルンプール」)."""


Parts = dict[str, str]
"""The groups of a pattern that matched, by their names."""


def parts_of(match: re.Match[str]) -> Parts:
    """Return the groups that matched; what a pattern has at a second place goes by the same name."""
    return {key.rstrip("2"): value for key, value in match.groupdict().items() if value is not None}


@dataclass(slots=True)
class Form:
    """A clause as it is matched: `whole`, and `left`, in which what has been read is blanked out.

    So no later reader takes it again. `core` is what its act is told by: `whole` without what leads into it. `taken`
    are the stretches read, with what they were, `unread` what was understood and can't be taken, `refused` the airports
    of which nothing is wanted; `spans` say where each
    stretch of `whole` stands in `said`, and are empty where the two are as long as each other.
    """

    said: str
    whole: str
    core: str
    words: Words
    spans: Sequence[tuple[int, int, int, int]] = ()
    left: str = ""
    taken: list[tuple[int, int, str]] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Begin with all of it left."""
        self.left = self.whole

    def patterns(self, name: str, group: str) -> Mapping[str, re.Pattern[str]]:
        """Return the patterns of a group of the language of the clause."""
        return self.words.patterns(name, group)

    def says(self, key: str, group: str = "forms", *, left: bool = False) -> bool:
        """Return whether the clause, or what is left of it, is of the kind `key` of a group of the table of acts."""
        return bool(self.patterns("acts", group)[key].search(self.left if left else self.core))

    def asks(self, key: str, topic: Topic) -> bool:
        """Return whether a topic of questions is one of the list `key` of the table of acts."""
        return topic in self.words.table("acts")["asked"][key]

    def take(self, pattern: re.Pattern[str], what: str) -> Iterator[re.Match[str]]:
        """Yield the matches in what is left, and blank each out as `what`; none that begins within a katakana word."""
        for match in pattern.finditer(self.left):
            if BLANK not in match[0] and not _WITHIN.match(self.left, match.start()):
                self.blank(match.start(), match.end(), what)
                yield match

    def first(self, pattern: re.Pattern[str], what: str) -> re.Match[str] | None:
        """Return the first match in what is left, blanked out, or None."""
        if found := pattern.search(self.left):
            self.blank(found.start(), found.end(), what)
        return found

    def blank(self, start: int, end: int, what: str) -> None:
        """Blank out a stretch as read."""
        self.left = self.left[:start] + re.sub(r"\S", BLANK, self.left[start:end]) + self.left[end:]
        self.taken.append((start, end, what))

    def give_back(self, start: int, end: int) -> None:
        """Leave a stretch of what was read to the readers that come after."""
        self.left = self.left[:start] + self.whole[start:end] + self.left[end:]

    def own(self, start: int, end: int) -> str:
        """Return the traveller's own words for a stretch."""
        inside = [span for span in self.spans if span[0] < end and span[1] > start]
        return self.said[inside[0][2] : inside[-1][3]] if inside else self.whole[start:end]


@dataclass(frozen=True, slots=True)
class Piece:
    """A clause as it was cut: the traveller's own words.

    `asked` says that they ask, by a mark or by their form, `formed` that they do so by their form alone. `joined` says
    that the clause goes on with the act of the one before it ("book the first hotel and the cheapest flight"),
    `otherwise` is as in `Clause`, `onward` that it goes on from what comes before it ("then to Athens").
    """

    text: str
    asked: bool = False
    formed: bool = False
    joined: bool = False
    otherwise: bool = False
    onward: bool = False


@dataclass(frozen=True)
class Language:
    """One language: the tables of its words, and pure functions.

    Attributes:
        words: The tables; `leg` of `cutting` is where a journey may go on ("Berlin to Rome, then to Athens"),
            `homeward` a clause that goes back to where it began ("back to Leeds on the 9th").
        form_of: Returns the form of a text.
        pieces: Returns the clauses of a message. One without code, quotes, pasted text and stories left out is `chat`.
        draft: Returns a clause with its values, its topic, what was not read, and the act by plain rules.
        hung: Returns the order, the condition that it hangs on, and whether that must not hold; None for no such.
    """

    words: Words
    form_of: Callable[[str], Form]
    pieces: Callable[[str], Sequence[Piece]]
    draft: Callable[[Piece, ReadingContext], Clause]
    hung: Callable[[str], tuple[str, str, bool] | None]


@dataclass(slots=True)
class Mention:
    """The name of a place as it stands in a clause, while its role is looked for; None for one that is no end."""

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
        """The place that it names."""
        return Place(self.name, self.role or "unsaid", self.said, self.known, self.either, self.others)


def is_pasted(text: str, words: Words) -> bool:
    """Return whether a text is code, a page or a story rather than something said: it is never more than `chat`."""
    return bool(words.patterns("cutting")["pasted"].search(text))


def sentences(text: str, words: Words) -> Iterator[tuple[str, bool]]:
    """Yield the sentences of a text without the marks at their ends, each with whether it ends as a question does."""
    at = 0
    for match in words.patterns("cutting")["sentence"].finditer(text):
        yield text[at : match.start()].strip(), "?" in match[0] or "？" in match[0]
        at = match.end()
    yield text[at:].strip(), False


_TURN = re.compile(r"(?:,|;| (?:and|but|while)) (?:and |but )?|(?<=て)、|(?<=[るすんいだ]が)、?|けれ?ど(?:も)?、?")
"""Where a clause may go on with somebody else."""


def turned_pieces(reader: Language, pieces: Sequence[Piece], context: ReadingContext) -> Iterator[Piece]:
    """Yield the clauses of a message, one in which somebody joins and somebody else stays at home as two."""
    for piece in pieces:
        texts = _TURN.split(piece.text) if context.trip_open else []
        said = [reader.draft(replace(piece, text=text), context).party for text in texts] if len(texts) == 2 else []
        changes = {(each.joins, each.leaves) for each in said if each and (each.joins or each.leaves or each.unsure)}
        yield from (replace(piece, text=text) for text in texts) if len(changes) == 2 else (piece,)


def ends_of(clause: Clause) -> tuple[str | None, str | None]:
    """Return from where and to where a clause goes."""
    places = {place.role: place.name for place in clause.places if not place.either}
    return places.get("origin"), places.get("destination") or places.get("unsaid")


def onward_pieces(reader: Language, pieces: Iterable[Piece], context: ReadingContext) -> Iterator[Piece]:
    """Yield the clauses of a message, those that tell of several journeys cut into one for each."""
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
"""Words of a language that a message must have to be of another one than English."""
_OTHER_SCRIPT = re.compile(r"[\u0370-\u03ff\u0400-\u052f\u0590-\u06ff\u0900-\u0dff\u0e00-\u0eff\uac00-\ud7af]")
_SPOKEN = ("es", "fr", "de")


def language_of(said: str, language: str = "en") -> str:
    """Return the language code of `said`; `language` where its words don't tell, empty for one that is not known."""
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
