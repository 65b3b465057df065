"""Benefits of a traveller's loyalty status with an airline or a hotel chain."""

from memory.records.notes import Record
from memory.records.profile import Profile
from travel.flights import FlightOffer
from travel.offers import HotelOffer
from travel.provider import AnyOffer

_HIGH = frozenset({"gold", "platinum", "diamond", "titanium", "ambassador", "emerald", "elite plus", "executive"})


class Benefits(Record):
    """What the traveller gets on top. `programme` is where the booking earns; its number is prefilled in code."""

    programme: str
    tier: str | None = None
    free_bags: int = 0
    free_seats: bool = False
    extras: tuple[str, ...] = ()


def benefits(offer: AnyOffer, profile: Profile) -> Benefits | None:
    """Return what the profile's loyalty status gives with `offer`; None where no programme fits."""
    held = {**dict.fromkeys(profile.loyalty_ids), **profile.loyalty_status}
    programme = next((name for name in held if fits_programme(name, offer)), None)
    if programme is None:
        return None
    tier = held[programme]
    high = (tier or "").casefold() in _HIGH
    if isinstance(offer, HotelOffer):
        extras = ("late check-out at 14:00", "upgrade when there is a better room") if high else ()
        return Benefits(programme=programme, tier=tier, extras=extras)
    extras = ("priority boarding", "lounge") if high else ()
    return Benefits(programme=programme, tier=tier, free_bags=int(high), free_seats=high, extras=extras)


def fits_programme(programme: str, offer: AnyOffer) -> bool:
    """Return True when `offer` counts for a loyalty programme: its airline's or alliance's, its chain's or brand's."""
    return any(_fits(programme, sold) for sold in _names(offer))


def _names(offer: AnyOffer) -> list[str]:
    if isinstance(offer, FlightOffer):
        return [name for name in (offer.airline, offer.alliance) if name]
    if isinstance(offer, HotelOffer):
        return [name for name in (offer.chain, offer.brand) if name]
    return []


def _fits(programme: str, sold: str) -> bool:
    """Return True when one name starts with the other, as "Marriott Bonvoy" does with "Marriott"."""
    one, other = programme.casefold(), sold.casefold()
    return one.startswith(other) or other.startswith(one)
