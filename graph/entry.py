"""The compiled graph with access control: checks who may use a thread and what they send, and masks input."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, aclosing, nullcontext
from dataclasses import fields
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
from graph.masking import masked_input
from graph.shortening import shortened, without_margin
from graph.state import Input, Output, State
from memory.records.reading import check_id, encode_label
from nodes.approve import is_approval
from nodes.messages.citations import unmarked
from nodes.services import Services, check_owner, speaker
from stores.checkpoints.base import handed
from stores.locks import exclusive_lock, is_held

_OWNER = "concierge_owner"
"""Metadata key of a checkpoint: the user whose run wrote it."""

STATELESS = "concierge_stateless"
"""Metadata key of a run whose thread is deleted after it."""

_THREAD = "thread/"
"""Prefix of the names of thread locks."""

_INTERRUPTED = "__interrupt__"
"""Channel of a checkpoint's pending writes that holds the interrupts without an answer."""

_Checkpoints = Sequence[CheckpointTuple | None]


class GuardedGraph(CompiledStateGraph[State, Context, Input, Output]):
    """A compiled graph that admits only the owner to a thread, and masks its input.

    LangGraph stores an input, and the answer to an interrupt, before any node runs, so no node could refuse or mask it
    in time. A run on another user's thread raises AccessDeniedError and changes nothing. A command that does more than
    answer an interrupt, and an update that changes the owner of a thread, raise InvalidInputError.
    """

    def __init__(self, *, services: Services, **parts: Any) -> None:
        super().__init__(**parts)
        self.services = services

    @classmethod
    def of(cls, graph: CompiledStateGraph[State, Context, Input, Output], services: Services) -> Self:
        """Wrap a compiled graph."""
        parts = {name: value for name, value in vars(graph).items() if name not in ("__orig_class__", "services")}
        return cls(services=services, **parts)

    def stream(self, *_: Any, **__: Any) -> Any:
        """Raise SetupError: the nodes are async, and LangGraph would store the input before it noticed."""
        raise SetupError("The graph runs asynchronously. Use `ainvoke` or `astream`, or `open_concierge_sync`.")

    async def astream(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """Check and mask the `input`, then run the graph on it once other runs on the thread have ended.

        Raises:
            ConflictError: this task reads the stream of another run on the thread and has not read it to its end.
            SetupError: the graph runs as a node of another graph.
        """
        thread_id = merge_configs(self.config, config).get("configurable", {}).get("thread_id")
        lock = one_run(self.store, str(thread_id)) if self.store and thread_id else nullcontext()
        async with lock, aclosing(self.astream_unlocked(input, config, **kwargs)) as chunks:
            async for chunk in chunks:
                yield chunk

    async def astream_unlocked(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """Like `astream`, for a caller that holds the lock of the thread."""
        given, limit = input, self.services.settings.max_message_chars
        if not isinstance(input, Command):
            given = shortened(input, check_input(input), limit)
        merged = merge_configs(self.config, config)
        _check_named(merged)
        user = self._speaker(merged, kwargs.get("context"))
        check_command(input)
        masking = asyncio.get_running_loop().run_in_executor(None, masked_input, given)  # while the thread is read
        checkpoints = await self._read(merged)
        _check_new_thread(merged, checkpoints, user)
        masked, may_answer = await masking
        masked = _authorized(masked, checkpoints, user, merged.get("run_id"))
        _check_not_nested(merged)
        if may_answer and (question := _last_answer(checkpoints)):
            masked, _ = await asyncio.to_thread(masked_input, masked, question)
        if given is not input:
            masked = without_margin(masked, limit)
        chunks: Any = super().astream(masked, handed(_with_owner(config, user), checkpoints[-1:]), **kwargs)
        async with aclosing(chunks):
            async for chunk in unmarked(chunks):
                yield chunk

    def bulk_update_state(self, config: RunnableConfig, supersteps: Any) -> RunnableConfig:
        """Check and mask the updates, then apply them."""
        saver, configs = self.checkpointer, _checkpoint_configs(config)[:1]
        latest = [saver.get_tuple(at) for at in configs] if isinstance(saver, BaseCheckpointSaver) else []
        return super().bulk_update_state(config, _checked_updates(supersteps, config, latest))

    async def abulk_update_state(self, config: RunnableConfig, supersteps: Any) -> RunnableConfig:
        """Check and mask the updates, then apply them."""
        latest = (await self._read(config))[:1]
        checked = await asyncio.to_thread(_checked_updates, supersteps, config, latest)
        return await super().abulk_update_state(config, checked)

    async def _read(self, config: RunnableConfig) -> list[CheckpointTuple | None]:
        saver, configs = self.checkpointer, _checkpoint_configs(config)
        return [await saver.aget_tuple(at) for at in configs] if isinstance(saver, BaseCheckpointSaver) else []

    def _speaker(self, config: RunnableConfig, given: Any) -> str | None:
        """Return the user of a run with the context `given`, by the same rules as `Run.of` in a node."""
        configurable = config.get("configurable", {})
        context = check_context(given) or Context.of(configurable).checked()
        signed_in = configurable.get("langgraph_auth_user")
        # A client can send this key too, but no object with an `identity`.
        trusted = signed_in if hasattr(signed_in, "identity") else None
        return speaker(trusted, context.user_id, self.services.settings)


def _check_named(config: RunnableConfig) -> None:
    """Raise SetupError if the run names no thread."""
    if not config.get("configurable", {}).get("thread_id"):
        raise SetupError(
            "This run names no conversation. Compile the graph with checkpointer=... and pass "
            "config={'configurable': {'thread_id': ...}}, or use open_concierge()."
        )


def _check_new_thread(config: RunnableConfig, checkpoints: _Checkpoints, user: str | None = None) -> None:
    """Raise InvalidInputError if a new thread, or its user, has an invalid id; ids of existing threads stay valid."""
    if not any(checkpoints):
        for name in filter(None, (config.get("configurable", {}).get("thread_id"), user)):
            check_id(str(name))


def _authorized(given: Any, checkpoints: _Checkpoints, user: str | None, run_id: object) -> Any:
    """Return the input of a run that starts from these checkpoints. Raises AccessDeniedError for a foreign thread."""
    existing = [checkpoint for checkpoint in checkpoints if checkpoint]
    for one in existing:
        check_owner(owner_of(one.checkpoint["channel_values"], one.metadata), user)
    if isinstance(given, Command) and given.resume is None and any(map(is_approval, _questions(existing[:1]))):
        return Command(resume="reject")  # LangGraph would ask the same question again
    if run_id and isinstance(given, Mapping) and given.get("messages"):
        return {**given, "messages": _deduplicated(given["messages"], run_id, existing)}
    return given


def _check_not_nested(config: RunnableConfig) -> None:
    """Raise SetupError if the run is a node of another graph, which has a checkpoint namespace."""
    if config.get("configurable", {}).get("checkpoint_ns"):
        raise SetupError(
            "The concierge can't be a node of another graph: that graph would store its messages unmasked, where "
            "forgetting does not reach. Write a node that calls it, with a thread_id of its own in the config."
        )


def _questions(checkpoints: Sequence[CheckpointTuple]) -> list[Any]:
    """Return the values of the interrupts that wait for an answer."""
    writes = [write for one in checkpoints for write in one.pending_writes or ()]
    return [one.value for _, channel, interrupts in writes if channel == _INTERRUPTED for one in interrupts]


def _deduplicated(messages: Any, run_id: object, checkpoints: Sequence[CheckpointTuple]) -> list[Any]:
    """Return messages with ids made from the run's, without stored ones: a server restarts a run after a crash."""
    stored = {message.id for one in checkpoints for message in one.checkpoint["channel_values"].get("messages", ())}
    new: list[Any] = []
    for number, message in enumerate(messages if isinstance(messages, list) else [messages]):
        message_id = str(uuid5(NAMESPACE_URL, f"{run_id}/{number}"))
        if isinstance(message, Sequence):
            role, content = ("user", message) if isinstance(message, str) else message
            message = {"role": role, "content": content}
        if not (message.get("id") if isinstance(message, dict) else message.id):
            if message_id in stored:
                continue
            update = {"id": message_id}
            message = {**message, **update} if isinstance(message, dict) else message.model_copy(update=update)
        new.append(message)
    return new


def one_run(store: BaseStore, thread_id: str) -> AbstractAsyncContextManager[None]:
    """Lock a thread for one run at a time, across entry points and processes: concurrent runs would lose messages."""
    return exclusive_lock(store, f"{_THREAD}{encode_label(thread_id)}")


def is_any_running() -> bool:
    """Return whether this process is running any thread."""
    return is_held(_THREAD)


def owner_of(values: Mapping[str, Any], metadata: Mapping[str, Any] | None) -> str:
    """Return the encoded owner of a thread, from the state or the metadata of its checkpoint; empty if it has none."""
    return str(values.get("owner") or (metadata or {}).get(_OWNER) or "")


def _with_owner(config: RunnableConfig | None, user: str | None) -> RunnableConfig | None:
    """Add the user to the metadata of a run, so that a thread has an owner even if its first turn is cut short.

    `merge_configs` would also merge the ambient configuration, such as what a LangGraph server sets for its own store.
    """
    given = config or {}
    return {**given, "metadata": {**given.get("metadata", {}), _OWNER: encode_label(user)}} if user else config


def _checkpoint_configs(config: RunnableConfig) -> list[RunnableConfig]:
    """Return configs to read the latest checkpoint of a thread and, if the run replays one, that checkpoint."""
    configurable = config.get("configurable", {})
    if "thread_id" not in configurable:
        return []
    latest: RunnableConfig = {"configurable": {"thread_id": configurable["thread_id"], "checkpoint_ns": ""}}
    if not configurable.get("checkpoint_id"):
        return [latest]
    return [latest, {"configurable": {**latest["configurable"], "checkpoint_id": configurable["checkpoint_id"]}}]


def check_context(given: Any) -> Context | None:
    """Return the context of a run, or None if it has none. Raises InvalidInputError if the context is invalid."""
    if isinstance(given, Mapping):
        check_names("context", given, [field.name for field in fields(Context)])
        given = Context(**given)
    if not isinstance(given, Context | None):
        raise InvalidInputError(f"The context must be an object, such as {{'user_id': 'ana'}}, not {given!r}.")
    return given.checked() if given else None


def check_input(given: Any) -> list[BaseMessage]:
    """Return the messages of an input; None has none. Raises InvalidInputError if the input is invalid."""
    if given is None:
        return []
    if not isinstance(given, Mapping):
        raise InvalidInputError("input must be an object, such as {'messages': 'Hello'}.")
    check_names("input", given, Input.__annotations__)
    if not isinstance(given.get("end_session", False), bool):
        raise InvalidInputError("input.end_session must be true or false.")
    messages = given.get("messages", [])
    try:
        return convert_to_messages(messages if isinstance(messages, list) else [messages])
    except (ValueError, NotImplementedError, TypeError, KeyError):
        raise InvalidInputError("input.messages must be texts or {'role': 'user', 'content': 'Hello'}.") from None


def check_names(where: str, names: Iterable[str], known: Iterable[str]) -> None:
    """Raise InvalidInputError for a name that is not in `known`."""
    for name in names:
        if name not in known:
            raise InvalidInputError(
                f"There is no {where}.{name}.{did_you_mean(name, known)} There are: {', '.join(known)}."
            )


def check_command(given: Any) -> None:
    """Raise InvalidInputError unless a command only answers an interrupt, or dismisses it (`goto` the end)."""
    if not isinstance(given, Command):
        return
    goto = given.goto if isinstance(given.goto, list | tuple) else [given.goto]
    if given.update or given.graph or any(node != END for node in goto if node):
        raise InvalidInputError(
            "A command may answer what waits (resume) or dismiss it (goto the end), and nothing else. "
            "Send messages as the input of a run."
        )


def _checked_updates(supersteps: Any, config: RunnableConfig, latest: _Checkpoints) -> Any:
    """Return updates of the state, masked. Raises InvalidInputError for a command, and for a change of the owner."""
    _check_new_thread(config, latest)
    owner = next((one.checkpoint["channel_values"].get("owner") for one in latest if one), None)
    for values in (update[0] for superstep in supersteps for update in superstep):
        new_owner = dict(values).get("owner", owner) if isinstance(values, Mapping) else owner
        if not isinstance(values, Mapping | NoneType) or (owner and new_owner != owner):
            raise InvalidInputError(
                "An update holds plain values, and can't change who owns a thread. Nothing was done."
            )
    return masked_input(supersteps)[0]


def _last_answer(checkpoints: _Checkpoints) -> str:
    """Return the last text of the concierge before the run."""
    messages = next((one.checkpoint["channel_values"].get("messages", ()) for one in reversed(checkpoints) if one), ())
    texts = (str(message.text) for message in reversed(messages) if isinstance(message, AIMessage))
    return next((text for text in texts if text.strip()), "")
