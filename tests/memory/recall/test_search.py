"""The hits of a search, their order, and the arguments that are rejected."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from langgraph.store.memory import InMemoryStore

from config.errors import InvalidInputError
from memory.recall import Document
from memory.recall.corpus import Embed
from memory.recall.index import RecallIndex
from memory.recall.user_recall import Recollection
from tests.conftest import Clock
from tests.memory.recall.conversation import START, conversation, note


def first(index: RecallIndex, query: str, **given: Any) -> str:
    return index.search(query, limit=1, **given)[0].document.id


def test_meaning_finds_documents_without_common_words(talk: RecallIndex) -> None:
    assert first(talk, "that bird we talked about") == "t/01"


def test_document_without_common_words_or_meaning_is_not_found(embed: Embed) -> None:
    index = RecallIndex([note("a", "Ok."), note("b", "[forgotten]"), note("c", "Eats no meat.")], embed=embed)
    assert [hit.document.id for hit in index.search("vegetarian", limit=3)] == ["c"]


def test_inflected_or_irregular_word_is_found_without_an_embedder() -> None:
    index = RecallIndex([note("a", "Bought two knives in Solingen."), note("b", "Loves the sea.")])
    assert first(index, "which knife did she buy?") == "a"


def test_accents_case_and_width_are_ignored() -> None:
    index = RecallIndex([note("a", "Stays at the Ｃafé Gràcia."), note("b", "Stays with friends.")])
    assert first(index, "CAFE GRACIA") == "a"


@pytest.mark.parametrize(
    ("query", "wanted"),
    [("窓側の席は？", "seat"), ("エビは食べられる？", "shrimp"), ("鳥", "bird"), ("温泉の宿", "spring")],
)
def test_japanese_is_found_by_bigrams_and_ideographs(query: str, wanted: str) -> None:
    texts = {
        "seat": "夜行便では窓側の席がいい。",
        "shrimp": "エビとカニのアレルギーがある。",
        "bird": "沖縄で赤い鳥を見た。",
        "spring": "温泉のある旅館が好き。",
    }
    index = RecallIndex([note(known, text) for known, text in texts.items()])
    assert first(index, query) == wanted


def test_answer_is_found_by_its_question() -> None:
    hits = [hit.document.id for hit in RecallIndex(conversation()).search("what to order?", limit=12)]
    assert hits[0] == "t/04", "the turn that holds the word"
    assert "t/05" in hits[1:3], "the answer, which shares no word with the query"
    assert "t/07" not in hits, "three turns away"


def test_short_text_with_the_whole_query_precedes_long_ones() -> None:
    texts = ("We walked along the river all morning and fed the hungry ducks.", "Dentist at nine.", "Then lunch.")
    turns = [Document(f"{place}", "turn", text, thread_id="t", position=place) for place, text in enumerate(texts)]
    assert first(RecallIndex(turns), "dentist") == "1"


def test_answer_precedes_its_question() -> None:
    turns = [
        Document("asked", "turn", "Which hotel did you take in Porto?", "Ben", thread_id="t", position=0),
        Document(
            "answered", "turn", "The small blue one behind the market hall, quiet and cheap.", "Ana", None, "t", 1
        ),
    ]
    assert first(RecallIndex(turns), "Which hotel in Porto did Ana choose?") == "answered"


def test_turns_of_another_thread_or_after_a_gap_are_no_neighbours() -> None:
    question = Document("q", "turn", "What did you order?", thread_id="t", position=4)
    answers = [
        Document("far", "turn", "Rice with beans.", thread_id="t", position=8),
        Document("other", "turn", "Rice with beans.", thread_id="u", position=5),
        Document("noted", "note", "Rice with beans.", thread_id="t", position=5),
    ]
    hits = RecallIndex([question, *answers]).search("order", limit=4)
    assert [hit.document.id for hit in hits] == ["q"]


def test_named_speaker_comes_first() -> None:
    turns = [
        Document("ana", "turn", "I adore the mountains.", "Ana", thread_id="1"),
        Document("ben", "turn", "I adore the mountains.", "Ben", thread_id="2"),
    ]
    index = RecallIndex(turns)
    assert first(index, "Does Ben adore mountains?") == "ben"
    assert first(index, "Does Ana adore mountains?") == "ana"


def test_name_alone_finds_turns_of_that_speaker() -> None:
    hits = RecallIndex(conversation()).search("What did Ana say?", limit=6)
    assert {hit.document.speaker for hit in hits[:5]} == {"Ana"}


@pytest.mark.parametrize(("query", "wanted"), [("Was the visit in May?", "may"), ("our visit last month", "june")])
def test_named_time_comes_first(query: str, wanted: str) -> None:
    months = {"april": 4, "may": 5, "june": 6}
    documents = [note(known, "A visit to the zoo.", datetime(2026, month, 10)) for known, month in months.items()]
    assert first(RecallIndex(documents), query, now=datetime(2026, 7, 4)) == wanted


def test_equal_scores_are_ordered_by_recency_and_then_id() -> None:
    same = "Likes quiet rooms."
    documents = [note("c", same), note("b", same, START), note("a", same, START), note("d", same, START + timedelta(1))]
    hits = RecallIndex(documents).search("quiet room", limit=4)
    assert [hit.document.id for hit in hits] == ["d", "a", "b", "c"]


def test_kinds_and_times_filter_the_documents() -> None:
    documents = [
        note("old", "Loves jazz.", datetime(2025, 1, 1, tzinfo=UTC)),
        note("new", "Loves jazz.", datetime(2026, 1, 1)),
        note("undated", "Loves jazz."),
        Document("told", "episode", "Talked about jazz.", at=datetime(2026, 1, 1, tzinfo=UTC)),
    ]
    index = RecallIndex(documents)

    def ids(**given: Any) -> set[str]:
        return {hit.document.id for hit in index.search("jazz", limit=9, **given)}

    assert ids() == {"old", "new", "undated", "told"}
    assert ids(kinds=["note"]) == {"old", "new", "undated"}
    assert ids(kinds=[]) == set()
    assert ids(after=datetime(2026, 1, 1, tzinfo=UTC)) == {"new", "told"}
    assert ids(before=datetime(2026, 1, 1, tzinfo=UTC)) == {"old"}


def test_query_without_common_words_has_no_keyword_hits() -> None:
    index = RecallIndex(conversation())
    assert index.search("submarine", limit=3) == []
    assert index.search("?!", limit=3) == []


def test_query_of_function_words_is_searched_by_meaning(embed: Embed) -> None:
    index = RecallIndex([note("a", "Is it him or her?"), note("b", "Rents electric vans.")], embed=embed)
    assert first(index, "Was it her?") == "a"


def test_very_long_query_is_truncated() -> None:
    words = " ".join(f"word{number}" for number in range(50_000))
    index = RecallIndex([note("a", "Loves word3."), note("b", "Loves word49999.")])
    assert [hit.document.id for hit in index.search(words, limit=2)] == ["a"]


def test_empty_index_has_no_hits(embed: Embed) -> None:
    assert RecallIndex([], embed=embed).search("Ana in May", limit=3) == []


@pytest.mark.parametrize(
    ("query", "limit", "scopes", "expected"),
    [
        ("", 1, ["note"], "1 to 240"), (" \n", 1, ["note"], "1 to 240"), ("jazz", 0, ["note"], "1 to 6"),
        ("jazz", 1, ["noise"], "noise"), ("jazz", 1, [], "none"),
    ],
)  # fmt: skip
async def test_invalid_arguments_are_rejected(
    query: str, limit: int, scopes: list[str], expected: str, clock: Clock
) -> None:
    recollection = Recollection(embed=None, clock=clock)
    with pytest.raises(InvalidInputError, match=expected):
        await recollection.search(InMemoryStore(), [], query, limit=limit, scopes=scopes)


def test_one_index_serves_several_threads(embed: Embed) -> None:
    index = RecallIndex(conversation(), embed=embed)

    talk = {document.id for document in conversation()}

    def work(worker: int) -> None:
        for number in range(10):
            index.hold([*conversation(), note(f"{worker}/{number}", f"Bought {number} postcards in shop {worker}.")])
            hits = {hit.document.id for hit in index.search("postcards shop", limit=4)}
            assert len(hits - talk) == 1

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert len(index.documents) == len(conversation()) + 1
