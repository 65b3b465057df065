"""Why one of the offers is recommended: a wish that decided, and how it compares with the others on the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from models.offline.dialogue.briefing import Memory
from models.offline.dialogue.turn import Dialogue
from models.offline.notes import content_words
from models.offline.reading.understanding import Kind
from models.offline.trips.frames import Frame
from models.offline.trips.offers import Offer, cost, leaves, minutes

_MOST = 2


@dataclass(frozen=True, slots=True)
class Reasons:
    """Reasons in words, and the handles of the memories behind them."""

    words: str
    handles: tuple[str, ...] = ()


def reasons(dialogue: Dialogue, frame: Frame) -> Reasons:
    """Return why the chosen offer of `frame` is the one to take, by its number on the table."""
    say, best = dialogue.say, frame.chosen or frame.shown[0]
    others = [offer for offer in frame.shown if offer is not best]
    decided, shared = _wishes(best, others)
    wishes = (decided + shared)[:_MOST]
    compared = _compared(frame.kind, frame.value("sort"), best, others)
    found = [say(key) for key, holds in compared if holds][:_MOST]
    told = [say("because_wish", items=dialogue.words.joined(wishes))] if wishes else []
    found = [*told, *found] if decided else [*found, *told]
    if not found:
        balance = "because_balance_hotel" if frame.kind == "hotel" else "because_balance"
        found = [say("because_advice" if frame.kind == "insurance" else balance)]
    because = dialogue.words.joined(found)
    number = next((at for at, offer in enumerate(frame.shown, 1) if offer is best), 1)
    text = say("pick", number=number, reasons=because) if others else say("pick_one", reasons=because)
    lacks = best.get("misses") or []
    tail = say("trade_off", items=dialogue.words.joined(lacks)) if lacks else ""
    memories = [memory for wish in wishes if (memory := memory_for(dialogue, wish))]
    return Reasons(f"{text} {tail}".strip(), tuple(dict.fromkeys(memory.handle for memory in memories)))


def memory_for(dialogue: Dialogue, wish: str) -> Memory | None:
    """Return the memory that a wish ("aisle seat") comes from."""
    own = content_words(wish)
    scored = [(len(own & content_words(each.text)), -at) for at, each in enumerate(dialogue.briefing.memories)]
    best = max(scored, default=(0, 0))
    return dialogue.briefing.memories[-best[1]] if best[0] else None


def _wishes(best: Offer, others: Sequence[Offer]) -> tuple[list[str], list[str]]:
    """Return what the best offer meets: what another on the table does not, which decided, and what all of them do."""
    met = [str(each) for each in best.get("meets") or []]
    decided = [wish for wish in met if any(wish not in (other.get("meets") or []) for other in others)]
    return decided, [wish for wish in met if wish not in decided]


def _compared(kind: Kind, sort: Any, best: Offer, others: Sequence[Offer]) -> list[tuple[str, bool]]:
    if not others:
        return [("because_nonstop", kind == "flight" and best.get("stops") == 0)]

    def least(measure: Callable[[Offer], Any]) -> bool:
        return all(measure(best) < measure(other) for other in others)

    def asked(wish: str, measure: Callable[[Offer], Any]) -> bool:
        return bool(sort == wish and all(measure(best) <= measure(other) for other in others))

    found = [("because_cheapest", least(cost))]
    if kind == "flight":
        nonstop = best.get("stops") == 0
        found += [
            ("because_nonstop", nonstop and any(other.get("stops") for other in others)),
            ("because_fastest", least(minutes) or asked("fastest", minutes)),
            ("because_earliest", asked("earliest", leaves)),
            ("because_latest", sort == "latest" and all(leaves(best) >= leaves(other) for other in others)),
        ]
    if kind == "hotel":
        found += [
            ("because_central", least(lambda offer: float(offer.get("centre_km") or 0))),
            ("because_rating", least(lambda offer: -float(offer.get("guest_score") or 0))),
        ]
    return sorted(found, key=lambda pair: pair[0] != f"because_{sort}")
