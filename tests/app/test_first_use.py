"""The first conversation of a new user, through the command line."""

from __future__ import annotations

from tests.app.commandline import CommandLine

FIRST = (
    "Book me a flight to Paris next month.",
    "Do you know my preferences?",
    "Remember that I am vegetarian.",
    "This time I'd like a window seat, I really want to sleep.",
)


def test_lasting_statement_is_kept_and_trip_statement_is_dropped(concierge: CommandLine) -> None:
    turns = concierge.say("ana", "first", *FIRST)
    assert [turn["stop_reason"] for turn in turns] == ["answered"] * 4
    assert all(turn["reply"].strip() for turn in turns)
    assert len({turn["run_id"] for turn in turns}) == 4
    assert [note["topic"] for note in turns[2]["memory"]["written"]] == ["meal"]
    assert {note["scope"] for note in turns[3]["memory"]["written"]} == {"trip"}
    assert concierge.notes("ana") == []

    ended = concierge.end("ana", "first")
    assert [note["topic"] for note in ended["kept"]] == ["meal"]
    assert ended["dropped"] == len(turns[3]["memory"]["written"])
    assert ended["stop_reason"] == "session_ended"

    (told,) = concierge.say("ana", "second", "What do you know about me?")
    assert "vegetarian" in told["reply"].lower()
    assert "window" not in told["reply"].lower()
    assert [note["topic"] for note in told["memory"]["shown"]] == ["meal"]


def test_ending_an_ended_session_changes_nothing(concierge: CommandLine) -> None:
    concierge.say("ana", "t", "I'm vegetarian.")
    concierge.end("ana", "t")
    notes = concierge.notes("ana")
    again = concierge.end("ana", "t")
    assert (again["kept"], again["dropped"], again["operations"]) == ([], 0, [])
    assert concierge.notes("ana") == notes != []


def test_chat_can_end_its_own_session(concierge: CommandLine) -> None:
    outcome = concierge("chat", "--user", "ana", "--json", "--end", "--message", "I'm vegetarian.")
    turn, ended = outcome.turns
    assert turn["stop_reason"] == "answered"
    assert ended["thread_id"] == turn["thread_id"]
    assert ended["kept"] == concierge.notes("ana")


def test_sweep_ends_an_open_session_once(concierge: CommandLine) -> None:
    concierge.say("ana", "t", "I'm vegetarian.")
    concierge.say("bo", "u", "hi")
    assert concierge("sweep", "--json").json == {"ended": 0, "operations": []}
    swept = concierge("sweep", "--idle", "0", "--json").json
    assert (swept["ended"], [item["op"] for item in swept["operations"]]) == (2, ["ADD"])
    assert [note["topic"] for note in concierge.notes("ana")] == ["meal"]
    assert concierge("sweep", "--idle", "0").out == "  · sessions ended: 0\n"


def test_paused_and_temporary_chats_write_nothing(concierge: CommandLine) -> None:
    for mode in ("paused", "off"):
        outcome = concierge(
            "chat", "--user", "ana", "--memory", mode, "--json", "--end", "--message", "Remember that I'm vegetarian."
        )
        assert outcome.turns[0]["memory"]["written"] == []
    assert concierge.notes("ana") == []


def test_refused_secret_is_reported_by_code_and_hash_only(concierge: CommandLine) -> None:
    (turn,) = concierge.say("ana", "t", "Remember that my card number is 4111 1111 1111 1111.")
    blocked = turn["memory"]["blocked"]
    assert [set(item) for item in blocked] == [{"code", "hash"}] * len(blocked)
    assert turn["memory"]["written"] == []
    assert "4111" not in turn["reply"]
    concierge.end("ana", "t")
    assert concierge.notes("ana") == []


def test_history_shows_the_role_turn_and_text_of_each_message(concierge: CommandLine) -> None:
    (turn,) = concierge.say("ana", "t", "Hello!")
    entries = concierge("sessions", "history", "--thread", "t", "--json").json
    messages = [(entry["role"], entry["turn"], entry["text"]) for entry in entries]
    assert messages[0] == ("user", 1, "Hello!")
    assert messages[-1] == ("assistant", 1, turn["reply"])
    last = concierge("sessions", "history", "--thread", "t", "--limit", "1", "--json").json
    assert last == entries[-1:]
