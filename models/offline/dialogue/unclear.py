"""What nobody could read of who travels, for which a booking waits."""

import re

from models.offline.dialogue.turn import Dialogue

_DIGIT = re.compile(r"\d")


def unclear_people(dialogue: Dialogue) -> str:
    """Return words with a number that nobody could read, for which a booking waits: those beside the order itself, or
    of an earlier message while nobody said how many travel. What was asked about stays unclear until a yes."""
    said = beside = ""
    for step in dialogue.steps:
        clauses, asked = step.said.clauses, step.question == "ask_people"
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
