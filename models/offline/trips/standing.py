"""What is known of the traveller before the conversation: home, party, cabin and currency, of profile and notes."""

from dataclasses import dataclass
from datetime import date
from functools import cached_property

from models.offline.dialogue.transcript import Briefing, Memory
from models.offline.notes import polarity
from models.offline.reading import read_values
from models.offline.reading.understanding import Clause, ReadingContext
from models.offline.trips.frames import Company
from models.offline.trips.merging import company_after

_NEEDS = frozenset({"step-free access"})
"""Features that nobody wishes for who does not need them."""
_ANY_DAY = date(2000, 1, 1)
"""What a note says of home, party and cabin does not depend on the day."""


@dataclass(frozen=True)
class Standing:
    """What profile and memories say of any trip of the traveller's."""

    briefing: Briefing

    @cached_property
    def home(self) -> str | None:
        """Return the city where the traveller lives."""
        clauses = (clause for each in self._lasting for clause in _clauses(each.text))
        told = (place.name for clause in clauses for place in clause.places if place.role == "origin")
        return self.briefing.profile.get("home_city") or next(told, None)

    @property
    def _lasting(self) -> list[Memory]:
        return [each for each in self.briefing.memories if not each.condition]

    @property
    def currency(self) -> str:
        """Return the currency of the profile, or an empty string."""
        return self.briefing.profile.get("currency", "")

    @cached_property
    def party(self) -> Company | None:
        """Return who usually travels, by a note that always holds."""
        notes = (each for each in self._lasting if each.topic in ("companions", "other"))
        told = (next((clause.party for clause in _clauses(each.text) if clause.party), None) for each in notes)
        return next((company_after(None, said) for said in told if said and (said.total or said.adults)), None)

    def cabin(self, *, overnight: bool) -> str | None:
        """Return the cabin that a note gives: one that always holds, or one for overnight flights on such a one."""
        for memory in self.briefing.memories:
            if memory.topic not in ("cabin", "other") or polarity(memory.text) < 0:
                continue
            wishes = [clause.wishes for clause in _clauses(memory.text)]
            cabin = next((each.cabin for each in wishes if each.cabin), None)
            night = any(each.overnight for each in wishes) or "overnight" in (memory.condition or "")
            if cabin and (overnight if night else not memory.condition):
                return cabin
        return None

    @cached_property
    def needs(self) -> tuple[str, ...]:
        """Return the features of a house that the traveller can't do without, by notes that always hold."""
        said = [(each.hard, clause.wishes.features) for each in self._lasting for clause in _clauses(each.text)]
        found = (feature for hard, features in said for feature in features if hard or feature in _NEEDS)
        return tuple(dict.fromkeys(found))

    @cached_property
    def seat(self) -> str:
        """Return the seat that the traveller likes, by notes or profile; empty where they name none, or several."""
        liked = [each.text for each in self._lasting if polarity(each.text) >= 0]
        for text in (*liked, f"{self.briefing.profile.get('seat_preference', '')} seat"):
            sides = {clause.wishes.seat for clause in _clauses(text)} & {"aisle", "window"}
            if len(sides) == 1:
                return str(*sides)
        return ""


def _clauses(text: str) -> tuple[Clause, ...]:
    return read_values(text, ReadingContext(_ANY_DAY, trip_open=True))
