"""Small dialogues, in both languages: what each message changes of what is known, and what it leaves as it was."""

from __future__ import annotations

import re

from tests.models.offline.desk import Desk, booked, found
from tests.models.offline.talker import SYSTEM
from tests.tables import table

LINE = re.compile(r"^\*\*(.+)\*\*", re.MULTILINE)
CAR = {
    "offer_id": "CR.1",
    "kind": "car",
    "summary": "Sixt",
    "price": "$90.00",
    "company": "Sixt",
    "category": "economy",
}
COVER = {"offer_id": "IN.1", "kind": "insurance", "summary": "Basic", "price": "$20.00", "product": "Basic"}
ROME = "flights from Berlin to Rome, 3 to 6 May, 2 adults"
FUKUOKA = "東京から福岡、5月3日から6日、大人2人"


def _played(said: str) -> Desk:
    """A desk after the messages of `said`, parted by " / "."""
    answers = {"search_cars": found(CAR), "search_insurance": found(COVER), "search_activities": found()}
    desk = Desk(answers, system=SYSTEM)
    for text in said.split(" / "):
        desk.say(text)
    return desk


@table(
    ("said", "line"),
    [
        (f"{ROME} / a day later", "Berlin → Rome, 4–7 May 2027, 2 adults"),
        (f"{ROME} / make it Milan instead", "Berlin → Milan, 3–6 May 2027, 2 adults"),
        (f"{ROME} / we're actually three", "Berlin → Rome, 3–6 May 2027, 3 adults"),
        (f"{ROME} and a 5 year old / just me this time", "Berlin → Rome, 3–6 May 2027, 1 adult"),
        ("東京から福岡、5月3日から6日、大人2人と5歳の子 / 一人で行きます", "東京 → 福岡、2027年5月3日〜6日、大人1名"),
        (f"{FUKUOKA} / 出発を一日早めて、帰りはそのまま", "東京 → 福岡、2027年5月2日〜6日、大人2名"),
        ("東京から福岡、5月3日に日帰り、1人 / やっぱり4日にして", "東京 → 福岡、2027年5月4日、大人1名"),
        (
            "東京から福岡、5月3日に日帰り、1人 / やっぱり4日にして / いや、3日のままで",
            "東京 → 福岡、2027年5月3日、大人1名",
        ),
        (f"{FUKUOKA} / 前日に現地入りしたいです", "東京 → 福岡、2027年5月2日〜6日、大人2名"),
        (
            "5月3日から6日までバンコクに行くのにビザはいりますか / 同じ日程で東京からバンコクの便を1人で",
            "東京 → バンコク、2027年5月3日〜6日、大人1名",
        ),
        (f"{ROME} / make it 6 to 10", "Berlin → Rome, 6–10 May 2027, 2 adults"),
        (f"{ROME} / no wait, 6 to 11", "Berlin → Rome, 6–11 May 2027, 2 adults"),
        (f"{ROME} / could you make that 7 to 12?", "Berlin → Rome, 7–12 May 2027, 2 adults"),
        (f"{ROME} / change the dates to 6 to 10", "Berlin → Rome, 6–10 May 2027, 2 adults"),
        (f"{ROME} / move it to 8 to 15 please", "Berlin → Rome, 8–15 May 2027, 2 adults"),
        ("Berlin to Rome, 2 adults, Friday to Sunday, 7 May", "Berlin → Rome, 7–9 May 2027, 2 adults"),
        ("Berlin to Rome, 2 adults, fri to sun 9 may", "Berlin → Rome, 7–9 May 2027, 2 adults"),
        ("Berlin to Rome, 2 adults, 7 May, fri to sun", "Berlin → Rome, 7–9 May 2027, 2 adults"),
        ("Berlin to Rome, 2 adults, friday to sunday, 12 May", "Berlin → Rome, from 12 May 2027, 2 adults"),
        ("東京から福岡、大人2人、金曜から日曜、5月7日", "東京 → 福岡、2027年5月7日〜9日、大人2名"),
        ("東京から福岡、大人2人、5月7日、金曜〜月曜", "東京 → 福岡、2027年5月7日〜10日、大人2名"),
        ("東京から福岡、大人2人、金曜から日曜、5月12日", "東京 → 福岡、2027年5月12日から、大人2名"),
        (f"{ROME} / we're actually three / one of my friends dropped out", "Berlin → Rome, 3–6 May 2027, 2 adults"),
        (f"{ROME} / we're actually three / one of my mates cancelled", "Berlin → Rome, 3–6 May 2027, 2 adults"),
        (f"{ROME} / our neighbor joins us and my wife doesn't come", "Berlin → Rome, 3–6 May 2027, 2 adults"),
        (
            "flights from Berlin to Rome, 3 to 6 May, just me / my mum is coming too but my sister stays at home",
            "Berlin → Rome, 3–6 May 2027, 2 adults",
        ),
        (f"{FUKUOKA} / 息子も行くけど、夫は行けない", "東京 → 福岡、2027年5月3日〜6日、大人1名＋お子様1名"),
        (f"{FUKUOKA}と息子 / 息子は行きませんが、姉も来ます", "東京 → 福岡、2027年5月3日〜6日、大人3名"),
        (
            "東京から福岡、5月3日から6日、私と娘二人 / 娘の一人が行けなくなった",
            "東京 → 福岡、2027年5月3日〜6日、大人1名＋お子様1名",
        ),
        (f"{ROME} / in business", "Berlin → Rome, 3–6 May 2027, 2 adults, business"),
        (f"{ROME} / come back on the 8th", "Berlin → Rome, 3–8 May 2027, 2 adults"),
        (f"{ROME} and a 5 year old / and a hotel there", "Berlin → Rome, 3–6 May 2027, 2 adults + 1 child (5), hotel"),
        (f"{ROME} / and a hotel from 4 to 6 May", "Berlin → Rome, 3–6 May 2027, 2 adults, hotel: 4–6 May 2027"),
        (f"{ROME} / flights from Oslo to Bergen, 9 to 12 May", "Oslo → Bergen, 9–12 May 2027, 2 adults"),
        ("one way from Berlin to Rome on 3 May, 2 adults", "Berlin → Rome, 3 May 2027, one way, 2 adults"),
        ("a hotel in Rome, 3 to 6 May, 2 adults / with a pool", "Rome, 3–6 May 2027, 2 adults, hotel: pool"),
        (
            "a hotel in Rome, 3 to 6 May, 2 adults / with a pool / forget the pool",
            "Rome, 3–6 May 2027, 2 adults, hotel",
        ),
        (
            "a hotel in Rome, 3 to 6 May, 2 adults / max €120 a night",
            "Rome, 3–6 May 2027, 2 adults, hotel: up to €120 a night",
        ),
        (f"{ROME} / make that the following weekend", "Berlin → Rome, 10–13 May 2027, 2 adults"),
        (f"{ROME} / what if I went from Vienna? / Berlin was better", "Berlin → Rome, 3–6 May 2027, 2 adults"),
        (f"{ROME} / my client wants a call on Friday / a day later", "Berlin → Rome, 4–7 May 2027, 2 adults"),
        (f"{ROME} / a day earlier there and a day later back", "Berlin → Rome, 2–7 May 2027, 2 adults"),
        (
            "a week of sun in January from Berlin to Rome, 2 adults / 16 to 23 January / a day later / original dates",
            "Berlin → Rome, 16–23 Jan 2027, 2 adults",
        ),
        (f"{ROME} / he'd rather sit in the sun", "Berlin → Rome, 3–6 May 2027, 2 adults"),
        (
            f"{ROME}, kids are 4 and 9, and the baby, 8 months / the baby stays with grandma, so just the four of us",
            "Berlin → Rome, 3–6 May 2027, 2 adults + 2 children (4, 9)",
        ),
        (
            f"{ROME}, kids are 4 and 9 / my wife can't make it, so just me and the kids",
            "Berlin → Rome, 3–6 May 2027, 1 adult + 2 children (4, 9)",
        ),
        (
            f"{ROME}, kids are 4 and 9 / our eldest isn't coming after all",
            "Berlin → Rome, 3–6 May 2027, 2 adults + 1 child",
        ),
        (
            "a hotel in Rome, 3 to 6 May, 9 adults / four twins and a single for me, so five rooms",
            "Rome, 3–6 May 2027, 9 adults, hotel: 5 rooms",
        ),
        (
            "東京から福岡、5月3日から6日。夫婦と4歳の子、10か月の赤ちゃん(膝の上)です",
            "東京 → 福岡、2027年5月3日〜6日、大人2名＋お子様1名（4歳）＋幼児1名",
        ),
        (f"{ROME} / never into Ciampino, that's a rule of mine", "Berlin → Rome, 3–6 May 2027, 2 adults"),
        (f"{ROME} / don't send me through Frankfurt", "Berlin → Rome, 3–6 May 2027, 2 adults"),
        (
            "flights from Berlin to Rome, 3 to 8 May, 2 adults / any food tours? On 5 May, for both of us",
            "Berlin → Rome, 3–8 May 2027, 2 adults, activity: 5 May 2027, food",
        ),
        (
            f"{ROME} / something loud for the Tuesday",
            "Berlin → Rome, 3–6 May 2027, 2 adults, activity: 4 May 2027",
        ),
        (f"{ROME} / the Tuesday we'll decide later", "Berlin → Rome, 3–6 May 2027, 2 adults"),
        (f"{FUKUOKA} / 北九州以外で", "東京 → 福岡、2027年5月3日〜6日、大人2名"),
        (f"{ROME} / sorry, I meant June, not May", "Berlin → Rome, 3–6 Jun 2027, 2 adults"),
        (
            "flights from Berlin to Rome, 3 to 6 May, family of 4 / the kids are 4 and 9",
            "Berlin → Rome, 3–6 May 2027, 2 adults + 2 children (4, 9)",
        ),
        (
            "東京から福岡、5月3日から6日、家族4人 / 子どもは3歳と7歳です",
            "東京 → 福岡、2027年5月3日〜6日、大人2名＋お子様2名（3、7歳）",
        ),
        (
            f"{ROME}, kids are 4 and 9 / oh and the baby too, 8 months, so 5 of us",
            "Berlin → Rome, 3–6 May 2027, 2 adults + 2 children (4, 9) + 1 infant",
        ),
        (f"{FUKUOKA} / 帰りだけ8日に、行きは3日のままで", "東京 → 福岡、2027年5月3日〜8日、大人2名"),
        (f"{FUKUOKA} / 1日遅く", "東京 → 福岡、2027年5月4日〜7日、大人2名"),
        (f"{FUKUOKA} / 直行便だけ", "東京 → 福岡、2027年5月3日〜6日、大人2名、直行便"),
        (f"{FUKUOKA}と5歳の子供", "東京 → 福岡、2027年5月3日〜6日、大人2名＋お子様1名（5歳）"),
        (f"{FUKUOKA} / ホテルもお願いします", "東京 → 福岡、2027年5月3日〜6日、大人2名、ホテル"),
        (f"{FUKUOKA} / やっぱり通路側で", "東京 → 福岡、2027年5月3日〜6日、大人2名、座席は通路側"),
        (f"{FUKUOKA} / やっぱり札幌で", "東京 → 札幌、2027年5月3日〜6日、大人2名"),
        (f"{ROME} / can we make it three people? my sister decided to come", "Berlin → Rome, 3–6 May 2027, 3 adults"),
        (f"{ROME} / We're four now. My parents would like to join us", "Berlin → Rome, 3–6 May 2027, 4 adults"),
        (f"{ROME} / My sister is coming too. And my mum wants to come", "Berlin → Rome, 3–6 May 2027, 4 adults"),
        (f"{FUKUOKA} / 3人にしてもらえますか。姉も来ることになったので", "東京 → 福岡、2027年5月3日〜6日、大人3名"),
        (f"{ROME} / make it just one. My wife can't come", "Berlin → Rome, 3–6 May 2027, 1 adult"),
        (f"{ROME} / she's out again, sorry", "Berlin → Rome, 3–6 May 2027, 1 adult"),
        (f"{ROME} / he can't come after all", "Berlin → Rome, 3–6 May 2027, 1 adult"),
        (f"{ROME} / actually he has to work", "Berlin → Rome, 3–6 May 2027, 1 adult"),
        (f"{ROME} / she won't join us", "Berlin → Rome, 3–6 May 2027, 1 adult"),
    ],
)
def test_a_change_changes_one_slot(said: str, line: str) -> None:
    replies = [str(message.text) for message in _played(said).messages if message.type == "ai"]
    assert [each for reply in replies for each in LINE.findall(reply)][-1] == line


@table(
    ("said", "calls"),
    [
        ("flights and a hotel in Rome from Berlin, 3 to 6 May, two of us", ["search_flights", "search_hotels"]),
        ("a hotel in Rome, two of us / 3 to 6 May, from Berlin", ["search_flights", "search_hotels"]),
        ("ローマのホテル、大人2名 / 5/3から5/6まで、ベルリンから", ["search_flights", "search_hotels"]),
        ("a hotel in Rome, 3 to 6 May, two of us / a tour from Rome", ["search_activities"]),
        (f"{ROME} / and a hotel there / we're actually three", ["search_flights", "search_hotels"]),
        ("Berlin to Rome, 3 to 6 May. just me. plus a hotel near the centre", ["search_flights", "search_hotels"]),
        ("three of us, Berlin to Rome 3 to 6 May, direct if it's not stupid money", ["search_flights"]),
        (f"{ROME} / and a car for the whole time", ["search_cars"]),
        (f"{ROME} / and a car for the whole time / skip the car", []),
        (f"{ROME} / and what about insurance", ["search_insurance"]),
        (f"{ROME} / how long is the flight?", []),
        (f"{ROME} / what would business class cost?", ["search_flights"]),
        (f"{ROME} / is it refundable?", []),
        (f"{ROME} / which bookings do I still have?", ["list_bookings"]),
        (f"{ROME} / hang on is there a bag in that", []),
        (f"{ROME} / book the first one / hang on is there a bag in that", []),
        (f"{ROME} / Last time in Atlanta I about had a heart attack, running between gates", []),
        (f"{ROME} / I changed planes in Reykjavik once and got quite lost", []),
        (f"{ROME} / the second one", ["book_offer"]),
        (f"{ROME} / I rather like the second one", []),
        (f"{ROME} / book the second one", ["book_offer"]),
        (f"{ROME} / and a hotel there / book the flight and the hotel", ["book_offer", "book_offer"]),
        (f"{ROME}, book the cheapest", ["search_flights", "book_offer"]),
        (f"{ROME} / and a hotel there / cheapest for both please / yes", ["book_offer", "book_offer"]),
        (
            f"{ROME} / and a hotel there / the second flight. and the second hotel. book them",
            ["book_offer", "book_offer"],
        ),
        (
            f"{ROME} / and a hotel there / 飛行機はいちばん安いので、ホテルは2番目にします。予約お願いします",
            ["book_offer", "book_offer"],
        ),
        (
            f"{ROME} / and a hotel there / ホテルは1番。飛行機は一番安いやつ。それで予約お願いします",
            ["book_offer", "book_offer"],
        ),
        (f"{ROME} / and a hotel there / じゃあ便は2番、ホテルは1番を予約してください", ["book_offer", "book_offer"]),
        (f"{ROME} / and a hotel there / 飛行機は2番にします。ホテルはまだ考え中です。予約お願いします", ["book_offer"]),
        (f"{ROME} / ああ、でもミラノも捨てがたいんですよね / 一番安いのを予約して", []),
        (f"{ROME} / ああ、でもミラノも捨てがたいんですよね / 一番安いのを予約して / はい", ["book_offer"]),
        (f"{ROME} / can you hold it?", ["hold_offer"]),
        ("flights from Berlin to Rome, 3 to 6 May x2 / book the first one", []),
        ("flights from Berlin to Rome, 3 to 6 May x2 / book the first one / yes", ["book_offer"]),
        ("flights from Berlin to Rome, 3 to 6 May x2 / book the first one / 2", ["search_flights"]),
        (f"{ROME} / yes, but from the 4th", ["search_flights"]),
        (f"{ROME} / book it / a bag for each of us please, add it", ["add_bags"]),
        (f"{ROME} / book the first one / good. thanks", []),
        (f"{ROME} / book it / cancel the flight", ["cancel_booking", "list_bookings"]),
        (f"{ROME} / book it / make it a day later", ["search_flights"]),
        ("flights to Rome, 3 to 6 May", []),
        ("flights from Berlin to Rome on 3 May", []),
        (f"{FUKUOKA} / ホテルもお願いします", ["search_hotels"]),
        (f"{FUKUOKA} / 2番目を予約してください", ["book_offer"]),
        (f"{FUKUOKA} / 払い戻しはできますか", []),
        (f"{FUKUOKA} / ビジネスクラスだといくらですか", ["search_flights"]),
    ],
)
def test_which_tools_a_message_calls_for(said: str, calls: list[str]) -> None:
    assert sorted(each["name"] for each in _played(said).calls) == sorted(calls)


@table(
    ("said", "offers"),
    [
        ("yes to the flight, but leave the hotel, my sister has a flat", ["FL.1"]),
        ("book the flight, leave the hotel for now", ["FL.1"]),
        ("Flight: no, hotel: yes", ["HT.1"]),
        ("no need for the hotel, the flight is fine", []),
        ("the flight can wait, yes to the hotel", ["HT.1"]),
        ("Yes, the hotel please", ["HT.1"]),
        ("just the flight please", ["FL.1"]),
        ("not the hotel yet", []),
    ],
)
def test_a_yes_is_for_the_part_that_it_names(said: str, offers: list[str]) -> None:
    desk = _played(f"{ROME} / and a hotel there / {said}")
    assert [call["offer_id"] for call in desk.calls if call["name"] == "book_offer"] == offers


@table(
    ("said", "offers"),
    [
        ("ホテルはOKですが飛行機はちょっと待ってください", ["HT.1"]),
        ("はい、ホテルをお願いします", ["HT.1"]),
        ("飛行機は予約で。ホテルはまだ考え中です", ["FL.1"]),
    ],
)
def test_a_yes_is_for_the_part_that_it_names_in_japanese(said: str, offers: list[str]) -> None:
    desk = _played(f"{FUKUOKA} / ホテルもお願いします / {said}")
    assert [call["offer_id"] for call in desk.calls if call["name"] == "book_offer"] == offers


@table(
    ("said", "name", "given"),
    [
        (f"{ROME} / and a hotel there", "search_hotels", {"city": "Rome", "check_in": "2027-05-03", "guests": 2}),
        (f"{ROME} / travel insurance for one person", "search_insurance", {"destination": "Rome", "adults": 1}),
        (f"{ROME} / what is there to do on the 4th?", "search_activities", {"first_day": "2027-05-04"}),
        (f"{ROME} / I rather like the second one / yes", "book_offer", {"offer_id": "FL.2"}),
        (f"{ROME} / no stops / the cheapest one, book it", "book_offer", {"offer_id": "FL.1"}),
        (f"{ROME} / book the one at 20:30", "book_offer", {"offer_id": "FL.3"}),
        (f"{ROME} / book the Lufthansa one", "book_offer", {"offer_id": "FL.2"}),
        (f"{ROME} / and a hotel there / book the first hotel", "book_offer", {"offer_id": "HT.1"}),
        (f"{ROME} / 3 to 6 June rather", "search_flights", {"departing": "2027-06-03", "returning": "2027-06-06"}),
        ("a hotel in Rome, 3 to 6 May, with a bathtub / book it", "book_offer", {"offer_id": "HT.1"}),
        (
            "flights from Berlin to Rome on 3 May, one way, 2 adults / I'm there until the 20th, do I need a visa?",
            "check_documents",
            {"start": "2027-05-03", "end": "2027-05-20"},
        ),
        (
            "I fly home 20 december, Berlin to Rome, only one way, 1 person",
            "search_flights",
            {"departing": "2026-12-20", "returning": None},
        ),
        (
            "1 pax, Frankfurt (FRA) - London (LHR), outbound 12/01/2027, inbound 14/01/2027",
            "search_flights",
            {"origin": "FRA", "destination": "LHR", "departing": "2027-01-12", "returning": "2027-01-14"},
        ),
        (f"{ROME} / which ones leave after 6 in the evening?", "search_flights", {"depart_after": None}),
        (f"{ROME} / cheapest of those after 8pm, book", "book_offer", {"offer_id": "FL.3"}),
        (
            "flights from Berlin to Rome on 3 May, one way, 2 adults / we'd fly back on the 20th after all",
            "search_flights",
            {"returning": "2027-05-20"},
        ),
    ],
)
def test_what_the_tools_are_given(said: str, name: str, given: dict[str, object]) -> None:
    call = _played(said).called(name)
    assert {key: call.get(key) for key in given} == given


@table(
    ("said", "told"),
    [
        ("hola, busco un hotel en Roma", "inglés"),
        ("Ich suche ein Hotel in Rom für zwei Nächte", "Englisch"),
        ("Bonjour, je cherche un vol pour Rome", "anglais"),
        ("flights to Rome, 3 to 6 May", "Where will you start from?"),
        ("flights from Berlin to Rome on 3 May", "when do you come back?"),
        (f"{ROME} / is breakfast included?", "nothing on that"),
        ("I'm thinking of somewhere warm in February, any ideas?", "Where would you like to go?"),
        (f"{ROME} / no thanks", "nothing is booked"),
        (f"{ROME} and a 5 year old / he can't come after all", "did not understand “he”"),
    ],
)
def test_what_is_asked_or_said_honestly(said: str, told: str) -> None:
    desk = _played(said)
    assert told in str(desk.messages[-1].text)


def test_small_talk_is_not_answered_the_same_way_twice_running() -> None:
    desk = Desk(system=SYSTEM)
    replies = [desk.say(text) for text in ("tell me a joke", "tell me another joke", "one more joke")]
    assert len(set(replies[1:])) == 2


@table(
    ("said", "night"),
    [
        ("we can spend 800 in total for Rome, Berlin to Rome, 3 to 6 May / book number 1 / and a hotel", 233),
        ("全部で800ドルで、ベルリンからローマ、5月3日から6日 / 1番を予約して / ホテルもお願いします", 233),
        ("flights from Berlin to Rome, 3 to 6 May, up to 800 / book number 1 / and a hotel", None),
        ("a hotel in Rome, 3 to 6 May, max 600 in total", 200),
    ],
)
def test_what_is_left_of_a_sum_for_the_trip_is_the_limit_of_what_comes_after(said: str, night: int | None) -> None:
    desk = Desk({"book_offer": booked()}, system=SYSTEM)
    for text in said.split(" / "):
        desk.say(text)
    assert desk.called("search_hotels").get("max_per_night") == night


@table(
    ("said", "told"),
    [
        ("flight and hotel for 800 euros altogether, Berlin to Rome, 3 to 6 May", "so €800 counts for nothing yet"),
        ("ベルリンからローマ、5月3日から6日、飛行機とホテル合わせて10万円で", "¥100,000はまだ条件に入れていません"),
    ],
)
def test_a_sum_for_two_parts_is_said_to_be_held_by_no_search(said: str, told: str) -> None:
    assert told in Desk(system=SYSTEM).say(said)
