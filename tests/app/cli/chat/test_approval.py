"""Deciding on what waits for approval: by `--resume`, through a pipe, and in a real terminal."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.app.commandline import COMMAND, CommandLine, Outcome
from tests.app.pending import booked, bookings_wait, free_seat
from tests.app.terminal import CTRL_C, CTRL_D, Terminal
from tests.openai_protocol import Call, Reply
from tests.openai_server import OpenAIServer


def resume(concierge: CommandLine, value: str, *more: str, user: str = "ana", thread: str = "t") -> Outcome:
    return concierge("chat", "--user", user, "--thread", thread, "--resume", value, *more)


def decisions(*listed: dict[str, Any]) -> str:
    return json.dumps({"decisions": listed})


def test_approving_books_and_rejecting_does_not(concierge: CommandLine) -> None:
    first, second = bookings_wait(concierge, 2)
    done = resume(concierge, decisions({"type": "reject", "message": "too early"}, {"type": "approve"}), "--json")
    assert (done.code, done.err) == (0, "")
    (turn,) = done.turns
    assert (turn["thread_id"], turn["user_id"], turn["interrupts"]) == ("t", "ana", [])
    assert [one["offer"]["id"] for one in booked(concierge)] == [second]
    again = resume(concierge, "approve")
    assert (again.code, again.out) == (2, "")
    assert "Nothing waits" in again.err
    assert first not in json.dumps(booked(concierge))
    bookings_wait(concierge, thread="u")
    assert resume(concierge, "reject", thread="u").code == 0
    assert len(booked(concierge)) == 1


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("maybe", "give approve, reject, or JSON"),
        ("{", "give approve, reject, or JSON"),
        ("null", "give approve, reject, or JSON"),
        ("[" * 100_000, "give approve, reject, or JSON"),
        (decisions(), "0 decisions came"),
        (decisions(*[{"type": "approve"}] * 2), "2 decisions came"),
        (decisions({"type": "accept"}), "'accept'"),
        (decisions({"type": "edit", "edited_action": {"name": "book_offer", "args": {}}}), "does not fit"),
    ],
)
def test_an_answer_that_makes_no_sense_leaves_everything_waiting(concierge: CommandLine, value: str, says: str) -> None:
    bookings_wait(concierge)
    refused = resume(concierge, value)
    assert refused.code == 2
    assert says in refused.err
    assert booked(concierge) == []
    assert resume(concierge, "approve").code == 0
    assert len(booked(concierge)) == 1


def test_only_who_asked_decides_and_a_thread_must_be_named(concierge: CommandLine) -> None:
    bookings_wait(concierge)
    for user in ("bob", "an"):
        refused = resume(concierge, "approve", user=user)
        assert refused.code == 2
        assert "another user" in refused.err
        assert booked(concierge, user) == []
    assert resume(concierge, "approve", thread="nowhere").code == 2
    assert "--thread" in concierge("chat", "--user", "ana", "--resume", "approve").err
    assert booked(concierge) == []


def _asks_to_hold(offer: str) -> Reply:
    return Reply(calls=(Call("hold_offer", json.dumps({"offer_id": offer})),))


def test_a_script_stops_at_what_waits_and_says_how_to_go_on(
    concierge: CommandLine, openai_server: OpenAIServer
) -> None:
    offer, *_ = bookings_wait(concierge, thread="other")
    env = {"OPENAI_BASE_URL": openai_server.url, "OPENAI_API_KEY": "sk-test"}
    openai_server.script(_asks_to_hold(offer), Reply("It is held."))
    said = ("-m", "hold it", "-m", "never sent", "--end")
    done = concierge("chat", "--user", "ana", "--thread", "t", *said, env=env)
    assert done.code == 0
    assert "what comes after it was left out" in done.err
    for text in (
        "1 action waits",
        "sample data",
        "$",
        f"offer_id={offer}",
        "chat --user ana --thread t --resume approve",
    ):
        assert text in done.out
    assert booked(concierge) == []
    told = concierge("chat", "--user", "ana", "--thread", "t", "--resume", "approve", env=env)
    assert (told.code, told.out) == (0, "It is held.\n")
    (held,) = booked(concierge)
    assert held["status"] == "held"
    entries = concierge("sessions", "history", "--thread", "t", "--json").json
    assert [entry["text"] for entry in entries if entry["role"] == "user"] == ["hold it"]


def test_a_pipe_is_never_asked(concierge: CommandLine, openai_server: OpenAIServer) -> None:
    offer, *_ = bookings_wait(concierge, thread="other")
    env = {"OPENAI_BASE_URL": openai_server.url, "OPENAI_API_KEY": "sk-test"}
    openai_server.script(_asks_to_hold(offer), Reply("never said"))
    done = concierge("chat", "--user", "ana", "--thread", "t", stdin="hold it\na\napprove\n", env=env)
    assert (done.code, done.err) == (0, "")
    assert "--resume approve" in done.out
    assert "never said" not in done.out
    assert booked(concierge) == []


def _terminal(concierge: CommandLine, **env: str) -> Terminal:
    command = [COMMAND, "chat", "--user", "ana", "--thread", "t"]
    return Terminal(command, env=concierge.env(env), cwd=concierge.folder)


def test_a_person_is_asked_again_until_the_answer_is_clear(concierge: CommandLine) -> None:
    _, second = bookings_wait(concierge, 2)
    seat = free_seat(concierge, second)
    with _terminal(concierge) as terminal:
        shown = terminal.expect("approve all (a)")
        assert "2 actions wait" in shown
        assert shown.count("sample data") == 2
        terminal.type("\n")
        terminal.expect("nothing is done yet")
        terminal.expect("approve all (a)")
        terminal.type("one\n")
        terminal.expect("1. approve (a)")
        terminal.type("r\n")
        terminal.expect("why not")
        terminal.type("too early\n")
        terminal.expect("2. approve (a)")
        terminal.type("e\n")
        assert f"offer_id={second}" in terminal.expect("change> ")
        terminal.type("more bags\n")
        terminal.expect("no key=value")
        terminal.type("bags=2\n\n")
        assert "There is no bags" in terminal.expect("approve all (a)")
        terminal.type("o\n")
        terminal.expect("1. approve (a)")
        terminal.type("却下\n")
        terminal.expect("why not")
        terminal.type("\n")
        terminal.expect("2. approve (a)")
        terminal.type("e\n")
        terminal.expect("change> ")
        terminal.type("extra_bags=2\n")
        terminal.expect("change> ")
        terminal.type(f"seats={seat.lower()}\n\n")
        shown = terminal.expect("approve (a), edit (e)")
        assert "Extra checked bags: 2" in shown
        assert "1 action waits" in shown
        terminal.type("a\n")
        terminal.expect("you> ")
        terminal.type("/trips\n")
        assert "booked, paid $" in terminal.expect("you> ")
        terminal.type("/quit\n")
        assert terminal.ending()[0] == 0
    (one,) = booked(concierge)
    assert (one["offer"]["id"], one["extra_bags"]) == (second, 2)
    assert one["seats"] == [{"segment": 0, "seat": seat}]


@pytest.mark.parametrize("key", [CTRL_C, CTRL_D, "l\n"])
def test_what_is_left_for_later_waits(concierge: CommandLine, key: str) -> None:
    bookings_wait(concierge)
    with _terminal(concierge) as terminal:
        terminal.expect("or later (l)? ")
        terminal.press_until(key, "--resume approve") if key == CTRL_C else terminal.type(key)
        terminal.expect("you> ")
        terminal.type("/end\n")
        terminal.expect("would drop")
        terminal.type("/decide\n")
        terminal.expect("or later (l)? ")
        terminal.type("later\n")
        terminal.expect("you> ")
        terminal.type("/quit\n")
        code, shown = terminal.ending()
    assert code == 0
    assert "stays open until then" in shown
    assert booked(concierge) == []
    assert resume(concierge, "approve").code == 0
    assert len(booked(concierge)) == 1


def test_nothing_to_decide_is_said(concierge: CommandLine) -> None:
    shown = concierge("chat", "--user", "ana", "--thread", "t", stdin="/decide\n/trips\n/trips X\n").out
    assert "nothing waits for your decision" in shown
    assert "nothing is booked yet" in shown
    assert "no booking 'X'" in shown


def test_without_travel_the_conversation_goes_on(concierge: CommandLine) -> None:
    done = concierge("chat", "--user", "ana", stdin="/trips\n/help\n", env={"CONCIERGE_TRAVEL": "off"})
    assert "Travel is switched off" in done.out
    assert "/decide" in done.out
