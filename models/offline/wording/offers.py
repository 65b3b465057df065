"""The offers of a search: a table, the one that is recommended, and what was not met."""

from __future__ import annotations

import re

from models.offline.dialogue.extras import missing_bags, preferred_seat, requests_for
from models.offline.dialogue.transcript import Outcome
from models.offline.dialogue.turn import Dialogue
from models.offline.trips.frames import Frame
from models.offline.trips.offers import SEARCHES, product_key, results
from models.offline.trips.searching import company_of, shelf
from models.offline.wording.details import details
from models.offline.wording.reasons import Reasons, reasons
from models.offline.wording.table import table
from models.offline.wording.understood import company_words, feature_words, wish_words

_LETTERS = re.compile(r"[\W\d_]+")
"""What two warnings of one thing may differ in: its dates."""
_CHEAPEST = re.compile(r"the cheapest costs (?P<price>\S+(?: [\d.,]+)?)\.")


def offers_found(dialogue: Dialogue, outcome: Outcome) -> Reasons:
    """Return what a search brought, in words, and the memories that decided."""
    kind = SEARCHES[outcome.tool]
    frame = dialogue.state.trip.frames.get(kind)
    if frame is None or (frame.given != outcome.given and results(outcome)):
        return Reasons("")
    if not results(outcome):
        return Reasons(_nothing(dialogue, frame, str(outcome.answer.get("note") or "")))
    before = dialogue.step.before.trip.frames.get(kind)
    now, then = ([product_key(each) for each in one.shown] for one in (frame, before or Frame(kind)))
    if (
        now
        and now == then
        and dialogue.step.before.at == dialogue.state.at
        and before
        and before.given
        and ({**before.given, "sort": ""} | {"limit": 0} == {**outcome.given, "sort": ""} | {"limit": 0})
    ):
        return Reasons(dialogue.say("same_offers"))
    landmark = frame.value("landmark") if frame.given and "area" not in frame.given else None
    nowhere = dialogue.say("no_area", area=landmark) if landmark else ""
    head = [nowhere, _unmet(dialogue, frame), dialogue.say(f"head_{kind}")]
    if kind == "hotel" and (rooms := outcome.given.get("rooms")):
        head.insert(1, dialogue.say("rooms_taken", rooms=rooms))
    why = reasons(dialogue, frame)
    parts = [f"{' '.join(each for each in head if each)}\n\n{table(dialogue.words, kind, frame.shown)}"]
    full = dialogue.say("in_full", details=_details(dialogue, frame))
    parts += [f"{why.words} {full}", added(dialogue, frame), _warnings(dialogue, outcome)]
    return Reasons("\n\n".join(part for part in parts if part), why.handles)


def _details(dialogue: Dialogue, frame: Frame) -> str:
    company, _ = company_of(dialogue.state, frame.kind, dialogue.standing)
    return details(dialogue.words, frame.chosen or frame.shown[0], company_words(dialogue, company))


def restated(dialogue: Dialogue, frame: Frame) -> str:
    """Return the offer that is chosen, in full, with what goes with it."""
    full = dialogue.say("in_full", details=_details(dialogue, frame))
    return " ".join(part for part in (full, added(dialogue, frame)) if part)


def _unmet(dialogue: Dialogue, frame: Frame) -> str:
    """Return what none of the offers meets, where those shown are only the nearest."""
    company, _ = company_of(dialogue.state, frame.kind, dialogue.standing)
    if shelf(frame, dialogue.state, company)[1]:
        return ""
    names = [name for name in frame.slots if (name.endswith(("_after", "_before")) or name in (
        "airline", "overnight", "stars", "budget", "refundable"))]  # fmt: skip
    told = [text for name in names if (text := wish_words(dialogue, name, frame.value(name)))]
    key = "cap_passed" if names == ["budget"] else "none_fits"
    return dialogue.say(key, items=dialogue.words.joined(told))


def _nothing(dialogue: Dialogue, frame: Frame, note: str) -> str:
    """Return that nothing fits and why, and that what was shown before still stands."""
    say, words = dialogue.say, dialogue.words
    if frame.value("landmark") and "area" in (frame.given or {}):
        return ""
    wanted = [str(frame.given[name]) for name in ("area", "chain") if frame.given and frame.given.get(name)]
    wanted += [feature_words(dialogue, each) for each in (frame.given or {}).get("features", [])]
    if cheapest := _CHEAPEST.search(note):
        text = say("no_room_cheap", price=cheapest["price"])
    elif wanted:
        text = say("no_such_room", items=words.joined(wanted))
    else:
        text = say("fault_nothing")
    if frame.shown and frame.status == "open":
        return f"{text} {say('still_stands')}"
    return f"{text} {say('ask_leave_wish')}" if wanted else f"{text} {say('ask_other_days')}"


def added(dialogue: Dialogue, frame: Frame) -> str:
    """Return what is added when the offer is booked, and for how much; empty where nothing is."""
    say, offer = dialogue.say, frame.chosen or {}
    if frame.kind != "flight" or dialogue.state.changing:
        requests = requests_for(frame)
        return say("answer_requests_next", items=dialogue.words.joined(requests)) if requests else ""
    side, bags, choice = preferred_seat(dialogue, frame), missing_bags(frame, offer), str(offer.get("seat_choice"))
    parts = []
    if side and choice in {"free", "paid"}:
        parts.append(say(f"extra_seat_{choice}", side=say(f"side_{side}"), fee=offer.get("seat_fee")))
    if bags:
        parts.append(say("extra_bags", count=bags, fee=offer.get("bag_fee")))
    told = [say("extras", items=dialogue.words.joined(parts))] if parts else []
    told += [say("extra_seat_later", side=say(f"side_{side}"))] if side and choice == "at check-in" else []
    return " ".join(told)


def _warnings(dialogue: Dialogue, outcome: Outcome) -> str:
    """Return what speaks against the passport, said once."""
    said = {_LETTERS.sub("", line) for turn in dialogue.transcript.before for line in turn.reply.splitlines()}
    found = [dialogue.say("warned", text=each) for each in outcome.answer.get("documents") or []]
    return "\n".join(each for each in found if _LETTERS.sub("", each) not in said)
