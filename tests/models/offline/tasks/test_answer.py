"""Structured answers from the real prompts: summaries, consolidation plans and extracted notes."""

from __future__ import annotations

import json
from typing import Any

from memory.consolidation import Operation, review
from memory.control.erased import Eraser
from memory.records.episodes import checked_texts
from memory.records.notes import Evidence, Note
from memory.schema import load_schema
from models.offline import OfflineConcierge
from models.schemas import EpisodeSummary, PlanOperation, PlanProposal, extracted_notes
from nodes.summarize_history import checked_summary
from prompts import Language, conversation, prompt
from tests.samples import TITLES, VOCABULARY, WORDS, HistorySummary, stated
from tests.tables import table


def _note(id: str, text: str, topic: str, **more: Any) -> dict[str, Any]:
    usual = {
        "scope": "user",
        "date": "2026-11-20",
    }
    return {"id": id, "text": text, "topic": topic, **usual, **more}


def _plan(session: list[dict[str, Any]], known: list[dict[str, Any]]) -> list[PlanOperation]:
    text = prompt(
        "consolidate",
        "en",
        WORDS["en"],
        session_notes="\n".join(json.dumps(note) for note in session),
        global_notes="\n".join(json.dumps(note) for note in known),
    )
    plan = OfflineConcierge().with_structured_output(PlanProposal).invoke(text)
    assert isinstance(plan, PlanProposal)
    covered = [id for operation in plan.operations for id in operation.session_notes]
    assert sorted(covered) == sorted(note["id"] for note in session)
    return plan.operations


@table(
    ("session", "known", "op", "text"),
    [
        (
            _note("s", "Window seat this time", "seat", scope="trip"),
            _note("g", "I prefer the aisle", "seat"),
            "DROP",
            None,
        ),
        (
            _note("s", "I am vegetarian", "meal"),
            _note("g", "I am vegetarian", "meal", date="2026-01-01"),
            "CONFIRM",
            None,
        ),
        (
            _note("s", "I'm vegetarian", "meal"),
            _note("g", "I am vegetarian", "meal", date="2026-01-01"),
            "CONFIRM",
            None,
        ),
        (
            _note("s", "I am vegetarian and love ramen", "meal"),
            _note("g", "I am vegetarian", "meal"),
            "MERGE",
            "I am vegetarian and love ramen",
        ),
        (
            _note("s", "Aisle from now on", "seat"),
            _note("g", "I prefer the window", "seat", date="2026-01-01"),
            "SUPERSEDE",
            "Aisle from now on",
        ),
        (
            _note("s", "I hate museums", "activity"),
            _note("g", "I love museums", "activity", date="2026-01-01"),
            "SUPERSEDE",
            "I hate museums",
        ),
        (
            _note("s", "I prefer the aisle", "seat", when="on short flights"),
            _note("g", "I prefer the window", "seat"),
            "ADD",
            "I prefer the aisle",
        ),
        (
            _note("s", "I need a firm mattress", "room"),
            _note("g", "I like a high floor", "room"),
            "ADD",
            "I need a firm mattress",
        ),
        (
            _note("s", "I'm no longer vegetarian", "meal"),
            _note("g", "I am vegetarian", "meal", date="2026-01-01"),
            "SUPERSEDE",
            "I'm no longer vegetarian",
        ),
    ],
)
def test_what_becomes_of_a_session_note(
    session: dict[str, Any], known: dict[str, Any], op: str, text: str | None
) -> None:
    (operation,) = _plan([session], [known])
    assert (operation.op, operation.text) == (op, text)
    assert operation.global_notes == ([] if op in {"ADD", "DROP"} else ["g"])


def test_session_notes_that_say_the_same_share_one_operation() -> None:
    (operation,) = _plan(
        [_note("a", "I can't stand red-eyes", "booking"), _note("b", "I can not stand red-eyes.", "booking")], []
    )
    assert operation.op == "ADD"
    assert sorted(operation.session_notes) == ["a", "b"]


def test_a_change_of_mind_within_the_session_leaves_the_newest() -> None:
    plan = _plan([_note("a", "I prefer the window", "seat"), _note("b", "Aisle from now on", "seat")], [])
    assert [(each.op, each.session_notes, each.text) for each in plan] == [
        ("DROP", ["a"], None),
        ("ADD", ["b"], "Aisle from now on"),
    ]


def test_an_older_statement_does_not_replace_a_newer_one() -> None:
    (operation,) = _plan(
        [_note("a", "I prefer the window", "seat", date="2026-01-01")], [_note("g", "I prefer the aisle", "seat")]
    )
    assert operation.op == "DROP"


def test_an_empty_session_gives_an_empty_plan() -> None:
    assert _plan([], [_note("g", "I am vegetarian", "meal")]) == []


def _summary(transcript: str, previous: str = "(none)", most_words: int = 200) -> Any:
    text = prompt(
        "summarize", "en", WORDS["en"], previous_summary=previous, transcript=transcript, words=str(most_words)
    )
    summary = OfflineConcierge().with_structured_output(HistorySummary).invoke(text)
    assert isinstance(summary, HistorySummary)
    return summary


_ASKED = "Where will you start from?"
_DAYS = "3–9 Dec"
TRANSCRIPT = "\n".join(
    (
        "user: Book me a flight to Paris next month",
        "assistant: **Lisbon → Paris, December 2026** Which days in December 2026 suit you?",
        "user: the 3rd to the 9th, I'm vegetarian and I prefer the window",
        f"assistant: **Lisbon (home) → Paris, {_DAYS}** {_ASKED}",
        "user: make it Rome instead, and actually aisle from now on",
        f"assistant: **Lisbon (home) → Rome, {_DAYS}** {_ASKED}",
    )
)


def test_a_summary_holds_trip_preferences_limits_and_what_was_replaced() -> None:
    summary = _summary(TRANSCRIPT)
    assert "Rome, 3–9 Dec" in summary.trip
    assert "Superseded: Paris" in summary.trip
    assert "Superseded: I prefer the window" in summary.preferences
    assert "vegetarian" in summary.constraints
    assert summary.open_questions == _ASKED
    assert summary.decisions == "UNVERIFIED"


def test_a_summary_carries_earlier_facts_on() -> None:
    before = (
        "Trip: from Lisbon, to Oslo\nTravellers: 2 travellers\nPreferences: I hate layovers\nConstraints: I am "
        "coeliac\nOptions: UNVERIFIED\nDecisions: UNVERIFIED\nOpen questions: UNVERIFIED"
    )
    summary = _summary("user: I prefer the aisle\nassistant: I'll remember that.", before)
    assert "Oslo" in summary.trip
    assert summary.travellers == "2 travellers"
    assert summary.preferences == "I prefer the aisle; I hate layovers"
    assert "coeliac" in summary.constraints


def test_a_summary_stays_within_two_hundred_words() -> None:
    said = "\n".join(
        f"user: I never stay in hotels with {thing} rooms and loud {thing} bars near the {thing} station"
        for thing in map(str, range(60))
    )
    for most in (200, 60):
        words = " ".join(_summary(said, most_words=most).model_dump().values()).split()
        assert most // 6 < len(words) <= most


def test_the_check_of_a_summary_leaves_secrets_out() -> None:
    summary = _summary(
        "user: I'm coeliac\nassistant: Noted.\n"
        "user: I always pay with my credit card 4111 1111 1111 1111\nassistant: I don't keep card numbers."
    )
    assert "4111" not in checked_summary(summary, TITLES["en"], most_words=200)


def test_notes_are_extracted_from_the_users_words() -> None:
    lines = [
        {"asked": "", "traveller": "I'm vegetarian"},
        {"asked": "", "traveller": "What is the best hotel in Rome?"},
        {"asked": "", "traveller": "This time I'd like a window seat"},
    ]
    words = "\n".join(json.dumps(line) for line in lines)
    asked = conversation("extract", "en", WORDS["en"], schema="", today="2026-11-20", user_words=words)
    found: Any = OfflineConcierge().with_structured_output(extracted_notes(VOCABULARY)).invoke(asked)
    assert [(note.topic, note.holds) for note in found.notes] == [("meal", "always"), ("seat", "this_trip")]


def test_the_conversation_goes_on_from_a_summary() -> None:
    from langchain_core.messages import AIMessage, HumanMessage

    from tests.models.offline.talker import Talker

    fields = _summary(TRANSCRIPT).model_dump()
    text = "\n".join(f"{name.replace('_', ' ').capitalize()}: {value}" for name, value in fields.items())
    talker = Talker()
    talker.messages = [HumanMessage("Please summarise our conversation so far.", id="s1"), AIMessage(text, id="s2")]
    reply = talker.say("two adults")
    assert "Rome" in reply
    assert "2 adults" in reply


def _episode(transcript: str, previous: str = "(none)", language: Language = "en") -> EpisodeSummary:
    text = prompt("episode", language, WORDS[language], previous_summary=previous, transcript=transcript)
    found = OfflineConcierge().with_structured_output(EpisodeSummary).invoke(text)
    assert isinstance(found, EpisodeSummary)
    return found


def test_an_episode_tells_trip_preferences_and_facts() -> None:
    episode = _episode(
        "user: I'm vegetarian\nassistant: I'll remember that: you're vegetarian.\n"
        "user: Book me a flight to Paris from 3 to 9 December, two of us\n"
        "assistant: **Lisbon → Paris, 3–9 Dec, 2 adults** Live inventory is not connected."
    )
    assert "Paris" in episode.summary
    assert "vegetarian" in episode.summary
    assert {"paris", "vegetarian"} <= set(episode.topics)
    assert 3 <= len(episode.topics) <= 5
    assert "2 adults" in episode.key_facts
    assert any("3–9 Dec" in fact for fact in episode.key_facts)


def test_an_episode_of_questions_names_them_and_its_check_leaves_secrets_out() -> None:
    asked = ["Which castle near Sintra is quiet?", "Can you book with my card 4111 1111 1111 1111?"]
    proposed = _episode(
        f"user: {asked[0]}\nassistant: I can't look that up.\nuser: {asked[1]}\nassistant: I don't keep card numbers."
    )
    assert "Which castle near Sintra is quiet" in proposed.summary
    assert "sintra" in proposed.topics
    texts = checked_texts(**proposed.model_dump(), said=asked, told=[], forgotten=Eraser((), b""))
    assert texts is None or "4111" not in texts["text"]


def test_an_episode_rests_on_the_running_summary_too() -> None:
    before = (
        "Trip: from Lisbon, to Oslo\nTravellers: 2 travellers\nPreferences: I hate layovers\nConstraints: UNVERIFIED\n"
        "Options: UNVERIFIED\nDecisions: UNVERIFIED\nOpen questions: UNVERIFIED"
    )
    episode = _episode("user: thanks\nassistant: You're welcome.", before)
    assert "Oslo" in episode.summary
    assert "I hate layovers" in episode.summary


def test_an_episode_of_small_talk_is_empty() -> None:
    episode = _episode("user: hi\nassistant: Hello!\nuser: thanks\nassistant: You're welcome.")
    assert episode == EpisodeSummary(summary="", topics=[], key_facts=[])


def test_an_episode_in_japanese() -> None:
    episode = _episode(
        "user: 窓側の席が好きです\nassistant: 覚えておきます。\nuser: 来月パリへ行きたい\nassistant: 何日からですか。",
        language="ja",
    )
    assert "窓側の席が好き" in episode.summary
    assert "パリ" in episode.topics


@table(("said", "known", "topic"), [
    ("I'm no longer vegetarian", "I am vegetarian", "meal"), ("I'm not vegan any more", "I'm vegan", "meal"),
    ("Aisle from now on", "I prefer the window", "seat"),
])  # fmt: skip
def test_what_ends_or_replaces_passes_the_check(said: str, known: str, topic: str) -> None:
    new, old = (
        stated(text, topic, id=id, evidence=(Evidence(quote=text),)) for id, text in (("s", said), ("g", known))
    )
    proposed = _plan([_line(new)], [_line(old)])
    operations = [
        Operation(
            op=each.op,
            session=tuple(each.session_notes),
            targets=tuple(each.global_notes),
            reason=each.reason,
            text=each.text,
        )
        for each in proposed
    ]
    assert [each.op for each in operations] == ["EXPIRE" if old.hard else "SUPERSEDE"]
    assert review(operations, [new], [old], load_schema()).faults == []


def _line(note: Note) -> dict[str, Any]:
    return _note(note.id, note.text, note.topic, hard=note.hard)
