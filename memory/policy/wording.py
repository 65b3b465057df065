"""Tells whether a wording says no more than its sources, by words, numbers, names and grammar, not by meaning.

What can't be verified is no fault of the author: the caller lets the user's own words stand then.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from text import normalise, sentences
from text.grammar import function_words, is_frame, marks, unframed
from text.words import characters, fold, is_unspaced, numbers, same_stem, words

MOST_FOREIGN = 0.4
"""The part of a wording's content that may be in no source: a paraphrase has some, an invention more."""
_SHORTEST = 4
"""Letters from which a word of a script with spaces counts as content."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """How much of a text's content stands in a source, and the words that do not."""

    foreign: tuple[str, ...]
    size: float

    @property
    def share(self) -> float:
        """Return the part of the content that the source does not have; 0 for a text without content."""
        return min(_weight(self.foreign) / self.size, 1.0) if self.size else 0.0


def unsupported(text: str, sources: Iterable[str], *, passage: str, known: Collection[str] = ()) -> str:
    """Return what `text` says that its sources don't, in a few words for its author; empty when nothing is.

    Args:
        text: The wording.
        sources: Everything that it may take words, numbers and names from.
        passage: The words it rests on; denials and certainty must agree with these.
        known: Words that add nothing, as the names of the note's own topic and attributes.
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
    return Overlap(tuple(foreign), _weight([*content, *letters]))


def content_words(text: str, shortest: int = _SHORTEST) -> list[str]:
    """Return the folded words of `text` that are neither grammar nor numbers, from `shortest` letters on."""
    found = [fold(word).removesuffix("'s") for word in words(text)]
    long = [word for word in found if len(word) >= shortest and word[0].isalpha()]
    grammar = function_words(text)
    return [word for word in long if word not in grammar and not is_frame(word)]


def _weight(parts: Iterable[str]) -> float:
    """Count a single character of a script without spaces as half a word."""
    return sum(0.5 if len(part) == 1 and is_unspaced(part) else 1.0 for part in parts)


def _foreign_names(text: str, source: str) -> list[str]:
    own = [fold(part) for word in words(source) for part in (word, *word.split("'"))]
    return [name for name in _names(text) if not any(same_stem(fold(name).removesuffix("'s"), one) for one in own)]


def _names(text: str) -> list[str]:
    """Words written as names: with a capital inside a sentence, or inside the word."""
    found: list[str] = []
    grammar = function_words(text)
    for sentence in sentences(text):
        for place, word in enumerate(words(sentence)):
            is_name = (place and word[0].isupper()) or any(char.isupper() for char in word[1:])
            if is_name and len(word) > 1 and fold(word) not in grammar:
                found.append(word)
    return found
