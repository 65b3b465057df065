"""Only members read or write a workspace, however it is accessed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.store.memory import InMemoryStore

from app.api.concierge import Concierge
from app.api.opening import open_concierge
from config.errors import AccessDeniedError, SettingsError
from config.settings import Settings
from graph.context import Context
from tests.conftest import Clock, Opener
from tests.graph.test_conversation import NO_PLAN, save
from tests.scripted import ScriptedModel, scripted

ANA: dict[str, Any] = {"user_id": "ana", "thread_id": "t", "workspace": "family"}
NOTE = "No pork for us"


class Members:
    """The members of a family, Ana and Bob, until one leaves."""

    def __init__(self) -> None:
        self.family = {"ana", "bob"}

    async def __call__(self, user_id: str, workspace: str) -> bool:
        return workspace == "family" and user_id in self.family


@asynccontextmanager
async def family(settings: Settings, clock: Clock, members: Members) -> AsyncIterator[tuple[Concierge, ScriptedModel]]:
    agent = scripted(save(NOTE, scope="workspace"), AIMessage("Ok."), AIMessage("Hello."))
    models: Any = {"agent": agent, "consolidation": NO_PLAN}
    async with open_concierge(settings, models=models, clock=clock, members=members) as concierge:
        yield concierge, agent


async def shared(concierge: Concierge) -> list[str]:
    return [note.text for note in await (await concierge.shared("family", user_id="bob")).notes()]


async def test_members_share_and_others_are_refused(make_settings: Any, clock: Clock) -> None:
    async with family(make_settings(), clock, Members()) as (concierge, agent):
        await concierge.send(NOTE, **ANA, end_session=True)
        assert await shared(concierge) == [NOTE]
        await concierge.send("hi", user_id="bob", thread_id="b", workspace="family")
        assert NOTE in str(agent.asked[-1][0].content)
        assert [hit.document.text for hit in await concierge.recall("pork", user_id="bob", workspace="family")] == [
            NOTE
        ]
        for name, user in (("family", "eve"), ("office", "ana"), ("Family", "ana")):
            asked = len(agent.asked)
            for attempt in (
                concierge.send("hi", user_id=user, thread_id=user, workspace=name),
                concierge.recall("pork", user_id=user, workspace=name),
                concierge.shared(name, user_id=user),
            ):
                with pytest.raises(AccessDeniedError, match="not a member"):
                    await attempt
            assert len(agent.asked) == asked


async def test_workspace_is_rejected_if_workspaces_are_off(make_settings: Any, clock: Clock) -> None:
    async with family(make_settings(workspaces=False), clock, Members()) as (concierge, agent):
        for attempt in (concierge.send(NOTE, **ANA), concierge.shared("family", user_id="ana")):
            with pytest.raises(AccessDeniedError, match="CONCIERGE_WORKSPACES"):
                await attempt
        assert agent.asked == []


async def test_member_who_left_before_the_session_ends_writes_nothing(make_settings: Any, clock: Clock) -> None:
    members = Members()
    async with family(make_settings(), clock, members) as (concierge, _):
        await concierge.send(NOTE, **ANA)
        members.family.remove("ana")
        await concierge.end_session(user_id="ana", thread_id="t")
        assert await shared(concierge) == []
        assert await concierge.memory("ana").notes() == []
        assert "scope_denied" in [entry.code for entry in await concierge.memory("ana").journal()]


async def test_setting_names_the_workspace_of_runs_without_one(make_settings: Any, clock: Clock) -> None:
    async with family(make_settings(workspace="family"), clock, Members()) as (concierge, _):
        await concierge.send(NOTE, user_id="ana", thread_id="t", end_session=True)
        assert await shared(concierge) == [NOTE]
        with pytest.raises(AccessDeniedError):
            await concierge.send("hi", user_id="eve", thread_id="e")


async def test_server_without_a_member_list_has_no_workspaces(concierge_with: Opener) -> None:
    agent = scripted(save(NOTE, scope="workspace"), AIMessage("Ok."))
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}) as concierge:
        config: Any = {"configurable": {"thread_id": "t", "graph_id": "concierge"}}  # as a server configures its runs
        given: Any = {"messages": [HumanMessage(NOTE)], "end_session": True}
        await concierge.graph.ainvoke(given, config, context=Context(user_id="ana", workspace="family"))
        assert await shared(concierge) == []


async def test_applications_that_share_a_store_share_no_memory(make_settings: Any, clock: Clock) -> None:
    store = InMemoryStore()
    for name, known in (("travel", []), ("garden", []), ("travel", [NOTE])):
        models: Any = {"agent": scripted(save(NOTE), AIMessage("Ok.")), "consolidation": NO_PLAN}
        settings = make_settings(app_name=name, travel="off", embedder="none")
        async with open_concierge(settings, models=models, clock=clock, store=store) as concierge:
            assert [note.text for note in await concierge.memory("ana").notes()] == known
            if name == "travel" and not known:
                await concierge.send(NOTE, user_id="ana", thread_id="t", end_session=True)
    with pytest.raises(SettingsError, match="CONCIERGE_APP_NAME"):
        make_settings(app_name="Travel App")
