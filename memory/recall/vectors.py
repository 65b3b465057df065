"""The vectors of the documents, made when a search needs them and kept as long as the document."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from memory.recall.document import Document
from memory.recall.meaning import Encoder, Matrix


class Vectors:
    """Vectors by document id."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self._known: dict[str, Matrix] = {}

    def drop(self, known: str) -> None:
        """Forget the vector of a document."""
        self._known.pop(known, None)

    def of(self, documents: Sequence[Document]) -> Matrix:
        """The vectors of `documents`, at least one: shape (documents, dimensions). Those that are missing are made.

        Raises:
            EmbedderFault: see `Encoder.encode`.
        """
        missing = [document for document in documents if document.id not in self._known]
        if missing:
            made = self.encoder.encode([document.text for document in missing])
            self._known.update((document.id, vector) for document, vector in zip(missing, made, strict=True))
        return np.stack([self._known[document.id] for document in documents])
