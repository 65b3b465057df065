"""Deciding on actions that wait for approval: with `--resume`, through a pipe, and in a real terminal."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from app.cli.chat.approval import PendingApproval
from tests.app.commandline import CommandLine, Outcome
from tests.app.pending import booked, bookings_wait
from tests.app.terminal import CTRL_D, Opened
from tests.openai_protocol import Call, Reply
from tests.openai_server import OpenAIServer


def resume(concierge: CommandLine, value: str, *more: str, user: str = "ana", thread: str = "t") -> Outcome:
    return concierge("chat", "--user", user, "--thread", thread, "--resume", value, *more)


def decisions(*listed: dict[str, Any]) -> str:
    return json.dumps({"decisions": listed})


def test_new_message_leaves_the_approval_open(concierge: CommandLine) -> None:
    bookings_wait(concierge)
    answered = concierge("chat", "--user", "ana", "--thread", "t", "-m", "What do you know about me?")
    assert (answered.code, answered.err) == (0, "")
    assert "--resume approve" in answered.out
    approved = concierge("chat", "--user", "ana", "--thread", "t", "--resume", "approve")
    assert (approved.code, len(booked(concierge))) == (0, 1)


def test_approved_call_books_and_rejected_one_does_not(concierge: CommandLine) -> None:
    first, second = bookings_wait(concierge, 2)
    done = resume(concierge, decisions({"type": "reject", "message": "too early"}, {"type": "approve"}), "--json")
    assert (done.code, done.err) == (0, "")
    (turn,) = done.turns
    assert (turn["thread_id"], turn["user_id"], turn["interrupts"]) == ("t", "ana", [])
    assert [(one["name"], one["arguments"].get("offer_id"), one["outcome"]) for one in turn["tools"]][-2:] == [
        ("book_offer", first, "rejected"),
        ("book_offer", second, "ran"),
    ]
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
def test_invalid_decision_leaves_everything_waiting(concierge: CommandLine, value: str, says: str) -> None:
    bookings_wait(concierge)
    refused = resume(concierge, value)
    assert refused.code == 2
    assert says in refused.err
    assert booked(concierge) == []
    assert resume(concierge, "approve").code == 0
    assert len(booked(concierge)) == 1


def test_only_the_owner_decides_and_the_thread_must_be_named(concierge: CommandLine) -> None:
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


def test_script_stops_at_an_approval_and_names_the_next_command(
    concierge: CommandLine, openai_server: OpenAIServer
) -> None:
    offer, *_ = bookings_wait(concierge, thread="other")
    env = {"OPENAI_BASE_URL": openai_server.url, "OPENAI_API_KEY": "sk-test"}
    openai_server.script(_asks_to_hold(offer), Reply("It is held."))
    messages = ("-m", "hold it", "-m", "never sent", "--end")
    done = concierge("chat", "--user", "ana", "--thread", "t", *messages, env=env)
    assert done.code == 0
    assert "what comes after it was left out" in done.err
    for text in (
        "1 action waits",
        "sample data",
        "$",
        "Out: ",
        "Back: ",
        "Who: 1 adult",
        "Refund: ",
        "chat --user ana --thread t --resume approve",
    ):
        assert text in done.out
    assert offer not in done.out
    assert booked(concierge) == []
    approved = concierge("chat", "--user", "ana", "--thread", "t", "--resume", "approve", env=env)
    assert (approved.code, approved.out) == (0, "It is held.\n")
    (held,) = booked(concierge)
    assert held["status"] == "held"
    entries = concierge("sessions", "history", "--thread", "t", "--json").json
    assert [entry["text"] for entry in entries if entry["role"] == "user"] == ["hold it"]


def test_piped_chat_does_not_prompt_for_approval(concierge: CommandLine, openai_server: OpenAIServer) -> None:
    offer, *_ = bookings_wait(concierge, thread="other")
    env = {"OPENAI_BASE_URL": openai_server.url, "OPENAI_API_KEY": "sk-test"}
    openai_server.script(_asks_to_hold(offer), Reply("never said"))
    done = concierge("chat", "--user", "ana", "--thread", "t", stdin="hold it\na\napprove\n", env=env)
    assert (done.code, done.err) == (0, "")
    assert "--resume approve" in done.out
    assert "never said" not in done.out
    assert booked(concierge) == []


def test_terminal_repeats_the_question_until_the_answer_is_clear(concierge: CommandLine, open_terminal: Opened) -> None:
    _, second = bookings_wait(concierge, 2)
    with open_terminal() as terminal:
        shown = terminal.expect("approve all (a)")
        assert "2 actions wait" in shown
        assert shown.count("sample data") == 2
        assert "Refund: " in shown
        terminal.type("\n")
        terminal.expect("approve all (a)")
        terminal.type("one\n")
        terminal.expect("1. approve (a)")
        terminal.type("却下\n")
        terminal.expect("why not")
        terminal.type("too early\n")
        terminal.expect("2. approve (a)")
        terminal.type("perhaps\n")
        terminal.expect("nothing is done yet")
        terminal.expect("2. approve (a)")
        terminal.type("a\n")
        terminal.type("/trips\n")
        assert "booked, paid $" in terminal.expect("you> ")
        terminal.type("/quit\n")
        assert terminal.ending()[0] == 0
    (one,) = booked(concierge)
    assert one["offer"]["id"] == second


@pytest.mark.parametrize("leaving", [["/quit\n"], [CTRL_D], ["l\n", CTRL_D]], ids=["quit", "eof", "later"])
def test_postponed_approval_stays_open(concierge: CommandLine, open_terminal: Opened, leaving: list[str]) -> None:
    bookings_wait(concierge)
    with open_terminal() as terminal:
        terminal.expect("approve (a)")
        terminal.type("/end\n")
        terminal.expect("would drop")
        for keys in leaving:
            terminal.type(keys)
        terminal.expect("--resume approve")
        code, shown = terminal.ending()
    assert code == 0
    assert "stays open until then" in shown
    assert booked(concierge) == []
    assert resume(concierge, "approve").code == 0
    assert len(booked(concierge)) == 1


@pytest.mark.parametrize(
    ("line", "choice"),
    [
        *((line, "approve") for line in ("y", "Yes, please!", "ok, go ahead", "yes book it", "はい、お願いします")),
        *((line, "reject") for line in ("n", "No, thanks.", "いいえ")),
        *(
            (line, None)
            for line in ("ok", "thanks", "yes no", "yes but which seats?", "no, the other one", "yesterday")
        ),
    ],
)
def test_plain_yes_or_no_decides_only_just_after_the_question(line: str, choice: str | None) -> None:
    pending = PendingApproval({"action_requests": [{"name": "book_offer"}]})
    assert pending.choice(line) == choice
    assert replace(pending, is_fresh=False).choice(line) is None


@pytest.mark.parametrize("names", [["cancel_booking"], ["book_offer", "book_offer"]])
def test_yes_that_names_another_action_or_one_of_several_does_not_decide(names: list[str]) -> None:
    pending = PendingApproval({"action_requests": [{"name": name} for name in names]})
    assert pending.choice("yes, book it") is None
    assert pending.choice("yes, please") == "approve"


def test_repeated_question_explains_how_to_decide(
    concierge: CommandLine, open_terminal: Opened, openai_server: OpenAIServer
) -> None:
    offer, *_ = bookings_wait(concierge)
    again = Call("book_offer", json.dumps({"offer_id": offer}))
    openai_server.script(Reply(calls=(again,)), Reply("Booked."))
    with open_terminal(OPENAI_BASE_URL=openai_server.url, OPENAI_API_KEY="sk-test") as terminal:
        terminal.expect("approve (a)")
        terminal.type("that would be lovely\n")
        terminal.expect("only a yes or a no decides")
        terminal.type("yes, please\n")
        terminal.expect("Booked.")
        terminal.type("/quit\n")
        assert terminal.ending()[0] == 0
    assert len(booked(concierge)) == 1


def test_message_instead_of_a_decision_changes_the_proposal(
    concierge: CommandLine, open_terminal: Opened, openai_server: OpenAIServer
) -> None:
    offer, *_ = bookings_wait(concierge)
    more = Call("book_offer", json.dumps({"offer_id": offer, "extra_bags": 2}))
    openai_server.script(Reply(calls=(more,)), Reply("Booked, with two more bags."))
    with open_terminal(OPENAI_BASE_URL=openai_server.url, OPENAI_API_KEY="sk-test") as terminal:
        terminal.expect("approve (a)")
        terminal.type("two more bags\n")
        assert "Extra checked bags: 2" in terminal.expect("approve (a)")
        terminal.type("yes\n")
        terminal.expect("Booked, with two more bags.")
        terminal.type("/quit\n")
        assert terminal.ending()[0] == 0
    (one,) = booked(concierge)
    assert (one["offer"]["id"], one["extra_bags"]) == (offer, 2)


def test_question_leaves_the_approval_open_and_yes_to_the_answer_does_not_approve(
    concierge: CommandLine, open_terminal: Opened, openai_server: OpenAIServer
) -> None:
    offer, *_ = bookings_wait(concierge)
    openai_server.script(Reply("Three hours. Is that too long?"), Reply("I see."), Reply("It is booked."))
    with open_terminal(OPENAI_BASE_URL=openai_server.url, OPENAI_API_KEY="sk-test") as terminal:
        terminal.expect("approve (a)")
        terminal.type("how long is the flight?\n")
        terminal.expect("Is that too long?")
        terminal.expect("still undecided")
        terminal.type("yes\n")
        terminal.expect("I see.")
        terminal.expect("still undecided")
        terminal.expect("you> ")
        assert "Not carried out" in json.dumps(openai_server.requests[-1].body)
        terminal.type("a\n")
        terminal.expect("It is booked.")
        terminal.type("/quit\n")
        assert terminal.ending()[0] == 0
    (one,) = booked(concierge)
    assert one["offer"]["id"] == offer


def test_approval_is_shown_again_after_a_tool_call(
    concierge: CommandLine, open_terminal: Opened, openai_server: OpenAIServer
) -> None:
    bookings_wait(concierge)
    openai_server.script(
        Reply(calls=(Call("list_bookings", "{}"),)), Reply("Shall I book it?"), Reply("It stays as it is.")
    )
    with open_terminal(OPENAI_BASE_URL=openai_server.url, OPENAI_API_KEY="sk-test") as terminal:
        terminal.expect("approve (a)")
        terminal.type("one more bag\n")
        terminal.expect("still undecided")
        terminal.type("a\n")
        assert "Checked bags: " in terminal.expect("approve (a)")
        terminal.type("r\n")
        terminal.expect("why not")
        terminal.type("\n")
        terminal.expect("It stays as it is.")
        terminal.type("/quit\n")
        assert terminal.ending()[0] == 0
    assert booked(concierge) == []


def test_approval_left_open_by_a_question_can_be_rejected(
    concierge: CommandLine, open_terminal: Opened, openai_server: OpenAIServer
) -> None:
    bookings_wait(concierge)
    openai_server.script(Reply("Three hours."))
    with open_terminal(OPENAI_BASE_URL=openai_server.url, OPENAI_API_KEY="sk-test") as terminal:
        terminal.type("how long is the flight?\n")
        terminal.expect("still undecided")
        terminal.type("r\n")
        terminal.expect("nothing was done")
        terminal.type("/decide\n")
        terminal.expect("nothing waits")
        terminal.type(CTRL_D)
        assert terminal.ending()[0] == 0
    assert booked(concierge) == []


def test_approval_is_shown_in_japanese(concierge: CommandLine, open_terminal: Opened) -> None:
    bookings_wait(concierge)
    with open_terminal("--lang", "ja") as terminal:
        shown = terminal.expect("承認(a)")
        assert "1件がご判断を待っています" in shown
        terminal.type("承認\n")
        # It was proposed in English. Only what was shown may run, so the Japanese version is shown first.
        assert "払い戻し：" in terminal.expect("承認(a)")
        terminal.type("はい\n")
        terminal.type(CTRL_D)
        assert terminal.ending()[0] == 0
    assert len(booked(concierge)) == 1


def test_decide_without_a_waiting_action_says_so(concierge: CommandLine) -> None:
    shown = concierge("chat", "--user", "ana", "--thread", "t", stdin="/decide\n/trips\n/trips X\n").out
    assert "nothing waits for your decision" in shown
    assert "nothing is booked yet" in shown
    assert "no booking 'X'" in shown


def test_conversation_works_without_travel(concierge: CommandLine) -> None:
    done = concierge("chat", "--user", "ana", stdin="/trips\n/help\n", env={"CONCIERGE_TRAVEL": "off"})
    assert "Travel is switched off" in done.out
    assert "/decide" in done.out
