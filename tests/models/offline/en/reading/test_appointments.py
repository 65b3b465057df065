"""An hour at which one has to be somewhere bounds the landing, and one at which it ends the way home."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from models.offline.reading import read
from models.offline.reading.understanding import HOURS, ReadingContext
from tests.tables import table as cases

_TODAY, _DAY = date(2026, 11, 27), date(2026, 12, 8)
_NO_TRIP = ReadingContext(_TODAY)
_DAY_TRIP = ReadingContext(_TODAY, start=_DAY, end=_DAY, trip_open=True, flight_open=True, about="flight")
_STAY = replace(_DAY_TRIP, end=date(2026, 12, 10))


def _read(said: str, context: ReadingContext) -> str:
    clauses = read(said, context).clauses
    hours = [f"{name}={value:%H:%M}" for name in HOURS for each in clauses if (value := getattr(each.wishes, name))]
    chosen = [f"at!{each.choice.hour:%H:%M}" for each in clauses if each.choice and each.choice.hour]
    return " ".join((*hours, *chosen))


@cases(
    ("said", "hours"),
    [
        ("I need to be in Frankfurt at 10am on 8 December, flying from Zurich, back the same evening",
         "return_after=17:00 arrive_before=09:00"),
        ("Zurich to Frankfurt on 8 December, client meeting on Tuesday 8 December at 10am", "arrive_before=09:00"),
        ("Zurich to Frankfurt on 8 December, back the same day. My meeting starts at 10am", "arrive_before=09:00"),
        ("I'm giving a lecture in Vienna at 2pm on 8 December, coming from Zurich", "arrive_before=13:00"),
        ("flights from London to Milan on 12 December for a wedding at 3pm", "arrive_before=14:00"),
        ("Zurich to Vienna on 8 December, arriving at 10am", "arrive_before=10:00"),
        ("12月8日に羽田から福岡、日帰り。14時から博多で会議です", "arrive_before=13:00"),
        ("12月3日の15時に福岡で商談があります。東京から日帰りで", "arrive_before=14:00"),
    ],
)  # fmt: skip
def test_a_journey_to_an_appointment_lands_an_hour_before_it(said: str, hours: str) -> None:
    assert _read(said, _NO_TRIP) == hours


@cases(
    ("said", "hours"),
    [
        ("client meeting on Tuesday 8 December at 10am", "arrive_before=09:00"),
        ("my meeting starts at 10am", "arrive_before=09:00"),
        ("the ceremony begins at 14:00", "arrive_before=13:00"),
        ("we must be at the venue at 4pm", "arrive_before=15:00"),
        ("I have an interview at 11:30", "arrive_before=10:30"),
        ("dinner with the client at 7pm", "arrive_before=18:00"),
        ("we need to be there for 6pm", "arrive_before=17:00"),
        ("please make sure I'm in time for the 10am meeting", "arrive_before=09:00"),
        ("my first appointment is at 9am", "arrive_before=08:00"),
        ("the vernissage kicks off at 7pm", "arrive_before=18:00"),
        ("that's too late, my meeting is at 10am", "arrive_before=09:00"),
        ("I need to be there by 10am", "arrive_before=10:00"),
        ("I have to be at the client's at 10 in the morning and I finish at 5pm",
         "return_after=18:00 arrive_before=09:00"),
        ("the talk is from 2pm to 4pm", "return_after=17:00 arrive_before=13:00"),
        ("meeting at 10am, and the client dinner is at 7pm", "arrive_before=09:00"),
        ("the meeting ends at 5pm", "return_after=18:00"),
        ("I'm done at 4:30 pm", "return_after=17:30"),
        ("the conference runs until 4pm", "return_after=17:00"),
        ("I have to be back at work at 2pm", "home_before=13:00"),
        ("午後2時からの会議に間に合うようにお願いします", "arrive_before=13:00"),
        ("木曜の14時に博多で会議なので、それまでに着く便で", "arrive_before=13:00"),
        ("会議は10時からです", "arrive_before=09:00"),
        ("披露宴が11時に始まります", "arrive_before=10:00"),
        ("朝10時の打ち合わせに間に合うように", "arrive_before=09:00"),
        ("10時に客先に行かないといけない", "arrive_before=09:00"),
        ("9時半に客先集合です", "arrive_before=08:30"),
        ("会議は10時から17時までです", "return_after=18:00 arrive_before=09:00"),
        ("会議は17時に終わります", "return_after=18:00"),
        ("17時まで研修です", "return_after=18:00"),
    ],
)  # fmt: skip
def test_an_appointment_of_the_day_bounds_both_ways(said: str, hours: str) -> None:
    assert _read(said, _DAY_TRIP) == hours
    assert _read(said, replace(_DAY_TRIP, offers_shown=True)) == hours


@cases(
    "said",
    [
        "I want to leave at 10am",
        "a flight at 10am for my meeting",
        "the meeting is at 5",
        "5時から会議です",
        "9時以降の便で",
        "10時の便で会議に行きます",
        "my flight is at 10am",
        "breakfast starts at 7am",
        "15時からチェックインしたい",
        "business class at 10am",
        "the meeting is for 3 hours",
        "I don't want to be there at 5am",
        "does it arrive at 10am?",
        "we can't be at the airport at 5am",
        "I'll have the Lufthansa at 10:25",
        "会議があるので10時の便で",
        "book a table for dinner at 7pm",
        "dinner at 7pm in a nice restaurant",
        "two tickets for the concert at 7pm",
        "we want to see a show at 8pm",
        "a cooking class at 10am",
        "my last meeting was at 10am",
        "I don't have a meeting at 10am",
        "the meeting with my boss at 10am was cancelled",
        "I have a call at 10am so I can't leave before 11",
        "I have a meeting at home at 10am, so not before noon",
        "19時にレストランを予約して",
        "10時の会議はなくなりました",
        "10時に家で打ち合わせがあるので、その後に出発",
        "10時に空港に集合",
    ],
)
def test_other_hours_are_no_appointment(said: str) -> None:
    assert "arrive" not in _read(said, _DAY_TRIP)


@cases(
    "said",
    [
        "a table for two at 8pm please", "book a table for dinner at 7pm", "breakfast at 8am", "check-in at 3pm",
        "I have a doctor's appointment at 10am before we leave", "the tour ends at 5pm", "15時からチェックインしたい",
        "19時からレストランで食事したい", "9時からツアーに参加したい",
    ],
)  # fmt: skip
def test_an_hour_of_something_else_is_no_hour_of_a_flight(said: str) -> None:
    assert _read(said, _DAY_TRIP) == ""


@cases("said", ["my client meeting is at 10am", "I finish at 5pm", "会議は10時からです"])
def test_an_appointment_bounds_no_flight_that_is_not_looked_for(said: str) -> None:
    assert _read(said, replace(_DAY_TRIP, flight_open=False)) == ""


def test_the_place_of_an_appointment_is_read() -> None:
    clauses = read("12月3日の15時に福岡で商談があります。東京から日帰りで", _NO_TRIP).clauses
    assert {place.name for each in clauses for place in each.places} == {"Fukuoka", "Tokyo"}


@cases(
    "said",
    ["the meeting is on 9 December at 10am", "we have a wedding on the 9th at 3pm", "9日の14時から会議です"],
)
def test_an_appointment_later_in_the_stay_neither_moves_nor_bounds_it(said: str) -> None:
    assert _read(said, _STAY) == ""
    assert not any(each.dates and each.dates.start for each in read(said, _STAY).clauses)


@cases(
    ("said", "hours"),
    [
        ("I finish work at 5pm", "depart_after=18:00"),
        ("仕事が17時に終わるので", "depart_after=18:00"),
        ("the conference ends at 4pm on the 10th", "return_after=17:00"),
    ],
)
def test_work_ends_before_the_way_out_of_a_stay(said: str, hours: str) -> None:
    assert _read(said, _STAY) == hours
