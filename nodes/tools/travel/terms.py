"""Says in lines of an approval when an offer is, for whom, and what would be paid back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from prompts import reply
from prompts.loader import Language
from travel.flights import FlightOffer, Slice
from travel.local_time import LocalTime
from travel.offers import ActivityOffer, CarOffer, HotelOffer, InsuranceOffer
from travel.provider import AnyOffer


def terms_of(offer: AnyOffer, language: Language) -> list[str]:
    """Return a line each for when, who and refund, and how a flight may be changed, in `language`."""
    rows = {**_when(offer, language), "who": _who(offer, language), "refund": _refund(offer, language)}
    if isinstance(offer, FlightOffer):
        rules = offer.fare.rules
        fee = {"fee": str(rules.change_fee)} if rules.changeable else {}
        rows["changes"] = reply("changes_for_fee" if fee else "changes_none", language, **fee)
    return [reply(f"approve_{name}", language, **{name: told}) for name, told in rows.items() if told]


def _when(offer: AnyOffer, language: Language) -> dict[str, str]:
    if isinstance(offer, FlightOffer) and offer.inbound:
        return {"out": _way(offer.outbound, language), "back": _way(offer.inbound, language)}
    return {"when": _days(offer, language)}


def _days(offer: AnyOffer, language: Language) -> str:
    match offer:
        case FlightOffer():
            return _way(offer.outbound, language)
        case HotelOffer():
            nights = _counted(offer.nights, "nights", language)
            return f"{_day(offer.check_in.day, language)} – {_day(offer.check_out.day, language)}, {nights}"
        case CarOffer():
            return f"{_moment(offer.pick_up, language)} – {_moment(offer.drop_off, language)}"
        case ActivityOffer():
            return _moment(offer.starts, language)
        case InsuranceOffer():
            return f"{_day(offer.starts, language)} – {_day(offer.ends, language)}"


def _way(way: Slice, language: Language) -> str:
    later = f" ({way.day_offset:+})" if way.day_offset else ""
    stops = reply("approve_stops", language, places=", ".join(place for place, _ in way.layovers)) if way.stops else ""
    leaves = f"{_moment(way.departs, language)} {way.segments[0].origin}"
    return f"{leaves} – {way.arrives.at:%H:%M}{later} {way.segments[-1].destination}{stops}"


def _moment(time: LocalTime, language: Language) -> str:
    return f"{_day(time.day, language)} {time.at:%H:%M}"


def _day(day: date, language: Language) -> str:
    return f"{reply('weekdays', language).split()[day.weekday()]} {day}"


def _who(offer: AnyOffer, language: Language) -> str:
    return ", ".join(_counted(count, name, language) for name, count in _people(offer) if count)


def _counted(count: int, name: str, language: Language) -> str:
    if count == 1:
        return reply(f"approve_{name}_one", language)
    return reply(f"approve_{name}_many", language, count=str(count))


def _people(offer: AnyOffer) -> Iterator[tuple[str, int]]:
    match offer:
        case FlightOffer():
            yield from (("adults", offer.party.adults), ("children", offer.party.children))
            yield ("infants", offer.party.infants)
        case HotelOffer():
            yield ("rooms", offer.rooms)
        case ActivityOffer():
            yield ("people", offer.people)
        case InsuranceOffer():
            yield ("people", offer.travellers)


def _refund(offer: AnyOffer, language: Language) -> str:
    match offer:
        case FlightOffer():
            rules = offer.fare.rules
            hours = str(rules.grace_hours)
            if rules.refundable and rules.refund_fee is not None:
                return reply("refund_less_fee", language, hours=hours, fee=str(rules.refund_fee))
            return reply("refund_grace", language, hours=hours)
        case HotelOffer() | CarOffer() | ActivityOffer():
            until = offer.free_cancellation_until
            return reply("refund_until", language, until=str(until)) if until else reply("refund_none", language)
        case InsuranceOffer():
            return reply("refund_before_start", language)
