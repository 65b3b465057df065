"""What nobody could read of who travels, for which a booking waits."""

import re

from models.offline.dialogue.turn import Dialogue, Step
from models.offline.trips.family import names_more

_DIGIT = re.compile(r"\d")


def uncounted_people(dialogue: Dialogue, step: Step) -> list[str]:
    """Return words for the traveller's family in a turn, where nobody knows how many they are and how old."""
    known = step.before.trip.value("party")
    named = [each.party for each in step.said.clauses if each.party and names_more(each.party, known)]
    return [each.family for each in named] if dialogue.standing.family is None else []


def unclear_people(dialogue: Dialogue) -> str:
    """Return words with a number that nobody could read, for which a booking waits: those beside the order itself, or
    of an earlier message while nobody said how many travel. What was asked about stays unclear until a yes."""
    said = beside = ""
    for step in dialogue.steps:
        clauses, asked = step.said.clauses, step.question == "ask_people"
        if who := uncounted_people(dialogue, step):
            said = who[0]
            continue
        plain = (each.act in ("confirm", "book") and not (each.choice or each.unread) for each in clauses)
        if any(each.party for each in clauses) or (asked and any(plain)):
            said = beside = ""
            continue
        said = (beside if asked else "") or said
        talk = [clause.text for clause in clauses if clause.act in ("chat", "tell")]
        unread = [(each, clause.places or clause.dates) for clause in clauses for each in clause.unread]
        said = next((each for each, searched in unread if searched and _DIGIT.search(each)), said)
        beside = next((each for each in (*talk, *(each for each, _ in unread)) if _DIGIT.search(each)), "")
    return beside or said
