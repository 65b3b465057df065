"""What is asked of a search: place, days, people and wishes of a part, by what is known of the traveller."""

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
from models.offline.trips.wishes import FEATURES, NEEDS, SEARCHED, fits, shown_wishes

_HOMES = ("home_city", "home_airport")
_ANY_DAY = date(2000, 1, 1)
"""What a note says of home, party and cabin does not depend on the day."""


@dataclass(frozen=True)
class Standing:
    """What profile and memories say of any trip of the traveller's."""

    briefing: Briefing

    @cached_property
    def home(self) -> str | None:
        """Return the city where the traveller lives: the profile's, else what a note of theirs claims."""
        told = (_home_in(each) for each in self._own)
        return self.briefing.profile.get("home_city") or next((each for each in told if each), None)

    @property
    def _lasting(self) -> list[Memory]:
        return [each for each in self.briefing.memories if not each.condition]

    @cached_property
    def _own(self) -> list[Memory]:
        """Return what notes that always hold tell of the traveller, without what they tell of anybody else."""
        names = companions_in(each.text for each in self.briefing.memories)
        told = (
            (each, part) for each in self._lasting for part in by_person(aliased(each.text, names).text, each.topic)
        )
        return [
            replace(each, text=part.said)
            for each, part in told
            if (part.about or meaning_of(part.said, each.topic).about) == USER
        ]

    def _of(self, company: Company) -> list[Memory]:
        """Return the notes that count for those who travel, the traveller's own first: alone nobody else's do."""
        own = self._own
        return own if company.everybody == 1 else [*own, *(each for each in self._lasting if each not in own)]

    @property
    def currency(self) -> str:
        """Return the currency of the profile, or an empty string."""
        return self.briefing.profile.get("currency", "")

    @cached_property
    def party(self) -> Company | None:
        """Return who usually travels, by a note that always holds."""
        notes = (each for each in self._lasting if each.topic in ("companions", "other"))
        told = (next((clause.party for clause in _clauses(each.text) if clause.party), None) for each in notes)
        usual = (said for said in told if said and (said.total or said.adults) and not (said.joins or said.leaves))
        return next((company_after(None, said) for said in usual), None)

    @cached_property
    def family(self) -> Company | None:
        """Return the traveller's family, where notes tell how many they are and how old the children."""
        return family_of(self._lasting)

    def cabin(self, company: Company, *, overnight: bool) -> str | None:
        """Return the cabin that a note gives: one that always holds, or one for overnight flights on such a one."""
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
        """Return the features of a house that those who travel can't do without, by notes that always hold."""
        said = [(each.hard, clause.wishes.features) for each in self._of(company) for clause in _clauses(each.text)]
        found = (feature for hard, features in said for feature in features if hard or feature in NEEDS)
        return tuple(dict.fromkeys(found))

    def seat(self, company: Company) -> str:
        """Return the seat that is liked, by notes or profile; empty where they name none, or several."""
        liked = [each.text for each in self._of(company) if polarity(each.text) >= 0 and not _is_bound(each)]
        for text in (*liked, f"{self.briefing.profile.get('seat_preference', '')} seat"):
            sides = {clause.wishes.seat for clause in _clauses(text)} & {"aisle", "window"}
            if len(sides) == 1:
                return str(*sides)
        return ""


def _is_bound(note: Memory) -> bool:
    """Return whether a note holds only in a case of its own words that no search can tell ("only if it's free")."""
    return bool(read_form(note.text, "", note.topic).condition - {"overnight"}) and not note.condition


def _home_in(note: Memory) -> str | None:
    """Return the place that a note of the traveller's claims as their home, or the one place that it starts from."""
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
"""Results of a search that leaves some out: those shown before, or those that a wish rules out."""
_NIGHTLY = (None, "night", "person_night")
"""What a limit is for that a search of hotels takes."""
_DAWN = 6
"""Hour of landing before which the night before is slept at the destination too."""


def missing(state: State, kind: Kind, standing: Standing) -> Missing | None:
    """Return the next detail to ask for before `kind` can be searched, or None when all is there."""
    trip = state.trip
    if state.between:
        return "either"
    endless = kind == "activity" or (kind == "flight" and trip.value("one_way"))
    known: dict[Missing, Any] = {
        "destination": trip.value("destination", kind),
        "origin": kind != "flight" or origin_of(trip, standing)[0],
        "dates": trip.value("start", kind),
        "end": endless or trip.value("end", kind),
    }
    return next((name for name, value in known.items() if not value), None)


def origin_of(trip: Trip, standing: Standing) -> tuple[str | None, Source]:
    """Return where the flight starts, and where that is known from; nothing for one to the home city itself."""
    if slot := trip.slot("origin"):
        return str(slot.value), slot.source
    home, there = (str(name or "").partition(",")[0].strip() for name in (standing.home, trip.value("destination")))
    return (standing.home if home.casefold() != there.casefold() else None), "home"


def company_of(state: State, kind: Kind | None, standing: Standing) -> tuple[Company, Source | None]:
    """Return who travels, and where that is known from; one adult where nothing says."""
    if slot := state.trip.slot("party", kind):
        return slot.value, slot.source
    return (standing.party, "note") if standing.party else (Company(), None)


def cabin_of(frame: Frame, state: State, standing: Standing) -> tuple[str | None, Source | None]:
    """Return the cabin to search in: the one asked for, else the one that a note gives for such a flight."""
    if said := frame.value("cabin"):
        return str(said), "said"
    company, _ = company_of(state, frame.kind, standing)
    noted = standing.cabin(company, overnight=bool(frame.value("overnight")))
    return noted, "note" if noted else None


def arguments(state: State, kind: Kind, standing: Standing) -> dict[str, Any] | None:
    """Return what to pass to the search for `kind`; None while something is missing."""
    frame, trip = state.trip.frames.get(kind), state.trip
    if frame is None or missing(state, kind, standing):
        return None
    (start, end), party = days_of(state, kind), company_of(state, kind, standing)[0]
    guests, rooms = beds(party)[0], rooms_of(state.trip, party)
    sort = frame.value("sort") or (frame.value("stars") and "rating")  # no search takes stars: the best have them
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
    said = {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}
    return {name: value for name, value in said.items() if value or (name == "max_stops" and value == 0)}


def beds(party: Company) -> tuple[int, int]:
    """Return the guests who need a bed, and the rooms for them: two to a room, one child more beside two adults."""
    guests = party.adults + party.children
    return guests, max((party.adults + 1) // 2, (guests + 1) // 2 if guests > 3 or not party.children else 1)


def rooms_of(trip: Trip, party: Company) -> int:
    """Return the rooms that are wanted: as many as were said, one for each adult, else enough for all."""
    said = trip.value("rooms", "hotel")
    return party.adults if said == 0 else int(said or beds(party)[1])


def _night_cap(state: State, budget: Money | None, standing: Standing) -> float | None:
    """Return the most that a night may cost, in the traveller's currency. Where that is not known the lower of what
    was said and what it is in the currency of the prices, so that no room passes the limit."""
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
    """Return first and last day of a part; a stay begins on the day that the flight taken lands."""
    trip = state.trip
    start, end, flight = trip.value("start", kind), trip.value("end", kind), trip.frames.get("flight")
    own = trip.frames[kind].slots if kind in trip.frames else {}
    there = ways(flight.chosen) if flight and flight.chosen and (flight.taken or flight.booking) else []
    if kind in ("hotel", "car") and there and "start" not in own and str(there[0].get("departs"))[:10] == str(start):
        day, _, hour = str(there[0].get("arrives")).partition(" ")
        start = date.fromisoformat(day) - timedelta(days=int(hour[:2]) < _DAWN)
    return (start.isoformat() if isinstance(start, date) else None), (end.isoformat() if end else None)


def _cap(frame: Frame) -> Money | None:
    """Return the most that it may cost, where the search itself takes no such limit."""
    budget: Money | None = frame.value("budget")
    searched = frame.kind == "hotel" and budget is not None and budget.per in _NIGHTLY
    return budget if budget and (not searched or budget.currency) else None


def shelf(frame: Frame, state: State, company: Company) -> tuple[list[Offer], bool]:
    """Return the offers to show, the first ones that fit and were not shown; and whether any fits at all."""
    wishes, cap = shown_wishes(frame), _cap(frame)
    fitting = [one for one in frame.found if fits(frame.kind, one, wishes) and _affordable(one, cap, state, company)]
    fresh: dict[str, Offer] = {}
    for offer in fitting or frame.found:
        if not (frame.value("others") and product_key(offer) in frame.seen):
            fresh.setdefault(product_key(offer), offer)
    return list(fresh.values() or fitting or frame.found)[:MOST_SHOWN], bool(fitting)


def _affordable(offer: Offer, cap: Money | None, state: State, company: Company) -> bool:
    if cap is None:
        return True
    per = cap.per or ""
    price = offer.get(f"per_{per.removeprefix('person_')}") or offer.get("price")
    currency, people = currency_of(price), company.everybody if per.startswith("person") else 1
    rate = 1.0 if cap.currency in (None, currency) else state.rates.get((cap.currency, currency))
    return rate is None or amount_of(price) <= cap.amount * rate * people
