"""Finds words that the reader could not parse and that hold back a booking until the traveller explains them."""

from models.offline.dialogue.turn import Dialogue, Step
from models.offline.reading import may_count_people
from models.offline.trips.family import names_more
from models.offline.trips.merging import is_unsure


def uncounted(dialogue: Dialogue, step: Step) -> list[str]:
    """Return the words for people in a turn whose number or ages, or whose place in the party, are not clear."""
    party, mentions = step.heard.trip.value("party"), [each.party for each in step.said.clauses if each.party]
    families = [each.family for each in mentions if names_more(each, party)]
    families = families if families and dialogue.standing.family is None else []
    return families + [each.unsure for each in mentions if is_unsure(party, each)]


def unclear(dialogue: Dialogue) -> str:
    """Return the unparsed words that hold back a booking: a count of people, or a place that is not on the trip.

    They no longer do so once the traveller counts the party or confirms the booking, or goes to another destination.
    """
    pending = latest = ""
    counted = False
    for step in dialogue.steps:
        clauses, asked = step.said.clauses, step.question == "ask_people"
        if words := uncounted(dialogue, step) or _unrelated_places(step):
            pending, latest = words[0], ""
            continue
        plain = (each.act in ("confirm", "book") and not (each.choice or each.unread) for each in clauses)
        goal = step.before.trip.value("destination")
        pending = "" if goal and goal != step.heard.trip.value("destination") else pending
        if any(each.party for each in clauses) or (asked and any(plain)):
            pending, latest, counted = "", "", True
            continue
        pending = (latest if asked else "") or pending
        talk = [clause.text for clause in clauses if clause.act in ("chat", "tell") and not counted]
        unread = [(each, clause.places or clause.dates) for clause in clauses for each in clause.unread]
        pending = next((each for each, searched in unread if searched and may_count_people(each)), pending)
        latest = next((each for each in (*talk, *(each for each, _ in unread)) if may_count_people(each)), "")
    return latest or pending


def _unrelated_places(step: Step) -> list[str]:
    """Return the places in unparsed clauses that belong to no trip, if offers are shown and the trips stay the same."""
    if not step.before.trip.shown or step.heard.known != step.before.known:
        return []
    trip_places = {trip.value(end) for trip in step.before.trips for end in ("origin", "destination")}
    mentions = [place for each in step.said.clauses if each.act == "chat" for place in each.places]
    return [place.said or place.name for place in mentions if place.name not in trip_places]
