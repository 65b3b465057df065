"""Which places are read from messages in both languages, and with what roles."""

from __future__ import annotations

from datetime import date

from models.offline.reading import read
from models.offline.reading.understanding import ReadingContext, Slot
from tests.tables import table as cases

_TODAY = date(2026, 11, 22)


def _ends(said: str, asked: Slot | None = None) -> str:
    clauses = read(said, ReadingContext(_TODAY, asked=asked, trip_open=asked is not None)).clauses
    places = [place for clause in clauses for place in clause.places]
    origins = "|".join(place.name for place in places if place.role == "origin")
    return f"{origins}>{'|'.join(place.name for place in places if place.role != 'origin')}"


@cases(
    ("said", "ends"),
    [
        ("Bergen-Oslo on Friday", "Bergen>Oslo"),
        ("OSL/CPH/OSL 6 May to 9 May", "OSL>CPH|OSL"),
        ("fly QRO MAD on 3 May", "QRO>MAD"),
        ("Cuernavaca to Madrid, 3 May", "Cuernavaca>Madrid"),
        ("Bergen → Fjellheim, 3 to 6 May", "Bergen>Fjellheim"),
        ("flight Milan Bovisa (not Malpensa) to Oslo on Monday", "Milan>Oslo"),
        ("Leeds airport to Nice on 2 May", "Leeds>Nice"),
        ("is there a flight between Bergen and Riga?", "Bergen>Riga"),
        ("Graz or Vienna to Malta in June", "Graz|Vienna>Malta"),
        ("departure: Graz, arrival: Malta", "Graz>Malta"),
        ("quickest connection Riga - Malta on Monday", "Riga>Malta"),
        ("to Rome on 3 March, back to Leeds on 9 March", "Leeds>Rome"),
        ("as early as possible, as cheap as possible, Riga to Malta", "Riga>Malta"),
        ("三島を朝7時に出て福岡へ", "三島>Fukuoka"),
        ("福岡⇄羽田 4/15", "Fukuoka>Haneda (HND)"),
        ("下地島空港→福岡 4/15", "下地島空港>Fukuoka"),
        ("HND→ITM ANA 2/3", "HND>ITM"),
        ("高崎の者ですが羽田から福岡まで", "Haneda (HND)>Fukuoka"),
        ("福岡がら東京さ行ぐ", "Fukuoka>Tokyo"),
        ("東京から水俣に2泊", "Tokyo>水俣"),
        ("総務から3名です", ">"),
    ],
)
def test_places_have_the_roles_that_their_order_and_joints_say(said: str, ends: str) -> None:
    assert _ends(said) == ends


@cases(
    ("said", "ends"),
    [
        ("Kolkata, we'll be coming from Delhi", "Delhi>Kolkata"),
        ("Riga or Vilnius, both fine", "Riga|Vilnius>"),
        ("ニース。関空から。", "Kansai (KIX)>Nice"),
        ("福岡です", "Fukuoka>"),
        ("花巻温泉がいいです", ">Hanamaki Airport"),
        ("羽田空港周辺のホテル", ">Haneda (HND)"),
    ],
)
def test_beside_a_place_with_a_word_for_where_from_another_is_where_to(said: str, ends: str) -> None:
    assert _ends(said, "origin") == ends
