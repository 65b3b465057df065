"""The travel services of a run: the provider, and each user's ledger of bookings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from memory.records.repository import UserMemory
from travel.booking.ledger import Bookings
from travel.provider import TravelProvider


def sample_desk(folder: Path, *, clock: Callable[[], datetime]) -> TravelDesk:
    """Return the sample world, with its inventory in `folder`; nothing is opened before the first search."""
    from stores.inventory import Inventory
    from travel.sample.world import INVENTORY_FILE, SampleWorld

    return TravelDesk(SampleWorld(Inventory(folder / INVENTORY_FILE, clock=clock), clock=clock), clock)


@dataclass(frozen=True, slots=True)
class TravelDesk:
    """One provider, for all users. `clock` tells the time in UTC."""

    provider: TravelProvider
    clock: Callable[[], datetime]

    def bookings(self, memory: UserMemory) -> Bookings:
        """Return the ledger of the user whose memory this is."""
        return Bookings(memory, self.provider, clock=self.clock)

    def close(self) -> None:
        """Close what the provider has open; the next use opens it again."""
        if close := getattr(self.provider, "close", None):
            close()
