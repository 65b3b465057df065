"""What all the counters of the sample world share: its seed, its clock, its inventory, and how an offer is labelled."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, ClassVar, Generic, TypeVar
from zoneinfo import ZoneInfo

from config.errors import DateInPastError, TravelDateError
from stores.inventory import Inventory, Need
from travel.local_time import LocalTime
from travel.provider import AnyOffer
from travel.sample import SAMPLE
from travel.sample.ids import Ticket, write_id
from travel.summary import summary

DAYS_AHEAD = 365
"""Nothing is sold later."""

OfferT_co = TypeVar("OfferT_co", bound=AnyOffer, covariant=True)


@dataclass(frozen=True, slots=True)
class SampleContext:
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
        taken = self.inventory.taken(names) if names else {}
        return [
            max(0, min((need.capacity - taken.get(need.resource, 0) for need in needs), default=99)) for needs in listed
        ]


class Counter(ABC, Generic[OfferT_co]):
    """Sells one kind of thing of the sample world. `kind` opens the ids of its offers."""

    kind: ClassVar[str]

    def __init__(self, context: SampleContext) -> None:
        self._context = context

    @abstractmethod
    def needs(self, ticket: Ticket) -> list[Need]:
        """Return what booking it takes from the inventory. Raises UnknownOfferError."""

    @abstractmethod
    def _offer(self, ticket: Ticket, left: int) -> OfferT_co:
        """Return the offer of a ticket of which so many are left."""

    def offer(self, ticket: Ticket) -> OfferT_co:
        """Return the offer of a ticket, with what is left of it now. Raises UnknownOfferError."""
        return self._offer(ticket, self._context.left(self.needs(ticket)))

    def check(self, ticket: Ticket) -> None:
        """Raise DateInPastError when it has begun."""
        offer = self.offer(ticket)
        starts = summary(offer).first_day
        if starts < today_in(offer.expires_at.zone, self._context.clock()):
            raise DateInPastError(f"It begins on {starts}, which is in the past. Search other dates.")

    def _with_left(self, tickets: Sequence[Ticket], least: int) -> list[tuple[Ticket, int]]:
        """Return the tickets of which `least` are left or more, with how many are."""
        lefts = self._context.lefts([self.needs(ticket) for ticket in tickets])
        return [(ticket, left) for ticket, left in zip(tickets, lefts, strict=True) if left >= least]


def free_until(starts: LocalTime, ticket: Ticket) -> LocalTime | None:
    """Return a day before `starts`, until which cancelling is free; None when that is over for this ticket."""
    until = starts.after(-24 * 60, starts.zone)
    return until if until.utc > ticket.made_at else None


def today_in(zone: str, now: datetime) -> date:
    """Return the date there."""
    return now.astimezone(ZoneInfo(zone)).date()


def check_day(day: date, today: date, what: str) -> None:
    """Raise DateInPastError or TravelDateError unless `what` on `day` can be sold today."""
    if day < today:
        raise DateInPastError(f"{what} {day} is in the past: it is {today} there. Ask for a date from today on.")
    last = today + timedelta(days=DAYS_AHEAD)
    if day > last:
        raise TravelDateError(f"{what} {day} is too far ahead: nothing is sold after {last}. Ask for an earlier date.")


def check_order(start: date, end: date, what: str, *, least_days: int = 0, most_days: int = DAYS_AHEAD) -> None:
    """Raise TravelDateError unless `end` follows `start` by so many days."""
    days = (end - start).days
    if days < least_days:
        raise TravelDateError(f"{what}: {end} is too early for a start on {start}. Ask which date is meant.")
    if days > most_days:
        raise TravelDateError(f"{what}: {days} days are more than the {most_days} that are sold at a stretch.")
