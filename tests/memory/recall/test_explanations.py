"""The explanation of scores, and failing embedders."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import pytest

from config.errors import SetupError
from memory.recall import Hit
from memory.recall.corpus import Embed
from memory.recall.index import RecallIndex
from tests.memory.recall.conversation import conversation, note

QUERIES = ("What did Ana see on the balcony in March?", "that bird we talked about", "cello", "What did Ben say?")


def parts(hit: Hit) -> float:
    extras = [hit.why[name]["part"] for name in ("speaker", "date", "statement") if name in hit.why]
    return math.fsum([*extras, *(entry["part"] for entry in hit.why["lists"].values())])


@pytest.mark.parametrize("query", QUERIES)
def test_parts_add_up_to_the_score(talk: RecallIndex, query: str) -> None:
    hits = talk.search(query, limit=12)
    assert hits
    for hit in hits:
        assert parts(hit) == pytest.approx(hit.score)
        assert 0 < hit.score <= 1
        assert json.loads(json.dumps(hit.why)) == hit.why
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_explanation_says_where_each_word_matched(talk: RecallIndex) -> None:
    why = {hit.document.id: hit.why for hit in talk.search("green parrot pictures", limit=12)}
    assert (why["t/01"]["matched"], why["t/01"]["nearby"]) == (["green", "parrot"], ["pictures"])
    assert (why["t/02"]["matched"], why["t/02"]["nearby"]) == (["pictures"], ["green", "parrot"])


def test_ranks_begin_at_one(talk: RecallIndex) -> None:
    best = talk.search("green parrot", limit=1)[0]
    assert {name: entry["rank"] for name, entry in best.why["lists"].items()} == {
        "words": 1,
        "meaning": 1,
        "meaning as asked": 1,
    }


def test_explanation_names_the_matched_speaker_and_date(talk: RecallIndex) -> None:
    best = talk.search("Which animal did Ana see in March 2026?", limit=1)[0]
    assert best.document.id == "t/01"
    assert best.why["speaker"]["fits"] == "Ana"
    assert best.why["date"]["fits"] == "march 2026"


def test_related_word_is_named(embed: Embed) -> None:
    index = RecallIndex([note("dog", "Brings a puppy along."), note("car", "Rents a van.")], embed=embed)
    best = index.search("Are there dogs?", limit=1)[0]
    assert best.document.id == "dog"
    assert best.why["related"] == {"dogs": ["puppy"]}
    assert best.why["matched"] == []


def _raises(_: Sequence[str]) -> Any:
    raise TimeoutError("api.example.com, key sk-123")


@pytest.mark.parametrize(
    ("broken", "expected"),
    [
        (_raises, "raised TimeoutError"),
        (lambda texts: [[float("nan")] * 4 for _ in texts], "not finite"),
        (lambda texts: [[1.0] * (1 + place) for place, _ in enumerate(texts)], "one length"),
        (lambda texts: [[1.0]], "array of shape"),
        (lambda texts: None, "array of shape"),
    ],
)
def test_failing_embedder_is_named_and_words_still_match(broken: Callable[[Sequence[str]], Any], expected: str) -> None:
    index = RecallIndex(conversation(), embed=broken)
    best = index.search("green parrot", limit=1)[0]
    assert best.document.id == "t/01"
    assert expected in best.why["fault"]
    assert "sk-123" not in best.why["fault"]
    assert set(best.why["lists"]) == {"words"}


def test_recovered_embedder_is_used(embed: Embed) -> None:
    down = [True]

    def flaky(texts: Sequence[str]) -> Any:
        if down[0]:
            raise ConnectionError
        return embed(texts)

    index = RecallIndex(conversation(), embed=flaky)
    query = "that bird we talked about"
    with pytest.raises(SetupError, match=r"raised ConnectionError\. Check the embedder"):
        index.search(query, limit=1)
    down[0] = False
    best = index.search(query, limit=1)[0]
    assert best.document.id == "t/01"
    assert "fault" not in best.why


def test_vectors_of_another_length_are_an_error(embed: Embed) -> None:
    dims = [3]

    def changing(texts: Sequence[str]) -> list[list[float]]:
        return [[1.0] * dims[0] for _ in texts]

    index = RecallIndex([note("a", "Loves jazz.", datetime(2026, 1, 1))], embed=changing)
    index.search("blues", limit=1)
    dims[0] = 4
    assert "from 3 to 4" in index.search("jazz", limit=1)[0].why["fault"]
