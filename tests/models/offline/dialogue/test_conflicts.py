"""Two memories that can't both hold: one question, and what becomes of its answer."""

from __future__ import annotations

import pytest

from tests.models.offline.desk import Desk, flight, found
from tests.models.offline.talker import SYSTEM, Talker, memories

EN = ("- [n1] seat, 2026-10-01: I prefer aisle seats", "- [n2] seat, 2026-09-01: I prefer window seats")
JA = ("- [n1] seat, 2026-10-01: 通路側の席が好きです", "- [n2] seat, 2026-09-01: 窓側の席が好きです")
HOSTELS = ("- [n1] hotel, 2026-10-01: I love hostels", "- [n2] hotel, shared, 2026-09-01: We never book hostels")
CONFLICT = "CONFLICT [n1] [n2]: ask which one holds before relying on either"
FIRST: dict[tuple[str, ...], str] = {
    EN: "Find me a flight to Rome",
    JA: "5月にローマへ行きたいです",
    HOSTELS: "Where should I stay in Rome?",
}


def _asked(lines: tuple[str, ...]) -> Talker:
    """A traveller who has just been asked which of the two holds; the next message is under no clash."""
    talker = Talker(SYSTEM + memories(*lines, CONFLICT))
    reply = talker.say(FIRST[lines])
    assert "1. " in reply
    assert "2. " in reply
    assert "<used>" not in reply
    talker.system = SYSTEM + memories(*lines)
    return talker


def test_it_asks_one_question_that_names_both_and_relies_on_neither() -> None:
    talker = Talker(SYSTEM + memories(*EN, CONFLICT))
    reply = talker.say(FIRST[EN])
    assert reply.count("?") == 1
    assert reply.index("aisle") < reply.index("window")
    assert "keeping in mind" not in reply


@pytest.mark.parametrize(
    ("lines", "answer", "text"),
    [
        (EN, "aisle", "I prefer aisle seats"),
        (EN, "the first", "I prefer aisle seats"),
        (EN, "The second one, please", "I prefer window seats"),
        (JA, "通路側で", "通路側の席が好きです"),
        (JA, "2番目", "窓側の席が好きです"),
        (HOSTELS, "I love them", "I love hostels"),
    ],
)
def test_the_answer_is_saved_in_the_words_of_what_it_picks(lines: tuple[str, ...], answer: str, text: str) -> None:
    talker = _asked(lines)
    talker.say(answer)
    assert [(note["text"], note["quote"], note["scope"]) for note in talker.saved] == [(text, answer, "user")]


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (EN, "it depends: aisle on short flights, window on overnight ones"),
        (JA, "短いフライトは通路側、夜行便では窓側"),
    ],
)
def test_both_are_saved_with_when_they_hold(lines: tuple[str, ...], answer: str) -> None:
    talker = _asked(lines)
    talker.say(answer)
    assert [note["when"] for note in talker.saved] == [
        [{"key": "flight_length", "value": "short-haul"}], [{"key": "flight_time", "value": "overnight"}],
    ]  # fmt: skip


@pytest.mark.parametrize(("lines", "answer", "then"), [(EN, "it depends", "aisle on short flights, window at night")])
def test_a_bare_it_depends_is_asked_when(lines: tuple[str, ...], answer: str, then: str) -> None:
    talker = _asked(lines)
    assert "When does each" in talker.say(answer)
    assert talker.saved == []
    talker.say(then)
    assert len(talker.saved) == 2


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (EN, "I don't care"),
        (EN, "never mind"),
        (EN, "two of us"),
        (EN, "book 1"),
        (JA, "1番を予約して"),
        (EN, "Lisbon"),
        (JA, "どちらでもいいです"),
        (JA, "2人です"),
    ],
)
def test_what_decides_nothing_saves_nothing(lines: tuple[str, ...], answer: str) -> None:
    talker = _asked(lines)
    talker.say(answer)
    assert talker.saved == []


@pytest.mark.parametrize("answer", ["aisle", "never mind", "Lisbon"])
def test_it_does_not_ask_again(answer: str) -> None:
    talker = _asked(EN)
    talker.say(answer)
    talker.system = SYSTEM + memories(*EN, CONFLICT)
    assert "Which one holds" not in talker.say("Find me a flight to Rome then")


def test_what_was_picked_is_put_to_use_and_named() -> None:
    talker = _asked(EN)
    talker.say("window")
    talker.system = SYSTEM + memories(*EN, CONFLICT)
    reply = talker.say("Find me a flight to Rome then")
    assert "window" in reply
    assert "aisle" not in reply
    assert reply.endswith("<used>n2</used>")


@pytest.mark.parametrize(
    ("limit", "said", "answer", "gone"),
    [
        ("I'm vegetarian", "I eat meat again", "the first", ["n7"]),
        ("I'm vegetarian", "I eat chicken again", "vegetarian", ["n1"]),
        ("ベジタリアンです", "最近は鶏肉も食べるようになりました", "1番", ["n7"]),
        ("I'm not vegetarian any more", "I eat meat again", "ok", []),
    ],
)
def test_what_ends_a_limit_without_naming_it_is_asked_about_at_once(
    limit: str, said: str, answer: str, gone: list[str]
) -> None:
    talker = Talker(SYSTEM + memories(f"- [n7] meal, hard, 2026-09-01: {limit}"))
    assert (f"1. {said}\n2. {limit}" in talker.say(said)) == bool(gone)
    talker.say(answer)
    assert [call["query"] for call in talker.calls if call["name"] == "forget_memory"] == gone


@pytest.mark.parametrize("said", ["hello", "What do you know about me?", "forget my seat preferences", "thanks!"])
def test_a_question_about_memory_or_a_greeting_is_not_held_up(said: str) -> None:
    assert "Which one holds" not in Talker(SYSTEM + memories(*EN, CONFLICT)).say(said)


@pytest.mark.parametrize("said", ["book 1", "Book the second one please"])
def test_an_order_after_it_shows_what_would_be_booked_and_puts_up_nothing(said: str) -> None:
    desk = Desk({"search_flights": found(flight(1), flight(2, airline="KLM"))}, SYSTEM + memories(*EN, CONFLICT))
    assert "Which one holds" in desk.say("flights from Berlin to Rome, 8 to 14 December, just me")
    assert desk.say(said).endswith("?")
    assert [call["name"] for call in desk.calls if call["name"] in ("book_offer", "save_memory_note")] == []
