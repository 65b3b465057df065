"""The counter for activities."""

from datetime import date, time
from functools import cache, partial
from itertools import groupby
from typing import NamedTuple

from typing_extensions import override

from config.errors import DateInPastError, NoServiceError, SoldOutError
from stores.inventory import Need
from travel.local_time import LocalTime
from travel.offers import ActivityOffer
from travel.queries import ActivityQuery, Interest
from travel.sample.chance import Chance
from travel.sample.counter import Counter, Ticket, check_order, days_from, free_until, read_date, usd
from travel.sample.places.airports import Place
from travel.sample.places.gazetteer import town_called, town_of
from travel.tables import Listed, read_rows

_MAX_DAYS = 31
_OFFERED = (0.3, 0.4, 0.55, 0.7, 0.85, 1.0)
"""The share of all activities that a town offers, by the size of the town."""


class _Activity(NamedTuple):
    interest: Interest
    title: str
    minutes: int
    dollars: float
    least_age: int
    indoors: bool
    step_free: bool
    hours: Listed[int]


_all = cache(partial(read_rows, "activities", _Activity))


class ActivityCounter(Counter):
    """Sells activities. The parts of a ticket: town, activity, day, hour, people, first and last day of the search."""

    kind = "AC"

    def search(self, query: ActivityQuery) -> tuple[ActivityOffer, ...]:
        """See `TravelProvider.search_activities`."""
        town = town_called(query.city)
        self._check_day(query.first_day, town.zone, f"A day in {town.name} on")
        check_order(query.first_day, query.last_day, "The days", most_days=_MAX_DAYS)
        offered = [
            number
            for number, activity in enumerate(_all())
            if Chance(self._seed, "activity", town.code, number).unit() < _OFFERED[town.size]
            and (not query.interests or activity.interest in query.interests)
        ]
        if not offered:
            interests = ", ".join(query.interests) or "visitors"
            raise NoServiceError(f"{town.name} has nothing for {interests}. Offer other interests.")
        tickets = [
            self._ticket(town.code, number, day, hour, query.people, query.first_day, query.last_day)
            for number in offered
            for hour in [Chance(self._seed, "hour", town.code, number).pick(_all()[number].hours)]
            for day in self._days(town, number, query.first_day, query.last_day)
            if LocalTime.on(day, time(hour), town.zone).utc > self._clock()
        ]
        free = self._available(tickets, query.people)
        if not free:
            raise SoldOutError(f"Everything in {town.name} is sold out then. Offer other days or fewer people.")
        # One offer per activity; the days vary, so that every day has some.
        grouped = [(int(number), list(days)) for number, days in groupby(free, key=lambda option: option[0].parts[1])]
        offers = [self._offer(*days[number % len(days)]) for number, days in grouped]
        return tuple(sorted(offers, key=lambda offer: (offer.starts.utc, offer.id))[: query.limit])

    @override
    def needs(self, ticket: Ticket) -> list[Need]:
        town, number, starts, people = _read(ticket)
        parts = "places", town.code, number, starts.day, starts.at.hour
        capacity = max(0, Chance(self._seed, *parts).between(-2, 16))
        return [Need(self._resource(*parts), people, capacity, f"{_all()[number].title} on {_when(starts)}")]

    @override
    def check(self, ticket: Ticket) -> None:
        starts = _read(ticket)[2]
        if starts.utc <= self._clock():
            raise DateInPastError(f"It begins on {_when(starts)}, which is over. Search other days.")

    def _days(self, town: Place, number: int, first: date, last: date) -> list[date]:
        """Return the days from `first` to `last` on which it takes place: all but one weekday, or all."""
        day_off = Chance(self._seed, "resting", town.code, number).below(9)
        return [day for day in days_from(first, (last - first).days + 1) if day.weekday() != day_off]

    def _offer(self, ticket: Ticket, left: int) -> ActivityOffer:
        town, number, starts, people = _read(ticket)
        activity, span = _all()[number], map(read_date, ticket.parts[-2:])
        chance = Chance(self._seed, "activity price", town.code, number)
        each = usd(100 * round(activity.dollars * (0.85 + 0.4 * chance.unit())))
        return ActivityOffer(
            **self._label(ticket, town.zone), price=each * people, left=left, title=activity.title,
            interest=activity.interest, city=town.name, neighborhood=chance.pick(town.neighborhoods), starts=starts,
            other_days=tuple(day for day in self._days(town, number, *span) if day != starts.day),
            minutes=activity.minutes, people=people, per_person=each, indoors=activity.indoors,
            step_free=activity.step_free, least_age=activity.least_age,
            free_cancellation_until=free_until(starts.after(-24 * 60), ticket),
        )  # fmt: skip


def _read(ticket: Ticket) -> tuple[Place, int, LocalTime, int]:
    place, number, day, hour, people, _, _ = ticket.parts
    town = town_of(place)
    return town, int(number), LocalTime.on(read_date(day), time(int(hour)), town.zone), int(people)


def _when(starts: LocalTime) -> str:
    return f"{starts.day} at {starts.at.hour}:00"
