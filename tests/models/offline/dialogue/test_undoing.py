"""The last change of a trip is taken back on request, and nothing else."""

from __future__ import annotations

import pytest

from models.offline.wording.sentences import understood_in
from tests.models.offline.desk import Desk

TRIP = "flights from Edinburgh to Porto, 20 to 23 May 2027, me, my wife and our two girls, 4 and 9"
REISE = "東京から札幌へ12月20日から23日まで、大人2人"


@pytest.mark.parametrize(
    ("said", "change", "back"),
    [
        (TRIP, "oh and my mother in law might come too", "scratch that, she can't make it"),
        (TRIP, "business class please", "undo that"),
        (TRIP, "a day later", "hmm, ignore what I just said"),
        (TRIP, "from Glasgow instead", "scratch that please"),
        (REISE, "ビジネスクラスで", "今のなしで"),
        (REISE, "一日ずらして", "やっぱりさっきのは取り消してください"),
    ],
)
def test_the_last_change_is_taken_back(said: str, change: str, back: str) -> None:
    desk = Desk()
    first = understood_in(desk.say(said))
    assert understood_in(desk.say(change)) != first
    assert understood_in(desk.say(back)) == first


def test_a_question_between_is_no_change() -> None:
    desk = Desk()
    first = understood_in(desk.say(TRIP))
    desk.say("business class please")
    desk.say("how far is the airport from the centre?")
    assert understood_in(desk.say("scratch that")) == first


def test_what_began_the_trip_is_not_undone() -> None:
    desk = Desk()
    desk.say(TRIP)
    desk.say("scratch that")
    assert "Porto" in understood_in(desk.say("business class please"))
