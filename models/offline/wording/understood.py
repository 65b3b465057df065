"""The one line that shows what was understood of the trip under way, and what was not."""

from datetime import date
from typing import Any

from models.offline.dialogue.turn import Dialogue
from models.offline.dialogue.unclear import uncounted
from models.offline.reading.understanding import Kind, Money
from models.offline.trips.choosing import seeks_offers
from models.offline.trips.frames import Frame
from models.offline.trips.searching import cabin_of, company_of, days_of, missing, origin_of, rooms_of
from models.offline.trips.wishes import FEATURES, WISHES, wishes_of
from models.offline.wording.facts import company_words, spoken_place
from models.offline.wording.sentences import Sentences

_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥"}


def understood_line(dialogue: Dialogue) -> str:
    """Return the places, days, people and wishes as they are understood; empty while nothing is known."""
    trip, words = dialogue.state.trip, dialogue.words
    frames = trip.of_status("open", "booked")
    alone = len(frames) == 1
    lead: Kind | None = frames[0].kind if alone else "flight" if "flight" in trip.frames else None
    parts = [_route(dialogue, lead), _when(dialogue, lead), _company(dialogue, lead)]
    for frame in sorted(trip.of_status("open"), key=lambda each: each.kind != "flight"):
        told = words.joined([_own_days(dialogue, frame, lead), *_wishes(dialogue, frame)])
        named = frame.kind != "flight" or (told and not alone)  # a route by itself is that of a flight
        parts.append(dialogue.say("part_wishes" if told else "part", kind=frame.kind, wishes=told) if named else told)
    line = words.joined(parts)
    return dialogue.say("understood", line=line) if line else ""


def _route(dialogue: Dialogue, kind: Kind | None) -> str:
    trip = dialogue.state.trip
    destination = named_place(dialogue, trip.value("destination", kind))
    if destination and kind != "flight":
        return destination
    start, source = origin_of(trip, dialogue.standing) if destination else (trip.value("origin"), "said")
    if not (start or destination):
        return ""
    key = "route_home" if start and source == "home" else "route"
    return dialogue.say(key, origin=named_place(dialogue, start), destination=destination or "?")


def named_place(dialogue: Dialogue, place: str | None) -> str:
    """Return a place as the traveller wrote it, where that is in another script than its name; else as it was meant."""
    if meant := dialogue.state.meant.get((place or "").casefold()):
        return spoken_place(dialogue.words, meant)
    said = dialogue.state.names.get(place or "", "")
    return said if said and not said.isascii() else place or ""


def _when(dialogue: Dialogue, kind: Kind | None) -> str:
    trip, words, say, today = dialogue.state.trip, dialogue.words, dialogue.say, dialogue.briefing.today
    start, end, window, nights = (trip.value(name, kind) for name in ("start", "end", "window", "nights"))
    days = [words.plain_day(each, today) for each in ((start,) if start else window or ())]
    told = ""
    if start and kind == "flight" and trip.value("one_way") and not end:
        told = say("one_way_on", start=days[0])
    elif start:
        known = end or kind == "activity"
        told = words.span(start, end or start, today) if known else say("from_day", start=days[0])
    elif window:
        told = say("window_from", first=days[0], last=days[1])
    flexible = trip.value("flexible_days", kind)
    return words.joined([
        told,
        words.format_field(nights, "nights") if nights and not (start and end) else "",
        say("flexible", days=flexible) if flexible else "",
    ])  # fmt: skip


def _own_days(dialogue: Dialogue, frame: Frame, lead: Kind | None) -> str:
    """Return the days of a part where they are others than those of the trip."""
    if frame.kind == lead or missing(dialogue.state, frame.kind, dialogue.standing):
        return ""
    own, trip = days_of(dialogue.state, frame.kind), days_of(dialogue.state, lead) if lead else (None, None)
    if own == trip or not own[0]:
        return ""
    first, last = date.fromisoformat(own[0]), date.fromisoformat(own[1] or own[0])
    return dialogue.words.span(first, last, dialogue.briefing.today)


def _company(dialogue: Dialogue, kind: Kind | None) -> str:
    if not dialogue.state.trip.frames:
        return ""
    company, source = company_of(dialogue.state, kind, dialogue.standing)
    if source is None and not dialogue.said_before("assumed_one"):
        return dialogue.say("assumed_one")
    return _noted(dialogue, company_words(dialogue.words, company), source)


def _noted(dialogue: Dialogue, told: str, source: str | None) -> str:
    return dialogue.say("as_noted", value=told) if told and source == "note" else told


def _wishes(dialogue: Dialogue, frame: Frame) -> list[str]:
    words, found = dialogue.words, list[str]()
    if frame.kind == "flight":
        cabin, source = cabin_of(frame, dialogue.state, dialogue.standing)
        found.append(_noted(dialogue, words.format_field(cabin, "cabin") if cabin else "", source))
    if frame.kind == "hotel":
        company, _ = company_of(dialogue.state, "hotel", dialogue.standing)
        rooms = rooms_of(dialogue.state.trip, company)
        found += [words.format_field(rooms, "rooms")] if rooms > 1 or frame.value("rooms") else []
    named = (name for name in WISHES if name not in ("cabin", "rooms") and frame.value(name) is not None)
    return [*found, *(wish_words(words, name, frame.value(name)) for name in named)]


def wish_words(words: Sentences, name: str, value: Any) -> str:
    """Return one wish in words, or an empty string."""
    if name == "seat_for":
        return words.joined([words.say(f"wish.seat_{whose}", value=side) for whose, side in value])
    if isinstance(value, Money):
        name = f"{name}_{value.per}" if words.knows(f"wish.{name}_{value.per}") else name
        value = money_words(value)
    return words.say(f"wish.{name}", value=value)


def money_words(money: Money) -> str:
    """Return an amount: "€130", "1,000 CHF"."""
    amount = f"{money.amount:,.0f}" if money.amount == int(money.amount) else f"{money.amount:,.2f}"
    sign = _SIGNS.get(money.currency or "")
    return f"{sign}{amount}" if sign else f"{amount} {money.currency or ''}".strip()


def not_understood(dialogue: Dialogue) -> list[str]:
    """Return what is said of stretches that were not read, and of wishes that no search takes."""
    clauses, say = dialogue.step.said.clauses, dialogue.say
    unread = [each for clause in clauses if clause.act not in ("tell", "chat") for each in clause.unread]
    unread += uncounted(dialogue, dialogue.step)
    wanting = [clause for clause in clauses if clause.act != "ask"]
    wishes = [clause.wishes for clause in wanting]
    asked = [each for wish in wishes for each in (*wish.requests, *wish.features) if each not in FEATURES]
    flight = dialogue.state.trip.frames.get("flight")
    unsure = bool(flight and flight.chosen and flight.chosen.get("seat_choice") == "at check-in")
    names = {"meal"} if unsure else {"meal", "seat", "seat_for"}
    later = [wish_words(dialogue.words, name, value)
             for each in wanting for name, value in wishes_of(each).items() if name in names]  # fmt: skip
    seats = [wish.seat for wish in wishes if wish.seat and {each.tool for each in dialogue.outcomes} <= {"seat_map"}]
    budgets = [wish.budget for wish in wishes if wish.budget and dialogue.step.heard.trip.several]
    asked_of, still = dialogue.step.before.between, dialogue.step.heard.between
    first = asked_of and not still and dialogue.step.heard.trip.value(asked_of[0])
    rest = [place for place in asked_of[1] if place != first] if asked_of and first in asked_of[1] else []
    found = {
        "not_read": unread, "passed_on": list(dict.fromkeys(asked)),
        "at_booking": later if flight and flight.status == "open" else [],
        "one_of": [each for clause in clauses for each in clause.either],
        "one_at_a_time": [spoken_place(dialogue.words, each) for each in rest],
        "sum_of_several": [money_words(each) for each in budgets if each.per == "total" and not each.of],
        "legs": [each for clause in clauses for each in clause.later],
    }  # fmt: skip
    told = [say(key, items=items) for key, items in found.items() if items]
    told += [say("of_age")] if any(each.party and each.party.teens for each in wanting) else []
    return [*told, say("seat_later", side=seats[-1])] if unsure and seats else told


def changed(dialogue: Dialogue) -> bool:
    """Return whether the message says something of the trip, so that the reply shows what was understood."""
    step = dialogue.step
    told = any(clause.act in ("inform", "change", "drop") or (clause.act == "ask" and seeks_offers(step.before, clause))
               for clause in step.said.clauses)  # fmt: skip
    return told or step.heard.known != step.before.known
