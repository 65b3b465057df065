"""What every node may use besides the state: settings, chat models, the clock, and the identity of the run."""

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
from memory.records.notes import SCOPES, STANCES, Note
from memory.records.profile import Consent, Profile
from memory.records.reading import Snapshot, encode_label
from memory.records.repository import UserMemory
from memory.records.transaction import Clock
from memory.schema import Schema
from models.calls import structured
from models.roles import Models, Role
from models.schemas import Vocabulary
from nodes.messages.turns import latest_user_message
from prompts import Language
from stores.chroma import utc_now
from text.words import is_japanese

if TYPE_CHECKING:
    from travel.booking.ledger import Bookings
    from travel.provider import TravelProvider

T = TypeVar("T", bound=BaseModel)
Members = Callable[[str, str], Awaitable[bool]]
"""Says whether a user (by id) is a member of a workspace (by name); every step asks it, so it should be quick."""

_WIDTH: tuple[MemoryMode, ...] = ("on", "paused", "off")
"""What memory may do, the most first."""


@dataclass(frozen=True, slots=True, eq=False)
class Services:
    """Handed to each node when the graph is built.

    `clock` tells the time in UTC, `monotonic` measures seconds, `members` says who may share a workspace: anybody
    who names it when None, and nobody on a server. `travel` is None where travel is switched off.
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
        """Return who sells travel. Raises SetupError where travel is switched off."""
        if self.travel is None:
            raise SetupError("Travel is switched off. Set CONCIERGE_TRAVEL=sample to search and book.")
        return self.travel

    def bookings(self, memory: UserMemory) -> Bookings:
        """Return the ledger of the user whose memory this is. Raises SetupError where travel is switched off."""
        from travel.booking.ledger import Bookings

        return Bookings(memory, self.seller, clock=self.clock)

    async def check_member(self, user_id: str, workspace: str) -> None:
        """Raise AccessDeniedError when workspaces are off, or `members` says that the user may not share this one."""
        if not self.settings.workspaces:
            raise AccessDeniedError("Workspaces are off here (CONCIERGE_WORKSPACES). Name none.")
        if self.members is not None and not await self.members(user_id, workspace):
            raise AccessDeniedError(f"You are not a member of the workspace {workspace!r}. Name another one, or none.")

    @property
    def vocabulary(self) -> Vocabulary:
        """Return the closed lists of the schema, for the schemas that a model fills."""
        schema = self.gate.schema
        return Vocabulary(tuple(schema.topics), tuple(schema.attributes), tuple(schema.when), STANCES, SCOPES)


@dataclass(frozen=True, slots=True)
class Run:
    """Who is speaking in which thread, and what memory may do. `user_id` is None where nobody is named."""

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
        """Read the run's identity: an authenticated user first, then the context, then the default of the settings.

        Raises:
            SetupError: the run names no conversation.
            InvalidInputError: the context holds a value that is not allowed.
            AccessDeniedError: the thread belongs to another user, or the workspace to others.
        """
        config = get_config()
        given = config.get("configurable", {})
        if not given.get("thread_id"):
            raise SetupError(
                "This run names no conversation. Compile the graph with checkpointer=... and pass "
                "config={'configurable': {'thread_id': ...}}, or use open_concierge()."
            )
        ran = runtime.execution_info.run_id if runtime.execution_info else None
        context = (runtime.context or Context(user_id=given.get("user_id"))).checked()
        signed_in = runtime.server_info.user if runtime.server_info else None
        run = cls(
            user_id=speaker(signed_in, context.user_id, services.settings),
            thread_id=str(given["thread_id"]),
            run_id=str(ran or config.get("run_id") or config.get("metadata", {}).get("run_id") or ""),
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
        """Return the workspace of that name; None where none is named, or a server knows no members.

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

    def within(self, messages: Sequence[AnyMessage]) -> Run:
        """This run, with memory no wider than it was at the latest user message: a resumed turn keeps its privacy."""
        latest = latest_user_message(messages)
        said_in = meta(latest).get("mode", "on") if latest else "on"
        return replace(self, mode=max(self.mode, said_in, key=_WIDTH.index))

    def speaking(self, messages: Sequence[AnyMessage]) -> Run:
        """This run in Japanese where the latest user message is: who is asked to approve reads it in their language."""
        latest = latest_user_message(messages)
        return replace(self, language="ja") if latest and is_japanese(latest.text) else self

    @property
    def memory(self) -> UserMemory:
        """Return the user's long-term memory.

        Raises:
            SetupError: the graph runs without a store, or nobody is named.
        """
        if self.user_id is None:
            raise SetupError("This run names no user. Pass context={'user_id': ...}.")
        return UserMemory(self.store, self.user_id, clock=self.services.clock)

    @property
    def shared(self) -> UserMemory | None:
        """Return the memory of the run's workspace; None where it names none."""
        if not self.workspace:
            return None
        return UserMemory.of_workspace(self.store, self.workspace, clock=self.services.clock)

    def workspaces_of(self, staged: Sequence[Note]) -> dict[str, UserMemory]:
        """Return the memories of the workspaces that staged notes are shared in, by name."""
        names = sorted({note.workspace for note in staged if note.scope == "workspace" and note.workspace})
        return {name: UserMemory.of_workspace(self.store, name, clock=self.services.clock) for name in names}

    @property
    def memories(self) -> list[UserMemory]:
        """Return everything this run may read: the user's memory first, then the workspace's."""
        return [self.memory, self.shared] if self.shared else [self.memory]

    async def known(self) -> list[Snapshot]:
        """Return what everything this run may read holds now, the user's memory first; nothing of nobody."""
        return [await memory.snapshot() for memory in self.memories] if self.user_id else []

    async def notes(self) -> list[Note]:
        """Return the live long-term notes of all memories this run may read, of topics that may be used."""
        return self.usable(await self.known())

    def usable(self, known: Sequence[Snapshot]) -> list[Note]:
        """Return the live notes of what is `known`, of the topics that this deployment and the user let memory use."""
        return self.allowed([note for one in known for note in one.notes(self.now)], known[0].consent)

    def allowed(self, notes: Sequence[Note], consent: Consent) -> list[Note]:
        """Return those of `notes` that this deployment and the user's consent let memory keep and use."""
        topics = self.services.gate.topics
        return [note for note in notes if note.topic in topics and not note.topics & {*consent.denied}]

    async def profile(self) -> Profile:
        """Return what the profile says of topics that memory may use; nothing in a temporary chat or of nobody."""
        if self.mode == "off" or self.user_id is None:
            return Profile()
        own = await self.memory.snapshot()
        return own.profile.without(own.consent.denied)

    async def gate(self) -> Gate:
        """Return what may be written now: by deployment, by consent, and in this run."""
        consent, deployed = (await self.memory.snapshot()).consent, self.services.gate
        return replace(
            deployed,
            scopes=deployed.scopes if self.workspace else deployed.scopes - {"workspace"},
            denied_topics=frozenset(consent.denied),
            paused=self.mode != "on" or consent.paused,
        )

    async def refusal(self, code: str, text: str) -> BlockedNote:
        """Return the account of a text that is refused: the code, and a hash that only the user's own key makes."""
        return BlockedNote(code=code, hash=fingerprint(text, await self.memory.hash_key()))

    def tell(self, name: EventName, items: Sequence[Mapping[str, Any]]) -> None:
        """Tell the stream of the run, and whoever listens to the store, what no journal tells of."""
        emit(name, items)
        if self.user_id:
            publish(self.store, MemoryEvent(name, tuple(dict(item) for item in items), self.user_id))

    @property
    def store(self) -> BaseStore:
        """Return the long-term store. Raises SetupError where there is none."""
        if self._store is None:
            raise SetupError("This graph runs without a store. Compile it with store=..., or use open_concierge().")
        return self._store

    @property
    def settings(self) -> Settings:
        """Return the settings of the concierge."""
        return self.services.settings

    @property
    def schema(self) -> Schema:
        """Return what may be remembered."""
        return self.services.gate.schema

    @property
    def now(self) -> datetime:
        """Return the time in UTC."""
        return self.services.clock()

    async def structured(self, role: Role, schema: type[T], messages: Sequence[BaseMessage]) -> T:
        """Ask the model of a role for one answer in the form of `schema`. Raises ModelError."""
        models = self.services.models
        await models.warm(role)
        return await structured(models.get(role), schema, messages, timeout=self.settings.model_timeout)

    @property
    def owner(self) -> str:
        """Return the user as thread state names them; empty where nobody is named."""
        return encode_label(self.user_id) if self.user_id else ""


def speaker(signed_in: Any, named: str | None, settings: Settings) -> str | None:
    """Return whose run it is: the user who signed in at a server, else the one named, else that of the settings."""
    return signed_in.identity if signed_in else named or settings.default_user or None


def check_owner(owner: str | None, user_id: str | None) -> None:
    """Raise AccessDeniedError when the thread of this `owner`, as its state has them, is not the user's."""
    if owner and owner != (encode_label(user_id) if user_id else ""):
        raise AccessDeniedError("This thread belongs to another user. Start a new thread.")


def emit(name: EventName | Literal["answer.added"], items: Sequence[Mapping[str, Any]]) -> None:
    """Stream one event `{"event": name, "items": [...]}` (`stream_mode="custom"`); nothing where there are no items."""
    if items:
        get_stream_writer()({"event": name, "items": [dict(item) for item in items]})
