"""Renders the terms of an offer for an approval: its dates, the travellers or rooms, and the refund."""

import re
from datetime import date

from prompts import reply
from prompts.loader import Language
from travel.flights import FlightOffer, Slice
from travel.offers import ActivityOffer, CarOffer, HotelOffer, InsuranceOffer
from travel.provider import AnyOffer
from travel.tables import worded

_DAY = re.compile(r"\b\d{4}-\d\d-\d\d\b", re.ASCII)


def terms_of(offer: AnyOffer, language: Language) -> list[str]:
    """Return the lines of the terms in `language`: dates, travellers or room, refund, and changes of a flight."""
    rows = _rows(offer, language)
    return [reply(f"approve_{name}", language, **{name: text}) for name, text in rows.items() if text]


def with_days_in_words(text: str, language: Language) -> str:
    """Replace the ISO dates in a text by dates in words, such as "Sun 14 Feb 2027"."""
    return _DAY.sub(lambda match: _day_in_words(match[0], language), text)


def _day_in_words(text: str, language: Language) -> str:
    try:
        day = date.fromisoformat(text)
    except ValueError:  # a provider's text may contain an invalid date
        return text
    weekday = reply("short_weekdays", language).split()[day.weekday()]
    month = reply("short_months", language).split()[day.month - 1]
    return reply("day", language, weekday=weekday, day=day.day, month=month, year=day.year)


def _rows(offer: AnyOffer, language: Language) -> dict[str, str]:
    match offer:
        case FlightOffer():
            return _flight(offer, language)
        case InsuranceOffer():
            when, who = f"{offer.starts} – {offer.ends}", _counted(language, people=offer.travellers)
            return {"when": when, "who": who, "refund": reply("refund_before_start", language)}
        case HotelOffer():
            nights, rooms = _counted(language, nights=offer.nights), _counted(language, rooms=offer.rooms)
            stay = reply("room_with_breakfast" if offer.breakfast else "room_only", language, rooms=rooms)
            rows = {"when": f"{offer.check_in.day} – {offer.check_out.day}, {nights}", "stay": stay}
        case CarOffer():
            rows = {"when": f"{offer.pick_up} – {offer.drop_off}"}
        case ActivityOffer():
            rows = {"when": str(offer.starts), "who": _counted(language, people=offer.people)}
    until = offer.free_cancellation_until
    return rows | {"refund": reply("refund_until", language, until=until) if until else reply("refund_none", language)}


def _flight(offer: FlightOffer, language: Language) -> dict[str, str]:
    outbound, inbound, party, rules = offer.outbound, offer.inbound, offer.party, offer.fare.rules
    when = {"when": _slice(outbound, language)}
    if inbound:
        when = {"out": _slice(outbound, language), "back": _slice(inbound, language)}
    is_refundable = rules.refundable and rules.refund_fee is not None
    fee, hours = {"fee": rules.refund_fee} if is_refundable else {}, rules.grace_hours
    return {
        **when,
        "who": _counted(language, adults=party.adults, children=party.children, infants=party.infants),
        "checked_bags": _counted(language, bags=rules.checked_bags) or reply("checked_bags_none", language),
        "refund": reply("refund_less_fee" if is_refundable else "refund_grace", language, hours=hours, **fee),
        "changes": reply("changes_for_fee", language, fee=rules.change_fee)
        if rules.changeable
        else reply("changes_none", language),
    }


def _counted(language: Language, **counts: int) -> str:
    """Return the counts above zero in words, such as "2 adults, 1 child"."""
    return worded("comma", language).join(
        reply(f"approve_{name}_one", language) if count == 1 else reply(f"approve_{name}_many", language, count=count)
        for name, count in counts.items()
        if count
    )


def _slice(way: Slice, language: Language) -> str:
    later = f" ({way.day_offset:+})" if way.day_offset else ""
    places = worded("comma", language).join(place for place, _ in way.layovers)
    stops = reply("approve_stops", language, places=places) if way.stops else ""
    departure = f"{way.departs} {way.segments[0].origin}"
    return f"{departure} – {way.arrives.at:%H:%M}{later} {way.segments[-1].destination}{stops}"
