from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage

from graph.state import ShownNote
from nodes.messages.citations import MarkerFilter, cite, with_marker
from tests.tables import table

SHOWN = [
    ShownNote(handle="n1a2b", id="one", text="I am vegetarian"),
    ShownNote(handle="n3c4d", id="two", text="Prefers aisle seats"),
]


def test_cited_note_is_named_by_id_and_the_marker_is_removed() -> None:
    cited = cite(AIMessage("Two vegetarian places.\n<used>n1a2b</used>"), SHOWN)
    assert cited.message.text == "Two vegetarian places."
    assert cited.used == ["one"]
    assert cited.violations == []


def test_citation_of_a_note_that_was_not_shown_is_a_violation() -> None:
    cited = cite(AIMessage("Sure.\n<used>nffff</used>"), SHOWN)
    assert cited.used == []
    assert cited.violations == [{"code": "memory_out_of_context", "handle": "nffff"}]


def test_citation_without_a_trace_in_the_answer_is_no_violation() -> None:
    cited = cite(AIMessage("Rome is lovely in May.\n<used>n3c4d</used>"), SHOWN)
    assert (cited.used, cited.violations) == (["two"], [])


WRAPPED = [
    "<used>n1a2b</used>",
    "`<used>n1a2b</used>`",
    "```\n<used>n1a2b</used>\n```",
    "```xml\n<used>n1a2b</used>\n```",
    "**<used>n1a2b</used>**",
    "_<used>n1a2b</used>_",
    "(<used>n1a2b</used>)",
    "&lt;used&gt;n1a2b&lt;/used&gt;",
    "\\<used\\>n1a2b\\</used\\>",
    "< used >n1a2b</ used >",
    "<USED>n1a2b</USED>",
    "> <used>n1a2b</used>",
    "- <used>n1a2b</used>",
    "＜used＞n1a2b＜/used＞",
    "<used>[n1a2b]</used>",
    "<used>n1a2b",
    "<used>n1a2b</used>.",
    '<used handles="n1a2b"></used>',
]


@table("marker", WRAPPED)
def test_marker_is_read_and_removed_in_any_wrapping(marker: str) -> None:
    message = AIMessage(f"Two vegetarian places.\n{marker}")
    cited = cite(message, SHOWN)
    assert cited.used == ["one"]
    assert cited.message.text == "Two vegetarian places."
    assert with_marker(cited.message).text.replace("\n", "") == message.text.replace("\n", "")
    for size in (1, 2, 3, 7, 100):
        pieces = [message.text[at : at + size] for at in range(0, len(message.text), size)]
        assert _stream(pieces) == "Two vegetarian places."


def test_model_sees_its_own_answer_unchanged() -> None:
    message = AIMessage("Two vegetarian places.\n<used>n1a2b</used>")
    assert with_marker(cite(message, SHOWN).message).text == message.text
    plain = AIMessage("Hello.")
    assert with_marker(plain) is plain


@table("text", ["Use <b>bold</b>.", "Was it used?", "`code` and **bold**", "1 < 2 & 3 > 2", "(used)", "- a\n- b"])
def test_text_that_resembles_a_marker_is_shown(text: str) -> None:
    assert cite(AIMessage(text), SHOWN).message.text == text
    assert _stream(list(text)) == text


def test_answer_without_a_marker_is_unchanged() -> None:
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
def test_streamed_answer_equals_the_whole_one_without_its_marker(text: str, marker: str, sizes: list[int]) -> None:
    whole, pieces, at = text + marker, [], 0
    for size in [*sizes, 10**6]:
        pieces.append(whole[at : at + size])
        at += size
    assert _stream(pieces).strip() == cite(AIMessage(whole), SHOWN).message.text.strip()


@table(
    "text",
    [
        "Take **AY1**\n",
        "It is the *quiet* one: _Linden_\n\n",
        'They call it "the Nook" ',
        "Run `concierge trips`\n- ",
    ],
)
def test_marks_that_end_an_answer_are_kept(text: str) -> None:
    marked = f"{text}<used>n1a2b</used>"
    kept = text.rstrip(" -\n")
    streamed = MarkerFilter()
    pieces = "".join(map(streamed.feed, marked)) + streamed.close()
    assert (cite(AIMessage(marked), SHOWN).message.text, pieces.rstrip()) == (kept, kept)
