"""What a developer may bring in place of what the settings name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from graph.routing import Node
from memory.records.transaction import Clock
from models.roles import Role
from nodes.services import Members

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings
    from langchain_core.language_models import BaseChatModel
    from langchain_core.tools import BaseTool
    from langgraph.store.base import BaseStore

    from memory.schema import Schema
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


def check_names(parts: Parts) -> None:
    """Raise TypeError for a keyword argument that is none of the parts."""
    if unknown := sorted(parts.keys() - Parts.__optional_keys__):
        known = ", ".join(sorted(Parts.__optional_keys__))
        raise TypeError(f"{unknown[0]!r} is an unknown keyword argument. These parts can be given: {known}.")
