"""Lasting facts with other words around them: an opening, a request to remember, a reservation."""

from __future__ import annotations

from models.offline.notes import statements
from tests.tables import table


@table(
    ("said", "noted"),
    [
        ("結婚記念日6/12なんで、これはずっと覚えてて", ["結婚記念日6/12"]),
        ("母の誕生日は5月3日、覚えといて", ["母の誕生日は5月3日"]),
        ("remember that our anniversary is 12 June", ["Our anniversary is 12 June"]),
        ("please note my wife's birthday is on May 3", ["My wife's birthday is on May 3"]),
        ("膝が悪いのは治りませんから、覚えておいてくださいな", ["膝が悪いのは治りません"]),
        ("泳げないからいいや笑 猫アレルギーなんで、覚えてて", ["猫アレルギー"]),
        ("ハラールしか食べられません。書き換えといて", ["ハラールしか食べられません"]),
        ("言ってなかったかも、去年からベジタリアンです", ["去年からベジタリアンです"]),
        ("まだ言ってなかったけど、うちはハラールです", ["うちはハラールです"]),
        ("前に話してなかったかもしれませんが、猫アレルギーです", ["猫アレルギーです"]),
    ],
)
def test_a_lasting_fact_is_kept_whatever_stands_around_it(said: str, noted: list[str]) -> None:
    found = statements(said)
    assert [note.text for note in found] == noted
    assert not any(note.trip_only for note in found)


@table(
    "said", ["夫は歩くの嫌がるけど…まあいいわ", "妻は辛いものが苦手だけど、まあいいか", "去年の夏はベジタリアンでした"]
)
def test_what_is_waved_aside_or_over_is_not_kept(said: str) -> None:
    assert statements(said) == ()
