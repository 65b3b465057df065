"""Writes the line that shows how the current trip was understood, and the sentences on what was not understood."""

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
    """Return a line with the places, days, people and wishes of the current trip; empty if it has none."""
    trip, words = dialogue.state.trip, dialogue.words
    frames = trip.of_status("open", "booked")
    single = len(frames) == 1
    lead: Kind | None = frames[0].kind if single else "flight" if "flight" in trip.frames else None
    parts = [_route(dialogue, lead), _when(dialogue, lead), _company(dialogue, None if lead == "flight" else lead)]
    listed = [frame for frame in frames if frame.status == "open" or frame is dialogue.state.moving]
    for frame in sorted(listed, key=lambda each: each.kind != "flight"):
        wishes = words.joined([_own_days(dialogue, frame, lead), *_wishes(dialogue, frame)])
        labelled = frame.kind != "flight" or (wishes and not single)  # a route alone is understood to be a flight's
        label = "part_wishes" if wishes else "part"
        parts.append(dialogue.say(label, kind=frame.kind, wishes=wishes) if labelled else wishes)
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
    """Return a place in the words for the traveller: as they resolved or, unless in ASCII, wrote it, else its name."""
    if meant := dialogue.state.meant.get((place or "").casefold()):
        return spoken_place(dialogue.words, meant)
    written = dialogue.state.names.get(place or "", "")
    return written if written and not written.isascii() else place or ""


def _when(dialogue: Dialogue, kind: Kind | None) -> str:
    trip, words, say, today = dialogue.state.trip, dialogue.words, dialogue.say, dialogue.briefing.today
    start, end, window, nights = (trip.value(name, kind) for name in ("start", "end", "window", "nights"))
    days = [words.plain_day(each, today) for each in ((start,) if start else window or ())]
    text = ""
    if start and kind == "flight" and trip.value("one_way"):
        text = say("one_way_on", start=days[0])
    elif start:
        complete = end or kind == "activity"
        text = words.span(start, end or start, today) if complete else say("from_day", start=days[0])
    elif window:
        text = say("window_from", first=days[0], last=days[1])
    flexible = trip.value("flexible_days", kind)
    return words.joined([
        text,
        words.format_field(nights, "nights") if nights and not (start and end) else "",
        say("flexible", days=flexible) if flexible else "",
    ])  # fmt: skip


def _own_days(dialogue: Dialogue, frame: Frame, lead: Kind | None) -> str:
    """Return the days of a part if they differ from those of the leading part."""
    if frame.kind == lead or missing(dialogue.state, frame.kind, dialogue.standing):
        return ""
    days, lead_days = days_of(dialogue.state, frame.kind), days_of(dialogue.state, lead) if lead else (None, None)
    if days == lead_days or not days[0]:
        return ""
    first, last = date.fromisoformat(days[0]), date.fromisoformat(days[1] or days[0])
    return dialogue.words.span(first, last, dialogue.briefing.today)


def _company(dialogue: Dialogue, kind: Kind | None) -> str:
    if not dialogue.state.trip.frames:
        return ""
    company, source = company_of(dialogue.state, kind, dialogue.standing)
    if source is None and not dialogue.said_before("assumed_one"):
        return dialogue.say("assumed_one")
    return _noted(dialogue, company_words(dialogue.words, company), source)


def _noted(dialogue: Dialogue, text: str, source: str | None) -> str:
    return dialogue.say("as_noted", value=text) if text and source == "note" else text


def _wishes(dialogue: Dialogue, frame: Frame) -> list[str]:
    words, wishes = dialogue.words, list[str]()
    if frame.kind == "flight":
        cabin, source = cabin_of(frame, dialogue.state, dialogue.standing)
        wishes.append(_noted(dialogue, words.format_field(cabin, "cabin") if cabin else "", source))
    if frame.kind == "hotel":
        company, _ = company_of(dialogue.state, "hotel", dialogue.standing)
        rooms = rooms_of(dialogue.state.trip, company)
        wishes += [words.format_field(rooms, "rooms")] if rooms > 1 or frame.value("rooms") else []
    names = (name for name in WISHES if name not in ("cabin", "rooms") and frame.value(name) is not None)
    return [*wishes, *(wish_words(words, name, frame.value(name)) for name in names)]


def wish_words(words: Sentences, name: str, value: Any) -> str:
    """Return one wish in words, or an empty string."""
    if name == "seat_for":
        return words.joined([words.say(f"wish.seat_{target}", value=side) for target, side in value])
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
    """Return sentences on the parts of the message that could not be read, and on wishes that no search supports."""
    clauses, say = dialogue.step.said.clauses, dialogue.say
    unread = [each for clause in clauses if clause.act not in ("tell", "chat") for each in clause.unread]
    unread += [words for clause in clauses for _, words in clause.one_way]
    unread += uncounted(dialogue, dialogue.step)
    wanting = [clause for clause in clauses if clause.act != "ask"]
    wishes = [clause.wishes for clause in wanting]
    requests = [each for wish in wishes for each in (*wish.requests, *wish.features) if each not in FEATURES]
    flight = dialogue.state.trip.frames.get("flight")
    at_check_in = bool(flight and flight.chosen and flight.chosen.get("seat_choice") == "at check-in")
    names = {"meal"} if at_check_in else {"meal", "seat", "seat_for"}
    later = [wish_words(dialogue.words, name, value)
             for each in wanting for name, value in wishes_of(each).items() if name in names]  # fmt: skip
    seats = [wish.seat for wish in wishes if wish.seat and {each.tool for each in dialogue.outcomes} <= {"seat_map"}]
    budgets = [wish.budget for wish in wishes if wish.budget and dialogue.step.heard.trip.several]
    options, pending = dialogue.step.before.between, dialogue.step.heard.between
    first = options and not pending and dialogue.step.heard.trip.value(options[0])
    rest = [place for place in options[1] if place != first] if options and first in options[1] else []
    items_by_key = {
        "not_read": unread, "passed_on": list(dict.fromkeys(requests)),
        "at_booking": later if flight and flight.status == "open" else [],
        "one_of": [each for clause in clauses for each in clause.either],
        "one_at_a_time": [spoken_place(dialogue.words, each) for each in rest],
        "sum_of_several": [money_words(each) for each in budgets if each.per == "total" and not each.of],
    }  # fmt: skip
    lines = [say(key, items=items) for key, items in items_by_key.items() if items]
    lines += [say("of_age")] if any(each.party and each.party.teens for each in wanting) else []
    return [*lines, say("seat_later", side=seats[-1])] if at_check_in and seats else lines


def changed(dialogue: Dialogue) -> bool:
    """Return whether the message gives or changes trip details, so that the reply shows how they were understood."""
    step = dialogue.step
    acts = {clause.act for clause in step.said.clauses}
    searches = any(clause.act == "ask" and seeks_offers(step.before, clause) for clause in step.said.clauses)
    return bool(acts & {"inform", "change", "drop"}) or searches or step.heard.known != step.before.known
