"""A question for something to do on a day of the stay looks for activities, and the trip keeps its days."""

from __future__ import annotations

from datetime import date

from models.offline.reading.read import read
from models.offline.reading.understanding import Clause, Kind, ReadingContext
from tests.models.offline.desk import at_flights, found
from tests.tables import table


def _first(said: str, about: Kind = "flight") -> Clause:
    """Return the first clause of a message about a trip from 14 to 17 May with offers shown."""
    days = (date(2027, 5, 14), date(2027, 5, 17))
    context = ReadingContext(date(2026, 11, 22), "confirm", *days, trip_open=True, offers_shown=True, about=about)
    return read(said, context).clauses[0]


@table(
    ("said", "interests"),
    [
        ("any music on while we're there?", ("music",)),
        ("is there anything with gardens on the sunday?", ("nature",)),
        ("anything foody on the saturday? market, cooking", ("food",)),
        ("any live jazz that friday?", ("music",)),
        ("what art is on one afternoon?", ("art",)),
        ("something with history on the saturday please", ("history",)),
        ("and what can we do on the friday?", ()),
        ("what is there to do on sunday", ()),
        ("土曜に何かジャズのライブありますか", ("music",)),
        ("滞在中に音楽のイベントある？", ("music",)),
        ("土曜に料理とか何かない？", ("food",)),
        ("その夜にコンサートやってますか", ("music",)),
        ("日曜にアート系の何かあります？", ("art",)),
        ("土曜は何ができますか", ()),
        ("日曜は何をしたらいい？", ()),
    ],
)
def test_something_on_a_day_is_an_activity(said: str, interests: tuple[str, ...]) -> None:
    clause = _first(said)
    assert (clause.kinds, clause.wishes.interests) == (("activity",), interests)


@table(
    ("said", "kinds"),
    [
        ("any food on the plane on saturday?", ("flight",)),
        ("is there a bar at the hotel on saturday?", ("hotel",)),
        ("is there anything cheaper on saturday?", ()),
        ("土曜の便で何か安いのある？", ("flight",)),
    ],
)
def test_what_else_is_on_a_day_is_no_activity(said: str, kinds: tuple[Kind, ...]) -> None:
    assert _first(said).kinds == kinds


@table(
    ("said", "topic"),
    [("how much is the tour on saturday?", "price"), ("when does the tour on saturday start?", "times")],
)
def test_the_price_of_a_tour_is_no_search(said: str, topic: str) -> None:
    clause = _first(said, "activity")
    assert (clause.act, clause.topic) == ("ask", topic)


@table("said", ["any jazz on while we're there, on the friday?", "金曜に何かジャズのライブありますか"])
def test_the_day_of_an_activity_moves_no_flight(said: str) -> None:
    desk = at_flights(search_activities=found())
    desk.say(said)
    searched = {(each["name"], each.get("first_day"), each.get("last_day")) for each in desk.calls}
    assert searched == {("search_activities", "2026-12-11", "2026-12-11")}


@table(
    "said",
    [
        "am i mad doing two cities in 3 days?",
        "can we see it all in 3 days?",
        "is Lisbon doable in 3 days?",
        "3日で全部回れますか？",
    ],
)
def test_a_length_of_time_moves_no_trip(said: str) -> None:
    desk = at_flights()
    desk.say(said)
    assert desk.calls == []


@table("said", ["spa, shopping, whatever you have", "買い物やスパがいいです"])
def test_interests_beside_a_feature_open_no_hotel(said: str) -> None:
    desk = at_flights(search_activities=found())
    desk.say("and what can we do on the friday?")
    desk.say(said)
    searched = {call["name"] for call in desk.calls}
    assert "search_activities" in searched
    assert "search_hotels" not in searched
