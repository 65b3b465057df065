from __future__ import annotations

import asyncio
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore
from pydantic import ValidationError

from config.errors import ConflictError, InvalidInputError, NotFoundError, StorageError
from memory.control.find_notes import best_matches, is_meant, names_something
from memory.records.conversations import Archive, ArchivedTurn
from memory.records.journal import Step, changed
from memory.records.notes import Note
from memory.records.profile import Profile
from memory.records.reading import decode_label, encode_label, user_namespace
from memory.records.repository import UserMemory
from memory.records.trips import Trip
from tests.conftest import Clock
from tests.samples import claim, note

_ids = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60)


@given(_ids)
def test_label_is_plain_and_reversible(user_id: str) -> None:
    label = encode_label(user_id)
    assert decode_label(label) == user_id
    assert label.isascii()
    assert label == label.lower()
    assert not set(label) & set(".%*?[]/\\ \x00")


@given(_ids, _ids)
def test_users_have_separate_namespaces(one: str, other: str) -> None:
    if one != other:
        assert user_namespace(one, "notes") != user_namespace(other, "notes")
        rooms = [user_namespace(user, "archive", encode_label(thread)) for user, thread in ((one, other), (other, one))]
        assert rooms[0] != rooms[1]


@pytest.mark.parametrize("user_id", ["", "x" * 201, "\ud800"])
def test_invalid_user_id_is_rejected(user_id: str) -> None:
    with pytest.raises(InvalidInputError):
        encode_label(user_id)


@pytest.fixture
def store() -> BaseStore:
    return InMemoryStore()


@pytest.fixture
def memory(store: BaseStore, clock: Clock) -> UserMemory:
    return UserMemory(store, "ana", clock=clock)


def adding(one: Note, name: str = "") -> Step:
    return Step(name or f"add:{one.id}", "user", "add", (changed(None, one),))


async def test_steps_are_written_together_and_once(memory: UserMemory) -> None:
    steps = [adding(note(f"Statement {n}")) for n in range(3)]
    assert await memory.commit(steps)
    assert not await memory.commit(steps)
    assert len(await memory.notes()) == 3
    assert [entry.seq for entry in await memory.journal()] == [1, 2, 3]
    assert await memory.revision() == 3


async def test_concurrent_writers_of_one_user_do_not_lose_steps(store: BaseStore, clock: Clock) -> None:
    memories = [UserMemory(store, "ana", clock=clock) for _ in range(20)]
    await asyncio.gather(*(m.commit([adding(note(f"Statement {n}"))]) for n, m in enumerate(memories)))
    assert [entry.seq for entry in await memories[0].journal()] == list(range(1, 21))
    assert len(await memories[0].notes()) == 20


async def test_commit_for_an_older_revision_writes_nothing(memory: UserMemory) -> None:
    await memory.commit([adding(note("One"))])
    with pytest.raises(ConflictError):
        await memory.commit([adding(note("Two"))], expected=0)
    assert [kept.text for kept in await memory.notes()] == ["One"]
    assert len(await memory.journal()) == 1


async def test_active_notes_are_listed_newest_first(memory: UserMemory, clock: Clock) -> None:
    old = note("Old", last_update_date=date(2020, 1, 1))
    new = note("New", last_update_date=date(2026, 1, 1))
    superseded = note("Gone", status="superseded")
    late = note("Late", expires_at=clock())
    await memory.commit([adding(one) for one in (old, superseded, late, new)])
    assert [one.text for one in await memory.notes()] == ["New", "Old"]
    assert {one.text for one in await memory.notes(include_inactive=True)} == {"New", "Old", "Gone", "Late"}


async def test_forgetting_leaves_no_words(memory: UserMemory, store: BaseStore) -> None:
    secret = note("I love Liechtenstein")
    grown = secret.model_copy(update={"confirmations": 2})
    await memory.commit([adding(secret), Step("again", "user", "confirm", (changed(secret, grown),))])
    await memory.forget(secret.id)
    everything = repr([item.value for item in await store.asearch((), limit=1000)])
    assert "Liechtenstein" not in everything
    assert [entry.action for entry in await memory.journal()] == ["add", "confirm", "forgotten"]
    with pytest.raises(NotFoundError, match="shows the ids"):
        await memory.forget(secret.id)


async def test_damaged_record_is_named(memory: UserMemory, store: BaseStore, caplog: pytest.LogCaptureFixture) -> None:
    await store.aput(user_namespace("ana", "notes"), "broken", {"text": "half"})
    assert await memory.notes() == []
    assert "users/ana/notes/broken" in caplog.text
    assert "half" not in caplog.text
    with pytest.raises(StorageError, match="broken"):
        await memory.note("broken")


async def test_profile_and_trips_are_stored_with_a_journal(memory: UserMemory) -> None:
    assert await memory.profile() == Profile()
    await memory.set_profile(Profile(name="Ana", currency="eur"), step="import")
    assert (await memory.profile()).currency == "EUR"
    trip = Trip(id="t", origin="Lisbon", destination="Rome", start=date(2026, 5, 2), end=date(2026, 5, 6))
    assert await memory.add_trip(trip)
    assert not await memory.add_trip(trip)
    assert await memory.trips() == [trip]
    assert [entry.action for entry in await memory.journal()] == ["profile_set", "trip_added"]


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"currency": "euro"}, "ISO 4217"),
        ({"passport_country": "Portugal"}, "ISO 3166"),
        ({"date_of_birth": "1584-01-01"}, "1900"),
        ({"seat_preference": "roof"}, "window"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_invalid_profile_is_reported_with_its_fault(values: dict[str, str], says: str) -> None:
    with pytest.raises(ValidationError, match=says):
        Profile.model_validate(values)


async def test_archive_of_a_thread_reads_in_order_and_only_its_own_turns(store: BaseStore) -> None:
    from langchain_core.messages import AIMessage, AnyMessage, HumanMessage

    archive, other = Archive(store, "ana", "t1"), Archive(store, "ana", "t10")
    for number in (10, 9, 1):
        messages: list[AnyMessage] = [
            HumanMessage(f"q{number}", id=f"q{number}"),
            AIMessage(f"a{number}", id=f"a{number}"),
        ]
        turn = ArchivedTurn(turn=number, messages=tuple(messages))
        await archive.add_turns([turn])
        await archive.add_turns([turn])
    await other.add_turns([ArchivedTurn(turn=1, messages=(HumanMessage("else", id="else"),))])
    assert [m.text for m in await archive.messages()] == ["q1", "a1", "q9", "a9", "q10", "a10"]
    await archive.clear()
    assert await archive.messages() == []
    assert len(await other.messages()) == 1


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("that I am vegetarian", ["I am vegetarian"]),
        ("what you know about my seat", ["Prefers the aisle"]),
        ("the note on hotels", ["Loves Hilton hotels", "Loves boutique hotels"]),
        ("ホテルのことを忘れて", ["静かなホテルが好きです", "プール付きのホテルが好きです"]),
        ("席", ["窓側の席が好きです"]),
        ("my hotels", ["Loves Hilton hotels", "Loves boutique hotels"]),
        ("anything about submarines", []),
        ("everything about Tom", ["Can't have eggs"]),
    ],
)
def test_notes_are_found_by_description(query: str, found: list[str]) -> None:
    notes = [
        note("I am vegetarian", topic="meal"),
        note("Prefers the aisle", topic="seat"),
        note("Loves Hilton hotels", topic="hotel"),
        note("Loves boutique hotels", topic="hotel"),
        note("静かなホテルが好きです", topic="hotel"),
        note("プール付きのホテルが好きです", topic="hotel"),
        note("窓側の席が好きです"),
        note("Can't have eggs", claim("allergy", "egg", "requires", "Tom"), topic="meal"),
    ]
    assert [one.text for one in best_matches(query, notes)] == found


@pytest.mark.parametrize(
    "query", ["that", "things about me", "what I like", "the memory", "私のこと", "好きなもの", ""]
)
def test_description_without_content_matches_no_note(query: str) -> None:
    notes = [note("I like hotels with a pool", topic="hotel"), note("私はプールが好きです", topic="hotel")]
    assert not names_something(query)
    assert best_matches(query, notes) == notes
    assert not any(is_meant(query, one) for one in notes)
