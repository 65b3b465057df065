"""What a user lets memory do: whether it writes at all, and of which topics (S8.1)."""

from __future__ import annotations

from stores.notes import TOPICS, Record, Topic


class Consent(Record):
    """`paused`: nothing is written, what is known is still used. `denied`: topics neither kept nor used."""

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
