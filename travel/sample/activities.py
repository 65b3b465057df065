"""The counter for things to do."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, time, timedelta
from functools import cache
from typing import Annotated, NamedTuple

from pydantic import BeforeValidator
from typing_extensions import override

from config.errors import DateInPastError, NoServiceError, SoldOutError
from stores.inventory import Need
from travel.local_time import LocalTime
from travel.money import Money
from travel.offers import ActivityOffer
from travel.queries import ActivityQuery, Interest
from travel.sample.chance import Chance
from travel.sample.counter import Counter, check_day, check_order, free_until, today_in
from travel.sample.flights.fares import CURRENCY
from travel.sample.ids import Ticket, read_date, ticket
from travel.sample.places.airports import Place
from travel.sample.places.gazetteer import town_called, town_of
from travel.tables import names, read_rows

_MOST_DAYS = 31
_OFFERED = (0.3, 0.4, 0.55, 0.7, 0.85, 1.0)
"""The share of all activities that a town has, by its size."""


class _Activity(NamedTuple):
    interest: Interest
    title: str
    minutes: int
    dollars: float
    least_age: int
    indoors: bool
    step_free: bool
    hours: Annotated[tuple[int, ...], BeforeValidator(names)]


class ActivityCounter(Counter[ActivityOffer]):
    """Sells places. A ticket's parts: town, activity, day, hour, people, first and last day asked for."""

    kind = "AC"

    def search(self, query: ActivityQuery) -> tuple[ActivityOffer, ...]:
        """See `TravelProvider.search_activities`."""
        town, now = town_called(query.city), self._context.clock()
        today = today_in(town.zone, now)
        check_day(query.first_day, today, f"A day in {town.name} on")
        check_order(query.first_day, query.last_day, "The days", most_days=_MOST_DAYS)
        wanted = [
            number for number in self._in(town) if not query.interests or _all()[number].interest in query.interests
        ]
        if not wanted:
            raise NoServiceError(
                f"{town.name} has nothing for {', '.join(query.interests) or 'visitors'}. Offer other interests."
            )
        found = self._on_offer(town, wanted, query)
        if not found:
            raise SoldOutError(f"Everything in {town.name} is sold out then. Offer other days or fewer people.")
        return tuple(sorted(found, key=lambda offer: (offer.starts.utc, offer.id))[: query.limit])

    @override
    def needs(self, ticket: Ticket) -> list[Need]:
        town, number, day, hour, people = _read(ticket)
        chance = Chance(self._context.seed, "places", town.code, number, day, hour)
        capacity = max(0, chance.between(-2, 16))
        resource = self._context.resource("places", town.code, number, day, hour)
        return [Need(resource, people, capacity, f"{_all()[number].title} on {day} at {hour}:00")]

    @override
    def check(self, ticket: Ticket) -> None:
        town, _, day, hour, _ = _read(ticket)
        if LocalTime.on(day, time(hour), town.zone).utc <= self._context.clock():
            raise DateInPastError(f"It begins on {day} at {hour}:00, which is over. Search other days.")

    def _in(self, town: Place) -> Iterator[int]:
        for number in range(len(_all())):
            if Chance(self._context.seed, "activity", town.code, number).unit() < _OFFERED[town.size]:
                yield number

    def _on_offer(self, town: Place, numbers: Sequence[int], query: ActivityQuery) -> list[ActivityOffer]:
        """Return each activity on one of its days; not all on the first, so that each day has some."""
        tickets = [each for number in numbers for each in self._tickets(town, number, query)]
        free: defaultdict[str, list[tuple[Ticket, int]]] = defaultdict(list)
        for each, left in self._with_left(tickets, query.people):
            free[each.parts[1]].append((each, left))
        return [self._offer(*options[int(number) % len(options)]) for number, options in free.items()]

    def _tickets(self, town: Place, number: int, query: ActivityQuery) -> list[Ticket]:
        """Return the activity on each of its days that are not over, at one of its hours."""
        hour = Chance(self._context.seed, "hour", town.code, number).pick(_all()[number].hours)
        now = self._context.clock()
        return [
            ticket(self.kind, (town.code, number, day, hour, query.people, query.first_day, query.last_day), now)
            for day in self._days(town, number, query.first_day, query.last_day)
            if LocalTime.on(day, time(hour), town.zone).utc > now
        ]

    def _days(self, town: Place, number: int, first: date, last: date) -> list[date]:
        """Return the days between two, both included, on which it takes place: it rests on one weekday, or on none."""
        resting = Chance(self._context.seed, "resting", town.code, number).below(9)
        days = (first + timedelta(days=count) for count in range((last - first).days + 1))
        return [day for day in days if day.weekday() != resting]

    @override
    def _offer(self, ticket: Ticket, left: int) -> ActivityOffer:
        town, number, day, hour, people = _read(ticket)
        what, span = _all()[number], map(read_date, ticket.parts[-2:])
        others = tuple(other for other in self._days(town, number, *span) if other != day)
        chance = Chance(self._context.seed, "activity price", town.code, number)
        each = Money(amount=100 * round(what.dollars * (0.85 + 0.4 * chance.unit())), currency=CURRENCY)
        starts = LocalTime.on(day, time(hour), town.zone)
        return ActivityOffer(
            **self._context.label(ticket, town.zone), price=each * people, left=left, title=what.title,
            interest=what.interest, city=town.name, neighborhood=chance.pick(town.neighborhoods), starts=starts,
            other_days=others, minutes=what.minutes, people=people, per_person=each, indoors=what.indoors,
            step_free=what.step_free, least_age=what.least_age,
            free_cancellation_until=free_until(starts, ticket),
        )  # fmt: skip


def _read(given: Ticket) -> tuple[Place, int, date, int, int]:
    place, number, day, hour, people, _, _ = given.parts
    return town_of(place), int(number), read_date(day), int(hour), int(people)


@cache
def _all() -> tuple[_Activity, ...]:
    return read_rows("activities", _Activity)
