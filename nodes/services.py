"""Defines what nodes use besides the state: the services of the graph, and the identity of the run."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from langchain_core.messages import AnyMessage, BaseMessage
from langgraph.config import get_config, get_stream_writer
from langgraph.prebuilt import ToolRuntime
from langgraph.runtime import Runtime
from langgraph.store.base import BaseStore
from pydantic import BaseModel

from config.errors import AccessDeniedError, SetupError
from config.settings import Settings
from graph.context import Context, MemoryMode
from graph.state import BlockedNote, State, meta
from memory.events import EventName, MemoryEvent, publish
from memory.policy import Gate, fingerprint
from memory.recall.user_recall import Recollection
from memory.records.notes import Note
from memory.records.profile import Consent, Profile
from memory.records.reading import Snapshot, encode_label
from memory.records.repository import UserMemory
from memory.records.transaction import Clock
from memory.schema import Schema
from models.calls import structured
from models.roles import Models, Role
from nodes.messages.turns import latest_user_message
from prompts import Language
from stores.chroma import utc_now
from text.words import is_japanese

if TYPE_CHECKING:
    from travel.booking.ledger import Bookings
    from travel.provider import TravelProvider

T = TypeVar("T", bound=BaseModel)
Members = Callable[[str, str], Awaitable[bool]]
"""Returns whether a user (by id) is a member of a workspace (by name). Every step calls it, so it should be fast."""

_WIDTH: tuple[MemoryMode, ...] = ("on", "paused", "off")
"""The memory modes, from the widest to the narrowest."""


@dataclass(frozen=True, slots=True, eq=False)
class Services:
    """The services that each node is bound to when the graph is built.

    `clock` returns the time in UTC, `monotonic` seconds. `members` checks who may share a workspace; if it is None,
    anyone who names the workspace may, and on a server no one. `travel` is None if travel is switched off.
    """

    settings: Settings
    models: Models
    recollection: Recollection
    gate: Gate
    clock: Clock = utc_now
    members: Members | None = None
    travel: TravelProvider | None = None
    monotonic: Callable[[], float] = time.monotonic

    @property
    def seller(self) -> TravelProvider:
        """Return the travel provider. Raises SetupError if travel is switched off."""
        if self.travel is None:
            raise SetupError("Travel is switched off. Set CONCIERGE_TRAVEL=sample to search and book.")
        return self.travel

    def bookings(self, memory: UserMemory) -> Bookings:
        """Return the booking ledger of the user with this memory. Raises SetupError if travel is switched off."""
        from travel.booking.ledger import Bookings

        return Bookings(memory, self.seller, clock=self.clock)

    async def check_member(self, user_id: str, workspace: str) -> None:
        """Raise AccessDeniedError if workspaces are off, or the user is not a member of this one."""
        if not self.settings.workspaces:
            raise AccessDeniedError("Workspaces are off here (CONCIERGE_WORKSPACES). Name none.")
        if self.members is not None and not await self.members(user_id, workspace):
            raise AccessDeniedError(f"You are not a member of the workspace {workspace!r}. Name another one, or none.")


@dataclass(frozen=True, slots=True)
class Run:
    """The identity of a run: its user (None if there is none), thread and workspace, and what memory may do."""

    user_id: str | None
    thread_id: str
    run_id: str
    mode: MemoryMode
    language: Language
    workspace: str | None
    is_on_server: bool
    services: Services
    _store: BaseStore | None

    @classmethod
    async def of(cls, state: State, runtime: Runtime[Context] | ToolRuntime[Context, Any], services: Services) -> Run:
        """Read the run's identity. The user is the authenticated one, else the context's, else the default.

        Raises:
            InvalidInputError: the context has a value that is not allowed.
            AccessDeniedError: the thread belongs to another user, or the user may not use the workspace.
        """
        config = get_config()
        configurable = config.get("configurable", {})
        run_id = runtime.execution_info.run_id if runtime.execution_info else None
        context = (runtime.context or Context.of(configurable)).checked()
        signed_in = runtime.server_info.user if runtime.server_info else None
        run = cls(
            user_id=speaker(signed_in, context.user_id, services.settings),
            thread_id=str(configurable["thread_id"]),
            run_id=str(run_id or config.get("run_id") or config.get("metadata", {}).get("run_id") or ""),
            mode=context.memory_mode,
            language=context.language or services.settings.language,
            workspace=None,
            is_on_server=runtime.server_info is not None,
            services=services,
            _store=runtime.store,
        )
        check_owner(state.get("owner"), run.user_id)
        return replace(run, workspace=await run.shared_name(context.workspace or services.settings.workspace))

    async def shared_name(self, workspace: str | None) -> str | None:
        """Return the workspace that the run shares; None if it names none, or on a server without `members`.

        Raises:
            AccessDeniedError: workspaces are off, or the user is not a member of it.
        """
        if not workspace or self.user_id is None or (self.services.members is None and self.is_on_server):
            return None
        await self.services.check_member(self.user_id, workspace)
        return workspace

    async def may_share(self, workspace: str) -> bool:
        """Return whether the user is a member of a workspace now."""
        try:
            return await self.shared_name(workspace) is not None
        except AccessDeniedError:
            return False

    def with_message_mode(self, messages: Sequence[AnyMessage]) -> Run:
        """Return this run with at most the memory mode of the latest user message: a resumed turn keeps its privacy."""
        latest = latest_user_message(messages)
        mode = meta(latest).get("mode", "on") if latest else "on"
        return replace(self, mode=max(self.mode, mode, key=_WIDTH.index))

    def with_message_language(self, messages: Sequence[AnyMessage]) -> Run:
        """Return this run in Japanese if the latest user message is: people read approvals in their own language."""
        latest = latest_user_message(messages)
        return replace(self, language="ja") if latest and is_japanese(latest.text) else self

    @property
    def memory(self) -> UserMemory:
        """Return the user's long-term memory.

        Raises:
            SetupError: the graph has no store, or the run no user.
        """
        if self.user_id is None:
            raise SetupError("This run names no user. Pass context={'user_id': ...}.")
        return UserMemory(self.store, self.user_id, clock=self.services.clock)

    @property
    def shared(self) -> UserMemory | None:
        """Return the memory of the run's workspace; None if it has none."""
        if not self.workspace:
            return None
        return UserMemory.of_workspace(self.store, self.workspace, clock=self.services.clock)

    def workspaces_of(self, staged: Sequence[Note]) -> dict[str, UserMemory]:
        """Return, by name, the memories of the workspaces that staged notes belong to."""
        names = sorted({note.workspace for note in staged if note.scope == "workspace" and note.workspace})
        return {name: UserMemory.of_workspace(self.store, name, clock=self.services.clock) for name in names}

    @property
    def memories(self) -> list[UserMemory]:
        """Return the memories that this run may read: the user's, then the workspace's, if any."""
        return [self.memory, self.shared] if self.shared else [self.memory]

    async def snapshots(self) -> list[Snapshot]:
        """Return current snapshots of the memories that this run may read, the user's first; none without a user."""
        return [await memory.snapshot() for memory in self.memories] if self.user_id else []

    async def notes(self) -> list[Note]:
        """Return the live notes of all memories that this run may read, of topics that memory may use."""
        return self.usable(await self.snapshots())

    def usable(self, snapshots: Sequence[Snapshot]) -> list[Note]:
        """Return the live notes of topics that memory may use; the first snapshot must be the user's."""
        return self.allowed([note for one in snapshots for note in one.notes(self.now)], snapshots[0].consent)

    def allowed(self, notes: Sequence[Note], consent: Consent) -> list[Note]:
        """Return the notes whose topics the deployment and the user's consent allow."""
        topics = self.services.gate.topics
        return [note for note in notes if note.topic in topics and not note.topics & {*consent.denied}]

    async def profile(self) -> Profile:
        """Return the schema's fields of the profile, of topics that memory may use; empty without memory or a user."""
        if self.mode == "off" or self.user_id is None:
            return Profile()
        own = await self.memory.snapshot()
        return self.schema.facts(own.profile).without(own.consent.denied)

    async def gate(self) -> Gate:
        """Return the gate on writing memory: the deployment's, narrowed by the user's consent and by this run."""
        consent, deployed = (await self.memory.snapshot()).consent, self.services.gate
        return replace(
            deployed,
            scopes=deployed.scopes if self.workspace else deployed.scopes - {"workspace"},
            denied_topics=frozenset(consent.denied),
            paused=self.mode != "on" or consent.paused,
        )

    async def refusal(self, code: str, text: str) -> BlockedNote:
        """Return the record of a refused text: the code, and a hash made with the user's key."""
        return BlockedNote(code=code, hash=fingerprint(text, await self.memory.hash_key()))

    def publish(self, name: EventName, items: Sequence[Mapping[str, Any]]) -> None:
        """Send an event that is not in the journal to the stream of the run and to the store's listeners."""
        emit(name, items)
        if self.user_id:
            publish(self.store, MemoryEvent(name, tuple(dict(item) for item in items), self.user_id))

    @property
    def store(self) -> BaseStore:
        """Return the long-term store. Raises SetupError if there is none."""
        if self._store is None:
            raise SetupError("This graph runs without a store. Compile it with store=..., or use open_concierge().")
        return self._store

    @property
    def settings(self) -> Settings:
        """Return the settings of the concierge."""
        return self.services.settings

    @property
    def schema(self) -> Schema:
        """Return the memory schema."""
        return self.services.gate.schema

    @property
    def words(self) -> dict[str, str]:
        """Return the words of the domain, for prompts and replies in the language of the run."""
        return self.schema.domain.words(self.language)

    @property
    def now(self) -> datetime:
        """Return the time in UTC."""
        return self.services.clock()

    async def structured(self, role: Role, schema: type[T], messages: Sequence[BaseMessage]) -> T:
        """Call the model of a role for an answer that matches `schema`. Raises ModelError."""
        models = self.services.models
        await models.warm(role)
        return await structured(models.get(role), schema, messages, timeout=self.settings.model_timeout)

    @property
    def owner(self) -> str:
        """Return the encoded user id, as thread state has it; empty without a user."""
        return encode_label(self.user_id) if self.user_id else ""


def speaker(signed_in: Any, named: str | None, settings: Settings) -> str | None:
    """Return the user of a run: the authenticated user, else the one named, else the default of the settings."""
    return signed_in.identity if signed_in else named or settings.default_user or None


def check_owner(owner: str | None, user_id: str | None) -> None:
    """Raise AccessDeniedError if a thread has an `owner` (an encoded user id) other than the user."""
    if owner and owner != (encode_label(user_id) if user_id else ""):
        raise AccessDeniedError("This thread belongs to another user. Start a new thread.")


def emit(name: EventName | Literal["answer.added"], items: Sequence[Mapping[str, Any]]) -> None:
    """Stream the event `{"event": name, "items": [...]}` (`stream_mode="custom"`), unless it has no items."""
    if items:
        get_stream_writer()({"event": name, "items": [dict(item) for item in items]})
