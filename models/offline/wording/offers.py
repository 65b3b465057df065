"""Presents the offers of a search: a table, the recommended offer with the reasons for it, and any unmet wishes."""

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
from models.offline.trips.wishes import left_out
from models.offline.wording.facts import facts, full, table
from models.offline.wording.understood import wish_words

_NON_LETTERS = re.compile(r"[\W\d_]+")
"""Removed to compare warnings, which may differ in their dates only."""
_CHEAPEST = re.compile(r"the cheapest costs (?P<price>\S+(?: [\d.,]+)?)\.")
_CHECKED = ("airline", "without", "overnight", "stars", "budget", "refundable")
"""Wishes by which offers are filtered, in addition to those for times."""
_ORDER: dict[str, Any] = {"sort": "", "limit": 0}
"""Search arguments that only affect the order and the number of the offers."""
_COMPARED: dict[Kind, tuple[str, ...]] = {
    "flight": ("cheapest", "nonstop", "fastest", "earliest", "latest"),
    "hotel": ("cheapest", "central", "rating"),
}
"""The aspects in which the offers of a kind are compared."""
_MOST_REASONS = 2
TextAndHandles = tuple[str, tuple[str, ...]]
"""A text, and the handles of the memories that it rests on."""


def offers_found(dialogue: Dialogue, outcome: Outcome) -> TextAndHandles:
    """Return the text on a search's offers, and the handles of the memories behind the recommendation."""
    kind, say = SEARCHES[outcome.tool], dialogue.say
    frame = dialogue.state.trip.frames[kind]
    if not results(outcome):
        return nothing_found(dialogue, frame), ()
    last = _same_search_before(dialogue, frame, outcome)
    lowest = _none_cheaper(dialogue, frame, last)
    if last and [product_key(each) for each in frame.shown] == [product_key(each) for each in last.shown]:
        asked = any(clause.act != "ask" and clause.wishes != Wishes() for clause in dialogue.step.said.clauses)
        same = f"{_unmet(dialogue, frame)} {say('same_offers')}".strip() if asked else ""
        return lowest or same, ()
    landmark = None if "area" in outcome.given else frame.value("landmark")
    rooms = outcome.given.get("rooms") if kind == "hotel" else None
    head = [
        say("no_area", area=landmark) if landmark else "", say("rooms_taken", rooms=rooms) if rooms else "",
        lowest, _unmet(dialogue, frame) or say(f"head.{kind}"),
    ]  # fmt: skip
    why, handles = reasons(dialogue, frame)
    shown = table(dialogue.words, kind, (facts(dialogue, kind, offer) for offer in frame.shown),
                  after=dialogue.state.first_row)  # fmt: skip
    parts = [f"{' '.join(each for each in head if each)}\n\n{shown}"]
    parts += [f"{why} {full(dialogue, frame)}", added(dialogue, frame), _warnings(dialogue, outcome)]
    return "\n\n".join(part for part in parts if part), handles


def _same_search_before(dialogue: Dialogue, frame: Frame, outcome: Outcome) -> Frame | None:
    """Return the part as it was before the message if its last search differed only in the order, else None."""
    before = dialogue.step.before
    last = before.trip.frames.get(frame.kind) if before.at == dialogue.state.at else None
    if last is None or not last.given or not last.shown:
        return None
    return last if {**outcome.given, **_ORDER} == {**last.given, **_ORDER} else None


def _none_cheaper(dialogue: Dialogue, frame: Frame, last: Frame | None) -> str:
    """Return the sentence that no offer is cheaper than those shown before, if the message asked for the cheapest."""
    asked = any(clause.wishes.sort == "cheapest" for clause in dialogue.step.said.clauses)
    price = MEASURES["cheapest"]
    if not (asked and last) or min(map(price, frame.shown)) < min(map(price, last.shown)):
        return ""
    at, offer = min(enumerate(frame.shown, dialogue.state.first_row + 1), key=lambda each: price(each[1]))
    return dialogue.say("none_cheaper", number=at, price=offer.get("price"))


def restated(dialogue: Dialogue, frame: Frame) -> str:
    """Return the chosen offer in full, with the extras of its booking."""
    return " ".join(part for part in (full(dialogue, frame), added(dialogue, frame)) if part)


def _unmet(dialogue: Dialogue, frame: Frame) -> str:
    """Return the sentence that no offer meets the wishes by which offers are filtered; empty if some do."""
    company, _ = company_of(dialogue.state, frame.kind, dialogue.standing)
    if shelf(frame, dialogue.state, company)[1]:
        return ""
    left = left_out(frame)
    names = [name for name in frame.slots if name.endswith(("_after", "_before")) or name in {*_CHECKED, *left}]
    items = dialogue.words.joined(wish_words(dialogue.words, name, left.get(name, frame.value(name))) for name in names)
    return dialogue.say("cap_passed" if names == ["budget"] else "none_fits", items=items)


def nothing_found(dialogue: Dialogue, frame: Frame) -> str:
    """Return that a search found nothing, and why; empty if it is to be repeated without the area, which is unknown."""
    say, given = dialogue.say, frame.given or {}
    if frame.value("landmark") and "area" in given:
        return ""
    left = left_out(frame)
    named = {**given, **left}
    wanted = [*(named[name] for name in ("area", "chain") if named.get(name)), *left.get("features", ())]
    wanted += given.get("features", [])
    if cheapest := _CHEAPEST.search(frame.note):
        text = say("no_room_cheap", price=cheapest["price"])
    else:
        text = say("no_such_room", items=wanted) if wanted else say("fault.nothing")
    if frame.shown and frame.status == "open":
        return f"{text} {say('still_stands')}"
    return f"{text} {say('ask_other_days')}"


def added(dialogue: Dialogue, frame: Frame) -> str:
    """Return the extras of the chosen offer's booking with their prices, as sentences; empty if there are none."""
    say, offer = dialogue.say, frame.chosen or {}
    if frame.kind != "flight" or dialogue.state.changing:
        requests = requests_for(frame)
        return say("requests_next", items=requests) if requests else ""
    side, bags = preferred_seat(dialogue, frame), missing_bags(dialogue, frame, offer)
    choice, seat = str(offer.get("seat_choice")), frame.value("seat")
    parts = [say(f"extra.{choice}", **{**offer, "side": side})] if side and choice in ("free", "paid") else []
    others = (("seat", None if seat in (side, "back") else seat), ("seat_for", frame.value("seat_for")))
    for seats in (wish_words(dialogue.words, name, value) for name, value in others if value):
        parts += [say(f"extra.{choice}_for", **{**offer, "seats": seats})] if choice in ("free", "paid") else []
    parts += [say("extra.bags", count=bags, bag_fee=offer.get("bag_fee"))] if bags else []
    lines = [say("extras", items=parts)] if parts else []
    lines += [say("seat_later", side=seat or side)] if (seat or side) and choice == "at check-in" else []
    return " ".join(lines)


def _warnings(dialogue: Dialogue, outcome: Outcome) -> str:
    """Return the search's warnings about the passport that no earlier reply contains."""
    earlier = {_NON_LETTERS.sub("", line) for turn in dialogue.transcript.before for line in turn.reply.splitlines()}
    warnings = [dialogue.say("warned", text=each) for each in outcome.answer.get("documents") or []]
    return "\n".join(each for each in warnings if _NON_LETTERS.sub("", each) not in earlier)


def reasons(dialogue: Dialogue, frame: Frame) -> TextAndHandles:
    """Return why the chosen offer is recommended, and the handles of the memories behind the wishes that it meets."""
    say, best = dialogue.say, frame.chosen or frame.shown[0]
    others = [offer for offer in frame.shown if offer is not best]
    met = [str(each) for each in best.get("meets") or []]
    decided = [wish for wish in met if any(wish not in (other.get("meets") or []) for other in others)]
    wishes = [*decided, *(wish for wish in met if wish not in decided)][:_MOST_REASONS]
    advantages = [say(f"because.{name}") for name in _advantages(frame, best, others)][:_MOST_REASONS]
    met_wishes = [say("because.wish", items=wishes)] if wishes else []
    arguments = [*met_wishes, *advantages] if decided else [*advantages, *met_wishes]
    default = frame.kind if frame.kind in ("hotel", "insurance") else "balance"
    because = dialogue.words.joined(arguments or [say(f"because.{default}")])
    first = dialogue.state.first_row + 1
    number = next((at for at, offer in enumerate(frame.shown, first) if offer is best), first) if others else None
    memories = [memory for wish in wishes if (memory := _memory_for(dialogue, wish))]
    text = say("pick", number=number, reasons=because, misses=best.get("misses"))
    return text, tuple(dict.fromkeys(memory.handle for memory in memories))


def _memory_for(dialogue: Dialogue, wish: str) -> Memory | None:
    """Return the memory that shares the most words with a wish ("aisle seat"), the newest of several; None for none."""
    words, memories = content_words(wish), dialogue.standing.briefing.memories
    best = max(memories, key=lambda each: len(words & content_words(each.text)), default=None)
    return best if best and words & content_words(best.text) else None


def _advantages(frame: Frame, best: Offer, others: Sequence[Offer]) -> list[str]:
    """Return the aspects in which an offer beats all other shown ones, the requested sort order first."""
    sort, names = frame.value("sort"), _COMPARED.get(frame.kind, ("cheapest",))
    nonstop = best.get("stops") == 0 and (not others or any(each.get("stops") for each in others))
    advantages = ["nonstop"] if nonstop else []
    for name in names if others else ():
        if name != "nonstop":
            value, rest = MEASURES[name](best), [MEASURES[name](each) for each in others]
            unique = value not in rest and name not in ("earliest", "latest")
            advantages += [name] if value <= min(rest) and (unique or name == sort) else []
    return sorted(advantages, key=lambda name: (name != sort, names.index(name)))
