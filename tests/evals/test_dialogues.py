"""The dialogue eval: a row is played as scripted, and each of its checks can fail."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

from evals.dialogues.__main__ import main
from evals.dialogues.calls import asserts, fits, holds
from evals.dialogues.canary import RandomModel, silent_model
from evals.dialogues.report import counts, record
from evals.dialogues.rows import read_rows, row_of
from evals.dialogues.run import Played, play, settings_of
from tests.scripted import ScriptedModel, calls, scripted
from tests.tables import table

pytestmark = pytest.mark.slow

NOW = date(2026, 11, 22)
FLIGHT: Mapping[str, Any] = {
    "origin": "Paris", "destination": "Lisbon", "departing": "2026-12-15", "returning": "2026-12-22", "adults": 2,
}  # fmt: skip
MATCH: Mapping[str, Any] = {
    "kind": "flight", "to": ["Lisbon", "LIS"], "depart": "2026-12-15", "return": "2026-12-22", "travellers": 2,
}  # fmt: skip
PLAIN: Mapping[str, Any] = {
    "id": "r1", "lang": "en", "about": "try: search, book, note", "profile": {"home_city": "Berlin"},
    "notes": ["Vegetarian."],
    "turns": [
        {"say": "Paris to Lisbon, two of us", "decide": None, "expect": {
            "tools": [{"name": "search_flights", "args": {
                "origin": ["Paris", "PAR"], "destination": ["Lisbon"], "departing": "2026-12-15",
                "returning": {"between": ["2026-12-20", "2026-12-24"]}, "adults": 2, "children": 0, "sort": "best"}}],
            "not_tools": ["book_offer"], "approval": "none", "no_note": True, "booked": 0}},
        {"say": "book the first", "decide": None, "expect": {
            "approval": [{"name": "book_offer", "matches": {**MATCH, "pick": "first"}}], "booked": 0,
            "reply_none": ["i've booked"]}},
        {"say": "yes", "decide": "approve", "expect": {"booked": 1}},
        {"say": "I always take the aisle", "decide": None, "expect": {"note": {"any": ["aisle"], "scope": "user"}}},
    ],
    "end": {"bookings": [MATCH], "notes_any": [["aisle"], ["vegetarian"]], "notes_none": ["window"]},
}  # fmt: skip


def _agent(messages: Sequence[BaseMessage]) -> AIMessage:
    """Act on each message of the row as it asks."""
    request = _request(messages)
    if isinstance(messages[-1], ToolMessage):
        return AIMessage("Here you are.")
    if request.startswith("Paris"):
        return calls("search_flights", "1", **FLIGHT)
    if request.startswith("book"):
        return calls("book_offer", "2", offer_id=_flights(messages)[0]["offer_id"])
    if request.startswith("I always"):
        return calls("save_memory_note", "3", text="Takes the aisle", quote=request, topic="seat")
    return AIMessage("Yes?")


def _request(messages: Sequence[BaseMessage]) -> str:
    return next(str(message.text) for message in reversed(messages) if isinstance(message, HumanMessage))


def _flights(messages: Sequence[BaseMessage]) -> list[dict[str, Any]]:
    answers = (message for message in messages if isinstance(message, ToolMessage))
    search = next(message for message in answers if message.name == "search_flights")
    flights: list[dict[str, Any]] = json.loads(str(search.text))["results"]
    return flights


async def _played(row: Mapping[str, Any], model: ScriptedModel | None = None) -> Played:
    settings, _ = settings_of("offline")
    return await play(row_of(row), settings, {"agent": model or scripted(_agent)}, NOW)


def _changed(turn: int | str, **expect: Any) -> dict[str, Any]:
    """Return the row with a changed expectation of one turn, or of the end."""
    row: dict[str, Any] = json.loads(json.dumps(PLAIN))
    (row["end"] if turn == "end" else row["turns"][int(turn)]["expect"]).update(expect)
    return row


async def test_row_played_as_expected_has_no_faults() -> None:
    played = await _played(PLAIN)
    assert played.faults == []
    figures = counts([played])
    assert (figures["turns_right"], figures["dialogues_right"], figures["grave"]) == (4, 1, {})
    assert figures["by_kind"]["try"]["turns"] == figures["by_language"]["en"]["turns"] == 4


_SEARCH = PLAIN["turns"][0]["expect"]["tools"][0]


def _search(**changed: Any) -> list[dict[str, Any]]:
    return [{"name": "search_flights", "args": {**_SEARCH["args"], **changed}}]


@table(
    ("turn", "expect", "check", "grave"),
    [
        (0, {"tools": _search(adults=1)}, "tools", ""),
        (0, {"tools": _search(children=1)}, "tools", ""),
        (0, {"tools": _search(origin=["Orly"])}, "tools", ""),
        (0, {"tools": _search(returning={"between": ["2026-12-23", "2026-12-24"]})}, "tools", ""),
        (0, {"tools": _search(adults=1), "or_answer": True}, "tools", ""),
        (0, {"tools": [{"name": ["search_cars", "search_hotels"], "args": {}}]}, "tools", ""),
        (0, {"tools": None, "tools_if_understood": _search(adults=1)}, "tools", ""),
        (0, {"not_tools": ["search_flights"]}, "not_tools", ""),
        (0, {"approval": [{"name": "book_offer", "matches": MATCH}]}, "approval", ""),
        (0, {"booked": 1}, "booked", ""),
        (0, {"reply_none": ["here you"]}, "reply_none", "untrue"),
        (1, {"approval": "none"}, "approval", ""),
        (1, {"approval": [{"name": "hold_offer", "matches": MATCH}]}, "approval", ""),
        (1, {"approval": [{"name": "book_offer", "matches": {**MATCH, "to": ["Porto"]}}]}, "approval", ""),
        (1, {"approval": [{"name": "book_offer", "matches": {**MATCH, "travellers": 3}}]}, "approval", ""),
        (1, {"approval": [{"name": "book_offer", "matches": {**MATCH, "bags": 5}}]}, "approval", ""),
        (1, {"approval": [{"name": "book_offer", "matches": {**MATCH, "requests": ["cot"]}}]}, "approval", ""),
        (1, {"approval": [{"name": "book_offer", "matches": {**MATCH, "depart_after": "23:59"}}]}, "approval", ""),
        (1, {"approval": [{"name": "book_offer", "matches": {**MATCH, "pick": "second"}}]}, "approval", ""),
        (2, {"booked": 0}, "booked", ""),
        (3, {"note": {"any": ["aisle"], "scope": "trip"}}, "note", ""),
        (3, {"note": {"any": ["window"], "scope": None}}, "note", ""),
        (3, {"no_note": True}, "no_note", "note"),
        (3, {"note": None, "note_if_understood": {"any": ["window"], "scope": "user"}}, "note", "note"),
        ("end", {"bookings": []}, "bookings", "wrong booking"),
        ("end", {"bookings": [MATCH, MATCH]}, "bookings", ""),
        ("end", {"bookings": [{**MATCH, "depart": "2026-12-16"}]}, "bookings", "wrong booking"),
        ("end", {"notes_any": [["window"]]}, "notes_any", ""),
        ("end", {"notes_none": ["vegetarian"]}, "notes_none", "note"),
    ],
)
async def test_each_check_can_fail(turn: int | str, expect: dict[str, Any], check: str, grave: str) -> None:
    row = _changed(turn, **expect)
    if turn != "end":
        row["turns"], row["end"] = row["turns"][: int(turn) + 1], {}
    played = await _played(row)
    assert {fault.check for fault in played.faults} == {check}
    assert {fault.grave for fault in played.faults} - {""} == ({grave} if grave else set())
    [miss] = record([played])["misses"]
    assert miss["turn"] == ("end" if turn == "end" else int(turn) + 1)


@table(
    ("turn", "expect"),
    [
        (3, {"tools": _search()}),  # an earlier call counts
        (3, {"tools": [{"name": "list_bookings", "args": {}}], "or_answer": True}),
        (3, {"approval": [{"name": "book_offer", "matches": MATCH}], "asks": "confirm"}),
        (3, {"tools": [{"name": "cancel_booking", "args": {}}], "asks": ["which one"]}),
        (3, {"tools": [{"name": "search_cars", "args": {}}], "asks": "dates"}),
        (3, {"tools": [{"name": "search_cars", "args": {}}], "asks": "language"}),
    ],
)
async def test_allowed_question_or_earlier_call_excuses_a_missing_call(turn: int, expect: dict[str, Any]) -> None:
    def asks(messages: Sequence[BaseMessage]) -> AIMessage:
        is_last = str(messages[-1].text).startswith("I always")
        return AIMessage("Which languages? English?") if is_last else _agent(messages)

    row = _changed(turn, **{"note": None, **expect})
    row["end"] = {}
    assert (await _played(row, scripted(asks))).faults == []


@table(("name", "asks"), [("search_cars", "confirm"), ("cancel_booking", "dates"), ("search_cars", "")])
async def test_question_does_not_excuse_another_call(name: str, asks: str) -> None:
    row = _changed(2, tools=[{"name": name, "args": {}}], asks=asks, booked=None)
    row["turns"] = row["turns"][2:3]
    row["turns"][0]["decide"] = None
    row["end"] = {}
    assert [fault.check for fault in (await _played(row)).faults] == ["tools"]


async def test_turn_broken_by_an_error_is_reported() -> None:
    row = {**PLAIN, "turns": PLAIN["turns"][3:], "end": {}}
    assert counts([await _played(row, scripted(ValueError("no")))])["broken"] == ["r1.1"]
    assert counts([await _played(row)])["broken"] == []


async def test_rejection_books_nothing_and_later_turns_are_judged() -> None:
    row = _changed(2, booked=0)
    row["turns"][2]["decide"] = "reject"
    row["end"]["bookings"] = []
    assert (await _played(row)).faults == []


async def test_second_offer_shown_is_second_despite_another_fare_of_the_first_flight() -> None:
    def number(flight: dict[str, Any]) -> str:
        return str(flight["outbound"]["flights"][0])

    def table_of(messages: Sequence[BaseMessage]) -> list[dict[str, Any]]:
        first, *rest = _flights(messages)
        same_flight = [number(flight) == number(first) for flight in rest]
        return [first, rest[same_flight.index(False)], rest[same_flight.index(True)]]

    def agent(messages: Sequence[BaseMessage]) -> AIMessage:
        last, request = messages[-1], _request(messages)
        if isinstance(last, HumanMessage) and request.startswith("Paris"):
            return calls("search_flights", "1", **FLIGHT, limit=10)
        if isinstance(last, HumanMessage) and request.startswith("book"):
            return calls("book_offer", "2", offer_id=table_of(messages)[1]["offer_id"])
        if request.startswith("Paris"):
            return AIMessage("\n".join(f"{number(flight)} {flight['price']}" for flight in table_of(messages)))
        return _agent(messages)

    row = _changed(1, approval=[{"name": "book_offer", "matches": {**MATCH, "pick": "second"}}])
    assert (await _played(row, scripted(agent))).faults == []


async def test_checks_on_an_offer_the_world_lacks_are_skipped() -> None:
    row = _changed(1, approval=[{"name": "book_offer", "matches": {**MATCH, "depart_after": "23:59"}}])
    row["turns"][1]["say"] = "Is there a later one"
    played = await _played(row)
    assert (played.faults, played.lacking) == ([], True)
    assert counts([played])["world"] == ["r1"]
    row["turns"][1]["expect"]["approval"][0]["matches"] = dict(MATCH)
    played = await _played(row)
    assert {fault.check for fault in played.faults} == {"approval", "booked", "bookings"}
    assert not played.lacking


async def test_models_that_understand_nothing_fail() -> None:
    settings, _ = settings_of("offline")
    rows = [row_of({**PLAIN, "id": f"r{number}"}) for number in range(4)]
    for model in (silent_model(), RandomModel(seed=3)):
        played = [await play(row, settings, {"agent": model}, NOW) for row in rows]
        figures = counts(played)
        assert figures["dialogues_right"] == 0
        assert figures["turns_right"] <= figures["turns"] / 2


async def test_model_that_notes_every_message_has_grave_faults() -> None:
    def eager(messages: Sequence[BaseMessage]) -> AIMessage:
        if isinstance(messages[-1], ToolMessage):
            return AIMessage("I've booked it.")
        text = str(messages[-1].text)
        return calls("save_memory_note", f"{len(messages)}", text=text, quote=text, topic="other")

    row = _changed("end", notes_none=["two of us"])
    grave = counts([await _played(row, scripted(eager))])["grave"]
    assert grave == {"note": 2, "untrue": 1}


@table(
    ("name", "wanted", "value", "right"),
    [
        ("city", ["Zürich"], "Zurich, Switzerland", True),
        ("city", ["Paris"], "Paris (CDG)", True),
        ("city", ["Nice"], "Venice", False),
        ("city", ["東京"], "東京都", True),
        ("cabin", "economy", "premium_economy", False),
        ("cabin", "business", "Business", True),
        ("query", ["nut"], "tree nuts", True),
        ("query", ["nut"], "peanuts", False),
        ("category", ["economy", None], None, True),
        ("category", None, "suv", False),
        ("adults", 2, 2.0, True),
        ("adults", {"between": [2, 3]}, 4, False),
        ("check_in", {"between": ["2026-12-01", "2026-12-03"]}, "2026-12-03", True),
        ("features", ["pool", "spa"], ["spa", "gym"], True),
        ("features", {"all": ["pool", "spa"]}, ["spa"], False),
        ("interests", None, [], True),
        ("interests", ["food", None], [], True),
        ("interests", None, ["food"], False),
        ("features", {"none": ["pool"]}, ["pool"], False),
        ("features", {"all": ["spa"], "none": ["pool"]}, ["spa"], True),
    ],
)
def test_values_match_as_the_format_defines(name: str, wanted: Any, value: Any, right: bool) -> None:
    assert fits(name, wanted, value) is right


@table(
    ("text", "phrase", "says"),
    [
        ("Allergic to peanuts.", "peanut", True),
        ("Not allergic to peanuts. Likes spas.", "peanut", False),
        ("Peanuts are fine.", "peanut", False),
        ("Tree nuts rather than peanuts", "peanut", False),
        ("No window. Allergic to peanuts", "peanut", True),
        ("ピーナッツではなくそばアレルギー", "ピーナッツ", False),
        ("ピーナッツアレルギー", "ピーナッツ", True),
    ],
)
def test_negated_phrase_is_not_asserted(text: str, phrase: str, says: bool) -> None:
    assert asserts(text, phrase) is says


def test_typographic_apostrophes_and_accents_are_normalised() -> None:
    assert holds("I’ve booked it in Málaga", ["i've booked it in malaga"])


def test_command_prints_json_figures_and_a_transcript(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps(PLAIN) + "\n", encoding="utf-8")
    main([str(file), "--model", "silent", "--json"])
    result = json.loads(capsys.readouterr().out)
    assert (result["counts"]["turns"], result["now"], result["rows"][0]["right"]) == (4, "2026-11-22", False)
    first = result["misses"][0]
    assert (first["row"], first["turn"], first["say"], first["reply"], first["tools"]) == (
        "r1", 1, "Paris to Lisbon, two of us", "Here it is.", [],
    )  # fmt: skip
    assert first["faults"] == [{"check": "tools", "why": "search_flights was not called"}]
    main([str(file), "--model", "silent", "--row", "r1"])
    output = capsys.readouterr().out
    assert "MISS tools: search_flights was not called" in output
    assert "turns right: " in output


def test_invalid_line_is_reported_by_its_number(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps(PLAIN) + '\n{"id": "r2"}\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"Line 2 of .* is no row"):
        read_rows(file)
