"""Compares offers on the table: which of them comes first in what was asked, and in what they differ."""

from models.offline.dialogue.turn import Dialogue
from models.offline.reading.understanding import Clause, Topic
from models.offline.trips.frames import Frame
from models.offline.trips.offers import MEASURES, name_of
from models.offline.wording.facts import facts, table

_BY_TOPIC: dict[Topic, str] = {
    "price": "cheapest", "cheapest": "cheapest", "duration": "fastest", "distance": "central", "area": "central",
    "stars": "rating",
}  # fmt: skip
"""What offers are compared by where only what the question is about is known."""


_NOT_KNOWN = frozenset({"seat", "meal", "place", "weather"})
"""What the data of offers do not tell."""


def compared(dialogue: Dialogue, clause: Clause, frame: Frame) -> str:
    """Return which of the offers asked about comes first in what was asked, and a table of what they differ in."""
    rows = clause.choice.rows if clause.choice else ()
    count, say = len(frame.shown), dialogue.say
    if any(not -count <= row < count for row in rows):
        return say("ask_number", count=count)
    places = [row % count for row in rows] if len(rows) > 1 else list(range(count))
    told, sort = [], clause.wishes.sort or _BY_TOPIC.get(clause.topic, "")
    if sort in MEASURES:
        values = {place: MEASURES[sort](frame.shown[place]) for place in places}
        best = [place for place in places if values[place] == min(values.values())]
        first = say("ahead", number=best[0] + 1, name=name_of(frame.shown[best[0]]), what=sort)
        told += [first] if not best[1:] else [say("level")] if best == places else []
    elif clause.topic in _NOT_KNOWN:
        told.append(say("unknown_fact"))
    shown = [{**facts(dialogue, frame.kind, frame.shown[place]), "at": place + 1} for place in places]
    unlike = table(dialogue.words, frame.kind, shown, differing=True)
    lead = " ".join(told) or say("differ" if unlike else "level")
    return f"{lead}\n\n{unlike}".strip()
