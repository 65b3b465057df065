"""Records what a user lets memory do: whether it learns at all, and of which topics."""

from __future__ import annotations

from dataclasses import replace

from memory.policy import Gate
from memory.records.notes import Record


class Consent(Record):
    """`paused`: nothing is learnt, what is known is still used. `denied`: topics neither kept nor used."""

    paused: bool = False
    denied: tuple[str, ...] = ()

    def deny(self, *topics: str) -> Consent:
        """Return this consent without `topics`, which come last among those denied."""
        return self.model_copy(update={"denied": tuple(dict.fromkeys((*self.denied, *topics)))})

    def allow(self, *topics: str) -> Consent:
        """Return this consent with `topics`."""
        return self.model_copy(update={"denied": tuple(t for t in self.denied if t not in topics)})

    def gate(self, deployed: Gate) -> Gate:
        """Return what the user's own hand may write. A pause stops learning from conversations, and nothing else."""
        return replace(deployed, denied_topics=frozenset(self.denied), paused=False)
