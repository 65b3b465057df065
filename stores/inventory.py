"""An inventory of rooms, seats and the like in SQLite: a claim takes all it needs or nothing, across processes."""

import json
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from config.errors import ConflictError, NotFoundError, OfferExpiredError, SeatTakenError, SoldOutError
from stores.faults import database_faults, open_database, transaction

# A row of `taken` counts until its hold expires; `held_until` is in whole seconds since 1970, NULL once confirmed.
_SCHEMA = """
PRAGMA journal_mode=WAL;
PRAGMA synchronous=FULL;
CREATE TABLE IF NOT EXISTS reservation (
  key TEXT PRIMARY KEY,
  offer_id TEXT NOT NULL,
  status TEXT NOT NULL,
  held_until INTEGER,
  seats TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS reservation_held ON reservation (held_until) WHERE status = 'held';
CREATE TABLE IF NOT EXISTS taken (
  resource TEXT NOT NULL,
  key TEXT NOT NULL REFERENCES reservation (key),
  count INTEGER NOT NULL,
  held_until INTEGER,
  PRIMARY KEY (resource, key)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS taken_by_key ON taken (key);
CREATE TABLE IF NOT EXISTS seat (
  resource TEXT NOT NULL,
  seat TEXT NOT NULL,
  key TEXT NOT NULL REFERENCES reservation (key),
  PRIMARY KEY (resource, seat)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS seat_by_key ON seat (key);
"""
_LIVE = "(held_until IS NULL OR held_until > ?)"
Status = Literal["held", "confirmed", "released", "lapsed"]


@dataclass(frozen=True, slots=True)
class Need:
    """A request for `count` of one resource, which has `capacity` in all; `label` names it in messages."""

    resource: str
    count: int
    capacity: int
    label: str


@dataclass(frozen=True, slots=True)
class Unit:
    """One named unit of a resource, such as a seat, for one claim alone; `label` names it in messages."""

    resource: str
    name: str
    label: str


@dataclass(frozen=True, slots=True)
class Claim:
    """The reservation under one key: its subject (an offer), its status, and the plain JSON `details` of its units."""

    key: str
    subject: str
    status: Status
    held_until: datetime | None
    details: list[Any]


class Inventory:
    """Reserves resources, for all threads of one process; other processes may open the same file.

    Args:
        path: The database file.
        clock: Gives the current time, timezone-aware; decides when holds expire.

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
        """Return how many of each resource are taken now; omit resources of which none is taken."""
        where = f"resource IN (SELECT value FROM json_each(?)) AND {_LIVE}"
        query = f"SELECT resource, sum(count) FROM taken WHERE {where} GROUP BY resource"
        with self._reading() as db:
            return dict(db.execute(query, (json.dumps(list(resources)), self._now())))

    def units(self, resource: str) -> set[str]:
        """Return the names of the units of a resource that are taken now."""
        query = f"SELECT s.seat FROM seat s JOIN taken USING (resource, key) WHERE s.resource = ? AND {_LIVE}"
        with self._reading() as db:
            return {unit for (unit,) in db.execute(query, (resource, self._now()))}

    def get(self, key: str) -> Claim | None:
        """Return the claim under `key`; an expired hold has the status `lapsed`."""
        with self._reading() as db:
            return self._read(db, key)

    def reserve(
        self,
        key: str,
        subject: str,
        needs: Sequence[Need],
        *,
        units: Sequence[Unit] = (),
        details: Sequence[Any] = (),
        held_until: datetime | None = None,
    ) -> Claim:
        """Take all of `needs` and `units`, or nothing; if `key` has a claim already, return that unchanged.

        Raises:
            SoldOutError: if too few of a resource are left.
            SeatTakenError: if another claim has one of the units.
            ConflictError: if the key was used for another subject, or was released.
            OfferExpiredError: if the hold under this key has expired.
        """
        until = None if held_until is None else int(held_until.timestamp())
        with self._writing() as db:
            claim = self._read(db, key)
            if claim:
                return self._usable(claim, subject)
            for need in needs:
                query = "SELECT coalesce(sum(count), 0) FROM taken WHERE resource = ?"
                left = max(0, need.capacity - db.execute(query, (need.resource,)).fetchone()[0])
                if need.count > left:
                    raise SoldOutError(
                        f"{need.label} is sold out: {need.count} wanted, {left} left. Search again and offer another."
                    )
            status = "confirmed" if until is None else "held"
            db.execute(
                "INSERT INTO reservation VALUES (?, ?, ?, ?, ?)",
                (key, subject, status, until, json.dumps(list(details))),
            )
            db.executemany(
                "INSERT INTO taken VALUES (?, ?, ?, ?)", [(need.resource, key, need.count, until) for need in needs]
            )
            self._take_units(db, key, units)
            return self._existing(db, key)

    def confirm(self, key: str) -> Claim:
        """Make a hold permanent. Raises NotFoundError, ConflictError or OfferExpiredError."""
        with self._writing() as db:
            self._usable(self._existing(db, key))
            db.execute("UPDATE reservation SET status = 'confirmed', held_until = NULL WHERE key = ?", (key,))
            db.execute("UPDATE taken SET held_until = NULL WHERE key = ?", (key,))
            return self._existing(db, key)

    def choose(self, key: str, units: Sequence[Unit], details: Sequence[Any]) -> Claim:
        """Replace the units of a claim. Raises SeatTakenError, NotFoundError, ConflictError or OfferExpiredError."""
        with self._writing() as db:
            self._usable(self._existing(db, key))
            db.execute("DELETE FROM seat WHERE key = ?", (key,))
            self._take_units(db, key, units)
            db.execute("UPDATE reservation SET seats = ? WHERE key = ?", (json.dumps(list(details)), key))
            return self._existing(db, key)

    def release(self, key: str) -> Claim:
        """Give back all that a claim has taken. Raises NotFoundError."""
        with self._writing() as db:
            if self._existing(db, key).status != "lapsed":
                self._return_units(db, key, "released")
            return self._existing(db, key)

    def _take_units(self, db: sqlite3.Connection, key: str, units: Sequence[Unit]) -> None:
        for unit in units:
            try:
                db.execute("INSERT INTO seat VALUES (?, ?, ?)", (unit.resource, unit.name, key))
            except sqlite3.IntegrityError:
                raise SeatTakenError(f"{unit.label} is taken. Show the seat map and ask again.") from None

    @staticmethod
    def _return_units(db: sqlite3.Connection, key: str, status: str) -> None:
        db.execute("DELETE FROM seat WHERE key = ?", (key,))
        db.execute("DELETE FROM taken WHERE key = ?", (key,))
        db.execute("UPDATE reservation SET status = ? WHERE key = ?", (status, key))

    def _existing(self, db: sqlite3.Connection, key: str) -> Claim:
        claim = self._read(db, key)
        if claim is None:
            raise NotFoundError(f"Nothing was reserved under the key {key!r}.")
        return claim

    def _read(self, db: sqlite3.Connection, key: str) -> Claim | None:
        row = db.execute("SELECT offer_id, status, held_until, seats FROM reservation WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        subject, status, until, details = row
        is_expired = status == "held" and until <= self._now()
        held_until = None if until is None else datetime.fromtimestamp(until, UTC)
        return Claim(key, subject, "lapsed" if is_expired else status, held_until, json.loads(details))

    @staticmethod
    def _usable(claim: Claim, subject: str | None = None) -> Claim:
        """Return `claim` if it is held or confirmed, and for `subject`; see `reserve` for the errors."""
        if subject not in (None, claim.subject):
            raise ConflictError(f"The key {claim.key!r} was used for another offer. Use a new key.")
        if claim.status == "released":
            raise ConflictError(f"The reservation {claim.key!r} was cancelled. Reserve anew, under another key.")
        if claim.status == "lapsed":
            raise OfferExpiredError("The hold ran out and what it kept was given back. Search again.")
        return claim

    def _now(self) -> int:
        return int(self._clock().timestamp())

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """Lock and yield the connection, which is opened at first use."""
        with self._lock, database_faults(self._path):
            self._connection = self._connection or open_database(self._path, _SCHEMA)
            yield self._connection

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Run the block in a transaction, after giving back what expired holds had taken."""
        with self._reading() as db, transaction(db):
            expired = "SELECT key FROM reservation WHERE status = 'held' AND held_until <= ?"
            for (key,) in db.execute(expired, (self._now(),)).fetchall():
                self._return_units(db, key, "lapsed")
            yield db
