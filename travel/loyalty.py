"""Benefits of a traveller's loyalty status with an airline or a hotel chain."""

from memory.records.notes import Record
from memory.records.profile import Profile
from travel.flights import FlightOffer
from travel.provider import AnyOffer

_HIGH = frozenset({"gold", "platinum", "diamond", "titanium", "ambassador", "emerald", "elite plus", "executive"})


class Benefits(Record):
    """What the traveller gets on top. `programme` is where the booking earns; its number is prefilled in code."""

    programme: str
    free_bags: int = 0
    free_seats: bool = False


def benefits(offer: AnyOffer, profile: Profile) -> Benefits | None:
    """Return what the profile's loyalty status gives with `offer`; None where no programme fits."""
    held = {**dict.fromkeys(profile.loyalty_ids), **profile.loyalty_status}
    programme = next((name for name in held if fits_programme(name, offer)), None)
    if programme is None:
        return None
    flies_free = isinstance(offer, FlightOffer) and (held[programme] or "").casefold() in _HIGH
    return Benefits(programme=programme, free_bags=int(flies_free), free_seats=flies_free)


def fits_programme(programme: str, offer: AnyOffer) -> bool:
    """Return True when `offer` counts for a loyalty programme: its airline's or alliance's, its chain's or brand's."""
    sold = (getattr(offer, name, None) for name in ("airline", "alliance", "chain", "brand"))
    return any(_fits(programme, name) for name in sold if name)


def _fits(programme: str, sold: str) -> bool:
    """Return True when one name starts with the other, as "Marriott Bonvoy" does with "Marriott"."""
    one, other = programme.casefold(), sold.casefold()
    return one.startswith(other) or other.startswith(one)
