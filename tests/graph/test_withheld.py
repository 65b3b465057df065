"""Statements that the user withheld, or that consent denies, are in no note, no episode and no recall."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.messages import AIMessage

from app.api.concierge import Concierge
from tests.conftest import Opener
from tests.graph.test_conversation import NO_PLAN, save
from tests.graph.test_poison import poisoned
from tests.graph.test_recall import recap
from tests.scripted import calls, scripted

FIRST: dict[str, Any] = {"user_id": "ana", "thread_id": "first of ana"}

ORDERED = [
    (["I'm on HIV medication, that stays between us please"], "medication"),
    (["Don't save this, but I'm pregnant"], "pregnant"),
    (["I have epilepsy - but don't write that down"], "epilepsy"),
    (["I take insulin. Not to be saved!"], "insulin"),
    (["I take depression medication. Please keep that to yourself."], "depression"),
    (["This is confidential: I have bipolar disorder"], "bipolar"),
    (["I have Crohn's disease but please don't keep a record of it"], "crohn"),
    (["I've had a miscarriage.", "don't save that"], "miscarriage"),
    (["I'm on insulin.", "please don't save that"], "insulin"),
    (["Strictly between us: my wife and I are getting divorced"], "divorce"),
    (["I have a heart condition. Don't you dare save this."], "heart"),
    (["You must not remember this: I'm in recovery from alcohol"], "alcohol"),
    (["I'm trans. No notes about this please"], "trans."),
    (["HIV陽性です。メモは取らないで"], "HIV"),
    (["うつ病の薬を飲んでいます。ここだけの話にしてください"], "うつ病"),
    (["インスリンを使っています。これは保存しないで"], "インスリン"),
    (["クローン病ですが、メモしないでください"], "クローン病"),
    (["妊娠しています。内緒にしてください"], "妊娠"),
    (["インスリンを使っています。", "保存しないで"], "インスリン"),
]


async def traces_of(concierge: Concierge, word: str, user: str = "ana") -> str:
    """Return everything that contains `word` after the user's first conversation ended."""
    await concierge.end_session(user_id=user, thread_id=f"first of {user}")
    memory = concierge.memory(user)
    hits = [hit.document.text for hit in await concierge.recall(word, user_id=user)]
    texts = [repr(one) for one in (*await memory.notes(), *await memory.episodes(), *await memory.journal(), *hits)]
    return "\n".join(text for text in texts if word.casefold() in text.casefold())


async def test_statement_with_an_order_not_to_keep_it_is_not_kept(concierge_with: Opener) -> None:
    missed = {}
    async with concierge_with(model_provider="offline", embedder="none") as concierge:
        for number, (said, word) in enumerate(ORDERED):
            user = f"user {number}"
            replies = [await concierge.send(text, user_id=user, thread_id=f"first of {user}") for text in said]
            assert "not saved" in replies[-1].text or "保存していません" in replies[-1].text, said
            if left := await traces_of(concierge, word, user):
                missed[said[0]] = left
    assert missed == {}


async def test_trip_planned_in_the_same_message_is_remembered(concierge_with: Opener) -> None:
    async with concierge_with(model_provider="offline", embedder="none") as concierge:
        await concierge.send("I'm on insulin. Please don't save that", **FIRST)
        await concierge.send("Flight from Berlin to Rome 5 to 9 March, just me", **FIRST)
        assert await traces_of(concierge, "insulin") == ""
        assert "Rome" in (await concierge.memory("ana").episodes())[0].summary


async def test_secret_from_other_people_is_no_order_not_to_keep_it(concierge_with: Opener) -> None:
    async with concierge_with(model_provider="offline", embedder="none") as concierge:
        reply = await concierge.send("友達に内緒で旅行したい、東京から大阪、3月5日から7日", **FIRST)
        assert "保存していません" not in reply.text


async def test_statement_that_a_model_withholds_is_in_no_note_summary_or_recall(concierge_with: Opener) -> None:
    text = "I take insulin and I like parrots."
    agent = scripted(
        save(text, "health"),
        AIMessage("I'll remember that: I take insulin and I like parrots."),
        calls("remember_conversation", "call_2", remember=False, words=text),
        save(text, "health", "call_3"),
        AIMessage("Not saved: I take insulin and I like parrots. Parrots live in Funchal."),
    )
    summary = scripted(recap("The traveller likes parrots and takes insulin. Funchal was named.", key_facts=[text]))
    async with concierge_with({"agent": agent, "summary": summary, "consolidation": NO_PLAN}) as concierge:
        await concierge.send(text, **FIRST)
        reply = await concierge.send("Please don't keep that", **FIRST)
        assert reply.interrupts == ()
        assert [refused["code"] for refused in reply.memory.blocked] == ["consent_denied"] * 2
        assert await concierge.staged_notes(**FIRST) == []
        assert await traces_of(concierge, "insulin") == ""
        assert "insulin" not in str(summary.asked)
        assert [one.summary for one in await concierge.memory("ana").episodes()] == ["Funchal was named."]


async def test_withheld_note_of_the_same_turn_is_not_staged(concierge_with: Opener) -> None:
    hold = calls("remember_conversation", "call_2", remember=False, words="I take insulin")
    agent = scripted(save("I take insulin", "health"), hold, AIMessage("Ok."))
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}) as concierge:
        await concierge.send("I take insulin, don't save that", **FIRST)
        assert await concierge.staged_notes(**FIRST) == []


async def test_words_that_the_user_did_not_write_are_not_withheld(concierge_with: Opener) -> None:
    hold = calls("remember_conversation", "call_2", remember=False, words="I take insulin")
    async with concierge_with({"agent": scripted(hold, AIMessage("Ok.")), "consolidation": NO_PLAN}) as concierge:
        reply = await concierge.send("I take aspirin", **FIRST)
        assert reply.memory.blocked == ()


async def test_poisoned_result_withholds_nothing(make_settings: Any, clock: Any) -> None:
    given = {"remember": False, "words": "I saw lighthouses"}
    async with poisoned(make_settings(embedder="none"), clock, "remember_conversation", **given) as concierge:
        await concierge.send("search. I saw lighthouses", **FIRST, end_session=True)
        assert next(entry.text for entry in await concierge.full_history(**FIRST)) == "search. I saw lighthouses"


@pytest.mark.parametrize(
    ("topic", "said", "word"),
    [
        ("meal", "I'm vegan", "vegan"),
        ("meal", "My wife Jo is vegetarian", "vegetarian"),
        ("accessibility", "I use a wheelchair", "wheelchair"),
        ("companions", "My wife Emma likes aisle seats", "Emma"),
        ("companions", "My son Max is allergic to nuts", "nuts"),
        ("meal", "ナッツアレルギーがあります", "ナッツ"),
        ("companions", "妻の恵美は窓側が好きです", "恵美"),
    ],
)
@pytest.mark.parametrize("distillation", ["tool", "turn", "session"])
async def test_denied_topic_is_neither_summarised_nor_found(
    concierge_with: Opener, topic: str, said: str, word: str, distillation: str
) -> None:
    async with concierge_with(model_provider="offline", embedder="none", distillation=distillation) as concierge:
        await concierge.memory("ana").change_consent(deny=[topic])
        await concierge.send(said, **FIRST)
        assert await traces_of(concierge, word) == ""


async def test_consent_withdrawn_later_removes_the_topic_from_summary_and_recall(concierge_with: Opener) -> None:
    async with concierge_with(model_provider="offline", embedder="none") as concierge:
        await concierge.send("I'm vegan", **FIRST)
        await concierge.memory("ana").change_consent(deny=["meal"])
        assert await traces_of(concierge, "vegan") == ""


async def test_note_of_a_denied_topic_is_not_recalled(concierge_with: Opener) -> None:
    ask = calls("recall_memory", "call_2", query="vegetarian", limit=3, scopes=["note"])
    agent = scripted(save("I am vegetarian"), AIMessage("Ok."), ask, lambda messages: AIMessage(messages[-1].text))
    async with concierge_with({"agent": agent, "consolidation": NO_PLAN}, embedder="none") as concierge:
        await concierge.send("I am vegetarian", **FIRST, end_session=True)
        await concierge.memory("ana").change_consent(deny=["meal"])
        reply = await concierge.send("What do I eat?", user_id="ana", thread_id="second")
        assert reply.text == '{"results": []}'
