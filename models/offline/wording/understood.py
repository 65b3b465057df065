"""The one line that shows what was understood of the trip under way, and what was not."""

from __future__ import annotations

from datetime import date
from typing import Any

from models.offline.dialogue.turn import Dialogue
from models.offline.reading.understanding import Kind, Money
from models.offline.trips.choosing import FEATURES, WISH_KINDS
from models.offline.trips.frames import Company, Frame, State
from models.offline.trips.searching import beds, cabin_of, company_of, days_of, missing, origin_of
from models.offline.trips.tracking import seeks_offers

_SHOWN = ("open", "booked")


def understood_line(dialogue: Dialogue) -> str:
    """Return the places, days, people and wishes as they are understood; empty while nothing is known."""
    trip = dialogue.state.trip
    frames = [frame for frame in trip.frames.values() if frame.status in _SHOWN]
    focus = dialogue.state.focus if dialogue.state.focus in trip.frames else (frames[0].kind if frames else None)
    lead: Kind | None = focus if len(frames) == 1 else "flight" if "flight" in trip.frames else None
    parts = [_route(dialogue, lead), _when(dialogue, lead), *_company(dialogue, lead)]
    alone = len(frames) == 1
    for frame in trip.of_status("open"):
        wishes = [*_own_days(dialogue, frame, lead), *_wishes(dialogue, frame)]
        if wishes:
            told = dialogue.words.joined(wishes)
            kind = dialogue.say(f"kind_{frame.kind}")
            parts.append(told if alone else dialogue.say("part_wishes", kind=kind, wishes=told))
    line = dialogue.words.joined(part for part in parts if part)
    return dialogue.say("understood", line=line) if line else ""


def _route(dialogue: Dialogue, kind: Kind | None) -> str:
    trip = dialogue.state.trip
    destination = _named(dialogue, trip.value("destination", kind))
    if not destination:
        origin = _named(dialogue, trip.value("origin"))
        return dialogue.say("route", origin=origin, destination="?") if origin else ""
    start, source = origin_of(trip, dialogue.standing)
    if kind != "flight":
        return destination
    if not start:
        return dialogue.say("route_open", destination=destination)
    key = "route_home" if source == "home" else "route"
    return dialogue.say(key, origin=_named(dialogue, start), destination=destination)


def _named(dialogue: Dialogue, place: str | None) -> str:
    """Return a place as the traveller wrote it, where that is in another script than its name."""
    said = dialogue.state.names.get(place or "", "")
    return said if said and not said.isascii() else place or ""


def _when(dialogue: Dialogue, kind: Kind | None) -> str:
    trip, words, today = dialogue.state.trip, dialogue.words, dialogue.briefing.today
    start, end, window = (trip.value(name, kind) for name in ("start", "end", "window"))
    flexible = trip.value("flexible_days", kind)
    told = []
    if start and end and end != start:
        told.append(words.span(start, end, today))
    elif start:
        one_way = kind == "flight" and trip.value("one_way")
        day = words.plain_day(start, today)
        told.append(
            dialogue.say("one_way_on", start=day)
            if one_way
            else day
            if end or kind == "activity"
            else dialogue.say("from_day", start=day)
        )
    elif window:
        first, last = (words.plain_day(each, today) for each in window)
        told.append(dialogue.say("window_from", first=first, last=last))
    if trip.value("nights", kind) and not (start and end):
        told.append(words.counted("nights", trip.value("nights", kind)))
    if flexible:
        told.append(dialogue.say("flexible", days=flexible))
    return words.joined(told)


def _own_days(dialogue: Dialogue, frame: Frame, lead: Kind | None) -> list[str]:
    """Return the days of a part where they are others than those of the trip."""
    if frame.kind == lead or missing(dialogue.state, frame.kind, dialogue.standing):
        return []
    own, trip = days_of(dialogue.state, frame.kind), days_of(dialogue.state, lead) if lead else (None, None)
    if own == trip or not own[0]:
        return []
    first, last = date.fromisoformat(own[0]), date.fromisoformat(own[1] or own[0])
    today, words = dialogue.briefing.today, dialogue.words
    return [words.plain_day(first, today) if first == last else words.span(first, last, today)]


def _company(dialogue: Dialogue, kind: Kind | None) -> list[str]:
    if not dialogue.state.trip.frames:
        return []
    company, source = company_of(dialogue.state, kind, dialogue.standing)
    if source is None and not dialogue.said_before("assumed_one"):
        return [dialogue.say("assumed_one")]
    told = company_words(dialogue, company)
    return [dialogue.say("as_noted", value=told) if source == "note" else told]


def company_words(dialogue: Dialogue, company: Company) -> str:
    """Return who travels: "2 adults + 1 child (5)"."""
    words, plus = dialogue.words, dialogue.say("plus")
    young = sorted(company.ages)
    parts = [words.counted("adults", company.adults)]
    for key, count, ages in (
        ("children", company.children, [age for age in young if age >= 2]),
        ("infants", company.infants, [age for age in young if age < 2 and age > 0]),
    ):
        if count:
            told = dialogue.say("ages", ages=words.joined(ages)) if len(ages) == count else ""
            parts.append(f"{words.counted(key, count)} {told}".strip())
    return plus.join(parts)


def _wishes(dialogue: Dialogue, frame: Frame) -> list[str]:
    found: list[str] = []
    if frame.kind == "flight":
        cabin, source = cabin_of(frame, dialogue.standing)
        told = dialogue.say(f"wish_cabin_{cabin}") if cabin else ""
        found += [dialogue.say("as_noted", value=told) if source == "note" else told] if told else []
    if frame.kind == "hotel":
        company, _ = company_of(dialogue.state, "hotel", dialogue.standing)
        rooms = frame.value("rooms") or beds(company)[1]
        found += [dialogue.words.counted("rooms", rooms)] if rooms > 1 or frame.value("rooms") else []
    for name in WISH_KINDS:
        value = frame.value(name)
        if value is not None and name not in ("cabin", "rooms") and (told := wish_words(dialogue, name, value)):
            found.append(told)
    return found


def wish_words(dialogue: Dialogue, name: str, value: Any) -> str:
    """Return one wish in words, or an empty string."""
    say, words = dialogue.say, dialogue.words
    match name:
        case "features" | "requests" | "interests" | "parts":
            return words.joined(feature_words(dialogue, each) for each in value)
        case "max_stops":
            return say("wish_nonstop") if value == 0 else words.counted("wish_stops", value)
        case "bags":
            return words.counted("wish_bags", value)
        case "sort":
            return "" if value == "best" else say(f"wish_sort_{value}")
        case "budget":
            return say(f"wish_budget_{value.per}" if value.per in ("night", "day", "person") else "wish_budget",
                       money=money_words(value))  # fmt: skip
        case "overnight" | "refundable":
            return say(f"wish_{name}") if value else ""
        case "seat":
            return say("wish_seat", value=say(f"side_{value}"))
        case "stars":
            return say("wish_stars", value=value)
    if name.endswith(("_after", "_before")):
        return say(f"wish_{name}", time=f"{value:%H:%M}")
    return say(f"wish_{name}", value=feature_words(dialogue, str(value)))


def feature_words(dialogue: Dialogue, name: str) -> str:
    """Return a feature in words; one that is no field of a search stays as the traveller said it."""
    key = f"feature_{name.replace(' ', '_').replace('-', '_')}"
    return dialogue.say(key) if dialogue.words.knows(key) else name.replace("_", " ")


_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥"}


def money_words(money: Money) -> str:
    """Return an amount: "€130", "1,000 CHF"."""
    amount = f"{money.amount:,.0f}" if money.amount == int(money.amount) else f"{money.amount:,.2f}"
    if not money.currency:
        return amount
    sign = _SIGNS.get(money.currency)
    return f"{sign}{amount}" if sign else f"{amount} {money.currency}"


def not_understood(dialogue: Dialogue) -> list[str]:
    """Return what is said of stretches that were not read, and of wishes that no search takes."""
    said, words = dialogue.step.said, dialogue.words
    unread = [each for clause in said.clauses if clause.act not in ("tell", "chat") for each in clause.unread]
    found = [dialogue.say("not_read", items=words.joined(unread))] if unread else []
    wishes = [clause.wishes for clause in said.clauses if clause.act != "ask"]
    asked = [each for wish in wishes for each in (*wish.requests, *wish.features) if each not in FEATURES]
    later = [
        wish_words(dialogue, name, value)
        for wish in wishes
        for name in ("seat", "meal")
        if (value := getattr(wish, name))
    ]
    found += [dialogue.say("passed_on", items=words.joined(dict.fromkeys(asked)))] if asked else []
    found += [dialogue.say("at_booking", items=words.joined(later))] if later and _unbooked(dialogue) else []
    return found


def _unbooked(dialogue: Dialogue) -> bool:
    frame = dialogue.state.trip.frames.get("flight")
    return bool(frame and frame.status == "open")


def changed(dialogue: Dialogue) -> bool:
    """Return whether the message says something of the trip, so that the reply shows what was understood."""
    step = dialogue.step
    told = any(clause.act in ("inform", "change", "drop") or (clause.act == "ask" and seeks_offers(step.before, clause))
               for clause in step.said.clauses)  # fmt: skip
    return told or _known(step.heard) != _known(step.before)


def _known(state: State) -> list[Any]:
    """Return what is known of the trips, whatever is on the table."""
    parts = [[(frame.kind, frame.slots) for frame in trip.of_status("open")] for trip in state.trips]
    return [state.at, parts, [trip.slots for trip in state.trips]]
