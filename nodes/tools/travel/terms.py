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
    rows = _rows(offer, _Words(language))
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
    return reply("day", language, weekday=weekday, day=str(day.day), month=month, year=str(day.year))


class _Words:
    def __init__(self, language: Language) -> None:
        self._language = language

    def said(self, name: str, **values: object) -> str:
        return reply(name, self._language, **{key: str(value) for key, value in values.items()})

    def counted(self, **counts: int) -> str:
        """Return what there is some of, as in "2 adults, 1 child"."""
        return worded("comma", self._language).join(
            self.said(f"approve_{name}_one") if count == 1 else self.said(f"approve_{name}_many", count=count)
            for name, count in counts.items()
            if count
        )

    def way(self, way: Slice) -> str:
        later = f" ({way.day_offset:+})" if way.day_offset else ""
        over = worded("comma", self._language).join(place for place, _ in way.layovers)
        stops = self.said("approve_stops", places=over) if way.stops else ""
        leaves = f"{way.departs} {way.segments[0].origin}"
        return f"{leaves} – {way.arrives.at:%H:%M}{later} {way.segments[-1].destination}{stops}"

    def until(self, until: LocalTime | None) -> str:
        return self.said("refund_until", until=until) if until else self.said("refund_none")


def _rows(offer: AnyOffer, words: _Words) -> dict[str, str]:
    match offer:
        case FlightOffer():
            return _flight(offer, words)
        case HotelOffer():
            nights = words.counted(nights=offer.nights)
            when = f"{offer.check_in.day} – {offer.check_out.day}, {nights}"
            rooms = words.counted(rooms=offer.rooms)
            stay = words.said("room_with_breakfast" if offer.breakfast else "room_only", rooms=rooms)
            return {"when": when, "stay": stay, "refund": words.until(offer.free_cancellation_until)}
        case CarOffer():
            when = f"{offer.pick_up} – {offer.drop_off}"
            who, refund = "", words.until(offer.free_cancellation_until)
        case ActivityOffer():
            when, refund = str(offer.starts), words.until(offer.free_cancellation_until)
            who = words.counted(people=offer.people)
        case InsuranceOffer():
            when = f"{offer.starts} – {offer.ends}"
            who, refund = words.counted(people=offer.travellers), words.said("refund_before_start")
    return {"when": when, "who": who, "refund": refund}


def _flight(offer: FlightOffer, words: _Words) -> dict[str, str]:
    there, back, party, rules = offer.outbound, offer.inbound, offer.party, offer.fare.rules
    when = {"out": words.way(there), "back": words.way(back)} if back else {"when": words.way(there)}
    is_paid_back = rules.refundable and rules.refund_fee is not None
    fee, hours = {"fee": rules.refund_fee} if is_paid_back else {}, rules.grace_hours
    return {
        **when,
        "who": words.counted(adults=party.adults, children=party.children, infants=party.infants),
        "checked_bags": words.counted(bags=rules.checked_bags) or words.said("checked_bags_none"),
        "refund": words.said("refund_less_fee" if is_paid_back else "refund_grace", hours=hours, **fee),
        "changes": words.said("changes_for_fee", fee=rules.change_fee)
        if rules.changeable
        else words.said("changes_none"),
    }
