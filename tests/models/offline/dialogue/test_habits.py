"""What a message about a trip says of every trip is noted; a mere detail of the trip is not."""

from __future__ import annotations

import pytest

from tests.models.offline.talker import Talker

FLIGHTS = "Zurich to Paris, 13 to 15 December, 2 adults"


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("I make a point of flying British Airways wherever they go, so bear that in mind", "British Airways"),
        ("We stick to Air France or KLM wherever they fly, for the points", "KLM"),
        ("I'm 6'5\" so I get extra legroom every time I fly, that's a standing order", "legroom"),
        ('My legs are 36" long, so I need the exit row on every flight', "exit row"),
        ("宿は毎回1泊2万までって決めてんねん", "2万"),
        ("飛行機は必ずJALと決めています", "JAL"),
        ("朝が弱いので、昼の便しか乗らないことにしてます", "昼の便"),
    ],
)
def test_what_holds_for_every_trip_is_noted_beside_one(said: str, word: str) -> None:
    talker = Talker()
    talker.say(FLIGHTS)
    talker.say(said)
    assert [(word in note["text"], note["scope"]) for note in talker.saved] == [(True, "user")]


@pytest.mark.parametrize(
    "said",
    [
        "We'd like to fly with British Airways",
        "just cabin bags for us",
        "Premium economy would be nice for the two of us",
        "Book me the cheapest one, as always",
        "昼の便がいいです",
        "直行便でお願いします",
        "席は窓側だけで",
        "ホテルは妻と相談するんで、いったん飛行機だけで",
        "宿は家族と相談しますから、とりあえず便だけで",
    ],
)
def test_a_detail_of_the_trip_is_no_lasting_note(said: str) -> None:
    talker = Talker()
    talker.say(FLIGHTS)
    talker.say(said)
    assert not [note for note in talker.saved if note["scope"] == "user"]
