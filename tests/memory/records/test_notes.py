"""Notes hold what they are defined to hold, and tell what was said."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from memory.records.notes import Note
from tests.samples import note, said


def test_what_is_no_note_is_refused() -> None:
    with pytest.raises(ValidationError):
        Note.model_validate({**note("Likes trams").dump(), "keywords": ["tram"]})


def test_sayings_and_the_latest_evidence() -> None:
    heard = note("Likes trams", evidence=(*said("I like trams"), *said(""), *said("Trams again")))
    assert heard.sayings == ("I like trams", "Trams again")
    assert heard.latest.quote == "Trams again"
    assert note("x", evidence=()).latest.quote == ""
