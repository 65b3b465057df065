"""What is said not to be wanted is neither taken nor shown."""

from __future__ import annotations

import pytest

from models.offline.wording.sentences import understood_in
from tests.models.offline.desk import Desk, at_flights, flight, found

ENGLISH = [
    "don't ever suggest Iberia again", "anything but Iberia", "no Iberia please", "not with Iberia", "Iberia is out",
    "I'd rather not fly Iberia", "avoid Iberia if possible", "never book me on Iberia again", "skip the Iberia ones",
    "any airline except Iberia", "not Iberia, I had a terrible time with them", "I refuse to fly with Iberia",
]  # fmt: skip
JAPANESE = [
    "ANA以外で",
    "ANAは嫌です",
    "ANAは避けたい",
    "ANAはやめてください",
    "ANAじゃないのがいい",
    "ANA以外の便はありますか",
]


@pytest.mark.parametrize("said", ENGLISH)
def test_a_refused_airline_is_not_offered(said: str) -> None:
    desk = at_flights()
    reply = desk.say(said)
    assert "book_offer" not in [call["name"] for call in desk.calls]
    assert "| Iberia" not in reply
    assert "without Iberia" in reply


@pytest.mark.parametrize("said", JAPANESE)
def test_a_refused_airline_is_not_offered_in_japanese(said: str) -> None:
    mixed = found(flight(1), flight(2), {**flight(3), "airline": "ANA"})
    desk = Desk({"search_flights": mixed})
    desk.say("東京から札幌へ12月8日から14日まで、大人1人")
    reply = desk.say(said)
    assert "book_offer" not in [call["name"] for call in desk.calls]
    assert "| ANA" not in reply
    assert "ANA以外" in reply


@pytest.mark.parametrize("said", ["not the first one", "anything but number 1", "1番以外で"])
def test_a_refused_number_is_not_taken(said: str) -> None:
    desk = at_flights()
    desk.say(said)
    assert "book_offer" not in [call["name"] for call in desk.calls]


WANTED = ["the Lufthansa one please, book it", "not the Iberia, book the Lufthansa one", "no, book the Lufthansa one"]


@pytest.mark.parametrize("said", WANTED)
def test_what_is_wanted_is_still_taken(said: str) -> None:
    desk = at_flights(book_offer="Not carried out")
    desk.say(said)
    assert [call.get("offer_id") for call in desk.calls if call["name"] == "book_offer"] == ["FL.2"]


@pytest.mark.parametrize(
    "said",
    [
        "my boss hates Lufthansa but I'm fine with it",
        "My sister doesn't like Finnair but I'm ok with it",
        "I have nothing against Iberia, my husband does",
        "my mum would never fly Iberia, I don't care though",
        "my boss won't fly Iberia, though I have no problem with it",
        "妹はイベリアが嫌いだけど、私は構わないです",
        "夫はルフトハンザが苦手ですが私は大丈夫です",
    ],
)
def test_a_view_that_the_traveller_does_not_share_is_neither_a_wish_nor_a_yes(said: str) -> None:
    desk = at_flights()
    assert not understood_in(desk.say(said))
    assert "book_offer" not in {call["name"] for call in desk.calls}
    desk.say("book number 1")
    assert desk.called("book_offer")["offer_id"] == "FL.1"
