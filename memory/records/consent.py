"""What a user lets memory do: whether it writes at all, and of which topics (S8.1)."""

from __future__ import annotations

from dataclasses import replace

from memory.policy import Gate
from memory.records.notes import TOPICS, Record, Topic


class Consent(Record):
    """`paused`: nothing is learnt, what is known is still used. `denied`: topics neither kept nor used."""

    paused: bool = False
    denied: tuple[Topic, ...] = ()

    @property
    def allowed(self) -> frozenset[Topic]:
        """The topics that may be kept and used."""
        return frozenset(TOPICS) - set(self.denied)

    def deny(self, *topics: Topic) -> Consent:
        """This consent without `topics`."""
        return self.model_copy(update={"denied": tuple(t for t in TOPICS if t in {*self.denied, *topics})})

    def allow(self, *topics: Topic) -> Consent:
        """This consent with `topics`."""
        return self.model_copy(update={"denied": tuple(t for t in self.denied if t not in topics)})

    def gate(self, deployed: Gate) -> Gate:
        """What the user's own hand may write. A pause stops learning from conversations, and nothing else."""
        return replace(deployed, denied_topics=frozenset(self.denied), paused=False)
