"""Ranking by words: BM25 over each text read together with its neighbours.

BM25 after Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009), with the idf that stays positive.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from memory.recall.layout import Layout
from memory.recall.meaning import Matrix
from memory.recall.tuning import Tuning


def bm25(occurrences: Matrix, weights: Sequence[float], layout: Layout, tuning: Tuning) -> Matrix:
    """The score of every document.

    Args:
        occurrences: How often each term of the query occurs in each document alone: shape (terms, documents).
        weights: What each term counts for.
        layout: Gives lengths and neighbours.
        tuning: Window, k1 and b.

    Returns:
        Shape (documents,); 0 where neither the text nor its neighbours hold a term.
    """
    found = layout.spread(occurrences, tuning.window)
    lengths = layout.spread(layout.lengths, tuning.window)
    average = max(float(lengths.mean()), 1.0)
    holding = np.count_nonzero(found, axis=1)
    idf = np.log1p((len(layout) - holding + 0.5) / (holding + 0.5))
    damping = tuning.k1 * (1 - tuning.b + tuning.b * lengths / average)
    gains = found * (tuning.k1 + 1) / (found + damping)
    scores: Matrix = (np.asarray(weights) * idf) @ gains
    return scores
