"""The record of a forgotten statement, and its removal from other texts."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from memory.control.erased import ERASED, Eraser, make_erasure
from memory.control.forget import erased_evidence, erased_messages
from memory.records.notes import Note
from tests.samples import note, said
from tests.scripted import calls
from text import sentences

KEY = b"the key of one user"
NOW = datetime(2026, 11, 20, tzinfo=UTC)


def eraser(text: str, *kept: str, quote: str = "") -> Eraser:
    forgotten = note(text, evidence=said(quote))
    return Eraser([make_erasure([forgotten], name="x", key=KEY, seq=3, at=NOW, kept=kept)], KEY)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("I'm allergic to macadamia nuts.", ERASED),
        (
            "I'm Ana, I'm allergic to macadamia nuts and I want to fly to Lima.",
            f"I'm Ana, {ERASED} and I want to fly to Lima.",
        ),
        ("Noted: no macadamia for you. Shall I look for flights?", f"Noted: {ERASED} Shall I look for flights?"),
        ("You told me of an allergic reaction to nuts.", ERASED),
        ("I like nuts", "I like nuts"),
        ("A window seat, then.", "A window seat, then."),
        ("", ""),
    ],
)
def test_sentences_with_the_statement_are_removed_and_others_kept(text: str, left: str) -> None:
    assert eraser("Allergic to macadamia nuts").erased(text) == left


def test_shared_word_about_something_else_is_no_match() -> None:
    kyoto = eraser("Loves the gardens of Kyoto", "Family lives in Kyoto")
    assert kyoto.erased("Your flight to Kyoto leaves at nine.") == "Your flight to Kyoto leaves at nine."
    assert eraser("Loves the gardens of Kyoto").erased("Kyoto again?") == ERASED


def test_erased_statement_is_recognised_only_in_the_same_words() -> None:
    diet = eraser("Is vegetarian", quote="I'm a vegetarian, you know")
    assert diet.repeats("I am vegetarian")
    assert diet.repeats("I'm a vegetarian, you know")
    assert not diet.repeats("I eat vegetarian food on planes")


def test_japanese_statement_is_erased() -> None:
    soba = eraser("そばアレルギーがある")
    assert soba.erased("そばアレルギーがあります。窓側の席が好きです。") == f"{ERASED}窓側の席が好きです。"


def test_erasure_record_contains_no_readable_text() -> None:
    record = make_erasure([note("Allergic to macadamia nuts")], name="x", key=KEY, seq=1, at=NOW, kept=()).dump()
    assert not any(word in str(record) for word in ("macadamia", "allerg", "nut"))


@given(st.text(max_size=200), st.text(max_size=60))
def test_texts_without_the_words_are_unchanged(text: str, statement: str) -> None:
    nuts = eraser(f"Allergic to macadamia {statement}".strip()[:240])
    assume(not nuts.tells(text) and not any(map(nuts.tells, sentences(text))))
    assert nuts.erased(text) == text


@given(
    st.lists(st.sampled_from(["macadamia", "nuts", "seat", "fly", "red.", "and", "Ana,"]), max_size=12),
)
def test_no_text_contains_the_statement_after_erasing(words: list[str]) -> None:
    nuts = eraser("Allergic to macadamia nuts")
    assert "macadamia" not in nuts.erased(" ".join(words))


def test_erasing_covers_text_calls_and_results_and_keeps_message_ids() -> None:
    messages: list[AnyMessage] = [
        HumanMessage("I'm allergic to macadamia nuts", id="1"),
        calls("save_memory_note", text="Allergic to macadamia nuts", topic="meal").model_copy(update={"id": "2"}),
        ToolMessage('{"status": "kept", "text": "Allergic to macadamia nuts"}', tool_call_id="call_1", id="3"),
        AIMessage("Shall I look for a hotel?", id="4"),
    ]
    erased = erased_messages(messages, eraser("Allergic to macadamia nuts"))
    assert [message.id for message in erased] == ["1", "2", "3"]
    assert "macadamia" not in repr(erased)
    assert erased[2].content == f'{{"status": "kept", "text": "{ERASED}"}}'
    call = erased[1]
    assert isinstance(call, AIMessage)
    assert (call.tool_calls[0]["name"], call.tool_calls[0]["args"]["topic"]) == ("save_memory_note", "meal")


def test_note_with_long_repetitive_evidence_stays_valid() -> None:
    sleep = note("Sleeps badly on planes", evidence=said("I sleep badly on planes. " + "Figs! " * 160))
    erased = erased_evidence(sleep, eraser("Loves figs"))
    assert "Figs" not in erased.latest.quote
    assert erased.latest.quote.startswith(f"I sleep badly on planes. {ERASED}")
    assert Note.model_validate(erased.dump()) == erased
