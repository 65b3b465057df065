"""`concierge memory`: list, search, forget."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.app.commandline import CommandLine


@pytest.fixture(scope="module")
def notes_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a data directory with three long-term notes of a user, two of them about hotels."""
    concierge = CommandLine(tmp_path_factory.mktemp("notes"))
    concierge.say("ana", "t", "I'm vegetarian.", "I prefer quiet hotels.", "I don't like hotels with casinos.")
    concierge.end("ana", "t")
    return concierge.data_dir


@pytest.fixture
def ana(concierge: CommandLine, notes_folder: Path) -> CommandLine:
    shutil.copytree(notes_folder, concierge.data_dir)
    return concierge


def test_listed_note_has_all_its_fields(ana: CommandLine) -> None:
    notes = ana.notes("ana")
    assert len(notes) == 3
    expected = {
        "id", "text", "topic", "claims", "scope", "when", "hard", "confidence", "created_at",
        "last_update_date", "expires_at", "confirmations", "status", "evidence",
    }  # fmt: skip
    assert all(expected <= set(note) for note in notes)
    diet = next(note for note in notes if note["topic"] == "meal")
    assert (diet["hard"], diet["scope"], diet["evidence"][0]["thread_id"]) == (True, "user", "t")


def test_search_finds_by_meaning(ana: CommandLine) -> None:
    notes = ana("memory", "search", "what does she eat", "--user", "ana", "--limit", "1", "--json").json
    assert [note["topic"] for note in notes] == ["meal"]


def test_lost_index_is_rebuilt(ana: CommandLine) -> None:
    shutil.rmtree(ana.data_dir / "store" / "vectors", ignore_errors=True)
    rebuilt = ana("reindex")
    assert (rebuilt.code, rebuilt.err) == (0, "")
    assert "texts indexed: " in rebuilt.out
    notes = ana("memory", "search", "what does she eat", "--user", "ana", "--limit", "1", "--json").json
    assert [note["topic"] for note in notes] == ["meal"]


def test_note_is_forgotten_by_words_or_by_id(ana: CommandLine) -> None:
    forgotten = ana("memory", "forget", "vegetarian", "--user", "ana", "--json")
    assert (forgotten.code, forgotten.json["status"]) == (0, "forgotten")
    remaining = ana.notes("ana")
    assert {note["topic"] for note in remaining} == {"hotel"}
    assert ana("memory", "forget", remaining[0]["id"], "--user", "ana").code == 0
    assert [note["id"] for note in ana.notes("ana")] == [remaining[1]["id"]]


def test_ambiguous_forget_lists_the_matches(ana: CommandLine) -> None:
    asked = ana("memory", "forget", "the hotels one", "--user", "ana", "--json")
    assert asked.code == 2
    assert asked.json["status"] == "which_one"
    assert {note["topic"] for note in asked.json["notes"]} == {"hotel"}
    assert len(ana.notes("ana")) == 3


@pytest.mark.parametrize("what", ["the", "submarine"])
def test_forget_without_a_match_is_rejected(ana: CommandLine, what: str) -> None:
    refused = ana("memory", "forget", what, "--user", "ana")
    assert refused.code == 2
    assert refused.err.startswith("concierge: ")
    assert len(ana.notes("ana")) == 3


def test_notes_are_private_to_their_user(ana: CommandLine) -> None:
    note = ana.notes("ana")[0]
    for other in ("an", "anaa", "ANA", "an_", "a%", "ana/", "*"):
        assert ana.notes(other) == []
        assert ana("memory", "forget", note["id"], "--user", other).code == 2
    assert len(ana.notes("ana")) == 3
