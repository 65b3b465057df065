"""Which places, hours and days are read from messages in both languages, and what role each has."""

from __future__ import annotations

from datetime import date

from models.offline.reading import read
from models.offline.reading.understanding import Dates, ReadingContext, Slot
from tests.tables import table as cases

_TODAY = date(2026, 11, 22)
_HOURS = ("depart_after", "depart_before", "arrive_before", "return_after", "return_before", "home_before", "sort")


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
        ("please book Geoff to Rome on 3 May", ">Rome"),
        ("Welcome to Rome, need a hotel", ">Rome"),
        ("please fly Mrs Okonkwo to Rome", ">Rome"),
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


@cases(
    ("said", "hours"),
    [
        ("fly to Rome Friday 7 am", "depart_after=06:00 depart_before=08:00"),
        ("to Rome Friday 6:00-9:00", "depart_after=06:00 depart_before=09:00"),
        ("to Rome Friday evening, back Sunday", "depart_after=17:00"),
        ("to Rome Friday noon to Monday noon",
         "depart_after=11:00 depart_before=13:00 return_after=11:00 return_before=13:00"),
        ("I want to arrive in Rome Friday morning", "arrive_before=12:00"),
        ("to Rome on Sunday, landing before midnight", "arrive_before=23:59"),
        ("to Rome tomorrow first flight", "sort=earliest"),
        ("to Rome on Monday, last plane", "sort=latest"),
        ("we must be in Rome at latest on the 3rd", ""),
        ("my interview is 11 Feb 10am, to Rome", ""),
        ("to Rome 12 December, 3 adults", ""),
        ("土曜朝出て日曜夜帰り、福岡", "depart_before=12:00 return_after=17:00"),
        ("福岡へ、12日は朝、14日は19時過ぎ", "depart_before=12:00 return_after=19:00"),
        ("福岡へ 2/8 15時前後", "depart_after=14:00 depart_before=16:00"),
        ("14時に福岡着きたい", "arrive_before=14:00"),
        ("福岡へ、会議は15時からです", ""),
        ("朝早いのはつらいので10時以降の便で福岡へ", "depart_after=10:00"),
    ],
)  # fmt: skip
def test_an_hour_is_that_of_the_day_and_the_way_beside_it(said: str, hours: str) -> None:
    wishes = [clause.wishes for clause in read(said, ReadingContext(_TODAY)).clauses]
    found = [(name, getattr(each, name)) for name in _HOURS for each in wishes if getattr(each, name) is not None]
    assert " ".join(f"{name}={str(value)[: 5 if ':' in str(value) else None]}" for name, value in found) == hours


@cases(
    ("said", "days"),
    [
        ("the fair is 3 to 5 June, they arrive 2 June, leave 6 June", Dates(date(2027, 6, 2), date(2027, 6, 6))),
        ("my flight is early on 2 March so a hotel on 1 March", Dates(date(2027, 3, 1))),
        ("a class in Rome on monday, 4 girls", Dates(date(2026, 11, 23))),
        ("a hotel in Rome mid november", Dates(window=(date(2027, 11, 11), date(2027, 11, 20)))),
        ("ライブの日が5/23なので5/22から2泊、福岡", Dates(date(2027, 5, 22), nights=2)),
        ("4月1日着任なんで3/31に福岡入り", Dates(date(2027, 3, 31))),
        ("12月第2週の週末に福岡", Dates(date(2026, 12, 12), date(2026, 12, 13))),
        ("8月最後の土日に福岡", Dates(date(2027, 8, 28), date(2027, 8, 29))),
    ],
)
def test_days_are_those_of_the_journey(said: str, days: Dates) -> None:
    assert [clause.dates for clause in read(said, ReadingContext(_TODAY)).clauses if clause.dates] == [days]
