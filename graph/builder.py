"""The wiring: which node follows which. Reads like a table of contents."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial, wraps
from inspect import Parameter, iscoroutinefunction, signature
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Unpack, cast, get_args

from langgraph.graph import START, StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import Command

from config.errors import InvalidInputError
from config.settings import Settings, load_settings
from graph import routing
from graph.context import Context
from graph.entry import GuardedGraph, check_names
from graph.parts import Parts, check_parts
from graph.state import Input, Output, State
from memory.policy import deployed_gate
from memory.recall.user_recall import Recollection
from memory.records.transaction import Clock
from models.roles import Models
from nodes.agent import agent
from nodes.approve import AfterApprove, approve
from nodes.consolidate import AfterConsolidate, consolidate
from nodes.distill_notes import distill_notes
from nodes.inject_memory import inject_memory
from nodes.services import Services
from nodes.summarize_history import summarize_history
from nodes.tools.mcp import McpServers, read_servers
from nodes.tools.memory.forget import MEMORY_GUARDS
from nodes.tools.memory.tools import memory_tools
from nodes.tools.toolbox import Toolbox, explain_tool_error, run_if_allowed, with_own_tools
from nodes.trim_history import trim_history
from stores.application import of_application
from stores.chroma import utc_now
from stores.embeddings import open_embedder

if TYPE_CHECKING:
    from langgraph.types import Checkpointer

    from travel.provider import TravelProvider

Wiring = StateGraph[State, Context, Input, Output]


def build_graph(
    settings: Settings | None = None,
    *,
    checkpointer: Checkpointer = None,
    plugged: McpServers | None = None,
    **parts: Unpack[Parts],
) -> GuardedGraph:
    """Build the compiled graph; run it with `context={"user_id": ...}`.

    Args:
        settings: Read from the environment when None.
        checkpointer: Keeps thread state. A LangGraph server brings its own, as it does a store.
        plugged: MCP servers whose tools the model may call; those of the settings when None. The caller closes them.
        parts: Components that replace the default ones, such as `models`, `tools` and `store`; see `graph.Parts`.

    Raises:
        SettingsError: a setting or the schema is invalid.
        InvalidInputError: a part can't be used; the message says why.
    """
    saver = None if isinstance(checkpointer, bool) else checkpointer
    check_parts(parts, settings=settings, checkpointer=saver)
    settings = settings or load_settings()
    services = _services(settings, parts)
    toolbox = with_own_tools(open_toolbox(services, plugged or open_plugged(settings)), parts.get("tools") or ())
    graph = StateGraph(State, context_schema=Context, input_schema=Input, output_schema=Output)
    _add_nodes(graph, services, toolbox)
    next_node = _add_before_agent(graph, parts.get("before_agent") or (), services)
    _add_entry(graph, services, next_node)
    store = parts.get("store")
    app_store = store and of_application(store, settings.app_name)
    compiled = graph.compile(checkpointer=checkpointer, store=app_store, name="concierge")
    return GuardedGraph.of(compiled, services)


def _services(settings: Settings, parts: Parts) -> Services:
    clock, embedder = parts.get("clock") or utc_now, open_embedder(settings, parts.get("embedder"))
    return Services(
        settings=settings,
        models=Models(settings, parts.get("models")),
        recollection=Recollection(embed=embedder.embed if embedder else None, clock=clock),
        gate=deployed_gate(settings, parts.get("schema")),
        clock=clock,
        members=parts.get("members"),
        travel=open_travel(settings, clock, parts.get("travel")),
    )


def _add_nodes(graph: Wiring, services: Services, toolbox: Toolbox) -> None:
    bind: Callable[..., Any] = partial(partial, services=services)
    graph.add_node("approve", bind(approve, toolbox=toolbox), destinations=get_args(AfterApprove))
    allowed: Any = bind(run_if_allowed, toolbox=toolbox)
    graph.add_node("tools", ToolNode(toolbox.tools, handle_tool_errors=explain_tool_error, awrap_tool_call=allowed))
    for name, node, route, ways in (
        ("agent", bind(agent, toolbox=toolbox), partial(routing.route_agent, toolbox=toolbox), routing.AfterAgent),
        ("distill_notes", bind(distill_notes), routing.route_distill, routing.AfterDistill),
        ("trim_history", bind(trim_history), routing.route_history, routing.AfterHistory),
        ("summarize_history", bind(summarize_history), routing.route_history, routing.AfterHistory),
    ):
        step: Any = routing.routed(node, partial(route, settings=services.settings))
        graph.add_node(name, step, destinations=get_args(ways))
    graph.add_node("consolidate", bind(consolidate), destinations=get_args(AfterConsolidate))
    graph.add_edge("tools", "agent")


def _add_entry(graph: Wiring, services: Services, next_node: str) -> None:
    """Add `inject_memory` as the entry of the graph; a turn that it opens continues at the node `next_node`."""
    step: Any = routing.opening(partial(inject_memory, services=services), next_node)
    graph.add_node("inject_memory", step, destinations=(next_node, *get_args(routing.Unopened)))
    graph.add_edge(START, "inject_memory")


def _add_before_agent(graph: Wiring, nodes: Sequence[routing.Node], services: Services) -> str:
    """Chain a developer's nodes in front of the agent; return the name of the first node of the chain."""
    names = [getattr(node, "__name__", type(node).__name__) for node in nodes]
    for name, node in zip(names, nodes, strict=True):
        if name in (*graph.nodes, "inject_memory"):
            raise InvalidInputError(f"There is a node named {name} already. Give yours another name.")
        if not callable(node):
            raise InvalidInputError(f"before_agent= takes async functions of state and runtime, not {node!r}.")
        if parameter := _unsupported_parameter(node):
            raise InvalidInputError(
                f"before_agent= takes async functions of state and runtime, by this name; {name} takes {parameter!r}."
            )
        graph.add_node(name, cast("Any", _with_deadline(name, node, services)))
    order = [*names, "agent"]
    for before, after in pairwise(order):
        graph.add_edge(before, after)
    return order[0]


def _unsupported_parameter(node: routing.Node) -> str | None:
    """Return the first required parameter after the state that LangGraph, which injects by name, does not know."""
    injectable = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
    parameters = [*signature(node).parameters.values()][1:]
    required = [p.name for p in parameters if p.kind in injectable and p.default is Parameter.empty]
    return next((name for name in required if name not in ("runtime", "config", "store", "writer")), None)


def _with_deadline(name: str, node: Any, services: Services) -> routing.Node:
    """Wrap `node`: check the update it returns, and cancel it at the turn's deadline, which `agent` then reports."""
    is_async = iscoroutinefunction(node) or iscoroutinefunction(type(node).__call__)

    @wraps(node)
    async def step(state: State, *args: Any, **kwargs: Any) -> Any:
        view = state.get("memory_view")
        remaining = view["deadline"] - services.monotonic() if view else services.settings.turn_timeout
        try:
            async with asyncio.timeout(max(0.0, remaining)) as limit:
                call = node(state, *args, **kwargs) if is_async else asyncio.to_thread(node, state, *args, **kwargs)
                result = await call
        except TimeoutError:
            if not limit.expired():  # the node's own
                raise
            return {}
        for one in result if isinstance(result, list | tuple) else [result]:
            _check_update(name, one.update if isinstance(one, Command) else one)
        return result

    return step


def _check_update(name: str, update: object) -> None:
    """Raise InvalidInputError if a developer's node returns keys that the state does not have, or invalid values."""
    if isinstance(update, Mapping):
        check_names(name, update, State.__annotations__)
        if not isinstance(update.get("added_instructions", ""), str):
            raise InvalidInputError(f"What {name} returns as added_instructions must be a text.")


def open_toolbox(services: Services, plugged: McpServers | None = None) -> Toolbox:
    """Return the tools a model may call: memory tools, travel tools unless travel is off, and MCP tools."""
    box = Toolbox(memory_tools(services), MEMORY_GUARDS, plugged or McpServers({}))
    if services.travel is None:
        return box
    from nodes.tools.travel.tools import travel_tools

    free, writes = travel_tools(services)
    return replace(box, free=free, writes=writes)


def open_plugged(settings: Settings) -> McpServers:
    """Return the MCP servers of the settings, if any, which start at the first turn.

    Raises:
        SettingsError: their file is invalid, or the extra `mcp` is not installed.
    """
    return McpServers(read_servers(settings.mcp_servers) if settings.mcp_servers else {})


def open_travel(
    settings: Settings, clock: Clock = utc_now, travel: TravelProvider | None = None
) -> TravelProvider | None:
    """Return the given provider or, by default, the sample world, which opens nothing before its first search.

    Returns None if the settings switch travel off. Raises InvalidInputError if a required method is missing.
    """
    if settings.travel == "off":
        return None
    from travel.provider import check_provider
    from travel.sample.world import SampleWorld

    if travel is not None:
        check_provider(travel)
    return travel or SampleWorld(settings.data_dir / "travel", clock=clock)
