"""Asks an embedder for vectors, checks them, brings them to length one, keeps them and compares them."""

from collections.abc import Callable, Sequence, Set
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from stores.background import searches

Matrix: TypeAlias = NDArray[np.float32]
Embed: TypeAlias = Callable[[Sequence[str]], Any]
"""One vector per text, in order: a sequence of sequences of numbers, or an array of shape (texts, dimensions)."""

_AT_ONCE = 32
"""Texts of one call, so that an embedder that holds the interpreter lets other threads have it in between."""


class EmbedderFault(Exception):
    """The embedder failed or answered with something that is no vector; the message says which."""


class Vectors:
    """Vectors of length one from a foreign embedder, all of the same dimensions, kept by text."""

    def __init__(self, embed: Embed, kept: dict[str, Matrix] | None = None) -> None:
        self._embed = embed
        self._dims: int | None = None
        self._kept = {} if kept is None else kept

    def of(self, texts: Sequence[str]) -> Matrix:
        """Return the vectors of `texts`, making and keeping those that are missing: shape (texts, dimensions).

        Raises:
            EmbedderFault: see `encode`.
        """
        missing = [text for text in dict.fromkeys(texts) if text not in self._kept]
        for start in range(0, len(missing), _AT_ONCE):
            part = missing[start : start + _AT_ONCE]
            self._kept.update(zip(part, self.encode(part), strict=True))
            if start + _AT_ONCE < len(missing):
                searches.give_way()
        return np.stack([self._kept[text] for text in texts]) if texts else np.zeros((0, 0), np.float32)

    def keep_only(self, texts: Set[str]) -> None:
        """Forget the vectors of all other texts."""
        for text in self._kept.keys() - texts:
            del self._kept[text]

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Return new vectors of `texts`, at least one: shape (texts, dimensions); a vector of zeros stays.

        Raises:
            EmbedderFault: when the embedder fails, or does not answer with one finite vector per text, all of the
                length it began with.
        """
        try:
            answer = self._embed(texts)
        except Exception as error:  # whatever a foreign embedder raises: the search goes on by words, and says so
            raise EmbedderFault(f"the embedder raised {type(error).__name__}") from error
        try:
            vectors = np.asarray(answer, dtype=np.float32)
        except (TypeError, ValueError) as error:
            raise EmbedderFault("the embedder's answer is not made of vectors of one length") from error
        if vectors.ndim != 2 or len(vectors) != len(texts) or not vectors.shape[1]:
            raise EmbedderFault(f"the embedder answered {len(texts)} texts with an array of shape {vectors.shape}")
        if not np.isfinite(vectors).all():
            raise EmbedderFault("the embedder answered with a number that is not finite")
        if self._dims not in (None, vectors.shape[1]):
            raise EmbedderFault(f"the embedder's vectors changed their length from {self._dims} to {vectors.shape[1]}")
        self._dims = vectors.shape[1]
        return normalised(vectors)


def normalised(vectors: Matrix) -> Matrix:
    """Return each row brought to length one; a row of zeros stays."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32, copy=False)


def cosines(first: Matrix, second: Matrix) -> Matrix:
    """Return the cosine of each row of `first` with each row of `second`, all of length one: shape (first, second).

    Not a BLAS product: for so few rows its threads cost more than they help, and much more on a busy machine.
    """
    product: Matrix = np.einsum("qd,nd->qn", first, second)
    return product
