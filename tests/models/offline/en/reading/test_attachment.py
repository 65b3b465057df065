"""What a word of a message is about: a fare or the dates, the way out or home, the traveller or somebody else."""

from __future__ import annotations

from tests.models.offline.en.reading.phrases import missed
from tests.tables import table as cases

_TRIP = " [shown start=2026-12-14 end=2026-12-18]"


@cases(
    ("said", "wanted"),
    [
        ("Warsaw to Rome, 12 to 19 December, flexible fare", "flex=- start=2026-12-12"),
        ("Warsaw to Rome, 12 to 19 December, flexible tickets only", "flex=-"),
        ("Warsaw to Rome, 12 to 19 December, a fully flexible economy fare", "flex=-"),
        ("Warsaw to Rome, 12 to 19 December, the ticket has to be flexible", "flex=-"),
        ("Warsaw to Rome, 12 to 19 December, flexi fare please", "flex=-"),
        ("hotel in Rome, 12 to 19 December, flexible rate", "flex=- features=free_cancellation"),
        ("Warsaw to Rome, 12 to 19 December, flexible", "flex=3"),
        ("Warsaw to Rome, 12 to 19 December, flexible dates", "flex=3"),
        ("Warsaw to Rome, 12 to 19 December, flexible by 2 days", "flex=2"),
    ],
)
def test_a_flexible_fare_is_no_flexible_date(said: str, wanted: str) -> None:
    assert not missed(said, wanted)


@cases(
    ("said", "wanted"),
    [
        ("Please to change the flight to 20 December the return", "start=- end=2026-12-20"),
        ("change the flight to the 20th, the return", "start=- end=2026-12-20"),
        ("move it to 20 December, just the return", "start=- end=2026-12-20"),
        ("the 20th for the return please", "start=- end=2026-12-20"),
        ("make it 20 December for the way back", "start=- end=2026-12-20"),
        ("can we do the 20th only for the flight home?", "start=- end=2026-12-20"),
        ("please change to 13 December for the outbound", "start=2026-12-13 end=-"),
        ("out on the 13th, return on the 19th", "start=2026-12-13 end=2026-12-19"),
        ("13 December for a return flight", "start=2026-12-13 end=-"),
    ],
)
def test_a_word_after_a_day_says_which_way_it_is_of(said: str, wanted: str) -> None:
    assert not missed(said + _TRIP, wanted)


@cases(
    ("said", "wanted"),
    [
        ("When I was a kid we went to Mallorca every summer and I hated it", "tell to=-"),
        ("As a child I hated camping in Italy", "tell to=- children=-"),
        ("we went to Italy when we were students", "tell to=-"),
        ("In my childhood my parents took us to Rome", "tell to=- adults=-"),
        ("As a student I want to fly to Rome on 3 May", "inform to=Rome"),
        ("Within Europe I always fly economy", "tell to=- cabin=-"),
        ("My company pays up to 600 francs for flights in Europe and I always need a receipt", "tell to=- budget=-"),
    ],
)
def test_memories_and_habits_are_no_trip(said: str, wanted: str) -> None:
    assert not missed(said, wanted)
    assert not missed(said + _TRIP, wanted)


@cases(
    ("said", "wanted"),
    [
        ("my boss hates Marriott but I'm fine with it", "!choose !confirm !book chain=-"),
        ("My sister doesn't like Hilton but I'm ok with it", "!choose !confirm !book chain=- name=-"),
        ("My colleague isn't keen on the Hilton but I am happy with it", "!choose !confirm name=-"),
        ("I have nothing against the Hilton, my husband does", "!choose chain=- name=-"),
        ("I don't mind Ryanair", "tell !inform !choose"),
        ("my boss hates Marriott, so no Marriott", "!choose name=- chain=-"),
        ("My wife likes it. I'm fine with it", "confirm"),
        ("my husband hates Marriott. Book the first one", "book"),
    ],
)
def test_what_somebody_else_dislikes_is_neither_a_wish_nor_a_choice(said: str, wanted: str) -> None:
    assert not missed(f"{said} [shown asked=confirm about=hotel names=Marriott_London|Hilton]", wanted)


@cases(
    ("said", "wanted"),
    [
        ("It's our anniversary on the 16th", "tell start=-"),
        ("we have a wedding on the 16th", "tell start=-"),
        ("There's a big match on the 16th", "start=-"),
        ("make it the 16th", "inform start=2026-12-16"),
    ],
)
def test_an_occasion_during_the_trip_does_not_move_it(said: str, wanted: str) -> None:
    assert not missed(said + _TRIP, wanted)


@cases(
    ("said", "wanted"),
    [
        ("he'll stay with us so no hotel, but I'd like travel insurance", "drop kinds=insurance"),
        ("we're staying with friends so we don't need a hotel", "drop !inform"),
        ("flights only and no car", "drop"),
        ("it is possible with luggage? we have two big luggages", "bags=2"),
        ("We're both 74 and would like to fly from Munich to Vienna for a few days before Christmas",
         "total=2 origin=Munich window=2026-12-18..2026-12-24"),
        ("a few quiet days in Vienna before Christmas, from Munich", "features=- origin=Munich end=-"),
        ("London the Saturday before Christmas", "start=2026-12-19"),
        ("My mum lives in Geneva and wants to visit me in London from 29 December to 4 January",
         "origin=Geneva to=London"),
        ("I'd like to book a flight for my dad, he's 81 and lives in Geneva", "origin=Geneva to=-"),
        ("My friend lives in Porto. She is coming to see me in Leeds on 3 May", "origin=Porto to=Leeds"),
        ("My sister lives in Madrid and I want to visit her from 3 to 6 January", "to=Madrid origin=-"),
        ("a flight for my wife and me to see my sister who lives in Madrid, 3 to 6 May", "to=Madrid origin=-"),
    ],
)  # fmt: skip
def test_what_else_is_said_of_people_and_their_stay(said: str, wanted: str) -> None:
    assert not missed(said, wanted)
