"""Structured answers to the Japanese prompts: summaries, consolidation plans and extracted notes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from models.offline import OfflineConcierge
from models.schemas import PlanOperation, PlanProposal, extracted_notes
from nodes.summarize_history import checked_summary
from prompts import conversation, prompt
from tests.samples import TITLES, VOCABULARY, WORDS, HistorySummary


def _note(id: str, text: str, topic: str, **more: Any) -> dict[str, Any]:
    return {"id": id, "text": text, "topic": topic, "scope": "user", "date": "2026-11-20", **more}


def _plan(session: list[dict[str, Any]], known: list[dict[str, Any]]) -> list[PlanOperation]:
    text = prompt(
        "consolidate",
        "ja",
        WORDS["ja"],
        session_notes="\n".join(json.dumps(note, ensure_ascii=False) for note in session),
        global_notes="\n".join(json.dumps(note, ensure_ascii=False) for note in known) or "(none)",
    )
    plan = OfflineConcierge().with_structured_output(PlanProposal).invoke(text)
    assert isinstance(plan, PlanProposal)
    covered = [id for operation in plan.operations for id in operation.session_notes]
    assert sorted(covered) == sorted(note["id"] for note in session)
    return plan.operations


OLD = {"date": "2026-01-01"}


@pytest.mark.parametrize(
    ("session", "known", "op", "text"),
    [
        (
            _note("s", "今回は窓側がいいです", "seat", scope="trip"),
            _note("g", "通路側が好きです", "seat"),
            "DROP",
            None,
        ),
        (_note("s", "私はベジタリアンです", "meal"), _note("g", "ベジタリアン", "meal", **OLD), "CONFIRM", None),
        (
            _note("s", "これからは通路側で", "seat"),
            _note("g", "いつも窓側を選びます", "seat", **OLD),
            "SUPERSEDE",
            "これからは通路側で",
        ),
        (
            _note("s", "美術館は苦手です", "activity"),
            _note("g", "美術館が好きです", "activity", **OLD),
            "SUPERSEDE",
            "美術館は苦手です",
        ),
        (
            _note("s", "窓側がいいです", "seat", when="夜行便では"),
            _note("g", "通路側が好きです", "seat"),
            "ADD",
            "窓側がいいです",
        ),
        (
            _note("s", "硬いベッドでないと眠れません", "room"),
            _note("g", "高層階が好きです", "room"),
            "ADD",
            "硬いベッドでないと眠れません",
        ),
    ],
)
def test_what_becomes_of_a_session_note(
    session: dict[str, Any], known: dict[str, Any], op: str, text: str | None
) -> None:
    (operation,) = _plan([session], [known])
    assert (operation.op, operation.text) == (op, text)
    assert operation.global_notes == ([] if op in {"ADD", "DROP"} else ["g"])


def test_a_change_of_mind_within_the_session_leaves_the_newest() -> None:
    plan = _plan([_note("a", "窓側が好きです", "seat"), _note("b", "やっぱり通路側で", "seat")], [])
    assert [(each.op, each.text) for each in plan] == [("DROP", None), ("ADD", "やっぱり通路側で")]


def test_notes_are_extracted_from_the_users_words() -> None:
    lines = [
        {"asked": "", "traveller": "来月パリに行きたいです。ナッツアレルギーがあります。"},
        {"asked": "", "traveller": "今回は窓側がいいです。ローマのホテルはいくらですか？"},
    ]
    words = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    asked = conversation("extract", "ja", WORDS["ja"], schema="", today="2026-11-20", user_words=words)
    found: Any = OfflineConcierge().with_structured_output(extracted_notes(VOCABULARY)).invoke(asked)
    assert [(note.text, note.holds, note.topic) for note in found.notes] == [
        ("ナッツアレルギーがあります", "always", "meal"),
        ("今回は窓側がいいです", "this_trip", "seat"),
    ]


def _summary(transcript: str, previous: str = "(none)") -> Any:
    text = prompt("summarize", "ja", WORDS["ja"], previous_summary=previous, transcript=transcript, words="200")
    summary = OfflineConcierge().with_structured_output(HistorySummary).invoke(text)
    assert isinstance(summary, HistorySummary)
    return summary


_HAVE = "assistant: **東京（お住まいの街） → パリ、"
TRANSCRIPT = "\n".join(
    (
        "user: 来月パリ行きの便を予約してください。",
        f"{_HAVE}12月1日〜12月31日のあいだ、大人1名** 2026年12月の何日から何日までがよろしいですか？",
        "user: 3日から9日まで。窓側が好きです。ベジタリアンです。",
        f"{_HAVE}12月3日〜9日、大人1名** こちらを予約しますか？ほかの案は番号でお知らせください。",
    )
)


def test_a_summary_holds_trip_preferences_and_limits() -> None:
    summary = _summary(TRANSCRIPT)
    assert "→ パリ" in summary.trip
    assert "12月3日〜9日" in summary.trip
    assert summary.preferences == "窓側が好きです"
    assert summary.constraints == "ベジタリアンです"
    assert summary.open_questions == "こちらを予約しますか？"
    assert summary.decisions == "UNVERIFIED"


def test_facts_of_the_summary_before_are_carried_on_and_replaced_ones_marked() -> None:
    before = checked_summary(_summary(TRANSCRIPT), TITLES["ja"], most_words=200)
    summary = _summary("user: やっぱり通路側が好きです\nassistant: 「通路側が好きです」と覚えておきます。", before)
    assert "→ パリ" in summary.trip
    assert summary.constraints == "ベジタリアンです"
    assert summary.preferences.startswith("通路側が好き")


def test_a_long_conversation_is_summarised_within_its_length() -> None:
    foods = (
        "豚肉",
        "牛肉",
        "鶏肉",
        "羊肉",
        "えび",
        "かに",
        "卵",
        "牛乳",
        "小麦",
        "大豆",
        "そば",
        "生魚",
        "納豆",
        "チーズ",
        "パン",
    )
    transcript = "\n".join(
        f"user: {food}は宗教上の理由でこれまで一度も食べたことがなく、今後も絶対に食べません。" for food in foods * 3
    )
    assert "食べません" in checked_summary(_summary(transcript), TITLES["ja"], most_words=200)
