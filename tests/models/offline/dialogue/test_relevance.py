"""Kept preferences in the answers to later requests: across sessions by handle, and within one conversation."""

from __future__ import annotations

import pytest

from tests.models.offline.desk import Desk
from tests.models.offline.talker import PROFILE, SYSTEM, Talker, memories
from tests.tables import table

TOUCHED = [
    ("meal, hard", "I am allergic to peanuts", "Which sweets should we taste in Athens?", "peanuts"),
    ("meal", "I don't drink alcohol", "What can we do in Seville in the evening?", "alcohol"),
    ("accessibility, hard", "I use a wheelchair", "Book us an apartment in Ghent", "wheelchair"),
    ("accessibility, hard", "Stairs are hard on my knees", "Suggest something for Sunday morning in Lucca", "knees"),
    ("other", "I don't fly because of the climate", "How can we get from Vienna to Rome?", "climate"),
    ("other", "I'm scared of heights", "Plan us an afternoon in Chicago", "heights"),
    ("companions", "We always travel with our beagle", "Find us a cabin near Bergen", "beagle"),
    ("companions", "My son is two years old", "Somewhere to have lunch in Turin?", "son"),
    ("budget", "I never spend more than 90 euros a night", "I need somewhere to sleep in Leeds", "90 euros"),
    ("airline", "I collect miles with Lufthansa", "What are my options from Oslo to Boston?", "Lufthansa"),
    ("document", "I travel on a Kenyan passport", "Can you organise ten days in Canada?", "Kenyan"),
    ("document", "I travel on a Kenyan passport", "Do I need a visa for Turkey?", "Kenyan"),
    ("communication", "I think in Fahrenheit", "How warm is Cairo in May?", "Fahrenheit"),
    ("pace", "Nothing before ten in the morning", "Make a plan for Saturday in Lille", "before ten"),
    ("transport", "I get seasick on ferries", "How would you get around the Greek islands?", "seasick"),
    ("transport", "I can't drive", "How do we get to the vineyards from Bordeaux?", "drive"),
    ("car", "I only drive automatics", "Rent me something small in Palermo", "automatics"),
    ("car", "I only drive automatics", "I'd like to hire a car for two days", "automatics"),
    ("hotel", "Hotels with casinos are not for me", "Where should we stay in Macau?", "casinos"),
    ("room", "I need a quiet room away from the lift", "Book me a guest house in York", "quiet room"),
    ("neighborhood", "I like to be near a park", "Which area of Berlin suits me?", "near a park"),
    ("insurance", "I have annual travel insurance", "Should I take the cover for the rental?", "annual"),
    ("baggage", "I travel with hand luggage only", "What should I pack for Iceland?", "hand luggage"),
    ("layover", "No layovers under two hours", "Look for a connection to Nairobi with one stop", "two hours"),
    ("activity", "I love modern art", "Any ideas for a rainy day in Basel?", "modern art"),
    ("activity", "Crowds make me anxious", "Plan a week in Japan for me", "Crowds"),
    ("booking", "I only book refundable fares", "Get me a cheap ticket to Sofia", "refundable"),
]


@table(("marks", "text", "said", "word"), TOUCHED)
def test_a_request_that_touches_a_memory_takes_it_into_account(marks: str, text: str, said: str, word: str) -> None:
    shown = memories(f"- [n7] {marks}, 2026-10-01: {text}")
    reply = Talker(SYSTEM + PROFILE + shown).say(said)
    assert word in reply
    assert reply.splitlines()[-1] == "<used>n7</used>"


@pytest.mark.parametrize(
    ("told", "said", "word"),
    [
        ("I'm vegetarian", "Where should we eat in Bologna?", "vegetarian"),
        ("I can't stand red-eyes", "Book me a flight to New York", "red-eyes"),
        ("I never take taxis", "How do I get from the airport to the hotel?", "taxis"),
        ("This time I'd like a window seat", "Find me a flight to Rome", "window seat"),
        ("On overnight flights I prefer the window", "I need a flight to Tokyo", "overnight flights"),
    ],
)
def test_what_was_said_earlier_in_the_conversation_is_applied(told: str, said: str, word: str) -> None:
    talker = Talker(SYSTEM + PROFILE)
    talker.say(told)
    reply = talker.say(said)
    assert word in reply
    assert "<used>" not in reply


def test_what_was_forgotten_in_the_conversation_is_not_applied() -> None:
    talker = Talker()
    talker.say("I can't stand red-eyes")
    talker.answers = {"forget_memory": {"status": "forgotten", "text": "I can't stand red-eyes"}}
    talker.say("forget that")
    assert "red-eyes" not in talker.say("Book me a flight to New York")


@pytest.mark.parametrize(("code", "applied"), [("paused", True), ("consent_denied", False)])
def test_a_note_that_was_not_kept_counts_here_only_when_memory_is_paused(code: str, applied: bool) -> None:
    talker = Talker(answers={"save_memory_note": {"status": "blocked", "code": code}})
    talker.say("I can't stand red-eyes")
    assert ("red-eyes" in talker.say("Book me a flight to New York")) is applied


def test_without_the_tool_it_still_applies_what_was_said() -> None:
    talker = Talker(tools=False)
    assert "won't remember" in talker.say("I'm vegetarian")
    assert "vegetarian" in talker.say("Where should we eat in Bologna?")


ALL = memories(
    "- [n1] meal, hard, 2026-10-01: I am vegetarian",
    "- [n2] seat, 2026-10-01: I prefer the aisle",
    "- [n3] transport, 2026-10-01: Refuse to use ride-sharing because of privacy",
    "- [n4] other, 2026-10-01: I love live jazz",
    "- [n5] budget, 2026-10-01: On a tight budget usually",
    "- [n6] hotel, 2026-10-01: Hotels with casinos are not for me",
)


@table(
    "said",
    [
        "hi", "thanks!", "how are you?", "do you like sushi?", "what's your favourite food?", "I love this song",
        "my flight was delayed yesterday", "I'm at the airport", "we land on Tuesday", "who are you?",
        "what's the capital of Portugal?", "what can you do?", "I had a lovely dinner yesterday", "it's raining here",
        "are you human?", "tell me a joke", "ok", "no thanks", "good night", "how do I delete my data?",
    ],
)  # fmt: skip
def test_small_talk_recites_nothing(said: str) -> None:
    reply = Talker(SYSTEM + PROFILE + ALL).say(said)
    assert "<used>" not in reply
    assert "keeping" not in reply


def test_many_notes_are_grouped_and_each_is_named() -> None:
    reply = Talker(SYSTEM + PROFILE + ALL).say("Plan me a week in Portugal")
    assert "Flight: I prefer the aisle." in reply
    assert "Food: I am vegetarian." in reply
    assert "On the ground: Refuse to use ride-sharing because of privacy." in reply
    assert reply.splitlines()[-1] == "<used>n1 n2 n3 n4 n5 n6</used>"


def test_what_does_not_matter_stays_out() -> None:
    reply = Talker(SYSTEM + PROFILE + ALL).say("How do I get from the airport to the hotel?")
    assert "ride-sharing" in reply
    assert "aisle" not in reply
    assert "jazz" not in reply
    assert "vegetarian" not in reply


def test_a_request_beside_a_preference_is_answered_too() -> None:
    reply = Talker(SYSTEM + ALL).say("I'm claustrophobic. Where should I eat in Bologna?")
    assert "I'll remember" in reply
    assert "vegetarian" in reply


@table(
    ("note", "told"),
    [
        ("booking, 2026-10-01: I don't fly on Fridays", "can't search by it: I don't fly on Fridays."),
        ("budget, 2026-10-01: Our budget for a week is usually 2000 euros", "can't search by it: Our budget"),
        ("seat, 2026-10-01: I like aisle seats", "I'm keeping in mind: I like aisle seats."),
        ("companions, 2026-10-01: I usually travel with my wife", "I'm keeping in mind: I usually"),
        ("booking, 2026-10-01: 金曜日は飛びません", "条件にしては探せません：金曜日は飛びません"),
    ],
)
def test_a_note_that_no_search_takes_is_said_to_be_none(note: str, told: str) -> None:
    desk = Desk(system=SYSTEM + memories(f"- [n1] {note}"))
    ja = not told.isascii()
    trip = "ベルリンからローマの便と宿、12月8日から14日" if ja else "flight and hotel, Berlin to Rome, 8 to 14 December"
    assert told in desk.say(trip)
