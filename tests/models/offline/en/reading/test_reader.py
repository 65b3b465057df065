"""What English messages are read into."""

from __future__ import annotations

from datetime import date, time

from models.offline.en.form import WORDS as ENGLISH
from models.offline.ja.form import WORDS as JAPANESE
from models.offline.reading import read
from models.offline.reading.understanding import Choice, Dates, Party, ReadingContext, Wishes
from tests.models.offline.en.reading.phrases import TODAY, missed, rows
from tests.tables import table as cases
from text.tables import Words

_SHOWN = ReadingContext(TODAY, asked="confirm", trip_open=True, offers_shown=True)


@cases(("said", "wanted"), rows("tune.txt"), floor=0.97)
def test_what_the_patterns_are_mended_by_is_read(said: str, wanted: str) -> None:
    assert not missed(said, wanted)


@cases(("said", "wanted"), rows("measure.txt"), floor=0.6)
def test_what_nothing_was_fitted_to_is_read(said: str, wanted: str) -> None:
    assert not missed(said, wanted)


@cases(
    "said",
    [
        "can I book that later?", "is it booked?", "what if I cancel?", "yes but how much is it?",
        "does it have a pool?", "ok and what about insurance", "should I book now?",
        "could I cancel for free", "yes, what's the total?",
        "how do I confirm", "is that the price for both?",
    ],
)  # fmt: skip
def test_a_question_is_no_yes(said: str) -> None:
    acts = {clause.act for clause in read(said, _SHOWN).clauses}
    assert not acts & {"confirm", "book", "cancel", "hold"}, acts


@cases(
    "said",
    [
        "def fly(to):\n    return {'Rome': 3}", "SELECT * FROM trips WHERE city = 'Oslo';",
        "> let's fly to Paris on 3 May",
        "once upon a time a king flew to Rome with 3 friends", "const nights = 3;",
    ],
)  # fmt: skip
def test_code_quotes_and_stories_have_no_values(said: str) -> None:
    for clause in read(said, ReadingContext(TODAY)).clauses:
        assert (clause.act, clause.places, clause.dates, clause.party) == ("chat", (), None, None)


def test_what_no_list_names_is_looked_for_by_its_meaning() -> None:
    begins = ReadingContext(TODAY)
    for said, kinds in (
        ("a log cabin with a stove near Aviemore, three nights from 4 January", ("hotel",)),
        ("陶芸を習いたい、12月5日、益子", ("activity",)),
        ("three nights from 4 January, two of us", ()),
        ("from Leeds to Faro, 4 to 9 January", ()),
    ):
        (clause,) = read(said, begins).clauses
        assert tuple(kind for kind in clause.kinds if kind != "flight") == kinds, said
    (clause,) = read("an old lighthouse to sleep in, Brittany, 5 to 8 May", _SHOWN).clauses
    assert clause.kinds == ()  # a place said over offers is another aim of what is looked for already


def test_what_is_done_to_a_booking_is_told_by_its_meaning_and_only_where_there_is_one() -> None:
    for said, act in (("コンペ用のゴルフバッグを一個、往復で", "bags"), ("フライトを翌日の便に振り替えて", "change")):
        for booked in (True, False):
            context = ReadingContext(TODAY, trip_open=True, offers_shown=True, booked=booked)
            assert ({clause.act for clause in read(said, context).clauses} == {act}) == booked, said


def test_a_word_that_is_always_meant_is_no_slip_of_a_place() -> None:
    asked = ReadingContext(TODAY, asked="destination", trip_open=True)
    for said in ("I can't do early mornings", "we won't stay long", "I cant stand crowds"):
        assert not any(clause.places for clause in read(said, asked).clauses), said


@cases(
    ("said", "wanted"),
    [
        ("anything that doesn't leave before 9?", Wishes(depart_after=time(9))),
        ("nothing before 9am", Wishes(depart_after=time(9))),
        ("no flights before 10 please", Wishes(depart_after=time(10))),
        ("I can't leave before 9", Wishes(depart_after=time(9))),
        ("avoid departures before 8am", Wishes(depart_after=time(8))),
        ("not after 8pm", Wishes(depart_before=time(20))),
        ("I'd rather not arrive after 10pm", Wishes(arrive_before=time(22))),
        ("no later than 6pm", Wishes(depart_before=time(18))),
        ("before 9am please", Wishes(depart_before=time(9))),
        ("no morning flights please", Wishes(depart_after=time(12))),
        ("I can't do early mornings", Wishes(depart_after=time(12))),
        ("nothing in the evening", Wishes(depart_before=time(17))),
        ("in the morning please", Wishes(depart_before=time(12))),
    ],
)
def test_an_hour_that_is_not_wanted_bounds_from_the_other_side(said: str, wanted: Wishes) -> None:
    (clause,) = read(said, _SHOWN).clauses
    assert (clause.act, clause.wishes) == ("inform", wanted)


@cases(
    ("said", "start"),
    [
        ("nah 8th was beter", 8), ("hm no monday was ok.", 8), ("the 8th suited us better", 8),
        ("let's keep monday", 8), ("8日でよかったです", 8), ("変わらないなら8日のままで", 8),
        ("月曜のままでいいです", 8), ("my meeting is on monday", 0), ("i'm busy on the 8th", 0), ("8日は予定がある", 0),
    ],
)  # fmt: skip
def test_a_day_that_the_trip_had_before_is_gone_back_to(said: str, start: int) -> None:
    first, last, former = date(2027, 3, 5), date(2027, 3, 9), date(2027, 3, 8)
    days = frozenset({first, last, former})
    context = ReadingContext(TODAY, start=first, end=last, days=days, trip_open=True, offers_shown=True)
    dates = [clause.dates for clause in read(said, context).clauses if clause.act == "inform" and clause.dates]
    assert [one.start.day for one in dates if one.start] == ([start] if start else [])


@cases(
    ("said", "dates"),
    [
        ("the 3rd to the 9th", Dates(date(2026, 12, 3), date(2026, 12, 9))),
        ("28 December to 3 January", Dates(date(2026, 12, 28), date(2027, 1, 3))),
        ("the 28th to the 3rd", Dates(date(2026, 11, 28), date(2026, 12, 3))),
        ("last week of January", Dates(window=(date(2027, 1, 25), date(2027, 1, 31)))),
        ("second week of December", Dates(window=(date(2026, 12, 8), date(2026, 12, 14)))),
        ("mid-June", Dates(window=(date(2027, 6, 11), date(2027, 6, 20)))),
        ("in two weeks", Dates(date(2026, 12, 6))),
        ("the original dates please", Dates(first=True)),
        ("three weeks from tomorrow", Dates(date(2026, 12, 14))),
        ("18.6. - 20.6.", Dates(date(2027, 6, 18), date(2027, 6, 20))),
        ("from 3 May until the 9th", Dates(date(2027, 5, 3), date(2027, 5, 9))),
        ("a long weekend", Dates(nights=3)),
        ("next month", Dates(window=(date(2026, 12, 1), date(2026, 12, 31)))),
        ("the 22nd no wait the 23rd of May", Dates(date(2027, 5, 23))),
        ("back on the twenty second, sorry, the twenty third of May", Dates(end=date(2027, 5, 23))),
        ("5 May, I mean the 6th, to the 9th", Dates(date(2027, 5, 6), date(2027, 5, 9))),
        ("14 to 17 January - no sorry, 15 to 18 January", Dates(date(2027, 1, 15), date(2027, 1, 18))),
        ("3 May to 7 May, actually 4 May to 8 May", Dates(date(2027, 5, 4), date(2027, 5, 8))),
        ("from 3 May, back the day after", Dates(date(2027, 5, 3), date(2027, 5, 4))),
        ("a day earlier, and back on the 9th of May", Dates(end=date(2027, 5, 9), shift_start=-1)),
        ("3 to 8 May and a night out", Dates(date(2027, 5, 3), date(2027, 5, 8))),
        ("3 May, 1 way", Dates(date(2027, 5, 3), one_way=True)),
        ("in on 3 May, home the next day", Dates(date(2027, 5, 3), date(2027, 5, 4))),
        ("checkin 20 March checkout 24 March", Dates(date(2027, 3, 20), date(2027, 3, 24))),
        ("the 31st of February", None),
        ("2026-13-40", None),
        ("no dates here", None),
    ],
)
def test_days(said: str, dates: Dates | None) -> None:
    found = [clause.dates for clause in read(f"a hotel in Rome, {said}", ReadingContext(TODAY)).clauses]
    assert [each for each in found if each] == ([dates] if dates else [])


def test_bare_numbers_are_days_only_in_answer_to_the_question() -> None:
    asked = ReadingContext(TODAY, asked="dates", window=(date(2026, 12, 1), date(2026, 12, 31)))
    assert read("3 to 9", asked).clauses[0].dates == Dates(date(2026, 12, 3), date(2026, 12, 9))
    assert all(clause.dates is None for clause in read("3 to 9", ReadingContext(TODAY)).clauses)


@cases(
    ("said", "language", "readable"),
    [
        ("hola, busco un vuelo a Madrid", "es", False),
        ("je voudrais un hôtel à Lyon", "fr", False),
        ("ich suche einen Flug nach Wien", "de", False),
        ("cerco un volo per Roma, grazie", "", False),
        ("хочу билет в Париж", "", False),
        ("ok", "en", True),
        ("berlin lisbon 3 may", "en", True),
        ("来月パリへ行きたい", "ja", True),
    ],
)
def test_the_language_is_told(said: str, language: str, readable: bool) -> None:
    found = read(said, ReadingContext(TODAY))
    assert (found.language, found.readable) == (language, readable)


@cases("words", [ENGLISH, JAPANESE])
def test_every_pattern_of_the_tables_is_one(words: Words) -> None:
    for name in ("acts", "dates", "people", "wishes"):
        for group, body in words.table(name).items():
            if isinstance(body, dict) and group != "plain" and all(isinstance(each, str) for each in body.values()):
                assert list(words.patterns(name, group)) == list(body)


@cases(
    ("said", "party"),
    [
        ("My wife and I would like to escape the grey: Hamburg to Funchal on 8 February", Party(adults=2)),
        ("Prague to Vienna for two, no sorry three, my mother's coming along", Party(total=3)),
        ("Oslo to Nice on 3 June, just me and the girls", None),
        ("my brother and I always argue on planes", None),
        ("baby stays with my parents after all", Party(infants=1, leaves=True)),
        ("a twin room in Nice from 3 to 5 June", None),
        ("we'll stay with friends in Nice", None),
        ("Oslo to Nice on 3 June, me, my husband and our two (she's 6, he's 9)", Party(None, 2, 2, ages=(6, 9))),
        ("Oslo to Nice on 3 June, 3 pax, one of them is 6", Party(3, 2, 1, ages=(6,))),
        ("Our three kids are 2, 4 and 7, so five of us", Party(5, 2, 3, ages=(2, 4, 7))),
        ("Oslo to Nice on 3 June, 2 adults, children: 3 and 6", Party(None, 2, 2, ages=(3, 6))),
        ("Oslo to Nice on 3 June, grandma, grandpa and little Tom (5)", Party(None, 2, 1, ages=(5,))),
        ("Oslo to Nice on 3 June, me + gf", Party(adults=2)),
        ("A couple with a toddler, 18 months old", Party(2, 2, None, 1, (1,))),
        ("one way, six friends", Party(adults=6)),
        ("and a hotel for us with family rooms", None),
        ("Oslo to Nice for us with our baby", Party(2, 2, None, 1)),
        ("a flight for three girlfriends and I", Party(adults=4)),
        ("Oslo to Nice on 3 June for an elderly couple", Party(2)),
        ("for dad, mum, a boy of 8 and a girl of 5", Party(None, 2, 2, ages=(8, 5))),
        ("for four people, two of them children aged 5 and 8", Party(4, 2, 2, ages=(5, 8))),
        ("for two people please, one is my 10 year old", Party(2, 1, 1, ages=(10,))),
        ("for 1 adult, 2 children: 3 years and 7 years", Party(None, 1, 2, ages=(3, 7))),
        ("a hostel in Fatima for a dozen nuns", Party(adults=12)),
        ("a hotel in Rome with two balconies, 4 pillows and 3 bars", None),
    ],
)
def test_who_travels_is_counted_where_the_words_say_it_and_not_guessed(said: str, party: Party | None) -> None:
    assert [clause.party for clause in read(said, ReadingContext(TODAY)).clauses] == [party]


def test_an_unknown_name_gives_way_to_a_known_place_in_the_same_role() -> None:
    (clause,) = read("a flight to Seville as I said to Geoff", ReadingContext(TODAY)).clauses
    assert {place.name for place in clause.places} == {"Seville"}


def test_the_part_that_is_put_off_is_a_clause_of_its_own() -> None:
    ordered, later = read("take the cheapest hotel, flights we sort next month", _SHOWN).clauses
    assert (ordered.act, ordered.kinds) == ("book", ("hotel",))
    assert (later.act, later.kinds) == ("inform", ("flight",))


@cases(
    ("said", "hour"),
    [
        ("the one at quarter past nine", "09:15"),
        ("the one at half past 7", "07:30"),
        ("the one at quarter to ten", "09:45"),
    ],
)
def test_hours_in_words_name_an_offer(said: str, hour: str) -> None:
    (clause,) = read(said, _SHOWN).clauses
    assert clause.choice
    assert f"{clause.choice.hour:%H:%M}" == hour


def test_where_a_flight_stops_is_no_place_to_go() -> None:
    (clause,) = read("how long is the layover in Madrid?", _SHOWN).clauses
    assert clause.places == ()


@cases(
    ("said", "acts"),
    [
        ("my wife says a day later", ["inform"]),
        ("my brother said he was ill on the 14th", ["tell"]),
        ("let me talk to her tonight", ["tell"]),
        ("I need to check with my boss on Monday", ["tell"]),
        ("do you still know that I like the aisle?", ["tell"]),
        ("good. more tomorrow", ["confirm", "bye"]),
        ("the cheapest hotel. and the flight, the second one like I said", ["book", "book"]),
        ("first flight and second hotel", ["book", "book"]),
        ("ok cheapest flight only, we sleep at a friend's", ["book", "tell"]),
        ("on second thoughts remember that I like flat walks", ["tell"]),
        ("the second one leaves when", ["choose"]),
        ("Cheapest flight and the first hotel, please.", ["book", "book"]),
        ("anything that isn't stupidly early?", ["inform"]),
        ("srry shouldve said, friday 4th of dec", ["inform"]),
        ("can you recommend a good tapas restaurant?", ["ask"]),
        ("The 4 year old gets her own seat, right?", ["ask"]),
        ("hm wait, does the flight get us there before dinner?", ["ask"]),
        ("my daughter turns 8 on 2 January, does that change anything?", ["tell", "ask"]),
        ("how much is an extra bag?", ["ask"]),
        ("Would you recommend an aisle seat?", ["ask"]),
        ("could you tell me what an extra bag costs?", ["ask"]),
        ("can I get a vegetarian meal?", ["inform"]),
        ("If I ever win the lottery I'll only fly first class haha", ["tell"]),
        ("If I were rich, I would take the Ritz", ["tell"]),
        ("I wish I could afford business class", ["tell"]),
        ("one day I'd love to fly business", ["tell"]),
        ("If I get promoted I'll fly business", ["tell"]),
        ("when I'm rich we'll stay at the Ritz", ["tell"]),
        ("They say window seats are the best", ["tell"]),
        ("everyone says number 2 is nicer", ["tell"]),
        ("if I could get a window seat that would be great", ["seats"]),
        ("My mother might join us but she's not sure yet.", ["tell"]),
    ],
)
def test_what_is_said_beside_a_wish_is_none(said: str, acts: list[str]) -> None:
    assert [clause.act for clause in read(said, _SHOWN).clauses] == acts


@cases(
    ("said", "places"),
    [
        ("munich nice 3 may", {"origin": "Munich", "destination": "Nice"}),
        ("a week in rome nice hotel 3 may", {"destination": "Rome"}),
        ("a week in Rome, no stop in Frankfurt", {"destination": "Rome"}),
        ("do I need a visa? German passport", {}),
        ("I don't live in Cologne any longer, we moved to Hamburg", {"origin": "Hamburg"}),
        ("a flight from Rome, no wait, Milan, to Paris", {"origin": "Milan", "destination": "Paris"}),
        ("a flight to Rome, no sorry, Milan", {"destination": "Milan"}),
        ("I need to be in Oslo by 10am on 3 May, coming from Vienna", {"origin": "Vienna", "destination": "Oslo"}),
        ("which of these is on KLM?", {}),
        ("I'm the one who's vegan", {}),
        ("flights to Barcelna", {"destination": "Barcelona"}),
        ("HOTEL IN VANCOUVER FOR MY SISTER AND HER CAT", {"destination": "Vancouver"}),
        ("My cousin lives in Oslo. Fly from Leeds on 3 May", {"origin": "Leeds", "destination": "Oslo"}),
        ("Hi, I'm Sofia, I'm a nurse and I work nights", {}),
        ("call me Milan", {}),
        ("I bank with Santander", {}),
        ("I'm HIV positive", {}),
        ("I'm London based. We start with Rome on 3 May", {"destination": "Rome"}),
    ],
)
def test_which_places_are_of_the_journey(said: str, places: dict[str, str]) -> None:
    found = [place for clause in read(said, ReadingContext(TODAY)).clauses for place in clause.places]
    assert {place.role: place.name for place in found} == places


@cases(
    ("said", "after"),
    [
        ("anything leaving after 5?", time(17)),
        ("leaving after 05:00", time(5)),
        ("departing after 6am", time(6)),
        ("leaving after 9", time(9)),
    ],
)
def test_an_hour_said_alone_is_of_the_afternoon_where_it_is_early(said: str, after: time) -> None:
    assert [clause.wishes.depart_after for clause in read(said, _SHOWN).clauses] == [after]


def test_a_weekend_by_the_sea_asks_for_no_hotel() -> None:
    (weekend,) = read("a long weekend by the sea", ReadingContext(TODAY)).clauses
    (stay,) = read("a hotel by the sea", ReadingContext(TODAY)).clauses
    assert (weekend.wishes.area, stay.wishes.area) == (None, "the sea")


def test_a_yes_to_both_says_both() -> None:
    yes, *_ = read("yeah both, book", _SHOWN).clauses
    assert (yes.act, yes.choice) == ("confirm", Choice(every=True))


@cases("said", ["let's come back a day later, on the 17th", "帰りを1日遅くして17日にしたい"])
def test_a_move_that_its_day_says_again_moves_no_other_day(said: str) -> None:
    trip = ReadingContext(TODAY, trip_open=True, start=date(2026, 12, 11), end=date(2026, 12, 16))
    assert [clause.dates for clause in read(said, trip).clauses] == [Dates(end=date(2026, 12, 17))]


@cases(
    ("said", "places"),
    [
        ("I'm in Houston", [("Houston", "origin")]),
        ("we're both based in Leeds", [("Leeds", "origin")]),
        ("I'm in Houston from 5 to 9 March", [("Houston", "destination")]),
        ("I'm in Paris for three nights", [("Paris", "destination")]),
        ("got the PTO!", []),
        ("fly from MUC to LAX", [("MUC", "origin"), ("LAX", "destination")]),
    ],
)
def test_where_somebody_is_and_what_is_no_place(said: str, places: list[tuple[str, str]]) -> None:
    clauses = read(said, ReadingContext(TODAY)).clauses
    assert [(place.name, place.role) for clause in clauses for place in clause.places] == places


@cases(
    "beside",
    [
        "whatever's cheapest",
        "anything's fine",
        "our anniversary",
        "our first trip",
        "today's best price",
        "the cheaper, the better",
        "an earlier flight",
        "a counter seat",
        "and the trailer",
    ],
)
def test_what_stands_beside_people_is_nobody(beside: str) -> None:
    said = f"my husband and I, {beside}, London to Rome 5 to 9 March"
    assert [clause.party for clause in read(said, ReadingContext(TODAY)).clauses] == [Party(adults=2)]
