"""The interactive conversation: through a pipe, and in a real terminal."""

from __future__ import annotations

from tests.app.commandline import COMMAND, CommandLine
from tests.app.terminal import CTRL_C, CTRL_D, Terminal
from tests.openai_protocol import Reply
from tests.openai_server import OpenAIServer


def _talk(concierge: CommandLine, *lines: str) -> str:
    outcome = concierge("chat", "--user", "ana", "--thread", "t", stdin="\n".join(lines) + "\n")
    assert (outcome.code, outcome.err) == (0, "")
    return outcome.out


def test_leaving_ends_the_session_and_says_what_was_kept(concierge: CommandLine) -> None:
    shown = _talk(concierge, "I'm vegetarian.", "This time I'd like a window seat.")
    assert "noted: " in shown
    left = shown[shown.index("kept for next time") :]
    assert "vegetarian" in left
    assert "window" not in left
    assert "let go with this trip: 1" in left
    assert [note["topic"] for note in concierge.notes("ana")] == ["meal"]


def test_leaving_without_a_word_leaves_no_trace(concierge: CommandLine) -> None:
    shown = _talk(concierge, "", "/help", "/memory", "/end", "/quit", "never read")
    assert "/forget" in shown
    assert "nothing is remembered yet" in shown
    assert "nothing was said" in shown
    assert concierge("sessions", "history", "--thread", "t").code == 2


def test_what_was_noted_can_be_forgotten_before_it_is_kept(concierge: CommandLine) -> None:
    shown = _talk(concierge, "I'm vegetarian.", "/memory", "/forget vegetarian", "/memory", "/forget vegetarian")
    assert "noted in this conversation" in shown
    assert "forgotten: " in shown
    assert "No note matches" in shown[shown.index("forgotten: ") :]
    assert concierge.notes("ana") == []


def test_forgetting_asks_which_and_takes_a_number(concierge: CommandLine) -> None:
    shown = _talk(
        concierge, "I prefer quiet hotels.", "I don't like hotels with casinos.", "/end", "/forget hotels", "/forget 1"
    )
    assert "several notes match" in shown
    assert "forgotten: " in shown
    (left,) = concierge.notes("ana")
    assert left["text"] not in shown[shown.index("forgotten: ") :]


def test_pausing_holds_until_resumed(concierge: CommandLine) -> None:
    _talk(concierge, "/pause", "I'm vegetarian.", "/resume", "I prefer aisle seats.")
    assert [note["topic"] for note in concierge.notes("ana")] == ["seat"]


def test_history_is_shown_and_unknown_commands_are_told(concierge: CommandLine) -> None:
    shown = _talk(concierge, "hello", "/history", "/frobnicate", "/forget")
    assert "you> hello" in shown
    assert "no command /frobnicate" in shown
    assert "Say which note" in shown


def test_a_terminal_prompts_and_ctrl_d_leaves(concierge: CommandLine) -> None:
    command = [COMMAND, "chat", "--user", "ana", "--thread", "t"]
    with Terminal(command, env=concierge.env(), cwd=concierge.folder) as terminal:
        terminal.expect("you> ")
        terminal.type("I'm vegetarian.\n")
        terminal.expect("noted: ")
        terminal.expect("you> ")
        terminal.press_until(CTRL_C, "press Ctrl-C again")
        terminal.expect("you> ")
        terminal.type(CTRL_D)
        code, shown = terminal.ending()
    assert code == 0
    assert "kept for next time" in shown
    assert [note["topic"] for note in concierge.notes("ana")] == ["meal"]


def test_ctrl_c_during_an_answer_takes_the_turn_back(concierge: CommandLine, openai_server: OpenAIServer) -> None:
    openai_server.script(Reply("Hello Ana."), Reply("never sent", wait=600))
    env = concierge.env({"OPENAI_BASE_URL": openai_server.url, "CONCIERGE_MODEL_TIMEOUT": "600"})
    command = [COMMAND, "chat", "--user", "ana", "--thread", "t"]
    with Terminal(command, env=env, cwd=concierge.folder) as terminal:
        terminal.expect("you> ")
        terminal.type("hi\n")
        terminal.expect("Hello Ana.")
        terminal.expect("you> ")
        openai_server.arrived.clear()
        terminal.type("something slow\n")
        assert openai_server.arrived.wait(60)
        terminal.type(CTRL_C)
        terminal.expect("your message is taken back")
        terminal.expect("you> ")
        terminal.type("/history\n")
        assert "something slow" not in terminal.expect("you> ")
        terminal.type("/quit\n")
        code, shown = terminal.ending()
    assert code == 0
    assert "Traceback" not in shown
    entries = concierge("sessions", "history", "--thread", "t", "--json").json
    assert [(entry["turn"], entry["text"]) for entry in entries] == [(1, "hi"), (1, "Hello Ana.")]
