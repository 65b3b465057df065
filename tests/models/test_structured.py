from __future__ import annotations

import json
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.graph import START, MessagesState, StateGraph
from pydantic import BaseModel

from config.errors import ModelError
from models import structured
from models.schemas import PlanProposal, extracted_notes, history_summary
from tests.models.conftest import MakeModels
from tests.models.vocabulary import WORDS
from tests.openai_protocol import strict_fault
from tests.openai_server import Call, OpenAIServer, Reply
from tests.tables import table

SECRET = "my passport is X1234567"
ASK = [HumanMessage(SECRET)]
PLAN = {
    "operations": [
        {"session_notes": ["a"], "global_notes": [], "reason": "new", "op": "ADD", "text": "Prefers aisle seats."}
    ]
}
NOTES = {
    "notes": [
        {
            "kind": "traveller",
            "quote": "I'm vegetarian",
            "holds": "always",
            "text": "Is vegetarian.",
            "topic": "meal",
            "claims": [{"attribute": "diet", "value": "vegetarian", "stance": "requires"}],
            "when": [{"key": "with", "value": "my wife"}],
            "about": "user",
            "until": None,
            "confidence": 0.95,
        },
        {"kind": "small_talk"},
    ]
}
ExtractedNotes = extracted_notes(WORDS)
HistorySummary = history_summary(WORDS.headings)
SUMMARY = dict.fromkeys(HistorySummary.model_fields, "UNVERIFIED")
ANSWERS: list[tuple[type[BaseModel], dict[str, Any]]] = [
    (PlanProposal, PLAN),
    (ExtractedNotes, NOTES),
    (HistorySummary, SUMMARY),
]


@pytest.mark.parametrize(("schema", "said"), ANSWERS, ids=lambda value: getattr(value, "__name__", ""))
async def test_every_schema_is_strict_and_returns_a_typed_object(
    make_models: MakeModels, openai_server: OpenAIServer, schema: type[BaseModel], said: dict[str, Any]
) -> None:
    openai_server.script(Reply(json.dumps(said)))
    parsed = await structured(make_models().get("consolidation"), schema, ASK, timeout=10)
    assert type(parsed) is schema
    assert parsed.model_dump(mode="json") == said
    wanted = openai_server.requests[0].body["response_format"]
    assert wanted["type"] == "json_schema"
    assert wanted["json_schema"]["strict"] is True


@pytest.mark.parametrize("schema", [PlanProposal, ExtractedNotes, HistorySummary])
def test_schemas_are_strict_before_the_client_changes_them(schema: type[BaseModel]) -> None:
    assert "default" not in json.dumps(schema.model_json_schema())
    assert all(field.is_required() for field in schema.model_fields.values())


async def test_structured_call_within_a_streaming_graph_is_not_streamed(
    make_models: MakeModels, openai_server: OpenAIServer
) -> None:
    openai_server.script(Reply(json.dumps(PLAN)))
    model = make_models().get("consolidation")

    async def consolidate(state: MessagesState) -> dict[str, Any]:
        plan = await structured(model, PlanProposal, state["messages"], timeout=10)
        return {"messages": [AIMessage(plan.operations[0].op)]}

    graph = StateGraph(MessagesState).add_node(consolidate).add_edge(START, "consolidate").compile()
    seen = [
        part.text
        async for part, _ in graph.astream(MessagesState(messages=[HumanMessage("hi")]), stream_mode="messages")
        if isinstance(part, AIMessage)
    ]
    assert seen == ["ADD"]


@pytest.mark.parametrize(
    "said",
    ["not json at all", '{"operations": [', '{"operations": [{"op": "EXPLODE"}]}', '{"other": 1}', "[]"],
)
async def test_answer_that_does_not_fit_the_schema_is_invalid(
    make_models: MakeModels, openai_server: OpenAIServer, said: str
) -> None:
    openai_server.script(Reply(said))
    with pytest.raises(ModelError) as caught:
        await structured(make_models().get("consolidation"), PlanProposal, ASK, timeout=10)
    assert caught.value.fault == "invalid"
    assert said not in str(caught.value)


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        (Reply(""), "empty"),
        (Reply("", refusal="I won't."), "refused"),
        (Reply("", finish="content_filter"), "refused"),
        (Reply('{"operations"', finish="length"), "cut"),
        (Reply(choices=False), "invalid"),
        (Reply(calls=(Call("PlanProposal", "{"),)), "invalid"),
    ],
    ids=["nothing", "refusal", "filter", "cut", "no choices", "a call"],
)
async def test_missing_answer_has_its_fault(
    make_models: MakeModels, openai_server: OpenAIServer, reply: Reply, fault: str
) -> None:
    openai_server.script(reply)
    with pytest.raises(ModelError) as caught:
        await structured(make_models().get("consolidation"), PlanProposal, ASK, timeout=10)
    assert caught.value.fault == fault
    assert SECRET not in str(caught.value)


@pytest.mark.filterwarnings("ignore:Invalid schema for OpenAI:UserWarning")
async def test_endpoint_that_rejects_the_schema_is_a_clear_error(make_models: MakeModels) -> None:
    class Loose(BaseModel):
        model_config = {"extra": "allow"}
        name: str

    with pytest.raises(ModelError, match="HTTP 400") as caught:
        await structured(make_models().get("consolidation"), Loose, ASK, timeout=10)
    assert caught.value.fault == "invalid"


STRICT = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False}


@table(
    ("schema", "fault"),
    [
        (STRICT, ""),
        ({**STRICT, "type": "array"}, "root"),
        ({**STRICT, "required": []}, "required"),
        ({**STRICT, "additionalProperties": True}, "additionalProperties"),
        ({**STRICT, "properties": {"a": {"type": "string", "default": "x"}}}, "default"),
        ({**STRICT, "properties": {"a": {"type": "array", "items": {"type": "object"}}}}, "additionalProperties"),
        ({**STRICT, "properties": {"a": {"anyOf": [{"type": "null"}, {"oneOf": []}]}}}, "oneOf"),
        ({**STRICT, "$defs": {"B": {**STRICT, "required": []}}}, "required"),
        ({**STRICT, "properties": {"a": {"$ref": "#/$defs/B", "description": "x"}}}, "ref"),
    ],
)
def test_local_server_checks_the_rules_of_strict_mode(schema: dict[str, Any], fault: str) -> None:
    actual = strict_fault(schema)
    assert fault in actual
    assert bool(actual) == bool(fault)
