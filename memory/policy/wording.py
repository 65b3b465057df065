"""Finds the user's words that a note is based on, and checks by words, numbers, names and grammar that it adds nothing.

A wording that can't be verified is not refused: the caller keeps the user's own words instead."""

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
"""The largest share of a wording's content that may be missing in the sources: paraphrases have some such words."""
_SHORTEST = 4
"""The fewest letters of a content word in a script with spaces."""
_FEWEST_WORDS, _FEWEST_CHARACTERS = 5, 6
"""A shorter message says too little to be remembered in its own words ("ok, go on then")."""
_QUESTION_MARKS = ("?", "？", "؟")
_ANSWERED = 1 - 1 / 3
"""The share of a wording that must be in the question if the user only agreed to it."""


class Overlap(NamedTuple):
    """The `foreign` words of a text, which its source lacks, the size of its content, and the foreign share of that."""

    foreign: tuple[str, ...]
    size: float
    share: float


def unsupported(text: str, sources: Iterable[str], *, passage: str, known: Collection[str] = ()) -> str:
    """Return in a few words for its author what `text` says beyond its sources; empty if nothing.

    It may take words, numbers and names from any of `sources`; its denials and certainty must agree with `passage`, the
    words it is based on. `known` are words that are always allowed, such as names of topics and attributes.
    """
    whole = " \n ".join(sources)
    if extra := invented(text, whole):
        return f"`{extra}` is not in what the user said"
    content = overlap(text, whole, known=known)
    if content.share > MOST_FOREIGN:
        return f"`{content.foreign[0]}` is not in what the user said"
    if bool(marks(text, "denials")) != bool(marks(passage, "denials")):
        return "what the user denies and what the text denies differ"
    if (surer := sorted(marks(text, "absolutes"))) and not (marks(whole, "absolutes") or marks(whole, "sure")):
        return f"`{surer[0]}` makes it surer than the user said it"
    if marks(passage, "hedges") and not marks(text, "hedges"):
        return "the user said it less surely"
    return ""


def invented(text: str, source: str) -> str:
    """Return a number or name of `text` that `source` lacks; empty if there is none."""
    return next(iter([*sorted(numbers(text) - numbers(source)), *_foreign_names(text, source)]), "")


def overlap(text: str, source: str, *, known: Collection[str] = ()) -> Overlap:
    """Compare the content of `text` with `source`, word by word or character by character."""
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
    """Return the folded words of `text` that are neither grammar nor numbers, with at least `shortest` letters."""
    folded = [fold(word).removesuffix("'s") for word in words(text)]
    long = [word for word in folded if len(word) >= shortest and word[0].isalpha()]
    grammar = function_words(text)
    return [word for word in long if word not in grammar and not is_frame(word)]


def _weight(parts: Iterable[str]) -> float:
    """Return the number of words, where a character of a script without spaces is half a word."""
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
    """A message of the user, the concierge's message `before` it, and the results of tools in between."""

    text: str
    before: str = ""
    tool_text: str = ""
    message_id: str = ""

    @property
    def question(self) -> str:
        """Return the question that this message answers: the last one that the concierge asked before, if any.

        If it has no content words ("Which one holds?"), it includes the sentence before it.
        """
        parts = sentences(self.before)
        while parts and not parts[-1].endswith(_QUESTION_MARKS):
            parts.pop()
        last = parts[-1] if parts else ""
        question = last if content_words(last) or characters(last) else " ".join(parts[-2:])
        return question[-MAX_QUOTE:]


class Refused(Exception):
    """The candidate may not be kept, with the policy's code and a hint what its author can change."""

    def __init__(self, code: str, hint: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.hint = hint


def find_message(quote: str, heard: Sequence[Heard]) -> Heard | None:
    """Return the latest message that contains `quote`, ignoring punctuation and case; None if there is none."""
    return next((one for one in reversed(heard) if quote and same_words(quote, one.text)), None)


def settle(
    text: str, when: str, quote: str, message: Heard, *, known: Collection[str], fault: str = ""
) -> tuple[str, str]:
    """Return the wording to keep, and what is wrong with `text`, "" if nothing.

    That is `text` if it says no more than the user did and has no `fault` already, else the user's own sentence.
    `quote` is the passage of `message` that the wording is based on, `when` its condition in words; for `known` see
    `unsupported`. Raises Refused if neither can be kept.
    """
    if _is_unrelated(text, message):
        raise Refused("ungrounded", "the user did not say this; `quote` the words it rests on, or leave it")
    own = own_sentence(quote, message.text)
    sources = (message.text, message.before, when)
    fault = fault or unsupported(text, sources, passage=_with_lead(quote, own), known=known)
    if not content_words(text, shortest=1) and not characters(text):
        fault = "the text says nothing by itself"
    if not fault:
        return text, ""
    if len(own) > MAX_TEXT:
        raise Refused("too_long", f"{fault}, and the user's own sentence is too long to be kept instead")
    return own, fault


def own_sentence(quote: str, message: str) -> str:
    """Return the fewest consecutive sentences of `message` that contain `quote`; the whole message if none do."""
    parts = sentences(message)
    for length in range(1, len(parts) + 1):
        for start in range(len(parts) - length + 1):
            begins = message.find(parts[start])
            ends = message.find(parts[start + length - 1], begins) + len(parts[start + length - 1])
            if same_words(quote, message[begins:ends]):
                return " ".join(message[begins:ends].split())
    return message.strip()


def _is_unrelated(text: str, message: Heard) -> bool:
    """Return whether `text` is unrelated to the user's message: its content comes from a tool, or is invented.

    The content of an agreement ("yes please") is in the question. A message in another language shares no words with
    `text`, so that counts as unrelated only if the message is too short to be kept in its own words.
    """
    own = overlap(text, message.text)
    if not own.size or (message.question and 1 - overlap(text, message.question).share >= _ANSWERED):
        return False
    if own.share > 1 / 2 and message.tool_text and overlap(text, message.tool_text).share < 1 / 2:
        return True
    return own.share == 1 and _is_short(message.text)


def _is_short(message: str) -> bool:
    letters = characters(message)
    if letters:
        return len(letters) < _FEWEST_CHARACTERS
    return len(words(message)) < _FEWEST_WORDS and len(content_words(message)) < _FEWEST_WORDS - 2


def _with_lead(quote: str, sentence: str) -> str:
    """Return `quote` with the words just before it, so that a denial can't be cut off."""
    lead, match, _ = sentence.partition(quote)
    return f"{' '.join(lead.split()[-3:])} {quote}" if match else sentence
