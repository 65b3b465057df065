"""Plans the next tool calls: memory, searches, look-ups and bookings, with ids derived from the conversation."""

import hashlib
from typing import Any

from langchain_core.messages import ToolCall

from models.offline.dialogue.acts import Call, acting_calls
from models.offline.dialogue.memory import memory_calls, wish_of
from models.offline.dialogue.turn import Dialogue
from models.offline.reading.understanding import Clause, Conversion, Money
from models.offline.trips.choosing import OPENING, seeks_offers
from models.offline.trips.frames import Frame, State
from models.offline.trips.offers import SEARCH_OF, SEARCHES, amount_of, currency_of, error_text, is_sold_out, refusal
from models.offline.trips.searching import arguments, days_of
from models.offline.trips.wishes import TOPICS, shown_wishes


def plan_calls(dialogue: Dialogue) -> list[ToolCall]:
    """Return the calls to make now, in order; an empty list when it is time to answer. None is made twice in a turn.

    Each group waits for those before it: memory, searches and look-ups, conversions, bookings, and late searches.
    """
    now = dialogue.now
    if not dialogue.step.said.readable:
        return []
    others = () if dialogue.step.only_tells else (_first, _conversions, acting_calls, _searches)
    for step in (memory_calls, *others):
        made = [(call["name"], call["args"]) for call in now.calls]
        about = (dialogue,) if step is memory_calls else dialogue.journeys
        planned = [call for each in about for call in step(each) if call[0] in dialogue.tools and call not in made]
        planned = [call for at, call in enumerate(planned) if call not in planned[:at]]
        planned = [call for call in planned if call[0] == "seat_map"] or planned  # seats are chosen from the maps
        if planned:
            numbered = enumerate(planned, len(made))
            return [ToolCall(name=name, args=args, id=_call_id(dialogue, name, at)) for at, (name, args) in numbered]
    return []


def _conversions(dialogue: Dialogue) -> list[Call]:
    """Return the conversions that budgets in another currency need before they can be compared with prices."""
    state, wanted = dialogue.state, list[Call]()
    for frame in state.trip.of_status("open"):
        budget: Money | None = frame.value("budget")
        if not budget or not budget.currency:
            continue
        prices = {currency_of(offer.get("price")) for offer in frame.found[:1]}
        for target in sorted(prices | ({dialogue.standing.currency} - {""})):
            if target != budget.currency and (budget.currency, target) not in state.rates:
                given = {"amount": budget.amount, "source": budget.currency, "target": target}
                wanted.append(("convert_money", given))
    return wanted


def _call_id(dialogue: Dialogue, name: str, index: int) -> str:
    """Return an id unique in the thread: a digest of the message, the turn before it, the tool and the call's index."""
    now, before = dialogue.now, dialogue.transcript.before
    seed = (now.id, now.said, str(len(before)), before[-1].id + before[-1].reply if before else "", name, str(index))
    return "call_" + hashlib.sha256("\x1f".join(seed).encode()).hexdigest()[:24]


def _first(dialogue: Dialogue) -> list[Call]:
    """Return the calls for a message that no travel tool has answered yet: searches, and look-ups for its questions."""
    if dialogue.outcomes:
        return []
    asked = [clause for clause in dialogue.step.said.clauses if clause.act == "ask"]
    trip = dialogue.state.trip
    if trip.value("as_booked") and trip.value("destination") and not trip.value("start"):
        return [("list_bookings", {})]
    return [*_searches(dialogue), *(call for clause in asked for call in _asking(dialogue, clause))]


def _searches(dialogue: Dialogue) -> list[Call]:
    """Return the searches that the message requires, one for each part of the trip whose search is due."""
    calls: list[Call] = []
    for kind, frame in dialogue.state.trip.frames.items() if dialogue.travels else ():
        args = arguments(dialogue.state, kind, dialogue.standing)
        if args is not None and _is_due(dialogue, frame, args):
            calls.append((SEARCH_OF[kind], args))
    return calls


def _is_due(dialogue: Dialogue, frame: Frame, args: dict[str, Any]) -> bool:
    """Return whether a part must be searched with `args`: they changed, other offers are wanted, or one sold out."""
    step, kind, outcomes = dialogue.step, frame.kind, dialogue.outcomes
    if frame.status != "open" and frame is not dialogue.state.moving:
        return False
    others = frame.slots.get("others")
    noted = [call["args"].get("topic") for call in dialogue.now.calls if call["name"] == "save_memory_note"]
    affected = frame.given and not frame.raised and set(TOPICS["notes"].get(kind, ())).intersection(noted)
    if (others and others.turn == len(dialogue.steps) - 1) or affected or _sold_out(dialogue, frame):
        acts = [at for at, each in enumerate(outcomes) if each.tool in ("book_offer", "hold_offer")]
        return all(SEARCHES.get(each.tool) != kind for each in outcomes[acts[-1] + 1 if acts else 0 :])
    before = arguments(step.before, kind, dialogue.standing) if step.before.at == dialogue.state.at else None
    sought = any(clause.act in OPENING or seeks_offers(step.before, clause) for clause in step.said.clauses)
    old = step.before.trip.frames.get(kind, frame)
    old_filter, new_filter = ((shown_wishes(each), each.value("budget")) for each in (old, frame))
    refiltered = bool(frame.given) and old_filter != new_filter
    if refiltered and not frame.taken and all(SEARCHES.get(each.tool) != kind for each in outcomes):
        return True  # the search arguments are the same, but other offers of the result fit now
    return args != frame.given and (args != before or (frame.given is None and sought))


def _sold_out(dialogue: Dialogue, frame: Frame) -> bool:
    """Return whether booking or holding an offer of this part failed because it is no longer available."""
    acts = [each for each in dialogue.outcomes if each.tool in ("book_offer", "hold_offer") and error_text(each)]
    ids = {offer.get("offer_id") for offer in frame.found}
    return any(is_sold_out(each) and not refusal(each) and each.given.get("offer_id") in ids for each in acts)


def _asking(dialogue: Dialogue, clause: Clause) -> list[Call]:
    """Return the call that answers a question, or an empty list if no tool is needed for it."""
    state = dialogue.step.heard
    several = len([each for each in state.bookings.values() if each.live]) > 1
    if clause.conversion:
        return _conversion(dialogue, clause)
    match clause.topic:
        case "documents":
            return _documents(state, clause)
        case "bookings" | "reference":
            wish = wish_of(dialogue)  # "what do you still have about me?" is about notes
            return [] if wish and wish.kind == "list" else [("list_bookings", {})]
        case "total" if several or not any(frame.shown for frame in state.trip.of_status("open")):
            return [("list_bookings", {})]
        case "calendar":
            return [("export_calendar", {})]
        case "itinerary":
            return [("show_itinerary", {})]
        case topic if topic in TOPICS["policies"] and (topic in TOPICS["by_tool"] or subject(state, clause) is None):
            return [("booking_policy", {"topic": TOPICS["policies"][topic]})]
        case "seat" if (frame := state.trip.frames.get("flight")) and frame.chosen:
            return [("seat_map", {"offer_id": frame.chosen["offer_id"]})]
    return []


def subject(state: State, clause: Clause) -> Frame | None:
    """Return the part that a question names, else the one in focus, else the last; None if it has no chosen offer."""
    shown = {frame.kind: frame for frame in state.trip.of_status("open", "booked") if frame.chosen}
    kinds = (*clause.kinds, *TOPICS["kinds"].get(clause.topic, ()))
    named = [shown[kind] for kind in kinds if kind in shown]
    rest = [frame for frame in shown.values() if frame.kind == state.focus] or [*shown.values()][-1:]
    return next(iter(named or (() if kinds else rest)), None)


def _documents(state: State, clause: Clause) -> list[Call]:
    """Return the travel document check, for the place and days that the clause names, else for those of the trip."""
    start, end = days_of(state, "flight")
    place = state.trip.value("destination")
    named = next((each.name for each in clause.places if each.role == "destination"), "")
    if clause.dates and clause.dates.start and named:
        place, start = named, clause.dates.start.isoformat()
        end = clause.dates.end.isoformat() if clause.dates.end else None
    if not (place and start):
        return []
    place = state.place(place)
    return [("check_documents", {"destination": place, "start": start, "end": end or start})]


def _conversion(dialogue: Dialogue, clause: Clause) -> list[Call]:
    """Return the requested conversion; a missing amount is the one converted in the turn before, else a shown price."""
    asked, before = clause.conversion or Conversion(), dialogue.transcript.before
    last = [call["args"] for turn in before[-1:] for call in turn.calls if call["name"] == "convert_money"]
    target, amount, source = asked.target or (last and last[-1]["target"]), asked.amount, asked.source
    if not target:
        return []
    if last and (amount is None or not asked.target):
        amount, source = last[-1]["amount"] if amount is None else amount, source or last[-1]["source"]
    if amount is None:
        listed = before and any(call["name"] == "list_bookings" for call in before[-1].calls)
        whole = listed or any(
            each.topic == "total" or "which every" in each.holds for each in dialogue.step.said.clauses
        )
        prices = _shown_prices(dialogue.step.heard, clause, whole=bool(whole))
        if len({*map(currency_of, prices)}) != 1:
            return []
        amount, source = round(sum(map(amount_of, prices)), 2), currency_of(prices[0])
    limits = [frame.value("budget") for frame in dialogue.state.trip.frames.values() if frame.value("budget")]
    meant = next((each.currency for each in limits if each.amount == amount), None)
    source = source or meant or dialogue.standing.currency
    return [("convert_money", {"amount": amount, "source": source, "target": target})] if source else []


def _shown_prices(state: State, clause: Clause, *, whole: bool) -> list[str]:
    """Return the price of the offer that a question is about, else of the latest booking; with `whole`, of all."""
    frame = subject(state, clause)
    paid = [str(booking.facts.get("paid")) for booking in state.bookings.values() if booking.live]
    price = [str(frame.chosen.get("price"))] if frame and frame.chosen else paid[-1:]
    return paid if whole and paid[1:] else price
