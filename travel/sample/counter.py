"""The base class of the sample world's counters, which sell one kind of offer each, and the tickets in offer ids.

An offer id contains the whole offer: its kind, its parts, the time of its price and a checksum, as in
`FL.261203-LHR-BA117-JFK.YS.200.5987412.kwfzha`. Making an offer stores nothing.
"""

import hmac
from abc import ABC, abstractmethod
from collections import Counter as Tally
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from string import ascii_lowercase
from typing import Any, ClassVar, NamedTuple
from zoneinfo import ZoneInfo

from config.errors import DateInPastError, InvalidInputError, NoServiceError, TravelDateError, UnknownOfferError
from stores.inventory import Inventory, Need, Unit
from travel.flights import SeatMap
from travel.local_time import LocalTime
from travel.money import Money
from travel.provider import AnyOffer, SeatChoice
from travel.queries import Party
from travel.sample import SAMPLE
from travel.sample.chance import Chance
from travel.summary import summary

CURRENCY = "USD"
DAYS_AHEAD = 365
"""Offers start at most this many days from today."""
GOOD_FOR = timedelta(minutes=30)
"""How long an offer is valid; its time is rounded down to five minutes."""
_STAMP_SECONDS = 300
PLENTY = 99
"""`left` of an offer that needs nothing from the inventory."""


class Ticket(NamedTuple):
    """A parsed offer id: the `kind` of offer, its `parts`, and the time of its price."""

    kind: str
    parts: tuple[str, ...]
    made_at: datetime

    @property
    def expires_at(self) -> datetime:
        """When its price expires."""
        return self.made_at + GOOD_FOR


def read_id(offer_id: str, seed: str) -> Ticket:
    """Parse an offer id. Raises UnknownOfferError if this world did not make it."""
    text, _, check = offer_id.strip().rpartition(".")
    if not hmac.compare_digest(check.encode(), _check(text, seed).encode()):
        raise UnknownOfferError(f"There is no offer {offer_id[:120]!r}. Copy the id exactly from a search result.")
    kind, *parts, stamp = text.split(".")
    return Ticket(kind, tuple(parts), datetime.fromtimestamp(int(stamp) * _STAMP_SECONDS, UTC))


def _check(text: str, seed: str) -> str:
    chance = Chance(seed, text)
    return "".join(chance.pick(ascii_lowercase) for _ in range(6))


def _format_part(part: object) -> str:
    """Format a part of an id: a date as in `261203`, travellers as in `210` for two adults and a child."""
    if isinstance(part, date):
        return f"{part:%y%m%d}"
    return f"{part.adults}{part.children}{part.infants}" if isinstance(part, Party) else str(part)


def read_party(text: str) -> Party:
    """Parse the travellers in an offer id."""
    return Party.model_validate(dict(zip(Party.model_fields, text, strict=True)))


def read_date(text: str) -> date:
    """Parse a date in an offer id."""
    return date(2000 + int(text[:2]), int(text[2:4]), int(text[4:6]))


class Counter(ABC):
    """Sells one kind of offer in the world of `seed`. Its offer ids begin with `kind`."""

    kind: ClassVar[str]

    def __init__(self, seed: str, clock: Callable[[], datetime], inventory: Inventory) -> None:
        self._seed = seed
        self._clock = clock
        self._inventory = inventory

    def needs(self, _: Ticket, /) -> list[Need]:
        """Return what a booking takes from the inventory; empty if it never sells out. Raises UnknownOfferError."""
        return []

    @abstractmethod
    def _offer(self, ticket: Ticket, left: int) -> AnyOffer:
        """Return the offer of a ticket, with `left` as the available number."""

    def offer(self, ticket: Ticket) -> AnyOffer:
        """Return the offer of a ticket, with its current availability. Raises UnknownOfferError."""
        return self._offer(ticket, *self._left([self.needs(ticket)]))

    def check(self, ticket: Ticket) -> None:
        """Raise DateInPastError if it starts in the past."""
        offer = self.offer(ticket)
        starts = summary(offer).first_day
        if starts < self._today(offer.expires_at.zone):
            raise DateInPastError(f"It begins on {starts}, which is in the past. Search other dates.")

    def seat_maps(self, _: Ticket, /) -> tuple[SeatMap, ...]:
        """Return the seat map of each segment of a flight. Raises NoServiceError for other offers."""
        raise NoServiceError("Only flights have seats to choose. Use the id of a flight offer.")

    def seat_units(self, _: Ticket, /, seats: Sequence[SeatChoice]) -> list[Unit]:
        """Return the inventory units of these seats. Raises SeatTakenError or InvalidInputError."""
        if seats:
            raise InvalidInputError("Seats can be chosen on flights only. Leave them out.")
        return []

    def _ticket(self, *parts: object) -> Ticket:
        # Rounded down to five minutes, so that repeated searches return the same ids.
        seconds = int(self._clock().timestamp())
        made_at = datetime.fromtimestamp(seconds - seconds % _STAMP_SECONDS, UTC)
        return Ticket(self.kind, tuple(map(_format_part, parts)), made_at)

    def _label(self, ticket: Ticket, zone: str) -> dict[str, Any]:
        """Return the id, source and expiry of an offer."""
        text = ".".join((self.kind, *ticket.parts, str(int(ticket.made_at.timestamp()) // _STAMP_SECONDS)))
        expires = LocalTime(at=ticket.expires_at, zone=zone)
        return {"id": f"{text}.{_check(text, self._seed)}", "source": SAMPLE, "expires_at": expires}

    def _resource(self, *parts: object) -> str:
        return "/".join(map(str, (self._seed, *parts)))

    def _left(self, many: Iterable[Sequence[Need]]) -> list[int]:
        """Return the availability of each list of needs: the least that is left of any of its resources."""
        lists = list(many)
        taken = Tally(self._inventory.taken(list({need.resource for needs in lists for need in needs})))
        frees = ((need.capacity - taken[need.resource] for need in needs) for needs in lists)
        return [max(0, min(free, default=PLENTY)) for free in frees]

    def _available(self, tickets: Sequence[Ticket], least: int) -> list[tuple[Ticket, int]]:
        """Return the tickets with an availability of at least `least`, each with its availability."""
        lefts = self._left(map(self.needs, tickets))
        return [(ticket, left) for ticket, left in zip(tickets, lefts, strict=True) if left >= least]

    def _today(self, zone: str) -> date:
        return self._clock().astimezone(ZoneInfo(zone)).date()

    def _check_day(self, day: date, zone: str, what: str) -> None:
        """Raise DateInPastError or TravelDateError unless `day` is from today to `DAYS_AHEAD` days ahead."""
        today = self._today(zone)
        if day < today:
            raise DateInPastError(f"{what} {day} is in the past: it is {today} there. Ask for a date from today on.")
        last = today + timedelta(days=DAYS_AHEAD)
        if day > last:
            problem = f"{what} {day} is too far ahead: nothing is sold after {last}."
            raise TravelDateError(f"{problem} Ask for an earlier date.")


def usd(cents: int) -> Money:
    """Return an amount in the currency of the sample world."""
    return Money(amount=cents, currency=CURRENCY)


def days_from(first: date, count: int) -> list[date]:
    """Return `count` days, beginning with `first`."""
    return [first + timedelta(days=number) for number in range(count)]


def free_until(until: LocalTime, ticket: Ticket) -> LocalTime | None:
    """Return `until` if it is after the time of the ticket's price, else None."""
    return until if until.utc > ticket.made_at else None


def check_order(start: date, end: date, what: str, *, least_days: int = 0, most_days: int = DAYS_AHEAD) -> None:
    """Raise TravelDateError unless `end` is from `least_days` to `most_days` days after `start`."""
    days = (end - start).days
    if days < least_days:
        raise TravelDateError(f"{what}: {end} is too early for a start on {start}. Ask which date is meant.")
    if days > most_days:
        raise TravelDateError(f"{what}: {days} days are more than the {most_days} that are sold at a stretch.")
