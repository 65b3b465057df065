"""The synchronous API: it has every method of the asynchronous one, and works within a running event loop."""

import asyncio
import inspect
from collections.abc import Callable

import pytest

from app.api import Reply, Token, open_concierge_sync
from app.api.concierge import Concierge
from app.api.user_memory import OwnMemory
from config.errors import AccessDeniedError, StorageError
from config.settings import Settings
from memory.records.repository import UserMemory
from travel.booking.ledger import Bookings


def test_sync_api_is_complete_and_has_no_coroutines(make_settings: Callable[..., Settings]) -> None:
    with open_concierge_sync(make_settings()) as concierge:
        memory, shared = concierge.memory("ana"), concierge.shared("family", user_id="ana")
        fronts = [
            (concierge, Concierge),
            (memory, OwnMemory),
            (shared, UserMemory),
            (concierge.bookings("ana"), Bookings),
        ]
        for front, kind in fronts:
            public = {name for name in dir(kind) if name[0] != "_"}
            assert public <= set(dir(front))
            coroutines = [name for name in public if _is_async(getattr(front, name))]
            assert coroutines == []
        assert shared.notes() == []
        assert memory.user_id == "ana"


def _is_async(value: object) -> bool:
    return inspect.iscoroutinefunction(value) or inspect.isasyncgenfunction(value)


def test_answer_is_streamed_in_tokens(make_settings: Callable[..., Settings]) -> None:
    with open_concierge_sync(make_settings()) as concierge:
        *pieces, reply = concierge.stream("hello", user_id="ana", thread_id="t")
        assert isinstance(reply, Reply)
        assert "".join(one.text for one in pieces if isinstance(one, Token)).strip() == reply.text
        assert [entry.role for entry in concierge.history(user_id="ana", thread_id="t")] == ["user", "assistant"]


def test_closing_a_stream_early_cancels_the_turn(make_settings: Callable[..., Settings]) -> None:
    with open_concierge_sync(make_settings()) as concierge:
        pieces = concierge.stream("hello", user_id="ana", thread_id="t")
        next(pieces)
        pieces.close()
        assert concierge.send("hello again", user_id="ana", thread_id="t").text


def test_errors_are_raised_unchanged(make_settings: Callable[..., Settings]) -> None:
    with open_concierge_sync(make_settings()) as concierge:
        concierge.send("hello", user_id="ana", thread_id="t")
        with pytest.raises(AccessDeniedError):
            concierge.send("hello", user_id="eve", thread_id="t")
        with pytest.raises(AccessDeniedError):
            list(concierge.stream("hello", user_id="eve", thread_id="t"))


def test_use_after_close_raises_a_storage_error(make_settings: Callable[..., Settings]) -> None:
    with open_concierge_sync(make_settings()) as concierge:
        memory = concierge.memory("ana")
    for use in (
        lambda: concierge.send("hello", user_id="ana", thread_id="t"),
        lambda: list(concierge.stream("hello", user_id="ana", thread_id="t")),
        memory.notes,
    ):
        with pytest.raises(StorageError, match="It was closed; open it again"):
            use()


def test_bookings_are_available(make_settings: Callable[..., Settings]) -> None:
    with open_concierge_sync(make_settings()) as concierge:
        assert concierge.bookings("ana").all() == []
        assert callable(concierge.bookings("ana").refund)


async def test_it_works_within_a_running_event_loop(make_settings: Callable[..., Settings]) -> None:
    assert asyncio.get_running_loop().is_running()
    with open_concierge_sync(make_settings()) as concierge:
        assert concierge.send("hello", user_id="ana", thread_id="t").text
        assert concierge.memory("ana").notes() == []
