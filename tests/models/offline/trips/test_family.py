"""Who travels where one's own are named without a count: by notes that tell of all of them, or by asking."""

from __future__ import annotations

from tests.models.offline.desk import Desk
from tests.models.offline.talker import PROFILE, SYSTEM, memories
from tests.tables import table


def _desk(*notes: str) -> Desk:
    lines = (f"- [n{number}] companions, 2026-10-01: {note}" for number, note in enumerate(notes))
    return Desk(system=SYSTEM + PROFILE.replace("Lisbon", "Berlin") + memories(*lines))


_KIDS = "I have two kids, 3 and 6"


@table(
    ("notes", "said", "people"),
    [
        ((_KIDS, "My wife and I live in Zurich"), "for all of us", (2, 2, None)),
        (("my husband Jonas and our two kids, Lea (7) and Max (4)",), "with the whole family", (2, 2, None)),
        (("My son Tom is four and my daughter Lily is seven",), "with the kids", (1, 2, None)),
        (("My son Leo is 5", "Our daughter Zoe, 15, is vegan", "My wife loves spas"), "for everyone", (3, 1, None)),
        (("I have a baby, 8 months old", "my partner likes trains"), "for my family", (2, None, 1)),
        (("妻の美咲と娘のさくら(5歳)がいます",), "家族で", (2, 1, None)),
        ((_KIDS,), "for two adults", (2, None, None)),
    ],
)
def test_the_family_that_notes_tell_of_travels(
    notes: tuple[str, ...], said: str, people: tuple[int | None, ...]
) -> None:
    desk = _desk(*notes)
    desk.say(
        f"ベルリンからローマ、12月8日から14日、{said}"
        if said == "家族で"
        else f"flights to Rome, 8 to 14 December, {said}"
    )
    given = desk.called("search_flights")
    assert (given["adults"], given.get("children"), given.get("infants")) == people


def test_what_was_told_of_the_family_before_a_trip_counts_all_of_it() -> None:
    desk = _desk()
    desk.say("my husband Jonas and our two kids, Lea (7) and Max (4)")
    desk.say("take the family to Lisbon from Berlin, 8 to 14 December")
    assert (desk.called("search_flights")["adults"], desk.called("search_flights")["children"]) == (2, 2)


@table(
    ("notes", "said"),
    [
        ((), "the whole family"),
        (("I have two kids", "My son Leo is 5"), "for all of us"),
        (("my sister has two kids, 3 and 6",), "with the kids"),
        (("My wife and I live in Zurich",), "with my family"),
    ],
)
def test_a_family_that_nobody_counted_is_asked_about_before_a_booking(notes: tuple[str, ...], said: str) -> None:
    desk = _desk(*notes)
    assert "I did not understand" in desk.say(f"flights to Rome, 8 to 14 December, {said}")
    assert "so I ask before I book" in desk.say("book number 1")
    assert desk.calls == []


@table(
    ("first", "said"),
    [
        ("flights to Rome, 8 to 14 December, for me, Dora and Emil", "without Emil"),
        ("flights to Rome, 8 to 14 December, for me, Dora and Emil", "not Emil, he's ill"),
        ("flights to Rome, 8 to 14 December, for me and Aoife", "actually Colm is coming too"),
        ("ベルリンからローマ、12月8日から14日、私と健太", "健太は抜きで"),
        ("ベルリンからローマ、12月8日から14日、大人2人", "さくらは行かない"),
    ],
)
def test_whoever_is_only_a_name_and_comes_or_stays_is_asked_about_before_a_booking(first: str, said: str) -> None:
    desk = _desk()
    desk.say(first)
    desk.say(said)
    desk.say("book number 1")
    assert desk.calls == []


@table(
    "said",
    [
        "My mother might join us but she's not sure yet.",
        "my mum is undecided, perhaps she comes too",
        "母も来るか未定です",
    ],
)
def test_who_may_come_changes_nobody(said: str) -> None:
    desk = _desk()
    desk.say("flights to Rome, 8 to 14 December, 2 adults and 2 children")
    desk.say(said)
    assert "2 adults + 2 children" in desk.say("with one checked bag")


@table("usual", ["I always travel with my wife and our two kids, 3 and 6", "We are two adults and two kids, 3 and 6"])
def test_who_joins_comes_on_top_of_those_who_usually_travel(usual: str) -> None:
    desk = _desk(usual)
    desk.say("flights to Rome, 8 to 14 December")
    assert "2 adults + 2 children" in desk.say("make it 15 December")
    assert "3 adults + 2 children" in desk.say("my mother is joining us")


@table("said", ["What's my son called?", "how old is my daughter?", "息子の名前は？"])
def test_a_question_about_somebody_adds_nobody(said: str) -> None:
    desk = _desk()
    desk.say(said)
    desk.say("flights to Rome, 8 to 14 December")
    assert (desk.called("search_flights")["adults"], desk.called("search_flights").get("children")) == (1, None)


@table(
    ("notes", "said", "people"),
    [
        ((), "Priya and I want to go to Rome, 8 to 14 December", (2, None)),
        ((), "flights for me and Leo to Rome, 8 to 14 December", (2, None)),
        ((), "Tom, Anna and I would like to fly to Rome, 8 to 14 December", (3, None)),
        ((), "it is nice and I want to fly to Rome, 8 to 14 December, alone", (1, None)),
        ((), "Rome, 8 to 14 December. Oh and I'm coeliac, so gluten is a no", (1, None)),
        ((), "Rome, 8 to 14 December; my company pays only economy and I must have one bag", (1, None)),
        (("My son Leo is 4",), "flights for me and Leo to Rome, 8 to 14 December", (1, 1)),
        (("My daughter Zoe, 15, is vegan",), "Zoe and I want to go to Rome, 8 to 14 December", (2, None)),
        (("My son Tom is four and my daughter Lily is seven",), "with Lily to Rome, 8 to 14 December", (1, 1)),
        ((), "8 to 14 December to Rome from Berlin: Hans, Uta, me", (3, None)),
        ((), "Berlin to Rome 8 to 14 December: my mum, my dad, me", (3, None)),
        ((), "ベルリンからローマ、12月8日から14日、恵子と健太と私", (3, None)),
        ((), "妻の美咲も一緒に行きます。ベルリンからローマ、12月8日から14日", (2, None)),
        ((), "母のよし子も一緒に行きます。ベルリンからローマ、12月8日から14日", (2, None)),
        ((), "兄の太郎と、ベルリンからローマ、12月8日から14日", (2, None)),
        ((), "妹の涼子さんと5歳の息子の健と私で、ベルリンからローマ、12月8日から14日", (2, 1)),
        ((), "妻の荷物も一緒に送りたい。ベルリンからローマ、12月8日から14日", (1, None)),
        ((), "12月8日から14日、ベルリンからローマ、両親二人、私は行きません", (2, None)),
        (("娘の美桜は5歳です",), "美桜と私で、ベルリンからローマ、12月8日から14日", (1, 1)),
        (("妻の美咲は魚が苦手です",), "美咲とベルリンからローマ、12月8日から14日", (2, None)),
    ],
)
def test_who_is_called_by_name_travels(notes: tuple[str, ...], said: str, people: tuple[int | None, ...]) -> None:
    desk = _desk(*notes)
    desk.say(said)
    given = desk.called("search_flights")
    assert (given["adults"], given.get("children")) == people
