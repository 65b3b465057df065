"""Offers the concierge without `await`, for scripts and notebooks, on a loop of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Generator, Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager, contextmanager
from functools import partial, wraps
from queue import Queue
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar

from anyio.from_thread import BlockingPortal, start_blocking_portal

from app.api.concierge import Concierge
from app.api.opening import open_concierge
from app.api.user_memory import OwnMemory
from memory.events import Listener
from memory.records.repository import UserMemory
from travel.booking.ledger import Bookings

if TYPE_CHECKING:
    from graph.builder import ConciergeGraph


P = ParamSpec("P")
T = TypeVar("T")
A = TypeVar("A")
A_co = TypeVar("A_co", covariant=True)

_END: Any = object()


class Blocking(Generic[A_co]):
    """An async object whose methods run on the loop of `portal`, which is another thread's.

    A caller may have a running loop of its own, as a notebook has; it is blocked until the method is done.
    """

    def __init__(self, target: A_co, portal: BlockingPortal) -> None:
        self._target = target
        self._portal = portal


def blocking(method: Callable[Concatenate[A, P], Coroutine[Any, Any, T]]) -> Callable[Concatenate[Blocking[A], P], T]:
    """Make a method that waits for the coroutine method of this name."""

    @wraps(method)
    def call(self: Blocking[A], /, *args: P.args, **kwargs: P.kwargs) -> T:
        result: T = self._portal.call(partial(getattr(self._target, method.__name__), *args, **kwargs))
        return result

    return call


def blocking_iterator(
    method: Callable[Concatenate[A, P], AsyncIterator[T]],
) -> Callable[Concatenate[Blocking[A], P], Generator[T, None, None]]:
    """Make a method that iterates over what `method` yields; closing the iterator early cancels `method`."""

    @wraps(method)
    def iterate(self: Blocking[A], /, *args: P.args, **kwargs: P.kwargs) -> Generator[T, None, None]:
        items: Queue[T] = Queue()

        async def fill() -> None:
            try:
                async for item in method(self._target, *args, **kwargs):
                    items.put(item)
            finally:
                items.put(_END)

        # One task for the whole iteration: context variables that `method` sets must hold from item to item.
        task = self._portal.start_task_soon(fill)
        try:
            yield from iter(items.get, _END)
            task.result()
        finally:
            task.cancel()

    return iterate


M_co = TypeVar("M_co", bound=UserMemory, covariant=True)


class SyncBookings(Blocking[Bookings]):
    """`Bookings` without `await`."""

    all = blocking(Bookings.all)
    find = blocking(Bookings.find)
    hold = blocking(Bookings.hold)
    book = blocking(Bookings.book)
    change = blocking(Bookings.change)
    cancel = blocking(Bookings.cancel)
    add_bags = blocking(Bookings.add_bags)
    choose_seats = blocking(Bookings.choose_seats)
    bag_price = blocking(Bookings.bag_price)
    seat_price = blocking(Bookings.seat_price)
    benefits = blocking(Bookings.benefits)

    def __init__(self, target: Bookings, portal: BlockingPortal) -> None:
        super().__init__(target, portal)
        self.refund = target.refund
        self.change_cost = target.change_cost
        self.check_ahead = target.check_ahead


class _SyncRecords(Blocking[M_co]):
    notes = blocking(UserMemory.notes)
    note = blocking(UserMemory.note)
    search = blocking(UserMemory.search)
    profile = blocking(UserMemory.profile)
    set_profile = blocking(UserMemory.set_profile)
    trips = blocking(UserMemory.trips)
    add_trip = blocking(UserMemory.add_trip)
    episodes = blocking(UserMemory.episodes)
    forget_episodes = blocking(UserMemory.forget_episodes)
    journal = blocking(UserMemory.journal)
    forget = blocking(UserMemory.forget)
    forget_note = blocking(UserMemory.forget_note)
    mentions = blocking(UserMemory.mentions)
    forget_mentions = blocking(UserMemory.forget_mentions)
    erasures = blocking(UserMemory.erasures)
    consent = blocking(UserMemory.consent)
    set_consent = blocking(UserMemory.set_consent)
    change_consent = blocking(UserMemory.change_consent)

    def __init__(self, target: M_co, portal: BlockingPortal) -> None:
        super().__init__(target, portal)
        self.user_id = target.user_id


class SyncShared(_SyncRecords[UserMemory]):
    """What the members of a workspace share, without `await`."""


class SyncMemory(_SyncRecords[OwnMemory]):
    """`OwnMemory` without `await`."""

    snapshot = blocking(OwnMemory.snapshot)
    edit = blocking(OwnMemory.edit)
    edit_profile = blocking(OwnMemory.edit_profile)
    conflicts = blocking(OwnMemory.conflicts)
    history = blocking(OwnMemory.history)
    undo = blocking(OwnMemory.undo)
    restore = blocking(OwnMemory.restore)
    retire = blocking(OwnMemory.retire)
    finish_forgetting = blocking(OwnMemory.finish_forgetting)
    reach = blocking(OwnMemory.reach)
    change_topics = blocking(OwnMemory.change_topics)
    report = blocking(OwnMemory.report)
    set_aside = blocking(OwnMemory.set_aside)
    topics = blocking(OwnMemory.topics)
    pause = blocking(OwnMemory.pause)
    resume = blocking(OwnMemory.resume)
    deny = blocking(OwnMemory.deny)
    allow = blocking(OwnMemory.allow)
    clear = blocking(OwnMemory.clear)
    export = blocking(OwnMemory.export)
    import_ = blocking(OwnMemory.import_)


class SyncConcierge(Blocking[Concierge]):
    """`Concierge` without `await`."""

    send = blocking(Concierge.send)
    stream = blocking_iterator(Concierge.stream)
    resume = blocking(Concierge.resume)
    stream_resume = blocking_iterator(Concierge.stream_resume)
    ask_again = blocking(Concierge.ask_again)
    end_session = blocking(Concierge.end_session)
    recall = blocking(Concierge.recall)
    sweep = blocking(Concierge.sweep)
    history = blocking(Concierge.history)
    full_history = blocking(Concierge.full_history)
    running = blocking(Concierge.running)
    waiting = blocking(Concierge.waiting)
    standing = blocking(Concierge.standing)
    staged_notes = blocking(Concierge.staged_notes)
    edit_staged = blocking(Concierge.edit_staged)
    pop_last_turn = blocking(Concierge.pop_last_turn)
    drop_unfinished_turn = blocking(Concierge.drop_unfinished_turn)
    clear_thread = blocking(Concierge.clear_thread)
    drop_thread = blocking(Concierge.drop_thread)
    clean = blocking(Concierge.clean)
    damaged = blocking(Concierge.damaged)
    set_max_turns = blocking(Concierge.set_max_turns)
    set_remembered = blocking(Concierge.set_remembered)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener`, on the concierge's own thread, with every event of every memory; see `Concierge`."""
        return self._target.subscribe(listener)

    @property
    def graph(self) -> ConciergeGraph:
        """Return the compiled graph; its nodes are async."""
        return self._target.graph

    def memory(self, user_id: str) -> SyncMemory:
        """Return the memory of one user."""
        return SyncMemory(self._target.memory(user_id), self._portal)

    def shared(self, workspace: str, *, user_id: str) -> SyncShared:
        """Return what the members of a workspace share. Raises AccessDeniedError where the user is not one."""
        return SyncShared(self._portal.call(partial(self._target.shared, workspace, user_id=user_id)), self._portal)

    def bookings(self, user_id: str) -> SyncBookings:
        """Return what one user has booked. Raises SetupError where travel is switched off."""
        return SyncBookings(self._target.bookings(user_id), self._portal)


def _blocking_opening(
    opening: Callable[P, AbstractAsyncContextManager[Concierge]],
) -> Callable[P, AbstractContextManager[SyncConcierge]]:
    @contextmanager
    @wraps(opening)
    def opened(*args: P.args, **kwargs: P.kwargs) -> Iterator[SyncConcierge]:
        context = opening(*args, **kwargs)
        with start_blocking_portal() as portal, portal.wrap_async_context_manager(context) as concierge:
            yield SyncConcierge(concierge, portal)

    return opened


open_concierge_sync = _blocking_opening(open_concierge)
"""Open a concierge for code that does not `await`, on an event loop of its own; see `open_concierge`."""
