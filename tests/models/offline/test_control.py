"""A traveller who rules over memory in conversation: off the record, not to be saved, erased, and where it is from."""

from __future__ import annotations

from typing import Any

import pytest

from tests.models.offline.talker import Talker

NOTE = {"handle": "n1", "text": "I hate hostels", "topic": "hotel", "date": "2026-10-01", "where": "long-term"}


@pytest.mark.parametrize(
    ("said", "topic"),
    [
        ("Please don't keep anything about my health.", "accessibility"),
        ("From now on don't remember what I eat", "meal"),
        ("I don't want you to keep my dietary stuff", "meal"),
        ("You may not remember anything about my family", "companions"),
        ("健康のことは覚えないでください", "accessibility"),
        ("家族については記録しないでください", "companions"),
    ],
)
def test_an_order_to_keep_nothing_of_a_topic_makes_no_note_and_is_told_what_does_it(said: str, topic: str) -> None:
    talker = Talker()
    assert f"--deny {topic}`" in talker.say(said)
    assert talker.calls == []


@pytest.mark.parametrize(
    ("order", "said", "kept"),
    [
        ("Stop remembering my diet from now on", "I'm vegan", False),
        ("Please don't keep anything about my health.", "I have epilepsy", False),
        ("食事のことは今後覚えないでください", "ベジタリアンです", False),
        ("Stop remembering my diet from now on", "Remember that I'm vegan", True),
        ("Stop remembering my diet from now on", "I like window seats", True),
    ],
)
def test_what_is_told_of_that_topic_later_is_not_kept_and_that_is_said(order: str, said: str, kept: bool) -> None:
    talker = Talker()
    talker.say(order)
    reply = talker.say(said)
    assert (len(talker.saved), "not saved" in reply or "保存していません" in reply) == (kept, not kept)


@pytest.mark.parametrize("said", ["宗教のことは絶対に保存しないで", "宗教については何も記録しないでください"])
def test_a_subject_that_is_no_topic_can_not_be_kept_out_and_that_is_said(said: str) -> None:
    talker = Talker()
    assert "これは保存しないで" in talker.say(said)
    assert talker.calls == []


@pytest.mark.parametrize("said", ["forget my phone number", "forget my email"])
def test_what_no_note_has_is_asked_for_in_the_words_it_was_said_in(said: str) -> None:
    talker = Talker(answers={"forget_memory": {"status": "none"}})
    assert "words as you said them" in talker.say(said)
    assert [call["query"] for call in talker.calls] == [said.removeprefix("forget ")]


@pytest.mark.parametrize(
    "said",
    [
        "don't remember this conversation",
        "This is off the record.",
        "Please don't save anything from this chat",
        "keep this conversation private",
        "この会話は覚えないでください",
        "これはオフレコでお願いします",
    ],
)
def test_off_the_record_is_passed_on_and_told_as_the_tool_says(said: str) -> None:
    talker = Talker(answers={"remember_conversation": {"status": "not_remembering", "dropped": 2}})
    reply = talker.say(said)
    assert talker.calls == [{"name": "remember_conversation", "remember": False}]
    assert "2" in reply


@pytest.mark.parametrize("said", ["okay, back on the record", "you can remember this chat again", "この会話を覚えて"])
def test_back_on_the_record(said: str) -> None:
    talker = Talker(answers={"remember_conversation": {"status": "remembering"}})
    talker.say(said)
    assert talker.calls == [{"name": "remember_conversation", "remember": True}]


UNDECIDED = "Not carried out: the traveller did not decide on it, and wrote the next message instead."


@pytest.mark.parametrize(
    ("answer", "saves"), [(UNDECIDED, False), ("Not carried out: the traveller rejected it.", True)]
)
def test_nothing_is_saved_until_the_question_about_it_is_answered(answer: str, saves: bool) -> None:
    talker = Talker(answers={"remember_conversation": {"status": "error", "message": answer}})
    talker.say("pause memory")
    reply = talker.say("I hate hostels")
    assert bool(talker.saved) is saves
    assert ("not saved" in reply) is not saves


@pytest.mark.parametrize(
    "said",
    [
        "Don't save this, but I hate hostels",
        "I hate hostels, but please don't remember that",
        "Between you and me, I hate hostels.",
        "Don't tell anyone, but I hate hostels.",
        "内緒ですが、ホステルが嫌いです",
        "これは保存しないで。ホステルが嫌いです",
        "ここだけの話ですが、ホステルが嫌いです",
    ],
)
def test_what_shall_not_be_saved_is_not(said: str) -> None:
    talker = Talker()
    reply = talker.say(said)
    assert [(call["name"], call["remember"]) for call in talker.calls] == [("remember_conversation", False)]
    assert "hostels" in talker.calls[0]["words"] or "ホステル" in talker.calls[0]["words"]
    assert "not saved" in reply or "保存していません" in reply


def test_what_is_not_saved_still_counts_in_the_conversation_and_is_shown_as_such() -> None:
    talker = Talker()
    talker.say("Don't save this, but I hate hostels")
    assert "not saved" in talker.say("What do you know about me?")


@pytest.mark.parametrize(
    ("said", "called"),
    [
        ("no need to keep that", "remember_conversation"),
        ("forget that", "forget_memory"),
        ("don't forget that I hate hostels", "save_memory_note"),
    ],
)
def test_not_keeping_the_last_thing_said_is_withholding_it(said: str, called: str) -> None:
    talker = Talker()
    talker.say("I hate hostels")
    talker.say(said)
    assert [call["name"] for call in talker.calls] == [called]


MENTIONS: dict[str, dict[str, Any]] = {"forget_memory": {"status": "mentions", "count": 3}}


@pytest.mark.parametrize("said", ["yes", "Yes, erase them", "delete those"])
def test_mentions_are_erased_on_a_yes(said: str) -> None:
    talker = Talker(answers=MENTIONS)
    assert "mention it (3)" in talker.say("forget about the lighthouse")
    talker.answers = {"forget_memory": {"status": "forgotten", "mentions": 3}}
    reply = talker.say(said)
    assert talker.calls == [{"name": "forget_memory", "query": "lighthouse", "mentions": True}]
    assert "erased" in reply


@pytest.mark.parametrize("said", ["no", "never mind", "I need a flight to Rome"])
def test_mentions_stay_without_a_yes(said: str) -> None:
    talker = Talker(answers=MENTIONS)
    talker.say("forget about the lighthouse")
    reply = talker.say(said)
    assert [call for call in talker.calls if call["name"] == "forget_memory"] == []
    assert "rased" not in reply


@pytest.mark.parametrize("said", ["forget everything", "Wipe my data", "forget me", "全部忘れて"])
def test_everything_is_forgotten_after_a_yes_and_not_before(said: str) -> None:
    talker = Talker(answers={"list_memories": {"notes": [NOTE, {**NOTE, "handle": "n2", "text": "I like opera"}]}})
    talker.say("I hate hostels")
    reply = talker.say(said)
    assert [call["name"] for call in talker.calls] == ["list_memories"]
    assert "memory clear" in reply
    assert "I like opera" in reply
    answer = "はい" if said == "全部忘れて" else "yes"
    talker.say(answer)
    assert [call["query"] for call in talker.calls] == [NOTE["handle"], "n2"]


@pytest.mark.parametrize("said", ["no", "what would that change?", "yes?", "thanks"])
def test_nothing_is_forgotten_without_a_yes(said: str) -> None:
    talker = Talker(answers={"list_memories": {"notes": [NOTE]}})
    talker.say("forget everything")
    talker.say(said)
    assert [call for call in talker.calls if call["name"] == "forget_memory"] == []


def test_nothing_is_known_and_so_nothing_is_forgotten() -> None:
    talker = Talker()
    assert "nothing to forget" in talker.say("forget everything")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"code": "consent_denied", "because": "forgotten"}, "You asked me to forget that"),
        ({"code": "consent_denied", "because": "topic"}, "asked me not to keep this kind"),
        ({"code": "paused"}, "paused"),
        ({"code": "topic_denied"}, "doesn't keep that kind"),
    ],
)
def test_a_refusal_is_explained(answer: dict[str, str], words: str) -> None:
    talker = Talker(answers={"save_memory_note": {"status": "blocked", **answer}})
    reply = talker.say("I hate hostels")
    assert words in reply
    assert "remember that:" not in reply


@pytest.mark.parametrize("said", ["How do you know I hate hostels?", "where did you get that?", "I never said that."])
def test_the_source_is_told_with_its_date_and_words(said: str) -> None:
    talker = Talker(answers={"list_memories": {"notes": [{**NOTE, "said": "ugh, I hate hostels"}]}})
    talker.say("What do you know about me?")
    reply = talker.say(said)
    assert talker.saved == []
    assert 'on 2026-10-01 you said "ugh, I hate hostels"' in reply


def test_a_source_that_is_not_there_is_not_made_up() -> None:
    talker = Talker(answers={"list_memories": {"notes": [NOTE]}})
    assert "No note of mine" in talker.say("How do you know I like opera?")
    assert "without your exact words" in talker.say("How do you know I hate hostels?")


@pytest.mark.parametrize(
    ("said", "kept", "words"),
    [
        (
            "I'm vegetarian. Don't save this, but my wife is allergic to nuts",
            "I'm vegetarian",
            "My wife is allergic to nuts",
        ),
        ("妻は卵アレルギーです。内緒ですけど、私は糖尿病です", "妻は卵アレルギーです", "私は糖尿病です"),
        ("膝が悪いので覚えておいてください。孫の名前は内緒ですけど", "膝が悪い", "孫の名前は"),
    ],
)
def test_the_rest_of_a_message_is_kept(said: str, kept: str, words: str) -> None:
    talker = Talker()
    talker.say(said)
    assert [call["text"] for call in talker.calls if call["name"] == "save_memory_note"] == [kept]
    assert [call["words"] for call in talker.calls if call["name"] == "remember_conversation"] == [words]


@pytest.mark.parametrize("said", ["I hate cats, but don't remember that", "私は糖尿病です。これは覚えないで"])
def test_what_is_not_to_be_saved_is_not_saved(said: str) -> None:
    talker = Talker()
    talker.say(said)
    assert [call["name"] for call in talker.calls] == ["remember_conversation"]
