"""Defines the components that a developer may pass in place of those that the settings name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from inspect import iscoroutinefunction, unwrap
from pathlib import Path
from reprlib import repr as shortened
from typing import TYPE_CHECKING, Any, TypedDict

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.store.base import BaseStore

from config.errors import InvalidInputError
from config.settings import Settings
from graph.routing import Node
from memory.records.transaction import Clock
from memory.schema import Schema
from models.roles import Role
from nodes.services import Members

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings
    from langchain_core.language_models import BaseChatModel
    from langchain_core.tools import BaseTool

    from nodes.tools import Acting
    from stores.embeddings import Embedder
    from travel.provider import TravelProvider


class Parts(TypedDict, total=False):
    """The keyword arguments that `build_graph` and `open_concierge` share; `docs/extending.md` has examples.

    Each is optional, and None is the same as leaving it out. The caller closes the parts it passes.
    """

    models: Mapping[Role, BaseChatModel] | None
    """Chat models by role (`agent`, `summary`, `consolidation`), in place of those of the settings."""

    tools: Sequence[BaseTool | Acting] | None
    """Your own tools. Wrap those with side effects in `nodes.tools.acting`, so that each call needs approval."""

    travel: TravelProvider | None
    """The travel provider, in place of the sample world. Ignored if the settings switch travel off."""

    embedder: Embeddings | Embedder | None
    """Embeds texts for search, in place of that of the settings. Vectors of another embedder are computed again."""

    schema: Schema | Path | str | None
    """The memory schema, or the file that holds it, in place of that of the settings."""

    before_agent: Sequence[Node] | None
    """Your own nodes. They run in order, once per turn, before the first model call; named after their functions."""

    store: BaseStore | None
    """Stores long-term memory, with an index of its own; `embedder` is then only used to search conversations."""

    clock: Clock | None
    """Returns the current time in UTC."""

    members: Members | None
    """Async function of a user id and a workspace name that returns whether the user is a member. Without it, anyone
    who names a workspace shares it, and a LangGraph server has no workspaces."""


_ACCEPTED_TYPES: Mapping[str, tuple[Any, ...]] = {
    "settings": (Settings,), "checkpointer": (BaseCheckpointSaver,), "store": (BaseStore,), "models": (Mapping,),
    "schema": (Schema, Path, str), "tools": (Iterable,), "before_agent": (Iterable,), "clock": (Callable,),
    "members": (Callable,),
}  # fmt: skip
"""The types that a part may have, for parts that nothing else validates."""


def check_parts(parts: Parts, **arguments: object) -> None:
    """Check the types of the parts, and of further `arguments`, before anything is opened.

    Raises:
        TypeError: a keyword argument is not a part.
        InvalidInputError: a value has the wrong type, `members` is not async, or `clock` does not return UTC.
    """
    if unknown := sorted(parts.keys() - Parts.__optional_keys__):
        known = ", ".join(sorted(Parts.__optional_keys__))
        raise TypeError(f"{unknown[0]!r} is an unknown keyword argument. These parts can be given: {known}.")
    for name, value in {**parts, **arguments}.items():
        if value is not None and not isinstance(value, types := _ACCEPTED_TYPES.get(name, (object,))):
            wanted = " or ".join(accepted.__name__ for accepted in types)
            raise InvalidInputError(f"{name}= takes {wanted}, not {shortened(value)}.")
    members = parts.get("members")
    if members and not any(map(iscoroutinefunction, (unwrap(members), type(members).__call__))):
        raise InvalidInputError(f"members= takes an async function, not {shortened(members)}.")
    now = clock() if (clock := parts.get("clock")) else None
    if clock and not (isinstance(now, datetime) and now.utcoffset() == timedelta(0)):
        raise InvalidInputError(f"clock= takes a function that returns datetime.now(UTC) or alike, not {now!r}.")
