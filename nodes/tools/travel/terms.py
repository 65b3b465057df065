"""Says in lines of an approval when an offer is, for whom, and what would be paid back."""

import re
from datetime import date

from prompts import reply
from prompts.loader import Language
from travel.flights import FlightOffer, Slice
from travel.local_time import LocalTime
from travel.offers import ActivityOffer, CarOffer, HotelOffer, InsuranceOffer
from travel.provider import AnyOffer
from travel.tables import worded

_DAY = re.compile(r"\b\d{4}-\d\d-\d\d\b", re.ASCII)


def terms_of(offer: AnyOffer, language: Language) -> list[str]:
    """Return a line each for when, who or which room, and refund, and how a flight may be changed, in `language`."""
    rows = _rows(offer, language)
    return [reply(f"approve_{name}", language, **{name: told}) for name, told in rows.items() if told]


def with_days_in_words(text: str, language: Language) -> str:
    """Return a text with each of its ISO dates as people write it: "Sun 14 Feb 2027"."""
    return _DAY.sub(lambda found: _day_in_words(found[0], language), text)


def _day_in_words(said: str, language: Language) -> str:
    try:
        day = date.fromisoformat(said)
    except ValueError:  # a provider's own text may hold what is no day
        return said
    weekday = reply("short_weekdays", language).split()[day.weekday()]
    month = reply("short_months", language).split()[day.month - 1]
    return reply("day", language, weekday=weekday, day=day.day, month=month, year=day.year)


def _rows(offer: AnyOffer, language: Language) -> dict[str, str]:
    match offer:
        case FlightOffer():
            return _flight(offer, language)
        case HotelOffer():
            when = f"{offer.check_in.day} – {offer.check_out.day}, {_counted(language, nights=offer.nights)}"
            rooms = _counted(language, rooms=offer.rooms)
            stay = reply("room_with_breakfast" if offer.breakfast else "room_only", language, rooms=rooms)
            return {"when": when, "stay": stay, "refund": _until(offer.free_cancellation_until, language)}
        case CarOffer():
            when, who = f"{offer.pick_up} – {offer.drop_off}", ""
            refund = _until(offer.free_cancellation_until, language)
        case ActivityOffer():
            when, who = str(offer.starts), _counted(language, people=offer.people)
            refund = _until(offer.free_cancellation_until, language)
        case InsuranceOffer():
            when, who = f"{offer.starts} – {offer.ends}", _counted(language, people=offer.travellers)
            refund = reply("refund_before_start", language)
    return {"when": when, "who": who, "refund": refund}


def _flight(offer: FlightOffer, language: Language) -> dict[str, str]:
    ways, party, rules = [_way(one, language) for one in offer.slices], offer.party, offer.fare.rules
    refund = reply("refund_grace", language, hours=rules.grace_hours)
    if rules.refundable and rules.refund_fee is not None:
        refund = reply("refund_less_fee", language, hours=rules.grace_hours, fee=rules.refund_fee)
    changes = reply("changes_for_fee", language, fee=rules.change_fee) if rules.changeable else ""
    return {
        **dict(zip(("out", "back") if offer.inbound else ("when",), ways, strict=True)),
        "who": _counted(language, adults=party.adults, children=party.children, infants=party.infants),
        "checked_bags": _counted(language, bags=rules.checked_bags) or reply("checked_bags_none", language),
        "refund": refund,
        "changes": changes or reply("changes_none", language),
    }


def _counted(language: Language, **counts: int) -> str:
    """Return what there is some of, as in "2 adults, 1 child"."""
    return worded("comma", language).join(
        reply(f"approve_{name}_one", language) if count == 1 else reply(f"approve_{name}_many", language, count=count)
        for name, count in counts.items()
        if count
    )


def _way(way: Slice, language: Language) -> str:
    later = f" ({way.day_offset:+})" if way.day_offset else ""
    over = worded("comma", language).join(place for place, _ in way.layovers)
    stops = reply("approve_stops", language, places=over) if way.stops else ""
    leaves = f"{way.departs} {way.segments[0].origin}"
    return f"{leaves} – {way.arrives.at:%H:%M}{later} {way.segments[-1].destination}{stops}"


def _until(until: LocalTime | None, language: Language) -> str:
    return reply("refund_until", language, until=until) if until else reply("refund_none", language)
