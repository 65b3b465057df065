"""What a run is given to travel with: who sells, and the ledger of whoever is speaking."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from stores.memory import UserMemory
from stores.travel.bookings import Bookings
from stores.travel.provider import TravelProvider


@dataclass(frozen=True, slots=True)
class TravelDesk:
    """One provider, for all users. `clock` tells the time in UTC."""

    provider: TravelProvider
    clock: Callable[[], datetime]

    def bookings(self, memory: UserMemory) -> Bookings:
        """The ledger of the user whose memory this is."""
        return Bookings(memory, self.provider, clock=self.clock)
