"""The graph as callers get it: who may run it on a thread, what they may send, and that masked before it is kept."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, aclosing
from dataclasses import fields, replace
from types import NoneType
from typing import Any, Self
from uuid import NAMESPACE_URL, uuid5

from langchain_core.messages import AIMessage, BaseMessage, convert_to_messages
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import merge_configs
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple
from langgraph.graph import END
from langgraph.graph.state import CompiledStateGraph
from langgraph.store.base import BaseStore
from langgraph.types import Command

from config.errors import InvalidInputError, SetupError
from config.explain import did_you_mean
from graph.context import Context
from graph.state import Input, Output, State
from memory.policy import verdict_key
from memory.policy.redact import Masking
from memory.records.reading import check_id, encode_label
from nodes.services import Services, check_owner, speaker
from stores.checkpoints.runs import handed
from stores.locks import exclusive_lock, is_held

_OWNER = "concierge_owner"
"""Under what a checkpoint's metadata names the user of the run that wrote it."""

STATELESS = "concierge_stateless"
"""Under what the metadata of a run says that its thread is deleted behind it."""

_THREAD = "thread/"
"""How the names of locks on threads begin."""

_INTERRUPTED = "__interrupt__"
"""Under what a checkpoint keeps the questions that wait for an answer."""


class GuardedGraph(CompiledStateGraph[State, Context, Input, Output]):
    """A compiled graph that lets nobody but its owner into a thread, and masks what it is given.

    LangGraph keeps an input, and an answer to an interrupt, as it came before any node runs: none could refuse or mask
    it in time. A run raises AccessDeniedError on another user's thread, where it changes nothing; a command that is
    more than an answer, and an update of a thread's owner, raise InvalidInputError.
    """

    def __init__(self, *, services: Services, **parts: Any) -> None:
        super().__init__(**parts)
        self.services = services

    @classmethod
    def of(cls, graph: CompiledStateGraph[State, Context, Input, Output], services: Services) -> Self:
        """Return `graph` with its guard."""
        parts = {name: value for name, value in vars(graph).items() if name not in ("__orig_class__", "services")}
        return cls(services=services, **parts)

    def stream(self, *_: Any, **__: Any) -> Any:
        """Raise SetupError: the steps are asynchronous, and LangGraph would keep the input before it finds that out."""
        raise SetupError("The graph runs asynchronously. Use `ainvoke` or `astream`, or `open_concierge_sync`.")

    async def astream(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """Run the graph on the `input` if it may be."""
        check_input(None if isinstance(input, Command) else input)
        whole = merge_configs(self.config, config)
        user = self._speaker(whole, check_context(kwargs.get("context")))
        check_command(input)
        masking = asyncio.get_running_loop().run_in_executor(None, _masked, input)  # while the thread is read
        kept = await self._read(whole)
        _check_new(whole, kept, user)
        given, may_answer = await masking
        given = _admitted(given, kept, user, whole.get("run_id"))
        if may_answer and (before := _last_answer(kept)):
            given, _ = await asyncio.to_thread(_masked, given, before)
        parts: Any = super().astream(given, handed(_stamped(config, user), kept[-1:]), **kwargs)
        async with aclosing(parts):
            async for part in parts:
                yield part

    def bulk_update_state(self, config: RunnableConfig, supersteps: Any) -> RunnableConfig:
        """Apply the masked updates."""
        saver = self.checkpointer
        kept = [saver.get_tuple(at) for at in _places(config)[:1]] if isinstance(saver, BaseCheckpointSaver) else []
        return super().bulk_update_state(config, _checked_updates(supersteps, config, kept))

    async def abulk_update_state(self, config: RunnableConfig, supersteps: Any) -> RunnableConfig:
        """Apply the masked updates."""
        kept = (await self._read(config))[:1]
        return await super().abulk_update_state(config, _checked_updates(supersteps, config, kept))

    async def _read(self, config: RunnableConfig) -> list[CheckpointTuple | None]:
        saver = self.checkpointer
        return [await saver.aget_tuple(at) for at in _places(config)] if isinstance(saver, BaseCheckpointSaver) else []

    def _speaker(self, config: RunnableConfig, context: Context | None) -> str | None:
        """Return whose run it is, as `Run.of` finds it out in a node."""
        named = config.get("configurable", {})
        signed_in = named.get("langgraph_auth_user")
        # Without an identity of its own it is the client's word.
        known = signed_in if hasattr(signed_in, "identity") else None
        return speaker(known, context.user_id if context else named.get("user_id"), self.services.settings)


def _check_new(config: RunnableConfig, kept: Sequence[CheckpointTuple | None], user: str | None = None) -> None:
    """Refuse to begin a thread whose id, or whose user's, is none; one that is kept goes on."""
    for name in () if any(kept) else filter(None, (config.get("configurable", {}).get("thread_id"), user)):
        check_id(str(name))


def _admitted(given: Any, kept: Sequence[CheckpointTuple | None], user: str | None, run_id: object) -> Any:
    """Return the input of a run that may be; `kept` are the thread's checkpoints that it starts from."""
    found = [one for one in kept if one]
    for one in found:
        check_owner(owner_of(one.checkpoint["channel_values"], one.metadata), user)
    waiting = any(channel == _INTERRUPTED for one in found[:1] for _, channel, _ in one.pending_writes or ())
    if isinstance(given, Command) and given.resume is None and waiting:
        return Command(resume="reject")  # LangGraph would ask the same again
    if run_id and isinstance(given, Mapping) and given.get("messages"):
        return {**given, "messages": _said_once(given["messages"], run_id, found)}
    return given


def _said_once(said: Any, run_id: object, kept: Sequence[CheckpointTuple]) -> list[Any]:
    """Return messages named after their run, but those it said already: a server runs again what a crash cut short."""
    known = {one.id for place in kept for one in place.checkpoint["channel_values"].get("messages", ())}
    given: list[Any] = []
    for number, one in enumerate(said if isinstance(said, list) else [said]):
        name = str(uuid5(NAMESPACE_URL, f"{run_id}/{number}"))
        if isinstance(one, Sequence):
            role, content = ("user", one) if isinstance(one, str) else one
            one = {"role": role, "content": content}
        if not (one.get("id") if isinstance(one, dict) else one.id):
            if name in known:
                continue
            one = {**one, "id": name} if isinstance(one, dict) else one.model_copy(update={"id": name})
        given.append(one)
    return given


def one_run(store: BaseStore, thread_id: str) -> AbstractAsyncContextManager[None]:
    """Allow one run at a time on a thread, by all ways in and in all processes: two would lose messages."""
    return exclusive_lock(store, f"{_THREAD}{encode_label(thread_id)}")


def is_any_running() -> bool:
    """Return whether this process runs anything on any thread."""
    return is_held(_THREAD)


def owner_of(values: Mapping[str, Any], metadata: Mapping[str, Any] | None) -> str:
    """Return whose thread it is by the state and the metadata of its checkpoint, as state names users; else nothing."""
    return str(values.get("owner") or (metadata or {}).get(_OWNER) or "")


def _stamped(config: RunnableConfig | None, user: str | None) -> RunnableConfig | None:
    """Return the configuration of a run with its user, so that a first turn cut short has an owner already.

    `merge_configs` would add what is set around the run, as by a LangGraph server for its own store.
    """
    given = config or {}
    return {**given, "metadata": {**given.get("metadata", {}), _OWNER: encode_label(user)}} if user else config


def _places(config: RunnableConfig) -> list[RunnableConfig]:
    """Return where to read a thread before a run: at its end, and at the checkpoint that is replayed if one is."""
    named = config.get("configurable", {})
    if "thread_id" not in named:
        return []
    latest: RunnableConfig = {"configurable": {"thread_id": named["thread_id"], "checkpoint_ns": ""}}
    if not named.get("checkpoint_id"):
        return [latest]
    return [latest, {"configurable": {**latest["configurable"], "checkpoint_id": named["checkpoint_id"]}}]


def check_context(given: Any) -> Context | None:
    """Return the context of a run, where it has one. Raises InvalidInputError for what is none."""
    if isinstance(given, Mapping):
        check_names("context", given, [field.name for field in fields(Context)])
        given = Context(**given)
    if not isinstance(given, Context | None):
        raise InvalidInputError(f"The context must be an object, such as {{'user_id': 'ana'}}, not {given!r}.")
    return given.checked() if given else None


def check_input(given: Any) -> list[BaseMessage]:
    """Return the messages of an input, where there is one. Raises InvalidInputError for what is none."""
    if given is None:
        return []
    if not isinstance(given, Mapping):
        raise InvalidInputError("input must be an object, such as {'messages': 'Hello'}.")
    check_names("input", given, Input.__annotations__)
    if not isinstance(given.get("end_session", False), bool):
        raise InvalidInputError("input.end_session must be true or false.")
    said = given.get("messages", [])
    try:
        return convert_to_messages(said if isinstance(said, list) else [said])
    except (ValueError, NotImplementedError, TypeError, KeyError):
        raise InvalidInputError("input.messages must be texts or {'role': 'user', 'content': 'Hello'}.") from None


def check_names(where: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Raise InvalidInputError for a name that is not among those known."""
    for name in given:
        if name not in known:
            raise InvalidInputError(
                f"There is no {where}.{name}.{did_you_mean(name, known)} There are: {', '.join(known)}."
            )


def check_command(given: Any) -> None:
    """Refuse a command that is more than an answer to a question, or its dismissal (`goto` the end)."""
    if not isinstance(given, Command):
        return
    goto = given.goto if isinstance(given.goto, list | tuple) else [given.goto]
    if given.update or given.graph or any(place != END for place in goto if place):
        raise InvalidInputError(
            "A command may answer what waits (resume) or dismiss it (goto the end), and nothing else. "
            "Send messages as the input of a run."
        )


def _checked_updates(supersteps: Any, config: RunnableConfig, kept: Sequence[CheckpointTuple | None]) -> Any:
    """Return updates of the state, masked. Raises InvalidInputError for a command, and for a change of the owner."""
    _check_new(config, kept)
    owner = next((one.checkpoint["channel_values"].get("owner") for one in kept if one), None)
    for values in (update[0] for superstep in supersteps for update in superstep):
        named = dict(values).get("owner", owner) if isinstance(values, Mapping) else owner
        if not isinstance(values, Mapping | NoneType) or (owner and named != owner):
            raise InvalidInputError(
                "An update holds plain values, and can't change who owns a thread. Nothing was done."
            )
    return _masked(supersteps)[0]


def _masked(given: Any, before: str = "") -> tuple[Any, bool]:
    """Return `given` masked, and whether it holds what may be an answer to something said before it.

    The first call reads files, and a long text takes a while, so the event loop may not wait for it.
    """
    verdict_key("")
    masking = Masking(before)
    if isinstance(given, Command):
        return replace(given, resume=masking.masked(given.resume)), masking.is_open
    return masking.masked(given), masking.is_open


def _last_answer(kept: Sequence[CheckpointTuple | None]) -> str:
    """Return what the concierge said last where a run starts."""
    messages = next((one.checkpoint["channel_values"].get("messages", ()) for one in reversed(kept) if one), ())
    said = (str(message.text) for message in reversed(messages) if isinstance(message, AIMessage))
    return next((text for text in said if text.strip()), "")
