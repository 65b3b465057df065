"""Finds the words that a note rests on, and tells by words, numbers, names and grammar whether a wording says no more.

What can't be verified is no fault of the author: the caller lets the user's own words stand then."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from memory.records.notes import MAX_QUOTE, MAX_TEXT
from text import normalise
from text.words import (
    characters,
    fold,
    function_words,
    is_frame,
    is_unspaced,
    marks,
    numbers,
    same_stem,
    same_words,
    sentences,
    unframed,
    words,
)

MOST_FOREIGN = 0.4
"""The part of a wording's content that may be in no source: a paraphrase has some, an invention more."""
_SHORTEST = 4
"""Letters from which a word of a script with spaces counts as content."""
_FEWEST_WORDS, _FEWEST_CHARACTERS = 5, 6
"""A message with fewer says too little to be remembered in its own words ("ok, go on then")."""
_ASKING = ("?", "？", "؟")
_ANSWERED = 1 - 1 / 3
"""The part of a wording that the question must hold where the user only agreed to it."""


class Overlap(NamedTuple):
    """The words of a text that do not stand in a source, how much content the text has, and which part is foreign."""

    foreign: tuple[str, ...]
    size: float
    share: float


def unsupported(text: str, sources: Iterable[str], *, passage: str, known: Collection[str] = ()) -> str:
    """Return what `text` says that its sources don't, in a few words for its author; empty when nothing is.

    It may take words, numbers and names from any of `sources`; its denials and certainty must agree with `passage`, the
    words it rests on. `known` are words that add nothing, as the names of the note's own topic and attributes.
    """
    whole = " \n ".join(sources)
    if extra := invented(text, whole):
        return f"`{extra}` is not in what the user said"
    found = overlap(text, whole, known=known)
    if found.share > MOST_FOREIGN:
        return f"`{found.foreign[0]}` is not in what the user said"
    if bool(marks(text, "denials")) != bool(marks(passage, "denials")):
        return "what the user denies and what the text denies differ"
    if (surer := sorted(marks(text, "absolutes"))) and not (marks(whole, "absolutes") or marks(whole, "sure")):
        return f"`{surer[0]}` makes it surer than the user said it"
    if marks(passage, "hedges") and not marks(text, "hedges"):
        return "the user said it less surely"
    return ""


def invented(text: str, source: str) -> str:
    """Return a number or name of `text` that `source` does not have; empty when there is none."""
    return next(iter([*sorted(numbers(text) - numbers(source)), *_foreign_names(text, source)]), "")


def overlap(text: str, source: str, *, known: Collection[str] = ()) -> Overlap:
    """Return how much of the content of `text` stands in `source`, word by word or character by character."""
    own = [fold(word) for word in words(source)]
    own += [part for word in own for part in word.split("'")]
    content = [word for word in content_words(text) if not any(same_stem(word, one) for one in known)]
    written = normalise(source)
    letters = characters(unframed(text))
    foreign = [word for word in content if not any(same_stem(word, one) for one in own)]
    foreign += [letter for letter in letters if letter not in written]
    size = _weight([*content, *letters])
    return Overlap(tuple(foreign), size, min(_weight(foreign) / size, 1.0) if size else 0.0)


def content_words(text: str, shortest: int = _SHORTEST) -> list[str]:
    """Return the folded words of `text` that are neither grammar nor numbers, from `shortest` letters on."""
    found = [fold(word).removesuffix("'s") for word in words(text)]
    long = [word for word in found if len(word) >= shortest and word[0].isalpha()]
    grammar = function_words(text)
    return [word for word in long if word not in grammar and not is_frame(word)]


def _weight(parts: Iterable[str]) -> float:
    """Count a single character of a script without spaces as half a word."""
    return sum(0.5 if len(part) == 1 and is_unspaced(part) else 1.0 for part in parts)


def _foreign_names(text: str, source: str) -> Iterator[str]:
    """Yield the words written as names, with a capital inside a sentence or inside the word, that a source lacks."""
    own = [fold(part) for word in words(source) for part in (word, *word.split("'"))]
    grammar = function_words(text)
    for sentence in sentences(text):
        for place, word in enumerate(words(sentence)):
            is_name = (place and word[0].isupper()) or any(char.isupper() for char in word[1:])
            if not is_name or len(word) == 1 or fold(word) in grammar:
                continue
            if not any(same_stem(fold(word).removesuffix("'s"), one) for one in own):
                yield word


@dataclass(frozen=True, slots=True)
class Heard:
    """One message of the user: its words, what the concierge said just before, and what tools returned in between."""

    text: str
    before: str = ""
    tool_text: str = ""
    message_id: str = ""

    @property
    def question(self) -> str:
        """Return what this message answers: the last question that the concierge asked before, if any.

        Where that one says nothing by itself ("Which one holds?"), the sentence in front of it comes with it.
        """
        said = sentences(self.before)
        while said and not said[-1].endswith(_ASKING):
            said = said[:-1]
        last = said[-1] if said else ""
        whole = last if content_words(last) or characters(last) else " ".join(said[-2:])
        return whole[-MAX_QUOTE:]


class Refused(Exception):
    """Nothing is kept: the policy's code, and what the author can change."""

    def __init__(self, code: str, hint: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.hint = hint


def find_message(quote: str, heard: Sequence[Heard]) -> Heard | None:
    """Return the latest message that holds `quote`, whatever its punctuation and case; None where there is none."""
    return next((one for one in reversed(heard) if quote and same_words(quote, one.text)), None)


def settle(
    text: str, when: str, quote: str, said: Heard, *, known: Collection[str], fault: str = ""
) -> tuple[str, str]:
    """Return the wording to keep: `text` where it says no more than the user did, else the user's own whole sentence.

    What is wrong with `text` comes with it, "" for nothing; a `fault` is wrong already. Raises Refused where neither
    can be kept. `quote` is the passage of the message `said` that the wording rests on, `when` its condition in words;
    for `known` see `unsupported`.
    """
    if _says_nothing_of(text, said):
        raise Refused("ungrounded", "the user did not say this; `quote` the words it rests on, or leave it")
    own = own_sentence(quote, said.text)
    fault = fault or unsupported(text, (said.text, said.before, when), passage=_with_lead(quote, own), known=known)
    if not content_words(text, shortest=1) and not characters(text):
        fault = "the text says nothing by itself"
    if not fault:
        return text, ""
    if len(own) > MAX_TEXT:
        raise Refused("too_long", f"{fault}, and the user's own sentence is too long to be kept instead")
    return own, fault


def own_sentence(quote: str, message: str) -> str:
    """Return the whole sentences of `message` that hold `quote`; of a list of sentences the fewest."""
    parts = sentences(message)
    for length in range(1, len(parts) + 1):
        for start in range(len(parts) - length + 1):
            begins = message.find(parts[start])
            ends = message.find(parts[start + length - 1], begins) + len(parts[start + length - 1])
            if same_words(quote, message[begins:ends]):
                return " ".join(message[begins:ends].split())
    return message.strip()


def _says_nothing_of(text: str, said: Heard) -> bool:
    """Return whether nothing ties `text` to what the user said: it came from a tool, or from nowhere.

    Agreement ("yes please") takes its content from the question. Another language ties to nothing either, so the
    user's own sentence may stand then, if it says something by itself.
    """
    mine = overlap(text, said.text)
    if not mine.size or (said.question and 1 - overlap(text, said.question).share >= _ANSWERED):
        return False
    if mine.share > 1 / 2 and said.tool_text and overlap(text, said.tool_text).share < 1 / 2:
        return True
    return mine.share == 1 and _is_short(said.text)


def _is_short(message: str) -> bool:
    letters = characters(message)
    if letters:
        return len(letters) < _FEWEST_CHARACTERS
    return len(words(message)) < _FEWEST_WORDS and len(content_words(message)) < _FEWEST_WORDS - 2


def _with_lead(quote: str, sentence: str) -> str:
    """Return `quote` with the words just before it, so that a denial can't be cut off."""
    lead, found, _ = sentence.partition(quote)
    return f"{' '.join(lead.split()[-3:])} {quote}" if found else sentence
