"""A coach in a gym, who is one schema file: no word of travel reaches the model, and the coach has their own words."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langchain_core.tools import tool

from app.api import acting
from app.api.concierge import Concierge
from app.api.opening import open_concierge
from config.errors import InvalidInputError
from config.settings import Settings, load_settings
from graph.state import meta
from memory.consolidation import Plan, apply_plan, promotions
from memory.control.reported import Report
from memory.records.profile import Profile
from memory.schema import TRAVEL
from tests.conftest import Clock, Opener
from tests.memory.schema.gardener import GYM
from tests.openai_server import Call, OpenAIServer, Reply, Request
from tests.scripted import calls, scripted

WORDS_OF_TRAVEL = re.compile(
    r"\b(travel\w*|trips?|hotels?|flights?|airlines?|journeys?|passport_\w+|visas?|seats?|concierge)\b|旅|ホテル|航空|便",
    re.IGNORECASE,
)
ANA: Any = {"user_id": "ana", "thread_id": "t1"}
KNEE = "My left knee is bad"
ARMS = "Only arms today"
SAID = (KNEE, ARMS, "I row on Sundays", "I lift on Sundays", "Sundays are for rowing and lifting", "Thank you")


def _wanted(body: Mapping[str, Any]) -> str:
    """Return the name of the structured output that a request asks for; empty if it asks for none."""
    return str((body.get("response_format") or {}).get("json_schema", {}).get("name", ""))


class Coach(OpenAIServer):
    """Saves what a message says, with the tool or as extraction, and answers each request for structured output."""

    def receive(self, request: Request) -> tuple[Reply, int]:
        self.requests.append(request)
        return self._reply(request.body), len(self.requests)

    def _reply(self, body: Mapping[str, Any]) -> Reply:
        latest = body["messages"][-1]
        said = str(latest["content"])
        wanted = _wanted(body)
        if wanted == "ExtractedNotes":
            return Reply(json.dumps({"notes": [self._extracted(json.loads(said)["athlete"])]}))
        if wanted == "HistorySummary":
            fields = body["response_format"]["json_schema"]["schema"]["properties"]
            return Reply(json.dumps(dict.fromkeys(fields, "Arms.")))
        if wanted:
            return Reply(json.dumps(_ANSWERS[wanted]))
        saves = latest["role"] == "user" and "save_memory_note" in json.dumps(body.get("tools", []))
        if not saves or said not in SAID[:-1]:
            return Reply("Good.")
        scope, topic = ("workout" if said == ARMS else "user"), "health" if said == KNEE else "training"
        note = {"text": said, "quote": said, "topic": topic, "scope": scope, "claims": _CLAIMS.get(said, [])}
        return Reply(calls=(Call("save_memory_note", json.dumps(note)),))

    def _extracted(self, said: str) -> dict[str, Any]:
        if said == SAID[-1]:
            return {"kind": "small_talk"}
        return {
            "kind": "athlete", "quote": said, "holds": "this_workout" if said == ARMS else "always", "about": "user",
            "topic": "health" if said == KNEE else "training", "text": said, "claims": _CLAIMS.get(said, []),
            "when": [], "until": None, "confidence": 1.0,
        }  # fmt: skip


_CLAIMS = {KNEE: [{"attribute": "injury", "value": "left knee", "stance": "excludes"}]}
_ANSWERS: dict[str, Any] = {
    "EpisodeSummary": {"summary": "Trained arms.", "topics": ["arms"], "key_facts": []},
    "PlanProposal": {"operations": []},
}


def _settings(folder: Path, url: str, **values: Any) -> Settings:
    given = {"openai_base_url": url, "openai_api_key": "sk-test-0123456789abcdefghij", "travel": "off", **values}
    return load_settings(_env_file=None, data_dir=folder, memory_schema=GYM, **given)


async def _talk(concierge: Concierge, clock: Clock) -> str:
    """Hold three conversations, the last a temporary one, and return the summary of the first."""
    for said in SAID:
        clock.move(minutes=1)
        await concierge.send(said, **ANA)
    state = await concierge.graph.aget_state({"configurable": {"thread_id": "t1"}})
    (summary,) = [one.text for one in state.values["messages"] if meta(one).get("kind") == "summary"]
    await concierge.send("", **ANA)
    await concierge.end_session(**ANA)
    await concierge.memory("ana").edit_profile({"goal": "strength", "name": "Ana", "injuries": ["left knee"]})
    await concierge.send("What do you know of me?", user_id="ana", thread_id="t2")
    await concierge.send("Hello", user_id="ana", thread_id="t3", memory_mode="off")
    return str(summary)


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("distillation", ["tool", "turn"])
async def test_model_reads_no_word_of_travel(tmp_path: Path, clock: Clock, distillation: str, language: str) -> None:
    with Coach() as server:
        values = {"distillation": distillation, "language": language, "context_limit": 3, "keep_last_n_turns": 1}
        async with open_concierge(_settings(tmp_path, server.url, **values), clock=clock) as concierge:
            summary = await _talk(concierge, clock)
            notes = {note.text: note for note in await concierge.memory("ana").notes()}
    texts = [json.dumps(request.body, ensure_ascii=False) for request in server.requests]
    assert {found.group() for text in texts for found in WORDS_OF_TRAVEL.finditer(text)} == set()
    assert {_wanted(request.body) for request in server.requests} >= {"", "HistorySummary", *_ANSWERS}
    titles = {"en": ("Goal", "Injuries", "Plan"), "ja": ("目標", "けが", "計画")}[language]
    assert [line.partition(":")[0] for line in summary.splitlines()] == [*titles]
    assert notes[KNEE].hard
    assert ARMS not in notes
    systems = [str(request.body["messages"][0]["content"]) for request in server.requests]
    system = next(text for text in systems if "goal: strength" in text)
    if language == "en":
        assert system.startswith("You are a gym coach: clear and encouraging.")
    assert "<user_profile>\n---\nname: Ana\ngoal: strength\ninjuries:\n- left knee\n---" in system


async def test_profile_has_the_fields_of_the_schema(concierge_with: Opener) -> None:
    async with concierge_with(memory_schema=GYM, travel="off") as concierge:
        memory = concierge.memory("ana")
        for fields, says in (
            ({"home_city": "Porto"}, "no field 'home_city'.*name, goal, injuries, weekly_sessions"),
            ({"goal": "fame"}, "goal: Input should be 'strength', 'endurance' or 'weight'"),
            ({"injuries": ["4111 1111 1111 1111"]}, "sensitive:payment_card"),
        ):
            with pytest.raises(InvalidInputError, match=says):
                await memory.edit_profile(fields)
        await memory.edit_profile({"goal": "strength", "injuries": ["knee"]})
        await memory.edit_profile({"goal": None, "weekly_sessions": "3"})
        await memory.undo()
        kept = memory.schema.facts(await memory.profile())
        assert kept.shown_to_model() == {"goal": "strength", "injuries": ["knee"]}
        assert kept.without(["health"]).shown_to_model() == {"goal": "strength"}
        assert await concierge.damaged() == []
        assert (await concierge.memory("bo").import_(await memory.export())).profile == ("goal", "injuries")
        assert (await concierge.memory("bo").profile()) == await memory.profile()
    async with concierge_with() as traveller:
        memory = traveller.memory("ana")
        assert (await memory.edit_profile({"home_city": "Porto"})).home_city == "Porto"
        blocked = (await traveller.memory("eve").import_(await memory.export())).blocked
        assert {(one.kind, one.id) for one in blocked} == {("profile", "goal"), ("profile", "injuries")}


async def test_denied_topic_of_a_schema_hides_its_fields_from_tools(concierge_with: Opener, tmp_path: Path) -> None:
    papers = tmp_path / "papers.toml"
    papers.write_text(TRAVEL.read_text(encoding="utf-8").replace("[topics.document", "[topics.papers"), "utf-8")
    day = {"destination": "Rome", "start": "2026-12-02", "end": "2026-12-06"}
    agent = scripted(calls("check_documents", **day), AIMessage("."), calls("check_documents", **day), AIMessage("."))
    async with concierge_with({"agent": agent}, memory_schema=papers) as concierge:
        memory = concierge.memory("ana")
        await memory.edit_profile({"passport_country": "PT", "passport_expiry": "2031-01-01"})
        known = await concierge.send("Is my passport fine for Rome?", **ANA)
        await memory.change_consent(deny=["papers"])
        denied = await concierge.send("Is my passport fine for Rome?", **ANA)
    assert ["2031-01-01" in str(reply.tools[0].result) for reply in (known, denied)] == [True, False]


async def test_claims_are_promoted_into_fields_of_the_schema(concierge_with: Opener) -> None:
    claims = [{"attribute": "injury", "value": "knee", "stance": "is"}]
    async with concierge_with(memory_schema=GYM, travel="off") as concierge:
        memory = concierge.memory("ana")
        kept = await memory.report(Report("I have a bad knee", "health", "app", agreed=True, claims=claims))
        known = kept.model_copy(update={"confirmations": 3})
        operations = promotions([], [known], Profile(), memory.schema)
        plan = Plan(session_id="s", revision=await memory.revision(), origin="claims", operations=tuple(operations))
        await apply_plan(plan, [], memory, schema=memory.schema, now=known.created_at)
        assert memory.schema.facts(await memory.profile()).shown_to_model() == {"injuries": ["knee"]}
        await memory.forget(kept.id)
        assert memory.schema.facts(await memory.profile()).shown_to_model() == {}


async def test_conversation_goes_on_with_a_summary_under_other_headings(tmp_path: Path, clock: Clock) -> None:
    with Coach() as server:
        values = {"context_limit": 2, "keep_last_n_turns": 1, "episodes": "off"}
        for schema, heading in ((TRAVEL, "Trip"), (GYM, "Goal")):
            async with open_concierge(
                _settings(tmp_path, server.url, **values), clock=clock, schema=schema
            ) as concierge:
                for said in ("Hello", "And", "Then"):
                    await concierge.send(said, **ANA)
                state = await concierge.graph.aget_state({"configurable": {"thread_id": "t1"}})
                (summary,) = [one.text for one in state.values["messages"] if meta(one).get("kind") == "summary"]
                assert summary.startswith(f"{heading}: Arms.")
    asked = next(one for one in server.requests[::-1] if _wanted(one.body) == "HistorySummary")
    assert "Trip: Arms." in json.dumps(asked.body)


async def test_rejected_call_is_reported_in_the_words_of_the_schema(concierge_with: Opener) -> None:
    @tool
    def reserve(room: str) -> str:
        """Reserve a training room."""
        return room

    agent = scripted(calls("reserve", room="A"), AIMessage("All right."))
    settings = load_settings(memory_schema=GYM, travel="off", model_provider="offline")
    async with open_concierge(
        settings, models={"agent": agent}, tools=[acting(reserve, lambda room: room)]
    ) as concierge:
        await concierge.send("Reserve room A", **ANA)
        reply = await concierge.resume("reject", **ANA)
        assert [use.outcome for use in reply.tools] == ["rejected"]
    assert agent.asked[-1][-1].text == "Not carried out: the athlete rejected it."
