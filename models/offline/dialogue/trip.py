"""The trip being talked about: gathered over the visible conversation, the latest word wins, one question at a time."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from datetime import timedelta

from models.offline.language import Language
from models.offline.readings import Reading, Slot, TripDetails

_NOT_TOLD = frozenset({"opens", "replaces", "kinds", "shift", "longer"})


@dataclass(frozen=True, slots=True)
class Trip(TripDetails):
    """What is known of the trip; None and empty where nothing was said. `open` once the user asked for one."""

    open: bool = False

    def updated(self, reading: Reading) -> Trip:
        """The trip after `reading`: what it says replaces what was known."""
        base = self._anew() if self._starts_anew(reading) else self
        news = {
            item.name: value
            for item in fields(reading)
            if item.name not in _NOT_TOLD and (value := getattr(reading, item.name))
        }
        if reading.people:
            news |= {"children": reading.children, "infants": reading.infants}
        kinds = tuple(dict.fromkeys((*base.kinds, *reading.kinds)))
        return replace(base, **news, kinds=kinds, open=base.open or reading.opens)._dated(reading, base)

    def _anew(self) -> Trip:
        """Another journey of the same people from the same place."""
        return Trip(origin=self.origin, people=self.people, children=self.children, infants=self.infants, open=True)

    def _starts_anew(self, reading: Reading) -> bool:
        complete = self.missing(home=self.origin) is None
        other = reading.destination is not None and reading.destination != self.destination
        return self.open and complete and other and reading.opens and not reading.replaces

    def _dated(self, reading: Reading, before: Trip) -> Trip:
        """Start, end and nights brought into agreement; a new start drops the end that belonged to another."""
        start, end, nights = self.start, self.end, self.nights
        if reading.start and not reading.end and (before.start or (end and end <= reading.start)):
            end = None
        if start and reading.shift:
            start += timedelta(days=reading.shift)
            end = end and end + timedelta(days=reading.shift)
        if start and nights and reading.longer:
            nights = max(1, nights + reading.longer)
            end = start + timedelta(days=nights)
        if reading.start and reading.end:
            nights = (reading.end - reading.start).days
        elif start and nights and not (reading.end and not reading.nights):
            end = start + timedelta(days=nights)
        elif start and end:
            nights = (end - start).days
        if reading.vague_dates and not reading.start:
            start, end = None, None
        return replace(self, start=start, end=end, nights=nights if nights and nights > 0 else None)

    def missing(self, home: str | None) -> Slot | None:
        """The next detail to ask for, in a fixed order, or None when all is there."""
        if not self.destination:
            return "destination"
        if not self._on_the_spot and not self.starts_from(home):
            return "origin"
        if not self._when:
            return "dates"
        return None if self.people else "people"

    @property
    def _on_the_spot(self) -> bool:
        return bool(self.kinds) and not {"flight", "train", "trip"} & set(self.kinds)

    @property
    def _when(self) -> bool:
        return self.flexible or bool(self.start and (self.end or self.one_way))

    def starts_from(self, home: str | None) -> str | None:
        """Where the journey starts; None when that does not matter, and for one to `home` that starts elsewhere."""
        if self._on_the_spot:
            return None
        return self.origin or (home if home and not self._goes_to(home) else None)

    def _goes_to(self, city: str) -> bool:
        """True when the destination is `city`, which may name its country as well ("Lisbon, Portugal")."""
        return _city(self.destination or "") == _city(city)


def _city(name: str) -> str:
    return name.partition(",")[0].strip().casefold()


def trip_details(language: Language, trip: Trip, home: str | None) -> list[str]:
    """Return the known details in words: from where, to where, when, how many, what for and for how much."""
    say = language.say
    origin = trip.starts_from(home)
    found: list[str] = []
    if origin:
        found.append(say("detail_origin" if trip.origin else "detail_origin_home", value=origin))
    if trip.destination:
        found.append(say("detail_destination", value=trip.destination))
    found += _when(language, trip)
    if trip.people:
        found.append(say("detail_people_one") if trip.people == 1 else say("detail_people", value=trip.people))
    found += [say(f"detail_{name}", value=value) for name in ("purpose", "budget") if (value := getattr(trip, name))]
    return found


def _when(language: Language, trip: Trip) -> list[str]:
    say, show = language.say, language.format_date
    nights = (say("nights_one") if trip.nights == 1 else say("nights", count=trip.nights)) if trip.nights else ""
    if trip.start and trip.end and nights:
        return [say("detail_span", start=show(trip.start), end=show(trip.end), nights=nights)]
    if trip.start:
        return [say("detail_one_way" if trip.one_way else "detail_start", start=show(trip.start))]
    when = []
    if trip.vague_dates:
        when.append(say("detail_vague" if trip.month else "detail_vague_as_said", value=trip.vague_dates))
    elif trip.flexible:
        when.append(say("detail_flexible"))
    return [*when, *([say("detail_nights", value=nights)] if nights else [])]
