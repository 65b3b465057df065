"""What was understood before a summary is understood after it."""

from __future__ import annotations

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage

from models.offline.tasks.summarise import summarise
from models.offline.wording.sentences import understood_in
from nodes.messages.turns import Transcript, render_turns
from tests.models.offline.desk import Desk, booked

SAID = [
    ("flights Edinburgh to Porto, 20 to 23 May 2027, me, my wife and our two girls, 4 and 9", "business please"),
    ("Rome to Athens from 3 to 6 March, 2 adults, nonstop, 2 checked bags, under 400 euros", "business please"),
    ("Rome to Athens 3 to 6 March, one adult, leaving after 9, with Lufthansa", "business please"),
    ("Berlin to Lisbon 8 to 14 December for 2, and a hotel with a pool up to 150 a night", "business please"),
    ("a hotel in Lisbon 8 to 14 December for 2 adults, up to 150 euros a night with breakfast", "with a pool too"),
    ("a flight and a hotel, Berlin to Lisbon 8 to 14 December, 2 rooms, 4 stars, nonstop", "with a pool too"),
    ("a car in Nice from 3 to 8 March, automatic", "for 2 people"),
    ("one way from Berlin to Oslo on 3 March", "business please"),
    ("some time in March from Berlin to Oslo, two adults and a baby", "business please"),
    ("東京から札幌へ12月20日から23日まで、大人2人と子ども2人（4歳と9歳）、直行便で", "ビジネスクラスでお願いします"),
    ("東京から札幌へ12月20日から23日まで2人、ホテルも、1泊2万円以内で", "ビジネスクラスでお願いします"),
    ("I'm allergic to nuts. Flights from Rome to Oslo, 3 to 8 March, 2 adults", "business please"),
    ("母は足が悪いです。羽田から台北へ3月27日から31日まで2人、車椅子をお願いします", "ビジネスクラスでお願いします"),
    ("札幌のホテルを12月20日から23日まで、大人2人、朝食付きで", "プールも欲しいです"),
]


def _summarised(messages: list[AnyMessage]) -> list[AnyMessage]:
    """Return the conversation as the graph leaves it once all of it was summarised."""
    told = summarise("", render_turns(Transcript.of(messages).turns))
    parts = "\n".join(f"{name.capitalize()}: {text}" for name, text in told.items())
    return [HumanMessage("Summarise", id="s"), AIMessage(parts.replace("_", " "))]


@pytest.mark.parametrize(("said", "then"), SAID)
def test_a_summary_keeps_what_was_understood(said: str, then: str) -> None:
    whole = Desk()
    whole.say(said)
    short = Desk(messages=_summarised(whole.messages))
    assert understood_in(short.say(then)) == understood_in(whole.say(then)) != ""


@pytest.mark.parametrize(
    ("said", "yes", "cancel"),
    [
        ("flights from Berlin to Lisbon, 8 to 14 December, just me", "book the first one", "then cancel it"),
        ("ベルリンからリスボンの便、12月8日から14日、1人です", "1番を予約して", "じゃあキャンセル"),
    ],
)
def test_what_was_booked_before_a_summary_is_cancelled_after_it(said: str, yes: str, cancel: str) -> None:
    whole = Desk()
    whole.say(said)
    whole.say(yes)
    short = Desk({"list_bookings": {"bookings": [booked()]}}, messages=_summarised(whole.messages))
    short.say(cancel)
    assert short.called("cancel_booking")["booking"] == "TC-ABCDEF"
