"""The offers of a search: a table, the one that is recommended and why, and what was not met."""

import re
from collections.abc import Sequence
from typing import Any

from models.offline.dialogue.extras import missing_bags, preferred_seat, requests_for
from models.offline.dialogue.transcript import Memory, Outcome
from models.offline.dialogue.turn import Dialogue
from models.offline.notes import content_words
from models.offline.reading.understanding import Kind, Wishes
from models.offline.trips.frames import Frame
from models.offline.trips.offers import MEASURES, SEARCHES, Offer, product_key, results
from models.offline.trips.searching import company_of, shelf
from models.offline.wording.facts import facts, full, table
from models.offline.wording.understood import wish_words

_LETTERS = re.compile(r"[\W\d_]+")
"""What two warnings of one thing may differ in: its dates."""
_CHEAPEST = re.compile(r"the cheapest costs (?P<price>\S+(?: [\d.,]+)?)\.")
_CHECKED = ("airline", "without", "overnight", "stars", "budget", "refundable")
"""Wishes that the offers show to be met, beside those for hours."""
_ORDER: dict[str, Any] = {"sort": "", "limit": 0}
"""Arguments of a search that change only which offers come first."""
_COMPARED: dict[Kind, tuple[str, ...]] = {
    "flight": ("cheapest", "nonstop", "fastest", "earliest", "latest"),
    "hotel": ("cheapest", "central", "rating"),
}
"""What the offers of a kind are compared in."""
_MOST = 2
Told = tuple[str, tuple[str, ...]]
"""Words, and the handles of the memories behind them."""


def offers_found(dialogue: Dialogue, outcome: Outcome) -> Told:
    """Return what a search brought, in words, and the memories that decided."""
    kind, say = SEARCHES[outcome.tool], dialogue.say
    frame = dialogue.state.trip.frames[kind]
    if not results(outcome):
        return nothing_found(dialogue, frame), ()
    last = _before(dialogue, frame, outcome)
    lowest = _lowest(dialogue, frame, last)
    if last and [product_key(each) for each in frame.shown] == [product_key(each) for each in last.shown]:
        asked = any(clause.act != "ask" and clause.wishes != Wishes() for clause in dialogue.step.said.clauses)
        return lowest or (say("same_offers") if asked else ""), ()
    landmark = None if "area" in outcome.given else frame.value("landmark")
    rooms = outcome.given.get("rooms") if kind == "hotel" else None
    head = [
        say("no_area", area=landmark) if landmark else "", say("rooms_taken", rooms=rooms) if rooms else "",
        _unmet(dialogue, frame), lowest, say(f"head.{kind}"),
    ]  # fmt: skip
    why, handles = reasons(dialogue, frame)
    shown = table(dialogue.words, kind, (facts(dialogue, kind, offer) for offer in frame.shown))
    parts = [f"{' '.join(each for each in head if each)}\n\n{shown}"]
    parts += [f"{why} {full(dialogue, frame)}", added(dialogue, frame), _warnings(dialogue, outcome)]
    return "\n\n".join(part for part in parts if part), handles


def _before(dialogue: Dialogue, frame: Frame, outcome: Outcome) -> Frame | None:
    """Return the part as it was shown before, where only the order of its offers has changed."""
    before = dialogue.step.before
    last = before.trip.frames.get(frame.kind) if before.at == dialogue.state.at else None
    if last is None or not last.given or not last.shown:
        return None
    return last if {**outcome.given, **_ORDER} == {**last.given, **_ORDER} else None


def _lowest(dialogue: Dialogue, frame: Frame, last: Frame | None) -> str:
    """Return that nothing is cheaper than what was shown before, where that was asked for."""
    asked = any(clause.wishes.sort == "cheapest" for clause in dialogue.step.said.clauses)
    price = MEASURES["cheapest"]
    if not (asked and last) or min(map(price, frame.shown)) < min(map(price, last.shown)):
        return ""
    at, offer = min(enumerate(frame.shown, 1), key=lambda each: price(each[1]))
    return dialogue.say("none_cheaper", number=at, price=offer.get("price"))


def restated(dialogue: Dialogue, frame: Frame) -> str:
    """Return the offer that is chosen, in full, with what goes with it."""
    return " ".join(part for part in (full(dialogue, frame), added(dialogue, frame)) if part)


def _unmet(dialogue: Dialogue, frame: Frame) -> str:
    """Return what none of the offers meets, where those shown are only the nearest."""
    company, _ = company_of(dialogue.state, frame.kind, dialogue.standing)
    if shelf(frame, dialogue.state, company)[1]:
        return ""
    names = [name for name in frame.slots if name.endswith(("_after", "_before")) or name in _CHECKED]
    told = dialogue.words.joined(wish_words(dialogue.words, name, frame.value(name)) for name in names)
    return dialogue.say("cap_passed" if names == ["budget"] else "none_fits", items=told)


def nothing_found(dialogue: Dialogue, frame: Frame) -> str:
    """Return that nothing fits and why, and that what was shown before still stands."""
    say, given = dialogue.say, frame.given or {}
    if frame.value("landmark") and "area" in given:
        return ""
    wanted = [*(str(given[name]) for name in ("area", "chain") if given.get(name)), *given.get("features", [])]
    if cheapest := _CHEAPEST.search(frame.note):
        text = say("no_room_cheap", price=cheapest["price"])
    else:
        text = say("no_such_room", items=wanted) if wanted else say("fault.nothing")
    if frame.shown and frame.status == "open":
        return f"{text} {say('still_stands')}"
    return f"{text} {say('ask_leave_wish' if wanted else 'ask_other_days')}"


def added(dialogue: Dialogue, frame: Frame) -> str:
    """Return what is added when the offer is booked, and for how much; empty where nothing is."""
    say, offer = dialogue.say, frame.chosen or {}
    if frame.kind != "flight" or dialogue.state.changing:
        requests = requests_for(frame)
        return say("requests_next", items=requests) if requests else ""
    side, bags = preferred_seat(dialogue, frame), missing_bags(dialogue, frame, offer)
    choice, seat = str(offer.get("seat_choice")), frame.value("seat")
    parts = [say(f"extra.{choice}", **{**offer, "side": side})] if side and choice in ("free", "paid") else []
    others = (("seat", None if seat in (side, "back") else seat), ("seat_for", frame.value("seat_for")))
    for some in (wish_words(dialogue.words, name, value) for name, value in others if value):
        parts += [say(f"extra.{choice}_for", **{**offer, "seats": some})] if choice in ("free", "paid") else []
    parts += [say("extra.bags", count=bags, bag_fee=offer.get("bag_fee"))] if bags else []
    told = [say("extras", items=parts)] if parts else []
    told += [say("seat_later", side=seat or side)] if (seat or side) and choice == "at check-in" else []
    return " ".join(told)


def _warnings(dialogue: Dialogue, outcome: Outcome) -> str:
    """Return what speaks against the passport, said once."""
    said = {_LETTERS.sub("", line) for turn in dialogue.transcript.before for line in turn.reply.splitlines()}
    found = [dialogue.say("warned", text=each) for each in outcome.answer.get("documents") or []]
    return "\n".join(each for each in found if _LETTERS.sub("", each) not in said)


def reasons(dialogue: Dialogue, frame: Frame) -> Told:
    """Return why the chosen offer is the one to take: a wish that decided, and how it compares with the others."""
    say, best = dialogue.say, frame.chosen or frame.shown[0]
    others = [offer for offer in frame.shown if offer is not best]
    met = [str(each) for each in best.get("meets") or []]
    decided = [wish for wish in met if any(wish not in (other.get("meets") or []) for other in others)]
    wishes = [*decided, *(wish for wish in met if wish not in decided)][:_MOST]
    found = [say(f"because.{name}") for name in _compared(frame, best, others)][:_MOST]
    told = [say("because.wish", items=wishes)] if wishes else []
    found = [*told, *found] if decided else [*found, *told]
    default = frame.kind if frame.kind in ("hotel", "insurance") else "balance"
    because = dialogue.words.joined(found or [say(f"because.{default}")])
    number = next((at for at, offer in enumerate(frame.shown, 1) if offer is best), 1) if others else None
    memories = [memory for wish in wishes if (memory := _memory_for(dialogue, wish))]
    text = say("pick", number=number, reasons=because, misses=best.get("misses"))
    return text, tuple(dict.fromkeys(memory.handle for memory in memories))


def _memory_for(dialogue: Dialogue, wish: str) -> Memory | None:
    """Return the memory that a wish ("aisle seat") comes from."""
    own, memories = content_words(wish), dialogue.standing.briefing.memories  # what was said last comes first
    best = max(memories, key=lambda each: len(own & content_words(each.text)), default=None)
    return best if best and own & content_words(best.text) else None


def _compared(frame: Frame, best: Offer, others: Sequence[Offer]) -> list[str]:
    """Return in what the offer comes before all others on the table, what was asked for first."""
    sort, names = frame.value("sort"), _COMPARED.get(frame.kind, ("cheapest",))
    found = ["nonstop"] if best.get("stops") == 0 and (not others or any(each.get("stops") for each in others)) else []
    for name in names if others else ():
        if name != "nonstop":
            own, rest = MEASURES[name](best), [MEASURES[name](each) for each in others]
            alone = own not in rest and name not in ("earliest", "latest")
            found += [name] if own <= min(rest) and (alone or name == sort) else []
    return sorted(found, key=lambda name: (name != sort, names.index(name)))
