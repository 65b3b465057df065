"""Sets how the lists are made and weighed. `benchmarks/recall.py` measures what a change here does."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Window:
    """How much the turns before and after count when a turn is read, the nearest first; the turn itself counts 1.

    What was said before counts more: an answer rarely repeats the words of its question.
    """

    before: tuple[float, ...] = (0.7, 0.5)
    after: tuple[float, ...] = (0.4, 0.2)


@dataclass(frozen=True, slots=True)
class Tuning:
    """The parameters of a search, found on the tuning half of `benchmarks/data`."""

    window: Window = Window()
    words: float = 1.0
    """Weight of the list by words."""
    content: float = 0.5
    """Weight of the list by the meaning of the query's content words."""
    asked: float = 0.75
    """Weight of the list by the meaning of the query as it was asked."""
    rank_offset: float = 60.0
    """The constant of reciprocal rank fusion; 60 as in the paper."""
    depth: int = 200
    """How many documents each list ranks."""
    k1: float = 1.2
    b: float = 0.5
    """BM25's saturation and length normalisation; turns are short, so their length says less than usual."""
    speaker: float = 0.6
    """What a turn gains that was said by a person whom the query names, as a share of its fused rank."""
    date: float = 0.3
    """What a document gains that is of the time which the query names."""
    statement: float = 0.3
    """What a full statement gains over a mere "Really?": questions and exclamations seldom hold what is looked for."""
    name: float = 0.3
    """Weight of a speaker's name among the words: in a turn it mostly says who was spoken to."""
    related_least: float = 0.4
    """Cosine from which a word of the documents counts as related to a word of the query."""
    related_most: int = 8
    """How many related words a word of the query is given."""
    related_share: float = 0.7
    """What a related word counts for, times its cosine, where the word itself counts 1."""
    centre: float = 10.0
    """So many documents' worth of restraint in taking away what all vectors have in common."""
