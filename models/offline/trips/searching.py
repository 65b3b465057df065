"""Builds the arguments of a search from the trip and the facts about the traveller, and selects the offers to show."""

from collections.abc import Set
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cached_property
from typing import Any, Literal

from models.offline.dialogue.transcript import Briefing, Memory
from models.offline.notes import polarity
from models.offline.notes.claims import USER, meaning_of
from models.offline.notes.meaning.reading import read as read_form
from models.offline.notes.people import aliased, by_person, companions_in
from models.offline.reading import read_values
from models.offline.reading.understanding import Clause, Kind, Money, ReadingContext
from models.offline.reading.values.dates import MOST_SHOWN
from models.offline.trips.family import family_of
from models.offline.trips.frames import Company, Frame, Source, State, Trip
from models.offline.trips.merging import company_after
from models.offline.trips.offers import Offer, amount_of, currency_of, product_key, ways
from models.offline.trips.wishes import FEATURES, NEEDS, SEARCHED, checked_wishes, left_out, shown_wishes, unmet_wishes

_HOMES = ("home_city", "home_airport")
_ANY_DAY = date(2000, 1, 1)
"""Any day will do to read home, party and cabin from a note."""


@dataclass(frozen=True)
class Standing:
    """Defaults for any trip of the traveller, from their profile and memories."""

    briefing: Briefing

    @cached_property
    def home(self) -> str | None:
        """Return the city where the traveller lives: the profile's, else the one in a note about them, else None."""
        homes = (_home_in(each) for each in self._own)
        return self.briefing.profile.get("home_city") or next((each for each in homes if each), None)

    @property
    def _unconditional(self) -> list[Memory]:
        return [each for each in self.briefing.memories if not each.condition]

    @cached_property
    def _own(self) -> list[Memory]:
        """Return the unconditional notes with only their sentences about the traveller."""
        names = companions_in(each.text for each in self.briefing.memories)
        own = []
        for note in self._unconditional:
            for part in by_person(aliased(note.text, names).text, note.topic):
                if (part.about or meaning_of(part.said, note.topic).about) == USER:
                    own.append(replace(note, text=part.said))
        return own

    def _of(self, company: Company) -> list[Memory]:
        """Return the unconditional notes, the traveller's own first; only those if the traveller is alone."""
        own = self._own
        return own if company.everybody == 1 else [*own, *(each for each in self._unconditional if each not in own)]

    @property
    def currency(self) -> str:
        """Return the currency of the profile, or an empty string."""
        return self.briefing.profile.get("currency", "")

    @cached_property
    def party(self) -> Company | None:
        """Return who usually travels according to an unconditional note, or None."""
        notes = (each for each in self._unconditional if each.topic in ("companions", "other"))
        parties = (next((clause.party for clause in _clauses(each.text) if clause.party), None) for each in notes)
        counted = (each for each in parties if each and (each.total or each.adults) and not (each.joins or each.leaves))
        return next((company_after(None, each) for each in counted), None)

    @cached_property
    def family(self) -> Company | None:
        """Return the traveller's family if unconditional notes give its size and the children's ages, else None."""
        return family_of(self._unconditional)

    def cabin(self, company: Company, *, overnight: bool) -> str | None:
        """Return the cabin of an unconditional note, or for an overnight flight that of a note about those, or None."""
        for memory in (*self._of(company), *(each for each in self.briefing.memories if each.condition)):
            if memory.topic not in ("cabin", "other") or polarity(memory.text) < 0:
                continue
            wishes = [clause.wishes for clause in _clauses(memory.text)]
            cabin = next((each.cabin for each in wishes if each.cabin), None)
            if cabin and _is_bound(memory):
                continue
            night = any(each.overnight for each in wishes) or "overnight" in (memory.condition or "")
            if cabin and (overnight if night else not memory.condition):
                return cabin
        return None

    def needs(self, company: Company) -> tuple[str, ...]:
        """Return the hotel features that the travellers need: those of hard notes, and those in `NEEDS` of any note."""
        noted = [(each.hard, clause.wishes.features) for each in self._of(company) for clause in _clauses(each.text)]
        needed = (feature for hard, features in noted for feature in features if hard or feature in NEEDS)
        return tuple(dict.fromkeys(needed))

    def seat(self, company: Company) -> str:
        """Return the preferred seat, `aisle` or `window`, from notes or profile; empty if they name none, or both."""
        liked = [each.text for each in self._of(company) if polarity(each.text) >= 0 and not _is_bound(each)]
        for text in (*liked, f"{self.briefing.profile.get('seat_preference', '')} seat"):
            sides = {clause.wishes.seat for clause in _clauses(text)} & {"aisle", "window"}
            if len(sides) == 1:
                return str(*sides)
        return ""


def _is_bound(note: Memory) -> bool:
    """Return whether the text of a note has a condition that no search can check ("only if it's free")."""
    return bool(read_form(note.text, "", note.topic).condition - {"overnight"}) and not note.condition


def _home_in(note: Memory) -> str | None:
    """Return the home that a note claims, else the only place in the note if that is an origin, else None."""
    claims = [each for each in meaning_of(note.text, note.topic).claims if each["attribute"] in _HOMES]
    places = [place for clause in _clauses(note.text) for place in clause.places]
    if claims:
        value = next((each["value"] for each in claims if each["stance"] == "is"), "")
        places += [place for clause in _clauses(value) for place in clause.places]
        named = (each.name for each in places if value.casefold() in (each.name.casefold(), each.said.casefold()))
        return next(named, value) or None
    starts = {place.name for place in places if place.role == "origin"}
    return starts.pop() if len(starts) == len(places) == 1 and polarity(note.text) >= 0 else None


def _clauses(text: str) -> tuple[Clause, ...]:
    return read_values(text, ReadingContext(_ANY_DAY, trip_open=True))


Missing = Literal["either", "destination", "origin", "dates", "end"]
MORE = 10
"""Number of results to request if some will be filtered out: those shown before, or those that don't fit a wish."""
_NIGHTLY = (None, "night", "person_night")
"""Units of a budget that the hotel search supports."""
_DAWN = 6
"""Hour of landing before which the stay includes the night before."""


def missing(state: State, kind: Kind, standing: Standing) -> Missing | None:
    """Return the next detail to ask for before `kind` can be searched, or None if none is missing."""
    trip = state.trip
    if state.between:
        return "either"
    needs_no_end = kind == "activity" or (kind == "flight" and trip.value("one_way"))
    details: dict[Missing, Any] = {
        "destination": trip.value("destination", kind),
        "origin": kind != "flight" or origin_of(trip, standing)[0],
        "dates": trip.value("start", kind),
        "end": needs_no_end or state.end(kind),
    }
    return next((name for name, value in details.items() if not value), None)


def origin_of(trip: Trip, standing: Standing) -> tuple[str | None, Source]:
    """Return the origin of the flight and its source; by default the home city, unless that is the destination."""
    if slot := trip.slot("origin"):
        return str(slot.value), slot.source
    home, there = (str(name or "").partition(",")[0].strip() for name in (standing.home, trip.value("destination")))
    return (standing.home if home.casefold() != there.casefold() else None), "home"


def company_of(state: State, kind: Kind | None, standing: Standing) -> tuple[Company, Source | None]:
    """Return who travels and the source of that; one adult, without a source, by default. A booking keeps its party."""
    frame, slot = state.trip.frames.get(kind) if kind else None, state.trip.slot("party", kind)
    company: Company = slot.value if slot else standing.party or Company()
    source: Source | None = slot.source if slot else "note" if standing.party else None
    return frame.booked_for(company) if frame else company, source


def cabin_of(frame: Frame, state: State, standing: Standing) -> tuple[str | None, Source | None]:
    """Return the cabin to search in and its source: the one asked for, else the one that a note prefers, else None."""
    if cabin := frame.value("cabin"):
        return str(cabin), "said"
    company, _ = company_of(state, frame.kind, standing)
    noted = standing.cabin(company, overnight=bool(frame.value("overnight")))
    return noted, "note" if noted else None


def arguments(state: State, kind: Kind, standing: Standing) -> dict[str, Any] | None:
    """Return the arguments of the search for `kind`; None while a detail is missing.

    If such a search found nothing, they leave out wishes, but no need, so that the nearest offers are found.
    """
    frame, trip = state.trip.frames.get(kind), state.trip
    if frame is None or missing(state, kind, standing):
        return None
    (start, end), party = days_of(state, kind), company_of(state, kind, standing)[0]
    guests, rooms = beds(party)[0], rooms_of(state.trip, party)
    sort = frame.value("sort") or (frame.value("stars") and "rating")  # no search takes stars, so take the best rated
    free = ("free cancellation",) if frame.value("refundable") else ()
    features = dict.fromkeys((*(frame.value("features") or ()), *standing.needs(party), *free))
    values = {
        "origin": state.place(origin_of(trip, standing)[0]),
        "destination": state.place(trip.value("destination", kind)),
        "start": start, "end": end, "home": None if trip.value("one_way") else end, "last": end or start,
        "flexible_days": min(3, trip.value("flexible_days") or 0), "adults": party.adults, "children": party.children,
        "infants": party.infants, "young": party.children + party.infants, "guests": guests,
        "people": party.everybody if party.everybody > 1 else None, "rooms": rooms if rooms > 1 else None,
        "cabin": cabin_of(frame, state, standing)[0], "night_cap": _night_cap(state, frame.value("budget"), standing),
        "features": [each for each in features if each in FEATURES],
        "sort": sort if sort in SEARCHED["sorts"].get(kind, ()) else None,
    }  # fmt: skip
    arguments = {**SEARCHED["core"][kind], **SEARCHED["wishes"][kind]}
    given = {name: values[slot] if slot in values else frame.value(slot) for name, slot in arguments.items()}
    more = frame.value("others") or shown_wishes(frame) or _cap(frame)
    given["limit"] = MORE if more and kind != "insurance" else None
    jsonable = {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}
    full = {name: value for name, value in jsonable.items() if value or (name == "max_stops" and value == 0)}
    return _eased(frame, full, {*NEEDS, *standing.needs(party)})


def _eased(frame: Frame, full: dict[str, Any], needs: Set[str]) -> dict[str, Any]:
    """Return the first arguments with ever fewer wishes whose search was not empty; `full` if there are none."""
    given = full
    for names in SEARCHED["eased"][frame.kind]:
        if given not in frame.empty:
            break
        needed = [each for each in given.get("features", ()) if each in needs or "features" not in names]
        fewer = {name: value for name, value in given.items() if name not in (*names, "features")}
        fewer |= {"features": needed} if needed else {}
        if fewer != given:
            given = {**fewer, "limit": MORE} | ({"sort": "cheapest"} if "max_per_night" in names else {})
    return full if given in frame.empty else given


def beds(party: Company) -> tuple[int, int]:
    """Return the number of guests who need a bed, and of rooms: two guests a room, or two adults and one child."""
    guests = party.adults + party.children
    return guests, max((party.adults + 1) // 2, (guests + 1) // 2 if guests > 3 or not party.children else 1)


def rooms_of(trip: Trip, party: Company) -> int:
    """Return the number of hotel rooms: the requested one, where 0 means one for each adult, else enough for all."""
    rooms = trip.value("rooms", "hotel")
    return party.adults if rooms == 0 else int(rooms or beds(party)[1])


def _night_cap(state: State, budget: Money | None, standing: Standing) -> float | None:
    """Return the nightly limit in the traveller's currency; if unknown, the lowest of it and its conversions."""
    if budget and budget.per == "total" and (days := days_of(state, "hotel"))[1]:
        nights = (date.fromisoformat(days[1]) - date.fromisoformat(str(days[0]))).days
        rooms = rooms_of(state.trip, company_of(state, "hotel", standing)[0])
        budget = replace(budget, amount=budget.amount // max(1, nights * rooms), per="night")
    if budget is None or budget.per not in _NIGHTLY:
        return None
    guests = beds(company_of(state, "hotel", standing)[0])[0] if budget.per == "person_night" else 1
    own, amount = standing.currency, budget.amount * guests
    if not budget.currency or budget.currency == own:
        return amount
    rates = [rate for (source, target), rate in state.rates.items()
             if source == budget.currency and own in (target, "")]  # fmt: skip
    converted = [round(amount * rate, 2) for rate in rates] or [amount]
    return converted[-1] if own else min([amount, *converted])


def days_of(state: State, kind: Kind) -> tuple[str | None, str | None]:
    """Return the first and last day of a part in ISO format; a stay or rental begins when the chosen flight lands."""
    trip = state.trip
    start, end, flight = trip.value("start", kind), state.end(kind), trip.frames.get("flight")
    slots = trip.frames[kind].slots if kind in trip.frames else {}
    legs = ways(flight.chosen) if flight and flight.chosen and (flight.taken or flight.booking) else []
    if kind in ("hotel", "car") and legs and "start" not in slots and str(legs[0].get("departs"))[:10] == str(start):
        day, _, hour = str(legs[0].get("arrives")).partition(" ")
        start = date.fromisoformat(day) - timedelta(days=int(hour[:2]) < _DAWN)
    return (start.isoformat() if isinstance(start, date) else None), (end.isoformat() if end else None)


def _cap(frame: Frame) -> Money | None:
    """Return the budget by which the offers of a part must be filtered, because its search can't enforce it."""
    budget: Money | None = frame.value("budget")
    searched = frame.kind == "hotel" and budget is not None and budget.per in _NIGHTLY
    return budget if budget and (not searched or budget.currency) else None


def shelf(frame: Frame, state: State, company: Company) -> tuple[list[Offer], bool]:
    """Return the offers to show, the first that fit (and are new, if others are wanted), and whether any offer fits.

    If none fits, those that meet the most wishes come first, and those that land first if the hour of landing matters.
    """
    wishes, cap = checked_wishes(frame), _cap(frame) or left_out(frame).get("budget")
    unmet = [unmet_wishes(frame.kind, each, wishes) + (not _affordable(each, cap, state, company))
             for each in frame.found]  # fmt: skip
    fitting = [offer for offer, count in zip(frame.found, unmet, strict=True) if not count]
    lands = [[str(way.get("arrives")) for way in ways(each)[: "arrive_before" in wishes]] for each in frame.found]
    nearest = [frame.found[at] for at in sorted(range(len(unmet)), key=lambda at: (unmet[at], lands[at]))]
    fresh: dict[str, Offer] = {}
    for offer in fitting or nearest:
        if not (frame.value("others") and product_key(offer) in frame.seen):
            fresh.setdefault(product_key(offer), offer)
    return list(fresh.values() or fitting or nearest)[:MOST_SHOWN], bool(fitting)


def _affordable(offer: Offer, cap: Money | None, state: State, company: Company) -> bool:
    if cap is None:
        return True
    per = cap.per or ""
    price = offer.get(f"per_{per.removeprefix('person_')}") or offer.get("price")
    currency, people = currency_of(price), company.everybody if per.startswith("person") else 1
    rate = 1.0 if cap.currency in (None, currency) else state.rates.get((cap.currency, currency))
    return rate is None or amount_of(price) <= cap.amount * rate * people
