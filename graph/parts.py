"""What a developer may bring in place of what the settings name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
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

    Each is optional, and None is the same as leaving it out. Whoever gives a part closes it.
    """

    models: Mapping[Role, BaseChatModel] | None
    """Chat models by role (`agent`, `summary`, `consolidation`), in place of those of the settings."""

    tools: Sequence[BaseTool | Acting] | None
    """Your own tools: those that read as they are, those that act wrapped in `nodes.tools.acting`."""

    travel: TravelProvider | None
    """Who sells travel, in place of the sample world, unless the settings switch travel off."""

    embedder: Embeddings | Embedder | None
    """Makes vectors for searches, in place of that of the settings; what was made by another one is made anew."""

    schema: Schema | Path | str | None
    """What may be remembered, or the file that says it, in place of that of the settings."""

    before_agent: Sequence[Node] | None
    """Your own nodes, run in order once a turn before the model is asked first, each under its name."""

    store: BaseStore | None
    """Keeps long-term memory, with an index of its own; `embedder` then serves the searches of conversations."""

    clock: Clock | None
    """Tells the time in UTC."""

    members: Members | None
    """Says whether a user, by id, is a member of a workspace, by name. Without it, whoever names a workspace shares
    it, and on a LangGraph server there are none."""


_TAKES: Mapping[str, tuple[Any, ...]] = {
    "settings": (Settings,), "checkpointer": (BaseCheckpointSaver,), "store": (BaseStore,), "models": (Mapping,),
    "schema": (Schema, Path, str), "tools": (Iterable,), "before_agent": (Iterable,), "clock": (Callable,),
    "members": (Callable,),
}  # fmt: skip
"""What each may be, where nothing that it is given to says so itself."""


def check_parts(parts: Parts, **besides: object) -> None:
    """Check the parts, and the arguments `besides` them, before anything is opened.

    Raises:
        TypeError: a keyword argument is none of the parts.
        InvalidInputError: one is of another type than it takes, or `members` is not async.
    """
    if unknown := sorted(parts.keys() - Parts.__optional_keys__):
        known = ", ".join(sorted(Parts.__optional_keys__))
        raise TypeError(f"{unknown[0]!r} is an unknown keyword argument. These parts can be given: {known}.")
    for name, value in {**parts, **besides}.items():
        if value is not None and not isinstance(value, kinds := _TAKES.get(name, (object,))):
            wanted = " or ".join(kind.__name__ for kind in kinds)
            raise InvalidInputError(f"{name}= takes {wanted}, not {shortened(value)}.")
    members = parts.get("members")
    if members and not any(map(iscoroutinefunction, (unwrap(members), type(members).__call__))):
        raise InvalidInputError(f"members= takes an async function, not {shortened(members)}.")
