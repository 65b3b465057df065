"""Wrong arguments of the Python API: the error names the argument and what is expected."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from datetime import datetime, timedelta, timezone
from inspect import Parameter, isfunction, signature
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.store.memory import InMemoryStore

from app.api import Concierge, open_concierge
from app.api.threads import Threads
from app.api.user_memory import OwnMemory
from config.errors import ConciergeError, InvalidInputError, NotFoundError
from config.settings import Settings
from graph import Parts, build_graph
from graph.context import Context
from graph.state import Input

Make = Callable[..., Settings]
ANA: dict[str, Any] = {"user_id": "ana", "thread_id": "t"}


@pytest.fixture
async def concierge(make_settings: Make) -> AsyncIterator[Concierge]:
    async with open_concierge(make_settings(embedder="none"), store=InMemoryStore()) as opened:
        yield opened


METHODS = [
    (kind, name)
    for kind in (Concierge, Threads, OwnMemory)
    for name, method in vars(kind).items()
    if isfunction(method) and not name.startswith("_")
]


@pytest.mark.parametrize(("kind", "name"), METHODS, ids=str)
async def test_argument_of_a_wrong_type_is_named(concierge: Concierge, kind: type, name: str) -> None:
    method = getattr(concierge.memory("ana") if kind is OwnMemory else concierge, name)
    parameters = [one for one in signature(method).parameters.values() if one.kind is not Parameter.VAR_POSITIONAL]
    typed = [one.name for one in parameters if one.annotation not in ("Any", "object")]
    if typed:
        with pytest.raises(InvalidInputError, match=r"is <object") as wrong:
            method(**{one.name: object() for one in parameters})
        assert wrong.value.field == typed[0]


CALLS: list[tuple[str, Callable[[Concierge], Any]]] = [
    ("valid string", lambda one: one.send(None, **ANA)),  # type: ignore[arg-type]
    ("valid string", lambda one: one.send(5, **ANA)),  # type: ignore[arg-type]
    ("user_id is None", lambda one: one.send("hi", user_id=None, thread_id="t")),  # type: ignore[arg-type]
    ("user_id is 5", lambda one: one.memory(5)),  # type: ignore[arg-type]
    ("1 to 200 characters", lambda one: one.send("hi", user_id="", thread_id="t")),
    ("'loud'.*'paused'", lambda one: one.send("hi", memory_mode="loud", **ANA)),  # type: ignore[arg-type]
    ("idle is 5.*timedelta", lambda one: one.sweep(idle=5)),  # type: ignore[arg-type]
    ("limit is -1.*greater than 0", lambda one: one.conversations("ana", limit=-1)),
    ("limit is 0.*greater than 0", lambda one: one.history(limit=0, **ANA)),
    ("bookings is 'Keep'.*'keep'", lambda one: one.memory("ana").clear("ana", bookings="Keep")),  # type: ignore[arg-type]
    ("max_turns is 501.*500", lambda one: one.set_max_turns(501, **ANA)),
    ("query is 5", lambda one: one.memory("ana").search(5)),  # type: ignore[arg-type]
    ("no topic 'bogus'", lambda one: one.memory("ana").change_consent(deny=["bogus"])),
    ("no topic 'bogus'", lambda one: one.memory("ana").change_consent(allow=["bogus"])),
    ("both denied and allowed", lambda one: one.memory("ana").change_consent(deny=["meal"], allow=["meal"])),
    ("profile is 'x'", lambda one: one.memory("ana").set_profile("x", step="s")),  # type: ignore[arg-type]
    ("trip is None", lambda one: one.memory("ana").add_trip(None)),  # type: ignore[arg-type]
    ("key is 5", lambda one: one.memory("ana").note(5)),  # type: ignore[arg-type]
    ("words is 5", lambda one: one.memory("ana").mentions(5)),  # type: ignore[arg-type]
]


async def test_wrong_topic_changes_nothing(concierge: Concierge) -> None:
    memory = concierge.memory("ana")
    with pytest.raises(InvalidInputError, match="no topic 'bogus'"):
        await memory.change_consent(deny=["meal", "bogus"], paused=True)
    assert await memory.kept_consent() is None


async def test_history_is_read_for_its_owner_or_by_an_operator(concierge: Concierge) -> None:
    await concierge.send("hi", **ANA)
    unnamed: Any = concierge.full_history
    with pytest.raises(TypeError, match="user_id"):
        await unnamed(thread_id="t")
    assert await concierge.operator_history(thread_id="t") == await concierge.full_history(**ANA)


@pytest.mark.parametrize("made", ["now", datetime(2026, 11, 20, 9), datetime.now(timezone(timedelta(hours=1))), None])
async def test_clock_that_does_not_return_utc_is_rejected_at_startup(make_settings: Make, made: Any) -> None:
    with pytest.raises(InvalidInputError, match=r"clock= .*UTC"):
        build_graph(make_settings(), clock=lambda: made)
    with pytest.raises(InvalidInputError, match=r"clock= .*UTC"):
        async with open_concierge(make_settings(), clock=lambda: made):
            pass


@pytest.mark.parametrize(("expected", "call"), CALLS, ids=[expected for expected, _ in CALLS])
async def test_error_names_what_is_expected(
    concierge: Concierge, expected: str, call: Callable[[Concierge], Any]
) -> None:
    with pytest.raises(InvalidInputError, match=expected):
        await call(concierge)


@pytest.mark.parametrize("name", ["settings", *sorted(Parts.__optional_keys__)])
@pytest.mark.parametrize("wrong", [5, [1]], ids=str)
async def test_part_of_a_wrong_type_is_rejected_at_startup(make_settings: Make, name: str, wrong: Any) -> None:
    given: Any = {"settings": make_settings(), name: wrong}
    with pytest.raises(InvalidInputError, match=r"takes|lacks"):
        build_graph(**given)
    with pytest.raises(InvalidInputError, match=r"takes|lacks"):
        async with open_concierge(**given):
            pass


async def test_checkpointer_of_a_wrong_type_is_rejected_at_startup(make_settings: Make) -> None:
    for wrong in (True, 5):
        with pytest.raises(InvalidInputError, match="checkpointer= takes"):
            async with open_concierge(make_settings(), checkpointer=wrong):  # type: ignore[arg-type]
                pass


NO_NAMES = ["\x00", "x\x00y", "\n", "a\tb", " ", "\u202eana", "an\u200ba"]


@pytest.mark.parametrize("name", NO_NAMES, ids=ascii)
async def test_ids_with_control_or_invisible_characters_are_rejected(concierge: Concierge, name: str) -> None:
    named: Any = {"configurable": {"thread_id": name}}
    calls: list[Callable[[], Any]] = [
        lambda: concierge.send("hi", user_id="ana", thread_id=name),
        lambda: concierge.send("hi", user_id=name, thread_id="t"),
        lambda: concierge.set_remembered(False, user_id="ana", thread_id=name),
        lambda: concierge.graph.ainvoke(Input(messages=[HumanMessage("hi")]), named, context=Context(user_id="ana")),
    ]
    for call in calls:
        with pytest.raises(InvalidInputError, match="control or invisible"):
            await call()
    assert await concierge.conversations("ana") == []


async def test_existing_conversation_under_such_an_id_continues_and_can_be_deleted(concierge: Concierge) -> None:
    await concierge.send("I love banjo concerts.", end_session=True, **ANA)
    saver = concierge.graph.checkpointer
    assert isinstance(saver, BaseCheckpointSaver)
    await saver.acopy_thread("t", "x\x00y")
    old: dict[str, Any] = {"user_id": "ana", "thread_id": "x\x00y"}
    assert (await concierge.send("hi", **old)).stop_reason == "answered"
    report = await concierge.memory("bob").import_(await concierge.memory("ana").export())
    assert (report.notes, [one.id for one in report.blocked]) == (1, [repr(old["thread_id"])])
    await concierge.memory("ana").clear("ana")
    with pytest.raises(NotFoundError):
        await concierge.history(**old)


async def test_ids_in_any_script_are_accepted(concierge: Concierge) -> None:
    for name in ("山田\u3000太郎", "ünï", "a b", "'; drop table--", "é" * 200):
        assert (await concierge.send("hi", user_id=name, thread_id=f"{name[:190]} 1")).text


ERRORS: list[Callable[[Concierge], Any]] = [
    lambda one: one.memory("ana").note("none"),
    lambda one: one.memory("ana").history("none"),
    lambda one: one.memory("ana").undo("none"),
    lambda one: one.memory("ana").import_({"format": "other"}),
    lambda one: one.memory("ana").edit("none", pinned=True),
]


@pytest.mark.parametrize("call", ERRORS)
async def test_errors_do_not_mention_the_command_line(concierge: Concierge, call: Callable[[Concierge], Any]) -> None:
    with pytest.raises(ConciergeError) as wrong:
        await call(concierge)
    assert "`concierge" not in str(wrong.value)
