"""A request to forget that names the notes in other words than its own sentence's, or beside an order to change one."""

from __future__ import annotations

from tests.models.offline.desk import Desk
from tests.models.offline.talker import SYSTEM, Talker, memories
from tests.tables import table
from text.words import is_japanese

NOTES = memories(
    "- [n1] meal, hard, 2026-10-01: えびアレルギー",
    "- [n2] seat, 2026-10-01: 通路側の席が好き",
    "- [n3] companions, 2026-10-01: 夫の健一は高所恐怖症。",
    "- [n4] meal, hard, 2026-10-01: 夫の健一はそばアレルギーがある。",
    "- [n5] room, 2026-10-01: ホテルは高層階の部屋が好き。",
    "- [n6] meal, hard, 2026-10-01: I'm allergic to shrimp",
)


@table(
    ("said", "forgotten"),
    [
        ("えびのアレルギーですが、調べ直したら何ともなかったんです。消しておいていただけますか", ["n1"]),
        ("なので元夫の健一についてのメモ、高所恐怖症とそばアレルギー、2つとも消してください", ["n3", "n4"]),
        ("通路側の席が好きと言いましたが、もうどうでもよくなりました。それは削除してください", ["n2"]),
        ("夫の健一の高所恐怖症とそばアレルギー、両方消して", ["n3", "n4"]),
        ("高層階の部屋が好きなホテル好きでしたが、飽きました。消しといて", ["n5"]),
        ("はい、えびのことは忘れてくださいね", ["n1"]),
        ("My shrimp turned out to be no allergy after all. Delete that please", ["n6"]),
        ("予約を2つとも消してください", []),
        ("高層階の部屋が好きなホテルはどうですか", []),
    ],
)
def test_a_note_is_forgotten_whose_words_the_message_spells_out(said: str, forgotten: list[str]) -> None:
    talker = Talker(SYSTEM + NOTES)
    talker.say(said)
    assert [call["query"] for call in talker.calls if call["name"] == "forget_memory"] == forgotten
    assert not talker.saved


def test_a_preference_is_turned_round_beside_a_request_to_forget() -> None:
    talker = Talker(SYSTEM + NOTES)
    talker.say("はい、えびのことは消してくださいね。それと席の好み、通路側ではなくて窓側に直してください")
    assert [call["query"] for call in talker.calls if call["name"] == "forget_memory"] == ["n1"]
    assert [note["text"] for note in talker.saved] == ["席の好み：窓側"]


@table(
    "said",
    [
        "delete the gym",
        "haha the gym thing, that's from another era. delete the gym. vegan stays though!!",
        "please erase the gym preference",
        "yes, delete gym hotels please",
        "forget the gym",
        "ジムのことは消してください",
    ],
)
def test_deleting_what_a_note_names_forgets_the_note(said: str) -> None:
    note = "ジムのあるホテルが好き" if is_japanese(said) else "Hotels with a gym"
    talker = Talker(SYSTEM + memories("- [n1] meal, 2026-10-01: Vegan", f"- [n2] hotel, 2026-10-01: {note}"))
    talker.say(said)
    assert [call["query"] for call in talker.calls if call["name"] == "forget_memory"] == ["n2"]


@table("said", ["delete the pool", "remove the pool please", "forget the pool", "プールはなしで"])
def test_deleting_a_wish_for_the_trip_forgets_no_note(said: str) -> None:
    desk = Desk()
    desk.say("a hotel in Lisbon from 8 to 14 December with a pool, just me")
    desk.say(said)
    assert [call.get("features") for call in desk.calls] == [None]
