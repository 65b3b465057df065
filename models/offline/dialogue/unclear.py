"""Words that nobody could read, and for which a booking waits until the traveller has said what is meant."""

from models.offline.dialogue.turn import Dialogue, Step
from models.offline.reading import may_count_people
from models.offline.trips.family import names_more


def uncounted(dialogue: Dialogue, step: Step) -> list[str]:
    """Return words for people in a turn that leave open how many they are and how old, or whether they count."""
    known, said = step.heard.trip.value("party"), [each.party for each in step.said.clauses if each.party]
    named = [each.family for each in said if names_more(each, known)]
    named = named if named and dialogue.standing.family is None else []
    return named + [each.unsure for each in said if each.unsure]


def unclear(dialogue: Dialogue) -> str:
    """Return words that nobody could read, for which a booking waits until a yes to the question.

    They hold a number, beside the order itself, or where nobody counted those who travel, in what is told with it or
    was said earlier; or they name another place than the trip's.
    """
    said = beside = ""
    counted = False
    for step in dialogue.steps:
        clauses, asked = step.said.clauses, step.question == "ask_people"
        if words := uncounted(dialogue, step) or _astray(step):
            said = words[0]
            continue
        plain = (each.act in ("confirm", "book") and not (each.choice or each.unread) for each in clauses)
        goal = step.before.trip.value("destination")
        said = "" if goal and goal != step.heard.trip.value("destination") else said
        if any(each.party for each in clauses) or (asked and any(plain)):
            said, beside, counted = "", "", True
            continue
        said = (beside if asked else "") or said
        talk = [clause.text for clause in clauses if clause.act in ("chat", "tell") and not counted]
        unread = [(each, clause.places or clause.dates) for clause in clauses for each in clause.unread]
        said = next((each for each, searched in unread if searched and may_count_people(each)), said)
        beside = next((each for each in (*talk, *(each for each, _ in unread)) if may_count_people(each)), "")
    return beside or said


def _astray(step: Step) -> list[str]:
    """Return places that a message names in words nobody could read, while offers for another one are shown."""
    known = {trip.value(end) for trip in step.before.trips for end in ("origin", "destination")}
    named = [place for each in step.said.clauses if each.act == "chat" for place in each.places]
    shown = step.before.trip.shown and step.heard.known == step.before.known
    return [place.said or place.name for place in named if shown and place.name not in known]
