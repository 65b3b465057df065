from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolCall, ToolMessage

from graph.state import META
from nodes.capture import heard_in
from nodes.messages.turns import Transcript, count_tokens, model_view, paired, shorten


def _call(id_: str) -> AIMessage:
    return AIMessage("", tool_calls=[ToolCall(name="look", args={}, id=id_)])


_ids = st.sampled_from(["a", "b", "c"])
_messages = st.lists(
    st.one_of(
        st.text(max_size=30).map(HumanMessage),
        st.text(max_size=30).map(AIMessage),
        _ids.map(_call),
        _ids.map(lambda id_: ToolMessage("found", tool_call_id=id_)),
    ),
    max_size=25,
)


@given(_messages)
def test_splitting_keeps_every_message_in_order(messages: list[AnyMessage]) -> None:
    transcript = Transcript.of(messages)
    joined = [*transcript.preamble, *(message for turn in transcript.turns for message in turn.messages)]
    assert joined == messages
    assert all(isinstance(turn.messages[0], HumanMessage) for turn in transcript.turns)


@given(_messages)
def test_paired_history_has_no_call_without_result_and_no_result_without_call(messages: list[AnyMessage]) -> None:
    history = paired(messages)
    asked: set[str] = set()
    for message in history:
        if isinstance(message, AIMessage):
            asked.update(str(call["id"]) for call in message.tool_calls)
        elif isinstance(message, ToolMessage):
            assert message.tool_call_id in asked
    answered = {message.tool_call_id for message in history if isinstance(message, ToolMessage)}
    assert asked <= answered
    assert [m for m in history if isinstance(m, HumanMessage)] == [m for m in messages if isinstance(m, HumanMessage)]


@given(_messages, st.integers(1, 400))
def test_view_contains_whole_latest_turns_within_the_limit(messages: list[AnyMessage], cap: int) -> None:
    view = model_view(messages, most_turns=99, most_tokens=cap, most_chars=1000)
    turns = Transcript.of(view).turns
    if Transcript.of(messages).turns:
        assert turns[-1].messages[0] == Transcript.of(messages).turns[-1].messages[0]
    assert len(turns) <= 1 or count_tokens(view) <= cap


def test_synthetic_pair_starts_no_turn() -> None:
    pair: list[AnyMessage] = [
        HumanMessage("sum up", additional_kwargs={META: {"synthetic": True}}),
        AIMessage("Trip: Rome", additional_kwargs={META: {"synthetic": True}}),
    ]
    transcript = Transcript.of([*pair, HumanMessage("hi"), AIMessage("hello")])
    assert list(transcript.preamble) == pair
    assert len(transcript.turns) == 1
    assert [one.text for one in heard_in([*pair, HumanMessage("hi")])] == ["hi"]


@given(st.text(max_size=300), st.integers(20, 200))
def test_shortened_text_keeps_its_ends_and_fits(text: str, most: int) -> None:
    short = str(shorten(HumanMessage(text), most).content)
    assert len(short) <= most or short == text
    if len(text) <= most:
        assert short == text
    else:
        assert short[:5] == text[:5]
        assert short[-5:] == text[-5:]
