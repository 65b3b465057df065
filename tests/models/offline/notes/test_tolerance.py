"""What somebody merely accepts is no preference: "I don't mind hostels"."""

from __future__ import annotations

import pytest

from models.offline.notes.claims import meaning_of
from models.offline.notes.judge import topic_of
from tests.tables import table


@table(("topic", "text", "claim"), [
    ("room", "I have no problem with scented rooms", "room_feature=scented rooms"),
    ("room", "I don't mind scented rooms", "room_feature=scented rooms"),
    ("room", "Scented rooms don't bother me", "room_feature=scented rooms"),
    ("hotel", "I've got nothing against hostels", "hotel_kind=hostel"),
    ("hotel", "We can live with a hostel", "hotel_kind=hostel"),
    ("airline", "I have no objection to Ryanair", "airline=Ryanair"),
    ("airline", "I'm fine with Ryanair", "airline=Ryanair"),
    ("airline", "Ryanair is OK for me", "airline=Ryanair"),
    ("airline", "I don't hate Ryanair", "airline=Ryanair"),
    ("booking", "Early flights are no problem for me", "departure=morning"),
    ("booking", "I'm not bothered by early flights", "departure=morning"),
    ("meal", "I don't mind vegetarian food", "diet=vegetarian"),
    ("seat", "A middle seat is all right", "seat_side=middle"),
])  # fmt: skip
def test_what_is_accepted_is_neither_liked_nor_required(topic: str, text: str, claim: str) -> None:
    claims = meaning_of(text, topic).claims
    assert [f"{one['attribute']}={one['value'].lower()}" for one in claims] == [claim.lower()]
    assert [one["stance"] for one in claims] == ["indifferent"]


@table(("topic", "text", "claims"), [
    ("room", "No scented rooms", ["room_feature=scented rooms avoids"]),
    ("room", "I'm not fine with scented rooms", ["room_feature=scented rooms avoids"]),
    ("hotel", "I don't mind hostels but I love boutique hotels",
     ["hotel_kind=boutique prefers", "hotel_kind=hostel indifferent"]),
    ("airline", "I'm happy with KLM", ["airline=KLM prefers"]),
    ("layover", "I don't mind paying more for nonstop flights", []),
])  # fmt: skip
def test_a_refusal_or_a_liking_beside_it_stays(topic: str, text: str, claims: list[str]) -> None:
    found = meaning_of(text, topic).claims
    assert sorted(f"{one['attribute']}={one['value']} {one['stance']}" for one in found) == claims


@pytest.mark.parametrize("text", ["Hilton is fine if there's nothing else", "I'm okay with Hilton if it's central"])
def test_what_is_accepted_under_a_condition_claims_nothing_absolute(text: str) -> None:
    assert [each["stance"] for each in meaning_of(text, "hotel").claims if each["stance"] != "indifferent"] == []


@table(
    ("text", "stance"),
    [
        ("No hostels any more", "avoids"), ("No Ryanair any more, please", "avoids"),
        ("I don't stay in hostels any more", "indifferent"), ("One stop is fine", "prefers"),
        ("I don't mind one stop now", "prefers"), ("I'm not vegetarian any more", "indifferent"),
    ],
)  # fmt: skip
def test_no_more_refuses_and_an_accepted_number_is_a_limit(text: str, stance: str) -> None:
    assert [claim["stance"] for claim in meaning_of(text, topic_of(text)).claims] == [stance]
