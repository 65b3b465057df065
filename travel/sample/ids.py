"""Offer ids that say all about the offer: kind, what it is, when it was made, and a check that it was made here.

An id is `KIND.part.part.stamp.check`, as in `FL.261203-LHR-BA117-JFK.YS.200.5987412.kwfzha`. Nothing is stored when an
offer is made; the same question within five minutes gets the same ids.
"""

import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from string import ascii_lowercase

from config.errors import UnknownOfferError
from travel.queries import Party
from travel.sample.chance import Chance

_STAMP_SECONDS = 300
GOOD_FOR = timedelta(minutes=30)
"""How long an offer is good, counted from the last full five minutes."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """What an id says: the `kind` of offer, its `parts`, and the moment its price was made."""

    kind: str
    parts: tuple[str, ...]
    made_at: datetime

    @property
    def expires_at(self) -> datetime:
        """When its price no longer holds."""
        return self.made_at + GOOD_FOR


def ticket(kind: str, parts: Iterable[object], moment: datetime) -> Ticket:
    """Return a ticket made at `moment`, or rather at the full five minutes before.

    Dates are written as in `261203`, travellers as in `210` for two adults and a child.
    """
    seconds = int(moment.timestamp())
    made_at = datetime.fromtimestamp(seconds - seconds % _STAMP_SECONDS, UTC)
    return Ticket(kind, tuple(map(_written, parts)), made_at)


def _written(part: object) -> str:
    if isinstance(part, date):
        return f"{part:%y%m%d}"
    if isinstance(part, Party):
        return f"{part.adults}{part.children}{part.infants}"
    return str(part)


def write_id(given: Ticket, seed: str) -> str:
    """Return the offer id of a ticket."""
    text = ".".join((given.kind, *given.parts, str(int(given.made_at.timestamp()) // _STAMP_SECONDS)))
    return f"{text}.{_check(text, seed)}"


def read_id(offer_id: str, seed: str) -> Ticket:
    """Return the ticket of an offer id.

    Raises:
        UnknownOfferError: when this world never gave it out.
    """
    text, _, check = offer_id.strip().rpartition(".")
    if not hmac.compare_digest(check.encode(), _check(text, seed).encode()):
        raise UnknownOfferError(f"There is no offer {offer_id[:120]!r}. Copy the id exactly from a search result.")
    kind, *parts, stamp = text.split(".")
    return Ticket(kind, tuple(parts), datetime.fromtimestamp(int(stamp) * _STAMP_SECONDS, UTC))


def _check(text: str, seed: str) -> str:
    """Return six letters that follow from the seed, to tell ids that were given out from those made up."""
    chance = Chance(seed, text)
    return "".join(chance.pick(ascii_lowercase) for _ in range(6))


def read_party(text: str) -> Party:
    """Return the travellers of an offer id."""
    adults, children, infants = map(int, text)
    return Party(adults=adults, children=children, infants=infants)


def read_date(text: str) -> date:
    """Return the date of an offer id."""
    return date(2000 + int(text[:2]), int(text[2:4]), int(text[4:6]))
