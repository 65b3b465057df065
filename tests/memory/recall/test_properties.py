"""Properties that hold for any documents and any query."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random
from typing import get_args

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.recall import Document, Hit, Kind
from memory.recall.corpus import Embed
from memory.recall.index import RecallIndex

WORDS = (
    "parrot",
    "bird",
    "rice",
    "went",
    "going",
    "Lisbon",
    "Ana",
    "May",
    "the",
    "窓側の席",
    "鳥",
    "42",
    "?",
    "café",
    "\x00",
    "🦜",
)
NOW = datetime(2026, 5, 20, tzinfo=UTC)

texts = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
moments = st.none() | st.integers(0, 400).map(lambda days: NOW - timedelta(days=days))
kinds = st.sampled_from(get_args(Kind))
queries = st.lists(st.sampled_from((*WORDS, "last week", "in May")), min_size=1, max_size=5).map(" ".join)
corpora = st.lists(
    st.builds(
        Document,
        id=st.text("abcdef", min_size=1, max_size=2),
        kind=kinds,
        text=texts,
        speaker=st.sampled_from(("", "Ana", "Ben", "花子")),
        at=moments,
        thread_id=st.sampled_from(("", "t", "u")),
        position=st.integers(0, 6),
    ),
    max_size=14,
    unique_by=lambda document: document.id,
)
searched = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def answer(index: RecallIndex, query: str) -> list[Hit]:
    return index.search(query, limit=6, now=NOW)


@searched
@given(corpus=corpora, query=queries, kind=kinds, after=moments, before=moments)
def test_hits_are_documents_that_pass_the_filters(
    embed: Embed, corpus: list[Document], query: str, kind: Kind, after: datetime | None, before: datetime | None
) -> None:
    index = RecallIndex(corpus, embed=embed)
    hits = index.search(query, limit=5, kinds=[kind], after=after, before=before, now=NOW)
    documents = [hit.document for hit in hits]
    assert len(documents) == len(set(documents)) <= 5
    for hit in hits:
        at = hit.document.at
        assert hit.document in corpus
        assert hit.document.kind == kind
        assert after is None or (at is not None and at >= after)
        assert before is None or (at is not None and at < before)
        assert 0 < hit.score <= 1


@searched
@given(corpus=corpora, query=queries, shuffled=st.randoms(use_true_random=False), cuts=st.integers(1, 5))
def test_incremental_index_equals_a_new_one(
    embed: Embed, corpus: list[Document], query: str, shuffled: Random, cuts: int
) -> None:
    mixed = list(corpus)
    shuffled.shuffle(mixed)
    index = RecallIndex(embed=embed)
    for end in range(cuts, len(mixed) + cuts, cuts):
        index.hold(mixed[:end])
        answer(index, query)
    assert len(index.documents) == len(corpus)
    assert answer(index, query) == answer(RecallIndex(corpus, embed=embed), query)


@searched
@given(corpus=corpora, query=queries, gone=st.sets(st.text("abcdef", min_size=1, max_size=2), max_size=12))
def test_index_after_removal_equals_one_without_the_document(
    embed: Embed, corpus: list[Document], query: str, gone: set[str]
) -> None:
    index = RecallIndex(corpus, embed=embed)
    answer(index, query)
    remaining = [document for document in corpus if document.id not in gone]
    index.hold(remaining)
    assert index.documents == remaining
    assert answer(index, query) == answer(RecallIndex(remaining, embed=embed), query)


@searched
@given(corpus=corpora, changed=texts, query=queries)
def test_document_with_a_known_id_is_replaced(embed: Embed, corpus: list[Document], changed: str, query: str) -> None:
    renewed = [Document(document.id, "note", changed) for document in corpus[:3]]
    index = RecallIndex(corpus, embed=embed)
    answer(index, query)
    index.hold([*corpus, *renewed])
    assert answer(index, query) == answer(RecallIndex([*renewed, *corpus[3:]], embed=embed), query)


@searched
@given(corpus=corpora, query=st.text(min_size=1, max_size=60).filter(str.strip))
def test_any_text_is_a_valid_query(corpus: list[Document], query: str) -> None:
    index = RecallIndex(corpus)
    assert index.search(query, limit=6, now=NOW) == index.search(query, limit=6, now=NOW)
