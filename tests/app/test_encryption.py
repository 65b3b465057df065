"""With an encryption key, no file of the data directory shows who wrote or what they wrote."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from tests.conftest import Opener
from tests.faults.residue import residue

KEY = base64.b64encode(bytes(range(32))).decode()
USER = "anabella@example.com"


@pytest.mark.slow
async def test_files_contain_no_personal_text(concierge_with: Opener, tmp_path: Path) -> None:
    async with concierge_with(encryption_key=KEY) as concierge:
        for message in ("I'm vegetarian.", "Find a flight from Lisbon to Rome on 3 March 2027, aisle seat please."):
            await concierge.send(message, user_id=USER, thread_id="t")
        await concierge.end_session(user_id=USER, thread_id="t")
        memory = concierge.memory(USER)
        assert [note.text for note, _ in await memory.search("what does she eat?", limit=1)] == ["I'm vegetarian"]
        await memory.edit_profile({"home_city": "Porto"})
    assert (tmp_path / "data" / "store" / "vectors").is_dir()
    words = ("vegetarian", "Lisbon", "aisle", "Porto", "anabella", "example.com", "example_2ecom", "home_city")
    assert residue(tmp_path / "data", *words) == []

    async with concierge_with(encryption_key=KEY) as concierge:
        entries = await concierge.full_history(thread_id="t", user_id=USER)
        assert "I'm vegetarian." in [entry.text for entry in entries]
        assert (await concierge.memory(USER).profile()).home_city == "Porto"
