"""The interactive conversation: through a pipe, and in a real terminal."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from types import SimpleNamespace
from typing import Any

import pytest
from rich.cells import cell_len

from app.api import open_concierge
from app.cli.chat.conversation import Conversation
from app.cli.opening import CommandContext
from app.cli.screen import Screen
from config.settings import Settings
from tests.app.commandline import CommandLine
from tests.app.terminal import CTRL_C, CTRL_D, Opened
from tests.openai_protocol import Call, Reply
from tests.openai_server import OpenAIServer


def _talk(concierge: CommandLine, *lines: str) -> str:
    outcome = concierge("chat", "--user", "ana", "--thread", "t", stdin="\n".join(lines) + "\n")
    assert (outcome.code, outcome.err) == (0, "")
    return outcome.out


def test_leaving_ends_the_session_and_lists_what_was_kept(concierge: CommandLine) -> None:
    shown = _talk(concierge, "I'm vegetarian.", "This time I'd like a window seat.")
    assert "noted: " in shown
    left = shown[shown.index("kept for next time") :]
    assert "vegetarian" in left
    assert "window" not in left
    assert "let go with this trip: 1" in left
    assert [note["topic"] for note in concierge.notes("ana")] == ["meal"]


def test_leaving_without_a_message_stores_nothing(concierge: CommandLine) -> None:
    shown = _talk(concierge, "", "/help", "/memory", "/end", "/quit", "never read")
    assert "/forget" in shown
    assert "nothing is remembered yet" in shown
    assert "nothing was said" in shown
    assert concierge("sessions", "history", "--thread", "t").code == 2


def test_staged_note_can_be_forgotten(concierge: CommandLine) -> None:
    shown = _talk(concierge, "I'm vegetarian.", "/memory", "/forget vegetarian", "/memory", "/forget vegetarian")
    assert "noted in this conversation" in shown
    assert "forgotten: " in shown
    assert "No note matches" in shown[shown.index("forgotten: ") :]
    assert concierge.notes("ana") == []


def test_ambiguous_forget_lists_the_matches_and_takes_a_number(concierge: CommandLine) -> None:
    shown = _talk(
        concierge, "I prefer quiet hotels.", "I don't like hotels with casinos.", "/end", "/forget hotels", "/forget 1"
    )
    assert "several notes match" in shown
    assert "forgotten: " in shown
    (left,) = concierge.notes("ana")
    assert left["text"] not in shown[shown.index("forgotten: ") :]


def test_pause_lasts_until_resume(concierge: CommandLine) -> None:
    _talk(concierge, "/pause", "I'm vegetarian.", "/resume", "I prefer aisle seats.")
    assert [note["topic"] for note in concierge.notes("ana")] == ["seat"]


def test_history_is_shown_and_unknown_commands_are_reported(concierge: CommandLine) -> None:
    shown = _talk(concierge, "hello", "/history", "/frobnicate", "/forget")
    assert "you> hello" in shown
    assert "no command /frobnicate" in shown
    assert "Say which note" in shown


def test_ctrl_d_leaves_the_terminal(concierge: CommandLine, open_terminal: Opened) -> None:
    with open_terminal() as terminal:
        terminal.type("I'm vegetarian.\n")
        terminal.expect("noted: ")
        terminal.expect("you> ")
        terminal.press_until(CTRL_C, "press Ctrl-C again")
        terminal.type(CTRL_D)
        code, shown = terminal.ending()
    assert code == 0
    assert "kept for next time" in shown
    assert [note["topic"] for note in concierge.notes("ana")] == ["meal"]


def test_ctrl_c_during_an_answer_takes_the_turn_back(
    concierge: CommandLine, open_terminal: Opened, openai_server: OpenAIServer
) -> None:
    openai_server.script(Reply("Hello Ana."), Reply("never sent", wait=600))
    with open_terminal(OPENAI_BASE_URL=openai_server.url, CONCIERGE_MODEL_TIMEOUT="600") as terminal:
        terminal.type("hi\n")
        terminal.expect("Hello Ana.")
        terminal.expect("you> ")
        openai_server.arrived.clear()
        terminal.type("something slow\n")
        assert openai_server.arrived.wait(60)
        terminal.press(CTRL_C)
        terminal.expect("your message is taken back")
        terminal.type("/history\n")
        assert "something slow" not in terminal.expect("you> ")
        terminal.type("/quit\n")
        code, shown = terminal.ending()
    assert code == 0
    assert "Traceback" not in shown
    entries = concierge("sessions", "history", "--thread", "t", "--json").json
    assert [(entry["turn"], entry["text"]) for entry in entries] == [(1, "hi"), (1, "Hello Ana.")]


def test_conversation_whose_only_message_was_stopped_can_be_left(make_settings: Callable[..., Settings]) -> None:
    def press_ctrl_c(work: Coroutine[Any, Any, Any], **_: Any) -> None:
        work.close()
        raise KeyboardInterrupt

    with asyncio.Runner() as runner:
        opened, steps = AsyncExitStack(), iter([press_ctrl_c])
        concierge = runner.run(opened.enter_async_context(open_concierge(make_settings())))
        hasty: Any = SimpleNamespace(run=lambda work, **how: next(steps, runner.run)(work, **how))
        talk = Conversation(CommandContext(concierge, "ana", "t"), hasty, Screen(), mode="on")
        talk.say("something slow")
        assert talk.end() is None
        runner.run(opened.aclose())


def test_terminal_shows_progress_and_fits_tables_to_its_width(
    concierge: CommandLine, open_terminal: Opened, openai_server: OpenAIServer
) -> None:
    table = "| # | Hotel | 場所 |\n|---|---|---|\n| 1 | Casa **Azul** | 東京の中心から歩いて五分の静かな通り |"
    search = Call("search_hotels", json.dumps({"place": "Lisbon", "check_in": "2027-03-01", "check_out": "2027-03-03"}))
    long = "It is a quiet house, close to the river, with breakfast until eleven and rooms on all its four floors."
    openai_server.script(Reply(calls=(search,)), Reply(f"Two fit:\n\n{table}\n\n{long}", wait=1))
    with open_terminal(OPENAI_BASE_URL=openai_server.url, OPENAI_API_KEY="sk-test", COLUMNS="60") as terminal:
        terminal.type("hotels in Lisbon\n")
        terminal.expect("thinking …")
        terminal.expect("searching hotels …")
        shown = terminal.expect("floors.")
        terminal.type(CTRL_D)
        assert terminal.ending()[0] == 0
    rows = shown[shown.rindex("#  Hotel") :].splitlines()
    assert all(cell_len(row) <= 60 for row in rows)
    assert any("1  Casa Azul  東京" in row for row in rows)
    assert "|" not in "".join(rows)


def test_pipe_gets_the_plain_text_of_the_answer(concierge: CommandLine, openai_server: OpenAIServer) -> None:
    answer = "Two fit:\n\n| # | Hotel |\n|---|---|\n| 1 | **Casa** |"
    openai_server.script(Reply(answer))
    env = {"OPENAI_BASE_URL": openai_server.url, "OPENAI_API_KEY": "sk-test"}
    outcome = concierge("chat", "--user", "ana", "--thread", "t", "-m", "hotels in Lisbon", env=env)
    assert (outcome.code, outcome.out) == (0, f"{answer}\n")


def test_memory_changes_take_one_line_and_more_with_verbose(concierge: CommandLine) -> None:
    messages = ("-m", "I'm vegetarian.", "-m", "I prefer aisle seats.")
    short = concierge("chat", "--user", "ana", "--thread", "t", *messages).out
    assert sum(line.startswith("  · ") for line in short.splitlines()) == 2
    assert "(meal" not in short
    verbose = concierge("chat", "--user", "bo", "--thread", "u", "--verbose", *messages).out
    assert "(meal" in verbose
    assert "in the last answer" in _talk(concierge, "I'm vegetarian.", "/memory")


@pytest.mark.parametrize(
    ("mode", "says"),
    [
        ("on", "what you tell that lasts is remembered"),
        ("paused", "what is known of you is used, nothing new is learnt"),
        ("off", "nothing known of you is used, and nothing is learnt"),
    ],
)
def test_greeting_explains_the_memory_mode(concierge: CommandLine, mode: str, says: str) -> None:
    shown = concierge("chat", "--user", "ana", "--memory", mode, stdin="/help\n").out
    assert says in shown[: shown.index("/help shows")]
    assert "Flights from Berlin to Lisbon" in shown


def test_ctrl_c_during_consolidation_ends_with_a_message(
    concierge: CommandLine, open_terminal: Opened, openai_server: OpenAIServer
) -> None:
    openai_server.script(Reply("Hello Ana."), *[Reply("never sent", wait=600)] * 9)
    with open_terminal(OPENAI_BASE_URL=openai_server.url, CONCIERGE_MODEL_TIMEOUT="600") as terminal:
        terminal.type("I am vegetarian, remember that\n")
        terminal.expect("Hello Ana.")
        terminal.expect("you> ")
        openai_server.arrived.clear()
        terminal.type(CTRL_D)
        assert openai_server.arrived.wait(60)
        terminal.press_until(CTRL_C, "still in conversation t")
        code, shown = terminal.ending()
    assert code == 0
    assert "Traceback" not in shown
