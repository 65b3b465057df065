"""The tables of the inventory, and what a booking takes from them."""

from __future__ import annotations

from dataclasses import dataclass

from travel.provider import SeatChoice

# A row of `taken` counts until its hold lapses; `held_until` is in whole seconds since 1970, NULL once confirmed.
SCHEMA = """
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


@dataclass(frozen=True, slots=True)
class Need:
    """So many of one resource, of which the world has `capacity`; `label` names it to people."""

    resource: str
    count: int
    capacity: int
    label: str


@dataclass(frozen=True, slots=True)
class SeatNeed:
    """One seat of a resource, and where it stands in the offer."""

    resource: str
    choice: SeatChoice
