"""What every node may use besides the state: settings, chat models, the clock, and the identity of the run."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal, TypeVar

from langchain_core.messages import BaseMessage
from langgraph.config import get_config, get_stream_writer
from langgraph.prebuilt import ToolRuntime
from langgraph.runtime import Runtime
from langgraph.store.base import BaseStore

from config.errors import AccessDeniedError, InvalidInputError, SettingsError, SetupError
from config.settings import Settings, did_you_mean
from graph.context import Context, MemoryMode
from graph.state import meta
from memory.policy import Gate
from memory.recall.user_recall import Recollection
from memory.records.namespaces import encode_label
from memory.records.notes import SCOPES, STANCES, Note
from memory.records.profile import Profile
from memory.records.repository import UserMemory
from memory.records.transaction import Clock
from memory.schema import Schema, load_schema
from models.roles import Models
from models.schemas import Vocabulary
from prompts import Language
from text.tokens import is_japanese

Name = TypeVar("Name", bound=str)
EventName = Literal["memory.created", "memory.recalled", "memory.blocked", "memory.consolidated", "answer.added"]

_WIDTH: tuple[MemoryMode, ...] = ("on", "paused", "off")
"""What memory may do, the most first."""


def utc_now() -> datetime:
    """Return the time of day, in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Services:
    """Handed to each node when the graph is built; `clock` tells the time in UTC, `monotonic` measures seconds."""

    settings: Settings
    models: Models
    recollection: Recollection
    gate: Gate
    clock: Clock = utc_now
    monotonic: Callable[[], float] = time.monotonic

    @property
    def schema(self) -> Schema:
        """Return what may be remembered."""
        return self.gate.schema

    @property
    def vocabulary(self) -> Vocabulary:
        """Return the closed lists of the schema, for the schemas that a model fills."""
        schema = self.gate.schema
        return Vocabulary(
            topics=schema.topic_names,
            attributes=tuple(schema.attributes),
            conditions=tuple(schema.when),
            stances=STANCES,
            scopes=SCOPES,
        )


@dataclass(frozen=True, slots=True)
class Run:
    """Who is speaking in which thread, and what memory may do. `user_id` is None where nobody is named."""

    user_id: str | None
    thread_id: str
    run_id: str
    mode: MemoryMode
    language: Language
    workspace: str | None
    _store: BaseStore | None
    _clock: Clock
    _deployed: Gate

    @classmethod
    def of(cls, runtime: Runtime[Context] | ToolRuntime[Context, Any], services: Services) -> Run:
        """Read the run's identity: an authenticated user first, then the context, then the default of the settings.

        Raises:
            SetupError: the run names no conversation.
            InvalidInputError: the context holds a value that is not allowed.
        """
        config = get_config()
        given = config.get("configurable", {})
        if not given.get("thread_id"):
            raise SetupError(
                "This run names no conversation. Compile the graph with checkpointer=... and pass "
                "config={'configurable': {'thread_id': ...}}, or use open_concierge()."
            )
        context = _checked(runtime.context or Context(user_id=given.get("user_id")))
        signed_in = runtime.server_info.user if runtime.server_info else None
        user_id = signed_in.identity if signed_in else context.user_id or services.settings.default_user or None
        return cls(
            user_id=user_id,
            thread_id=str(given.get("thread_id", "")),
            run_id=_run_id(runtime, config),
            mode=context.memory_mode,
            language=context.language or services.settings.language,
            workspace=context.workspace if services.settings.workspaces else None,
            _store=runtime.store,
            _clock=services.clock,
            _deployed=services.gate,
        )

    def within(self, latest: BaseMessage | None) -> Run:
        """This run, with memory no wider than it was when `latest` was said: a resumed turn keeps its privacy."""
        said_in = meta(latest).get("mode") if latest is not None else None
        return replace(self, mode=max(self.mode, said_in or "on", key=_WIDTH.index))

    def speaking(self, latest: BaseMessage | None) -> Run:
        """This run in Japanese where `latest` is: who is asked to approve something reads it in their own language."""
        return replace(self, language="ja") if latest is not None and is_japanese(str(latest.text)) else self

    @property
    def memory(self) -> UserMemory:
        """Return the user's long-term memory.

        Raises:
            SetupError: the graph runs without a store, or nobody is named.
        """
        if self.user_id is None:
            raise SetupError("This run names no user. Pass context={'user_id': ...}.")
        return UserMemory(self.store, self.user_id, clock=self._clock)

    @property
    def shared(self) -> UserMemory | None:
        """Return the memory of the run's workspace; None where it names none."""
        if not self.workspace:
            return None
        return UserMemory.of_workspace(self.store, self.workspace, clock=self._clock)

    def workspaces_of(self, staged: Sequence[Note]) -> dict[str, UserMemory]:
        """Return the memories of the workspaces that staged notes are shared in, by name."""
        names = {note.workspace for note in staged if note.scope == "workspace"}
        return {name: UserMemory.of_workspace(self.store, name, clock=self._clock) for name in sorted(names - {""})}

    @property
    def memories(self) -> list[UserMemory]:
        """Return everything this run may read: the user's memory first, then the workspace's."""
        return [self.memory, self.shared] if self.shared else [self.memory]

    async def notes(self) -> list[Note]:
        """Return the live long-term notes of all memories this run may read, of topics that may be used."""
        topics = await self.topics()
        return [note for memory in self.memories for note in await memory.notes() if note.topic in topics]

    async def profile(self) -> Profile:
        """Return what the profile says of topics that memory may use; nothing in a temporary chat or of nobody."""
        if self.mode == "off" or self.user_id is None:
            return Profile()
        return (await self.memory.profile()).without((await self.memory.consent()).denied)

    async def topics(self) -> frozenset[str]:
        """Return the topics that this deployment and the user's own consent let memory keep and use."""
        return self._deployed.topics - frozenset((await self.memory.consent()).denied)

    async def gate(self) -> Gate:
        """Return what may be written now: by deployment, by consent, and in this run."""
        consent = await self.memory.consent()
        return replace(
            self._deployed,
            scopes=self._deployed.scopes if self.workspace else self._deployed.scopes - {"workspace"},
            denied_topics=frozenset(consent.denied),
            paused=self.mode != "on" or consent.paused,
        )

    @property
    def store(self) -> BaseStore:
        """Return the long-term store. Raises SetupError where there is none."""
        if self._store is None:
            raise SetupError("This graph runs without a store. Compile it with store=..., or use open_concierge().")
        return self._store

    @property
    def owner(self) -> str:
        """Return the user as thread state names them; empty where nobody is named."""
        return encode_label(self.user_id) if self.user_id else ""

    def check_owner(self, owner: str | None) -> None:
        """Raise AccessDeniedError when the thread belongs to another user."""
        if owner and owner != self.owner:
            raise AccessDeniedError("This thread belongs to another user. Start a new thread.")


def emit(name: EventName, items: Sequence[Mapping[str, Any]]) -> None:
    """Stream one event `{"event": name, "items": [...]}` (`stream_mode="custom"`); nothing where there are no items."""
    if items:
        get_stream_writer()({"event": name, "items": [dict(item) for item in items]})


def deployed_gate(settings: Settings) -> Gate:
    """Return what a deployment lets memory keep, whatever its users consent to.

    Raises:
        SettingsError: a topic or a scope of the settings does not exist; the message names the nearest one.
    """
    schema = load_schema(settings.memory_schema) if settings.memory_schema else load_schema()
    return Gate(
        schema=schema,
        topics=_chosen("memory_topics", settings.memory_topics, schema.topic_names),
        scopes=_chosen("memory_scopes", settings.memory_scopes, SCOPES),
        min_confidence=settings.min_confidence,
    )


def _chosen(setting: str, names: Sequence[str] | None, known: tuple[Name, ...]) -> frozenset[Name]:
    """Return the `known` values that a setting names; all of them where it is not set."""
    if names is None:
        return frozenset(known)
    if unknown := [name for name in names if name not in known]:
        raise SettingsError(
            f"CONCIERGE_{setting.upper()} names {unknown[0]!r}, which does not exist.{did_you_mean(unknown[0], known)} "
            f"It may name: {', '.join(known)}."
        )
    return frozenset(one for one in known if one in names)


def _checked(context: Context) -> Context:
    if context.memory_mode not in _WIDTH:
        raise InvalidInputError(f"memory_mode is {context.memory_mode!r}; use one of {', '.join(_WIDTH)}.")
    if context.language not in (None, "en", "ja"):
        raise InvalidInputError(f"language is {context.language!r}; use 'en' or 'ja'.")
    return context


def _run_id(runtime: Runtime[Context] | ToolRuntime[Context, Any], config: Any) -> str:
    info = runtime.execution_info
    found = (info.run_id if info else None) or config.get("run_id") or config.get("metadata", {}).get("run_id")
    return str(found or "")
