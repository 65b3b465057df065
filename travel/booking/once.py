"""Carry out each action of the ledger once: against the newest state, written whole, never a second time."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import TypeVar

from config.errors import ConflictError, NotFoundError
from memory.records.journal import Step, changed
from memory.records.repository import UserMemory
from memory.records.trips import Trip
from stores.locks import exclusive_lock
from travel.booking.record import Booking
from travel.booking.trips import trip_after
from travel.provider import TravelProvider

RecordT = TypeVar("RecordT", Booking, Trip)
_TRIES = 20
"""How often an act is made anew because something else of the user was written meanwhile."""


async def once(
    memory: UserMemory, provider: TravelProvider, key: str, action: str, make: Callable[[], Awaitable[Booking]]
) -> Booking:
    """Carry out the action of this `key`, or return its booking, which is written in one batch with its trip.

    The acts of one user happen one after another, in all processes that share the store. `make` may be called again,
    and takes under `key` what it takes from the provider. What the booking no longer needs is given back last, so that
    a crash before it leaves too much taken and never too little.

    Raises:
        ConflictError: others keep changing this user's records; nothing of the act is written.
    """
    async with exclusive_lock(memory.store, "/".join((*memory.root, "bookings"))):
        for _ in range(_TRIES):
            # Read first: whatever is written from here on makes the commit fail.
            revision = await memory.revision()
            done = next((one for one in await memory.kept("booking", Booking) if key in one.keys), None)
            if done is None:
                made = await make()
                made = made.model_copy(update={"keys": (*made.keys, key)})
                try:
                    done = await _write(memory, made, key, action, revision)
                except ConflictError:
                    continue
            for old in done.released:
                with suppress(NotFoundError):  # the provider has lost it: then nothing is left to give back
                    await provider.release(old)
            return done
    raise ConflictError("Your records are changing right now. Nothing was done; try again in a moment.")


async def _write(memory: UserMemory, made: Booking, key: str, action: str, revision: int) -> Booking:
    kept, trips, profile = await memory.kept("booking", Booking), await memory.trips(), await memory.profile()
    others = [one for one in kept if one.id != made.id]
    trip = trip_after(made, trips, others, home=profile.home_city or "home")
    if trip is not None:
        made = made.model_copy(update={"trip_id": trip.id})
    changes = [changed(_known(made, kept), made)]
    if trip is not None and trip not in trips:
        changes.append(changed(_known(trip, trips), trip))
    step = Step(f"booking:{key}", "user", action, tuple(changes), thread_id=made.thread_id)
    if not await memory.commit([step], expected=revision):
        raise ConflictError("This was done before, and what came of it is gone. Ask for it anew.")
    return made


def _known(record: RecordT, kept: Sequence[RecordT]) -> RecordT | None:
    return next((one for one in kept if one.id == record.id), None)
