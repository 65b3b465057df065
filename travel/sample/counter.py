"""What all the counters of the sample world share: its seed, its clock, its inventory, and how an offer is labelled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from stores.inventory import Inventory, Need
from travel import SAMPLE
from travel.local_time import LocalTime
from travel.provider import AnyOffer
from travel.sample.ids import Ticket, write_id


@dataclass(frozen=True, slots=True)
class House:
    """What every counter needs: the seed, the clock and the inventory."""

    seed: str
    clock: Callable[[], datetime]
    inventory: Inventory

    def label(self, ticket: Ticket, zone: str) -> dict[str, Any]:
        """Return the fields by which an offer is known."""
        expires = LocalTime(at=ticket.expires_at, zone=zone)
        return {"id": write_id(ticket, self.seed), "source": SAMPLE, "expires_at": expires}

    def resource(self, *parts: object) -> str:
        """Return the name of something that can be taken, in this world."""
        return "/".join(map(str, (self.seed, *parts)))

    def left(self, needs: Sequence[Need]) -> int:
        """Return how many times all of `needs` are still there: the least of what is left of each."""
        return self.lefts([needs])[0]

    def lefts(self, many: Iterable[Sequence[Need]]) -> list[int]:
        """Return the same for many, with one look at the inventory."""
        listed = list(many)
        names = list({need.resource for needs in listed for need in needs})
        taken = self.inventory.taken(names)
        return [
            max(0, min((need.capacity - taken.get(need.resource, 0) for need in needs), default=99)) for needs in listed
        ]


class Counter(Protocol):
    """One kind of thing that the sample world sells. `kind` opens the ids of its offers."""

    kind: str

    def offer(self, ticket: Ticket) -> AnyOffer:
        """Return the offer of a ticket, with what is left of it now. Raises UnknownOfferError."""

    def needs(self, ticket: Ticket) -> list[Need]:
        """Return what booking it takes from the inventory."""

    def check(self, ticket: Ticket) -> None:
        """Raise DateInPastError when it has begun."""
