"""Faults around the command line: each ends in one clear message, and nothing is lost."""

from __future__ import annotations

import os
import socket
import subprocess
from pathlib import Path

import pytest

from tests.app.commandline import COMMAND, CommandLine
from tests.openai_server import OpenAIServer
from tests.processes import running


def _refused(outcome_err: str) -> str:
    (line,) = outcome_err.splitlines()
    assert line.startswith("concierge: ")
    return line


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CONCIERGE_INJECTION_TOKENS", "many"),
        ("CONCIERGE_MODEL_TIMEOUT", "-1"),
        ("CONCIERGE_LANGUAGE", "tlh"),
        ("CONCIERGE_KEEP_LAST_N_TURNS", "13"),
        ("CONCIERGE_MODEL_PROVIDER", "openai"),
        ("CONCIERGE_EMBEDDER", "word2vec"),
        ("OPENAI_BASE_URL", "localhost:8080"),
        ("CONCIERGE_AGENT_MODEL", "antropic:claude"),
    ],
)
def test_wrong_setting_is_named_with_its_value(concierge: CommandLine, name: str, value: str) -> None:
    outcome = concierge("chat", "--user", "u", "--message", "hi", "--json", env={name: value})
    assert (outcome.code, outcome.out) == (1, "")
    error = _refused(outcome.err)
    assert name in error
    assert value in error


def test_missing_integration_is_named(concierge: CommandLine) -> None:
    given = {"CONCIERGE_AGENT_MODEL": "anthropic:claude", "CONCIERGE_MODEL_PROVIDER": "auto"}
    outcome = concierge("chat", "--user", "u", "--message", "hi", "--json", env=given)
    assert (outcome.code, outcome.out) == (1, "")
    assert "pip install langchain-anthropic" in _refused(outcome.err)


def test_unknown_setting_is_named_with_the_nearest(concierge: CommandLine) -> None:
    for command in (["chat", "-m", "hi"], ["memory", "list"]):
        outcome = concierge(*command, "--user", "u", env={"CONCIERGE_LANGUAG": "ja"})
        assert (outcome.code, outcome.out) == (1, "")
        assert "Did you mean CONCIERGE_LANGUAGE?" in _refused(outcome.err)


def test_several_wrong_settings_are_reported_together(concierge: CommandLine) -> None:
    wrong = {"CONCIERGE_INJECTION_TOKENS": "0", "CONCIERGE_HISTORY_MODE": "forget"}
    error = _refused(concierge("memory", "list", "--user", "u", env=wrong).err)
    assert all(name in error for name in wrong)


def test_empty_user_is_rejected_and_the_default_user_is_used(concierge: CommandLine) -> None:
    refused = concierge("chat", "--message", "hi", "--json")
    assert refused.code == 2
    assert "--user" in _refused(refused.err)
    assert "CONCIERGE_DEFAULT_USER" in refused.err
    (turn,) = concierge("chat", "--message", "hi", "--json", env={"CONCIERGE_DEFAULT_USER": "me"}).turns
    assert turn["user_id"] == "me"


def test_unreachable_endpoint_ends_the_turn_and_keeps_the_message(concierge: CommandLine) -> None:
    with socket.socket() as taken:  # bound but not listening, so that no connection succeeds
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        env = {"OPENAI_BASE_URL": url, "CONCIERGE_MODEL_MAX_RETRIES": "0"}
        outcome = concierge("chat", "--user", "u", "--thread", "t", "--message", "hello there", "--json", env=env)
    assert outcome.code == 1
    (turn,) = outcome.turns
    assert turn["stop_reason"] == "model_error"
    assert "Nothing is lost" in turn["reply"]
    assert "concierge: the model failed" in outcome.err
    history = concierge("sessions", "history", "--thread", "t", "--json").json
    assert [entry["text"] for entry in history] == ["hello there", turn["reply"]]


def test_wrong_key_is_reported_and_never_shown(concierge: CommandLine, openai_server: OpenAIServer) -> None:
    openai_server.key = "sk-right"
    env = {"OPENAI_BASE_URL": openai_server.url, "OPENAI_API_KEY": "sk-wrong-0123456789"}
    outcome = concierge("chat", "--user", "u", "--message", "hi", "--json", env=env)
    assert outcome.code == 1
    assert outcome.turns[0]["stop_reason"] == "model_error"
    assert "key" in outcome.turns[0]["reply"].lower()
    assert "sk-wrong" not in outcome.out + outcome.err


def test_unwritable_data_directory_is_named(concierge: CommandLine) -> None:
    # A file in the way stops every user; permissions would not stop root.
    concierge.data_dir.write_text("not a folder")
    for command in (["chat", "--user", "u", "--message", "hi"], ["memory", "list", "--user", "u"]):
        outcome = concierge(*command)
        assert outcome.code == 1
        assert str(concierge.data_dir) in _refused(outcome.err)
    assert concierge.data_dir.read_text() == "not a folder"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_read_only_data_directory_is_named(concierge: CommandLine) -> None:
    concierge.data_dir.mkdir(mode=0o500)
    outcome = concierge("chat", "--user", "u", "--message", "hi")
    assert outcome.code == 1
    assert str(concierge.data_dir) in _refused(outcome.err)


@pytest.mark.parametrize("name", ["checkpoints.sqlite", "store/items.sqlite"])
def test_damaged_database_is_named_and_left_unchanged(concierge: CommandLine, name: str) -> None:
    concierge.say("u", "t", "hi")
    damaged = concierge.data_dir / name
    for beside in damaged.parent.glob(f"{damaged.name}-*"):
        beside.unlink()
    damaged.write_bytes(b"this was a database once" * 400)
    before = damaged.read_bytes()
    outcome = concierge("chat", "--user", "u", "--thread", "t", "--message", "hi")
    assert (outcome.code, outcome.out) == (1, "")
    assert damaged.name in _refused(outcome.err)
    assert damaged.read_bytes() == before


@pytest.mark.slow
def test_second_process_on_the_same_data_is_rejected(concierge: CommandLine) -> None:
    with running(
        [COMMAND, "chat", "--user", "u", "--json"],
        env=concierge.env(), cwd=concierge.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as first:  # fmt: skip
        assert first.stdin is not None
        assert first.stdout is not None
        first.stdin.write("hi\n")
        first.stdin.flush()
        assert first.stdout.readline().startswith("{")
        second = concierge("memory", "list", "--user", "u")
        first.stdin.close()
        assert first.wait(60) == 0
    assert second.code == 1
    assert str(first.pid) in _refused(second.err)
    assert concierge("memory", "list", "--user", "u").code == 0


@pytest.mark.slow
def test_closed_output_pipe_causes_no_traceback(concierge: CommandLine) -> None:
    concierge.say("u", "t", *(["tell me about Rome"] * 3))
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [COMMAND, "sessions", "history", "--thread", "t", "--json"],
        stdout=writing, stderr=subprocess.PIPE, text=True, env=concierge.env(), cwd=concierge.folder,
    )  # fmt: skip
    os.close(writing)
    assert done.returncode != 0
    assert done.stderr == ""


@pytest.mark.parametrize(
    "args",
    [
        ["chat", "--user", "u", "--memory", "sometimes", "--message", "hi"],
        ["memory", "search", "  ", "--user", "u"],
        ["memory", "search", "x" * 241, "--user", "u"],
        ["sessions", "end", "--user", "u", "--thread", "never"],
        ["sessions", "history", "--thread", "never"],
        ["chat", "--user", "x" * 201, "--message", "hi"],
        ["nonsense"],
    ],
)
def test_invalid_command_exits_with_2(concierge: CommandLine, args: list[str]) -> None:
    outcome = concierge(*args)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err


def test_thread_of_another_user_is_rejected(concierge: CommandLine) -> None:
    concierge.say("ana", "t", "I'm vegetarian.")
    for args in (
        ["chat", "--user", "eve", "--thread", "t", "--message", "what did I say?", "--json"],
        ["sessions", "end", "--user", "eve", "--thread", "t", "--json"],
        ["sessions", "history", "--user", "eve", "--thread", "t", "--json"],
    ):
        outcome = concierge(*args)
        assert (outcome.code, outcome.out) == (2, "")
        assert "vegetarian" not in outcome.err
    talking = concierge("chat", "--user", "eve", "--thread", "t", stdin="what did I say?\n")
    assert (talking.code, talking.out, len(talking.err.strip().splitlines())) == (2, "", 1)
    assert len(concierge("sessions", "history", "--user", "ana", "--thread", "t", "--json").json) >= 2


def test_settings_are_read_from_a_dot_env_file(concierge: CommandLine) -> None:
    Path(concierge.folder, ".env").write_text("CONCIERGE_DEFAULT_USER=from-the-file\n")
    (turn,) = concierge("chat", "--message", "hi", "--json").turns
    assert turn["user_id"] == "from-the-file"
