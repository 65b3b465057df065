from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage

from graph.state import ShownNote
from nodes.messages.citations import MarkerFilter, cite
from tests.tables import table

SHOWN = [
    ShownNote(handle="n1a2b", id="one", text="I am vegetarian"),
    ShownNote(handle="n3c4d", id="two", text="Prefers aisle seats"),
]


def test_a_used_note_is_named_by_id_and_the_marker_is_gone() -> None:
    cited = cite(AIMessage("Two vegetarian places.\n<used>n1a2b</used>"), SHOWN)
    assert cited.message.text == "Two vegetarian places."
    assert cited.used == ["one"]
    assert cited.violations == []


def test_a_handle_that_was_not_shown_is_a_violation() -> None:
    cited = cite(AIMessage("Sure.\n<used>nffff</used>"), SHOWN)
    assert cited.used == []
    assert cited.violations == [{"code": "memory_out_of_context", "handle": "nffff"}]


def test_a_claimed_note_without_a_trace_in_the_answer_is_a_violation() -> None:
    cited = cite(AIMessage("Rome is lovely in May.\n<used>n3c4d</used>"), SHOWN)
    assert cited.used == []
    assert cited.violations == [{"code": "memory_declared_not_applied", "handle": "n3c4d"}]


@table(
    ("text", "answer", "applied"),
    [
        ("I only take direct flights", "Here are three flights to Rome.", False),
        ("I only take direct flights", "Here are three non-stop flights to Rome.", True),
        ("I prefer aisle seats", "I can book a seat for you.", False),
        ("I prefer aisle seats", "12C is on the aisle.", True),
        ("I like quiet hotels", "Three hotels near the station.", False),
        ("I like quiet hotels", "The Monti is the quietest of the three hotels.", True),
        ("Hotels under 200 EUR", "Rooms from 180 EUR a night.", True),
        ("I love hotels", "Three hotels near the station.", False),
        ("通路側の席が好きです", "3便をご案内します。", False),
        ("通路側の席が好きです", "通路側の12Cがございます。", True),
    ],
)
def test_a_word_that_every_travel_answer_has_is_no_trace(text: str, answer: str, applied: bool) -> None:
    shown = [ShownNote(handle="n1a2b", id="one", text=text)]
    assert cite(AIMessage(f"{answer}\n<used>n1a2b</used>"), shown).used == (["one"] if applied else [])


def test_an_answer_without_marker_is_left_as_it_is() -> None:
    message = AIMessage("1 < 2, and <b>bold</b>.")
    assert cite(message, SHOWN).message is message


def _stream(pieces: Sequence[str]) -> str:
    marker = MarkerFilter()
    return "".join([*map(marker.feed, pieces), marker.close()])


@given(
    st.text(alphabet="ab <u>\n", max_size=30),
    st.sampled_from(["", "\n<used>n1a2b</used>", " <used>n1a2b n3c4d</used>", "\n<used>n1a2b"]),
    st.lists(st.integers(1, 5), min_size=1, max_size=60),
)
def test_a_streamed_answer_equals_the_whole_one_without_its_marker(text: str, marker: str, sizes: list[int]) -> None:
    whole, pieces, at = text + marker, [], 0
    for size in [*sizes, 10**6]:
        pieces.append(whole[at : at + size])
        at += size
    assert _stream(pieces).strip() == cite(AIMessage(whole), SHOWN).message.text.strip()
