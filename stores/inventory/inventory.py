"""What is left: reservations in SQLite, safe for threads and processes, taken and given back whole."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from config.errors import ConflictError, NotFoundError, OfferExpiredError, SeatTakenError, SoldOutError
from stores.faults import BUSY_SECONDS, database_faults, make_private_folder
from stores.inventory.schema import SCHEMA, Need, SeatNeed
from travel import SAMPLE
from travel.provider import Reservation, SeatChoice

_LIVE = "(held_until IS NULL OR held_until > ?)"
_CHUNK = 500


class Inventory:
    """What was taken from the sample world, for all threads of one process; other processes may open the same file.

    Args:
        path: The database file.
        clock: Gives the time, with its zone; holds lapse by it.

    Raises:
        StorageError: from every method, when the file is damaged or its folder cannot be written.
    """

    def __init__(self, path: Path, *, clock: Callable[[], datetime]) -> None:
        self._path = path
        self._clock = clock
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def taken(self, resources: Sequence[str]) -> dict[str, int]:
        """How many of each are taken now; resources of which nothing is taken are left out."""
        found: dict[str, int] = {}
        with self._reading() as db:
            for start in range(0, len(resources), _CHUNK):
                chunk = resources[start : start + _CHUNK]
                marks = ", ".join("?" * len(chunk))
                query = (
                    f"SELECT resource, sum(count) FROM taken WHERE resource IN ({marks}) AND {_LIVE} GROUP BY resource"
                )
                found.update(db.execute(query, (*chunk, self._now())))
        return found

    def seats(self, resource: str) -> set[str]:
        """The seats of a resource that are chosen now."""
        query = f"SELECT s.seat FROM seat s JOIN taken USING (resource, key) WHERE s.resource = ? AND {_LIVE}"
        with self._reading() as db:
            return {seat for (seat,) in db.execute(query, (resource, self._now()))}

    def get(self, key: str) -> Reservation | None:
        """The reservation under `key`; a hold whose time is over is shown as lapsed."""
        with self._reading() as db:
            return self._read(db, key)

    def reserve(
        self, key: str, offer_id: str, needs: Sequence[Need], seats: Sequence[SeatNeed], held_until: datetime | None
    ) -> Reservation:
        """Take all of `needs` and `seats`, or nothing; what `key` has already is returned as it is.

        Raises:
            SoldOutError, SeatTakenError, ConflictError, OfferExpiredError: see `TravelProvider.reserve`.
        """
        until = None if held_until is None else int(held_until.timestamp())
        with self._writing() as db:
            known = self._read(db, key)
            if known:
                return self._same(known, offer_id)
            for need in needs:
                self._check(db, need)
            chosen = json.dumps([need.choice.dump() for need in seats])
            status = "confirmed" if until is None else "held"
            db.execute("INSERT INTO reservation VALUES (?, ?, ?, ?, ?)", (key, offer_id, status, until, chosen))
            db.executemany(
                "INSERT INTO taken VALUES (?, ?, ?, ?)", [(need.resource, key, need.count, until) for need in needs]
            )
            self._seat(db, key, seats)
            return self._known(db, key)

    def confirm(self, key: str) -> Reservation:
        """Make a hold lasting. Raises NotFoundError, ConflictError or OfferExpiredError."""
        with self._writing() as db:
            self._same(self._known(db, key))
            db.execute("UPDATE reservation SET status = 'confirmed', held_until = NULL WHERE key = ?", (key,))
            db.execute("UPDATE taken SET held_until = NULL WHERE key = ?", (key,))
            return self._known(db, key)

    def choose(self, key: str, seats: Sequence[SeatNeed]) -> Reservation:
        """Exchange the seats. Raises SeatTakenError, NotFoundError, ConflictError or OfferExpiredError."""
        with self._writing() as db:
            self._same(self._known(db, key))
            db.execute("DELETE FROM seat WHERE key = ?", (key,))
            self._seat(db, key, seats)
            chosen = json.dumps([need.choice.dump() for need in seats])
            db.execute("UPDATE reservation SET seats = ? WHERE key = ?", (chosen, key))
            return self._known(db, key)

    def release(self, key: str) -> Reservation:
        """Give everything back. Raises NotFoundError."""
        with self._writing() as db:
            known = self._known(db, key)
            if known.status != "lapsed":
                self._give_back(db, key, "released")
            return self._known(db, key)

    def _check(self, db: sqlite3.Connection, need: Need) -> None:
        (taken,) = db.execute(
            "SELECT coalesce(sum(count), 0) FROM taken WHERE resource = ?", (need.resource,)
        ).fetchone()
        left = max(0, need.capacity - taken)
        if need.count > left:
            raise SoldOutError(
                f"{need.label} is sold out: {need.count} wanted, {left} left. Search again and offer another."
            )

    def _seat(self, db: sqlite3.Connection, key: str, seats: Sequence[SeatNeed]) -> None:
        for need in seats:
            try:
                db.execute("INSERT INTO seat VALUES (?, ?, ?)", (need.resource, need.choice.seat, key))
            except sqlite3.IntegrityError:
                seat = f"Seat {need.choice.seat} on segment {need.choice.segment}"
                raise SeatTakenError(f"{seat} is taken. Show the seat map and ask again.") from None

    def _lapse(self, db: sqlite3.Connection) -> None:
        """Give back what belongs to holds whose time is over."""
        over = db.execute("SELECT key FROM reservation WHERE status = 'held' AND held_until <= ?", (self._now(),))
        for (key,) in over.fetchall():
            self._give_back(db, key, "lapsed")

    @staticmethod
    def _give_back(db: sqlite3.Connection, key: str, status: str) -> None:
        db.execute("DELETE FROM seat WHERE key = ?", (key,))
        db.execute("DELETE FROM taken WHERE key = ?", (key,))
        db.execute("UPDATE reservation SET status = ? WHERE key = ?", (status, key))

    def _known(self, db: sqlite3.Connection, key: str) -> Reservation:
        found = self._read(db, key)
        if found is None:
            raise NotFoundError(f"Nothing was reserved under the key {key!r}.")
        return found

    def _read(self, db: sqlite3.Connection, key: str) -> Reservation | None:
        row = db.execute("SELECT offer_id, status, held_until, seats FROM reservation WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        offer_id, status, until, seats = row
        over = status == "held" and until <= self._now()
        return Reservation(
            key=key, offer_id=offer_id, status="lapsed" if over else status, source=SAMPLE,
            held_until=None if until is None else datetime.fromtimestamp(until, UTC),
            seats=tuple(SeatChoice.model_validate(seat) for seat in json.loads(seats)),
        )  # fmt: skip

    @staticmethod
    def _same(known: Reservation, offer_id: str | None = None) -> Reservation:
        """`known`, when it lives and is for this offer."""
        if offer_id not in (None, known.offer_id):
            raise ConflictError(f"The key {known.key!r} was used for another offer. Use a new key.")
        if known.status == "released":
            raise ConflictError(f"The reservation {known.key!r} was cancelled. Reserve anew, under another key.")
        if known.status == "lapsed":
            raise OfferExpiredError("The hold ran out and what it kept was given back. Quote the offer again.")
        return known

    def _now(self) -> int:
        return int(self._clock().timestamp())

    def _opened(self) -> sqlite3.Connection:
        """The connection, made at first use: who looks for no trip needs no file."""
        if self._connection is None:
            make_private_folder(self._path.parent)
            db = sqlite3.connect(self._path, check_same_thread=False, isolation_level=None, timeout=BUSY_SECONDS)
            try:
                db.executescript(SCHEMA)
            except BaseException:
                db.close()
                raise
            self._connection = db
        return self._connection

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock, database_faults(self._path):
            yield self._opened()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that no other writer, of this process or another, comes between."""
        with self._lock, database_faults(self._path):
            db = self._opened()
            db.execute("BEGIN IMMEDIATE")
            try:
                self._lapse(db)
                yield db
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise
