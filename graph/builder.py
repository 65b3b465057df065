"""The wiring: which node follows which. Reads like a table of contents."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, get_args

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import ToolNode

from config.settings import Settings, load_settings
from graph.context import Context
from graph.masking import MaskedGraph
from graph.routing import AfterAgent, AfterDistill, AfterHistory, route_agent, route_distill, route_history, route_start
from graph.state import Input, Output, State
from memory.recall.user_recall import Recollection
from memory.records.transaction import Clock
from models.roles import Models, Role
from nodes.after_turn import AfterTurn, after_turn
from nodes.agent import agent
from nodes.approve import AfterApprove, approve
from nodes.consolidate import AfterConsolidate, consolidate
from nodes.distill_notes import distill_notes
from nodes.inject_memory import inject_memory
from nodes.services import Services, deployed_gate, utc_now
from nodes.summarize_history import summarize_history
from nodes.tools import explain_tool_error, memory_tools
from nodes.tools.toolbox import Toolbox
from nodes.trim_history import trim_history
from stores.embeddings import open_embedder

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langgraph.store.base import BaseStore
    from langgraph.types import Checkpointer

    from nodes.tools.mcp import McpServers
    from travel.desk import TravelDesk

ConciergeGraph = CompiledStateGraph[State, Context, Input, Output]
Wiring = StateGraph[State, Context, Input, Output]


def build_graph(
    settings: Settings | None = None,
    *,
    models: Mapping[Role, BaseChatModel] | None = None,
    checkpointer: Checkpointer = None,
    store: BaseStore | None = None,
    recollection: Recollection | None = None,
    clock: Clock = utc_now,
    travel: TravelDesk | None = None,
    plugged: McpServers | None = None,
    after_turn: AfterTurn | None = None,
) -> ConciergeGraph:
    """Build the compiled graph; run it with `context={"user_id": ...}`.

    Args:
        settings: Read from the environment when None.
        models: Chat models by role (`agent`, `summary`, `consolidation`) in place of those of the settings.
        checkpointer: Keeps thread state. A LangGraph server brings its own.
        store: Keeps long-term memory. A LangGraph server brings its own.
        recollection: Searches of earlier conversations; made from the settings when None.
        clock: The time in UTC.
        travel: Who sells travel; the sample world when None, unless the settings switch it off.
        plugged: Tools of other providers over MCP; those of the settings when None. Whoever gives it closes it.
        after_turn: Told of the session that a finished turn leaves open; a server then plans its end.

    Raises:
        SettingsError: a setting is wrong.
    """
    settings = settings or load_settings()
    recollection = recollection or open_recollection(settings, clock)
    services = Services(settings, Models(settings, models), recollection, deployed_gate(settings), clock)
    toolbox = open_toolbox(services, travel, plugged or open_plugged(settings))
    graph = StateGraph(State, context_schema=Context, input_schema=Input, output_schema=Output)
    _add_nodes(graph, services, toolbox, hook=after_turn)
    _add_edges(graph, settings, toolbox, END if after_turn is None else "after_turn")
    return MaskedGraph.of(graph.compile(checkpointer=checkpointer, store=store, name="concierge"))


def _add_nodes(graph: Wiring, services: Services, toolbox: Toolbox, *, hook: AfterTurn | None) -> None:
    bind: Callable[..., Any] = partial(partial, services=services)
    graph.add_node("inject_memory", bind(inject_memory))
    graph.add_node("agent", bind(agent, toolbox=toolbox))
    graph.add_node("approve", bind(approve, toolbox=toolbox), destinations=get_args(AfterApprove))
    graph.add_node("tools", ToolNode(toolbox.tools, handle_tool_errors=explain_tool_error))
    graph.add_node("distill_notes", bind(distill_notes))
    graph.add_node("trim_history", bind(trim_history))
    graph.add_node("summarize_history", bind(summarize_history))
    graph.add_node("consolidate", bind(consolidate), destinations=get_args(AfterConsolidate))
    if hook is not None:
        graph.add_node("after_turn", bind(after_turn, hook=hook))


def _add_edges(graph: Wiring, settings: Settings, toolbox: Toolbox, end: str) -> None:
    """Connect the nodes; what a router sends to the end of a turn goes to `end`."""

    def ways(names: Any) -> dict[Hashable, str]:
        return {name: end if name == END else name for name in get_args(names)}

    by_session = partial(route_history, settings=settings)
    graph.add_conditional_edges(START, route_start)
    graph.add_edge("inject_memory", "agent")
    graph.add_conditional_edges("agent", partial(route_agent, toolbox=toolbox), list(get_args(AfterAgent)))
    graph.add_edge("tools", "agent")
    graph.add_conditional_edges("distill_notes", partial(route_distill, settings=settings), ways(AfterDistill))
    graph.add_conditional_edges("trim_history", by_session, ways(AfterHistory))
    graph.add_conditional_edges("summarize_history", by_session, ways(AfterHistory))


def open_toolbox(services: Services, travel: TravelDesk | None = None, plugged: McpServers | None = None) -> Toolbox:
    """Return what the model may call: memory, travel unless it is switched off, and the tools of other providers."""
    if services.settings.travel == "off":
        return Toolbox(memory=memory_tools(services), plugged=plugged)
    from nodes.tools.travel import acting_tools, reading_tools, searching_tools

    desk = travel or open_desk(services.settings, services.clock)
    free = [*searching_tools(services, desk), *reading_tools(services, desk)]
    return Toolbox(memory=memory_tools(services), free=free, writes=acting_tools(services, desk), plugged=plugged)


def open_plugged(settings: Settings) -> McpServers | None:
    """Return the MCP servers of the settings, none of them started before a turn; None where there are none.

    Raises:
        SettingsError: their file is wrong, or the extra `mcp` is not installed.
    """
    if settings.mcp_servers is None:
        return None
    from nodes.tools.mcp import open_servers

    return open_servers(settings.mcp_servers)


def open_desk(settings: Settings, clock: Clock = utc_now) -> TravelDesk:
    """Return the sample world under the data directory; nothing is opened before the first search."""
    from travel.desk import sample_desk

    return sample_desk(settings.data_dir / "travel", clock=clock)


def open_recollection(settings: Settings, clock: Clock = utc_now) -> Recollection:
    """Searches of earlier conversations with the embedder of the settings; nothing is loaded before the first one."""
    embedder = open_embedder(settings)
    return Recollection(embed=embedder.embed if embedder else None, clock=clock)
