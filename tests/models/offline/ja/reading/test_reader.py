"""What Japanese messages are read into."""

from __future__ import annotations

import re

from models.offline.ja.form import matched
from models.offline.reading import read
from tests.models.offline.ja.reading.phrases import CONTEXTS, acts, marks, reading, rows
from tests.tables import table as cases


@cases(("said", "wanted"), rows("tuned.txt"), floor=0.98)
def test_what_was_tuned_is_read(said: str, wanted: str) -> None:
    assert reading(said) == marks(wanted), reading(said)


@cases(("said", "wanted"), rows("measured.txt"), floor=0.7)
def test_what_nobody_tuned_is_read_as_well(said: str, wanted: str) -> None:
    assert reading(said) == marks(wanted), reading(said)


@cases(("said", "wanted"), rows("measured.txt"), floor=0.85)
def test_acts_that_nobody_tuned_are_told(said: str, wanted: str) -> None:
    told = [clause.split()[0].partition(":")[0] for clause in wanted.split(" / ")]
    assert acts(said) == told, acts(said)


@cases(
    "said",
    [
        "予約していいですか?", "これ予約できるんでしたっけ", "キャンセル料はかかりますか", "予約したらすぐ払うの?",
        "変更は無料ですか", "はい、でもいくらですか?", "それって返金できますか?",
        "いつまで押さえてもらえますか", "わかりました、助かります", "了解です、また連絡します",
        "まあいいや",
    ],
)  # fmt: skip
def test_a_question_is_no_yes(said: str) -> None:
    acts = {clause.act for clause in read(said, CONTEXTS["*"], "ja").clauses}
    assert not acts & {"confirm", "book", "cancel", "hold"}, acts


@cases("said", ["まだ予約しないで", "予約はしないでください", "キャンセルしないでください", "やっぱり予約はやめます"])
def test_what_is_not_to_be_done_is_a_no(said: str) -> None:
    assert {clause.act for clause in read(said, CONTEXTS["*"], "ja").clauses} == {"reject"}


@cases(
    "said",
    [
        "def f(x):\n    return x  # 来月10日に東京からパリ",
        "次の文を英訳して：来月10日に東京からパリへ行きます",
        "件名：出張の件\n12月10日に大阪からソウルへ出張します",
        "主人公は12月3日にパリへ旅立った、という小説を読んだ",
    ],
)
def test_pasted_text_has_no_values(said: str) -> None:
    for clause in read(said, CONTEXTS[""], "ja").clauses:
        assert clause.act in ("chat", "tell")
        assert (clause.places, clause.dates, clause.party) == ((), None, None)


@cases(
    ("said", "wanted"),
    [
        ("*|ほな一番安いやつ取っといて", "book sort!cheapest sort=cheapest"),
        ("*|2番目のを取っとくわ", "book #2"),
        ("*|2番目のものを予約願います", "book #2"),
        ("*|それ予約しちゃって", "book that"),
        ("*|最初のを取っといてくれへん?", "book #1"),
        ("*|そこにする", "choose that"),
        ("*|一番安いのでいいです、予約お願いします", "book sort!cheapest sort=cheapest"),
    ],
)  # fmt: skip
def test_an_order_is_one_in_spoken_words(said: str, wanted: str) -> None:
    assert reading(said) == marks(wanted), reading(said)


@cases(
    ("said", "wanted"),
    [
        (
            "*|宿だけ、一番安いところで取って。飛行機はあとで",
            "book +hotel sort!cheapest sort=cheapest / reject +flight",
        ),
        ("*|車だけ予約しとくわ。一番安いの", "book +car sort!cheapest"),
        ("*|飛行機も予約する、最初のやつ", "book +flight #1"),
        ("*|ホテルは2番、飛行機はまだいい", "choose +hotel #2 / reject +flight"),
        ("*|保険は来週決める", "reject +insurance"),
        ("*|車は自分で手配します", "drop +car"),
        ("*|ホテルはもう取ってあります", "drop +hotel"),
        ("*|飛行機は予約してくれますか", "book +flight"),
    ],
)  # fmt: skip
def test_an_order_is_for_the_part_it_names_and_not_for_one_put_off(said: str, wanted: str) -> None:
    assert reading(said) == marks(wanted), reading(said)


@cases(
    ("said", "wanted"),
    [
        ("4月10日に、いや11日だ、東京から福岡", "inform +flight Tokyo> >Fukuoka 04-11.."),
        ("3月2日、違った、3日から5日まで福岡", "inform Fukuoka? 03-03..03-05"),
        ("12月16日から、すみません17日から20日まで", "inform 12-17..12-20"),
        ("12/4(金)から7(月)で", "inform 12-04..12-07"),
        ("札幌、安さ優先", "inform Sapporo? sort=cheapest"),
        ("12月10日から15日、あ、ごめん間違えた、11日から16日で", "inform 12-11..12-16"),
        ("12月8日に名古屋から福岡へ日帰りで", "inform +flight Nagoya> >Fukuoka 12-08..12-08"),
        ("from成田で3/3〜3/10", "inform Narita_(NRT)> 03-03..03-10"),
        ("*|バルセロナだとどう?", "inform Barcelona?"),
        ("*|バルセロナだといくら?", "inform Barcelona?"),
    ],
)  # fmt: skip
def test_what_is_corrected_and_compared_is_read(said: str, wanted: str) -> None:
    assert reading(said) == marks(wanted), reading(said)


@cases(
    ("said", "wanted"),
    [
        ("*|やっぱり通路側のほうがいいかな", "inform seat=aisle"),
        ("*|5万円は何オーストラリアドルですか", "ask:money 50000JPY=AUD"),
        ("*|3万円って何バーツくらい", "ask:money 30000JPY=THB"),
        ("*|向こうで屋台めぐりみたいなことできます?", "inform +activity interests=food"),
        ("*|現地でシュノーケリングとか楽しめる?", "inform +activity interests=sports"),
        ("*|朝食は食べられますか", "ask:breakfast features=breakfast"),
        ("*|お盆の後の週末", "inform 08-14..08-15"),
        ("*|駅チカのホテルで", "inform +hotel ?駅チカ"),
        ("*|病院代が出る保険", "inform +insurance parts=medical"),
        ("*|医者にかかったときの保険を", "inform +insurance parts=medical"),
        ("*|夜10時以降に着くのは困ります", "inform arrive_before=22:00"),
        ("*|夜9時以降に出るのはきつい", "inform depart_before=21:00"),
        ("*|キャンセルしてもらっていいですか", "cancel"),
    ],
)  # fmt: skip
def test_a_wish_said_as_a_question_is_read(said: str, wanted: str) -> None:
    assert reading(said) == marks(wanted), reading(said)


@cases(
    ("said", "wanted"),
    [
        ("3/5〜3/8ひとりで", "inform p1 03-05..03-08"),
        ("6/12(土)〜14(月)で、推しの遠征", "inform 06-12..06-14"),
        ("5/8土〜5/10月", "inform 05-08..05-10"),
        ("4月11から15まで", "inform 04-11..04-15"),
        ("4/11から4/15まで大人2人", "inform a2 04-11..04-15"),
        ("4月11から4月15まで", "inform 04-11..04-15"),
        ("2月の24から27 ふたり", "inform p2 02-24..02-27"),
        ("3月5の金曜から8日まで", "inform 03-05..03-08"),
        ("4月9の金曜に成田出て14水曜にむこう出る", "inform Narita_(NRT)> 04-09..04-14"),
        ("16の土曜から18だと", "inform 12-16..12-18"),
        ("二月三日、水曜ですか、に出て二十四日にあちらを出る", "inform 02-03..02-24"),
        ("2月3日、たしか水曜、から24日まで", "inform 02-03..02-24"),
        ("*|14日、月曜かな、に帰ります", "inform ..12-14"),
        ("*|現地を14日に発ちます", "inform ..12-14"),
        ("*|14日にむこう出る", "inform ..12-14"),
        ("*|14日に現地発で", "inform ..12-14"),
        ("5日金曜に出て8月曜に戻る", "inform 12-05..12-08"),
        ("3月の第3土曜から2泊", "inform 03-20.. n2"),
        ("*|2から3部屋で", "inform +hotel rooms=3"),
        ("2月6日に受け取って9日に返します", "inform 02-06..02-09"),
        ("2月6日受取、9日返却で", "inform 02-06..02-09"),
        ("ソウルの日帰りツアー、12月5日、2名", "inform +activity Seoul? p2 12-05..12-05"),
        ("ブダペストのドナウ川クルーズ、4月6日", "inform +activity Budapest? 04-06.. interests=nature"),
        ("*|往きは十一日の金曜がよい", "inform 12-11.."),
        ("*|一晩短くして12日に帰ります", "inform ..12-12"),
        ("*|帰りの便はいりません", "inform +flight one_way"),
        ("*|往路だけでお願いします", "inform one_way"),
        ("*|行きだけビジネスで", "inform cabin=business"),
        ("*|お盆は高いですなあ", "chat"),
        ("5から6万円まで", "inform budget=60000JPY"),
    ],
)  # fmt: skip
def test_both_ends_of_a_journey_are_read_however_they_are_written(said: str, wanted: str) -> None:
    assert reading(said) == marks(wanted), reading(said)


@cases(
    ("said", "wanted"),
    [
        ("祖父母と私たち夫婦の計4名です", "inform p4"),
        ("夫婦と義父の3人で", "inform p3"),
        ("友人夫婦と私ども夫婦の合計4人", "inform p4"),
        ("夫婦と子供2人", "inform a2 c2"),
        ("姉と私（31）と弟（15）です", "inform a3"),
        ("祖母（80）と父（55）と私", "inform a3"),
        ("4人家族（父・母・9歳・6歳）でソウル", "inform Seoul? p4 a2 c2 ages9,6"),
        ("大人1、高校生1（16歳）、小学生1（8歳）", "inform a2 c1 ages8"),
        ("母娘2人とも大人です", "inform a2"),
        ("姉妹3人で", "inform p3"),
        ("父の還暦祝い、三人分", "inform p3"),
        ("娘(21)の片道航空券", "inform +flight one_way a1"),
        ("妻と娘（20）の航空券", "inform +flight a2"),
        ("私と娘、それに五つになる孫の三人で", "inform p3 a2 c1 ages5"),
        ("*|大人二人だけで", "inform a2 c0 i0"),
        ("*|うちら二人と生後8ヶ月の赤ちゃん", "inform p2 a2 i1 ages0"),
        ("p|男4女3です", "inform a7"),
        ("p|課員6名および講師2名", "inform a8"),
        ("p|男性2名、女性5名", "inform a7"),
        ("p|おとんとおかんと兄貴と俺", "inform a4"),
        ("p|じいちゃんばあちゃん、わし", "inform a3"),
        ("p|健太と僕で", "inform a2"),
        ("p|父と行くんですけど", "inform a2"),
        ("p|旦那と息子と僕で、息子は園児", "inform a2 c1"),
        ("p|通訳の方と私です", "inform a2"),
        ("p|社員4名とわたくし", "inform a5"),
        ("p|社長ほか3名", "inform a4"),
        ("p|姉の家族4人と私たち夫婦", "inform a6"),
        ("p|カップル3組", "inform p6"),
        ("p|弟夫妻と母", "inform a3"),
        ("p|妻と次男9、長女14", "inform a3 c1 ages9"),
        ("p|娘3人（13、10、6）と私", "inform a2 c2 ages10,6"),
        ("p|大4小3", "inform a4 c3"),
        ("p|3+2", "inform a3 c2"),
        ("p|6人だったのが5人です", "inform p5"),
        ("p|夫婦で、お腹の子はまだ6ヶ月", "inform a2"),
        ("p|7人、5歳以下は2人", "inform p7 a5 c2"),
        ("*|2名増えましたので、6名で", "inform p6"),
        ("p|ソロです", "inform p1"),
        ("*|夫は来られないので、私と息子で", "inform a1 c1"),
        ("*|友人がもう二人加わります", "inform a2 joins"),
        ("*|1名抜けて7名です", "inform p7"),
        ("p|大人は私だけです", "inform a1"),
        ("p|大人1名のみ、小学生2名", "inform a1 c2"),
        ("*|今回は私だけになりました", "inform p1"),
        ("*|子どもたちがバルセロナがいいと言い出しまして", "inform >Barcelona"),
        ("*|妻と相談して決めます", "reject"),
        ("*|8歳でも乗れますか", "ask"),
        ("*|母に会いに行くホテル、安いの", "inform +hotel sort=cheapest"),
    ],
)  # fmt: skip
def test_everybody_is_counted_once(said: str, wanted: str) -> None:
    assert reading(said) == marks(wanted), reading(said)


@cases(
    ("said", "wanted"),
    [
        ("羽田か成田からハノイ", "inform +flight Narita_(NRT)> >Hanoi"),
        ("福岡発着でセブ", "inform +flight Fukuoka> >Cebu"),
        ("東京（羽田）からソウル", "inform +flight Haneda_(HND)> >Seoul"),
        ("出発地：東京（成田）、目的地：札幌", "inform +flight Narita_(NRT)> >Sapporo"),
        ("リスボン（ポルトガル）の宿", "inform +hotel Lisbon?"),
        ("ロンドン（東京から）の便", "inform +flight Tokyo> London?"),
        ("ドゥブロブニクの宿", "inform +hotel Dubrovnik?"),
        ("*|名古屋やのうて大阪発で", "inform Osaka>"),
        ("*|乗り継ぎのある便は除いて", "inform +flight max_stops=0"),
        ("*|早い出発の便から並べて", "inform +flight sort=earliest"),
    ],
)  # fmt: skip
def test_places_and_wishes_are_read_as_they_are_meant(said: str, wanted: str) -> None:
    assert reading(said) == marks(wanted), reading(said)


def test_a_list_of_numbers_is_no_sum_of_money() -> None:
    for said, budget in (("上から9,6,2歳です", None), ("宿、7,11,3階以外、予算15,000円", 15_000.0)):
        (clause,) = read(said, CONTEXTS[""], "ja").clauses
        assert (clause.wishes.budget and clause.wishes.budget.amount) == budget, clause


@cases(
    ("said", "wanted"),
    [
        ("和倉温泉、二人、12月5日から一泊", "inform +hotel 12-05.. n1 p2 和倉温泉?"),
        ("花巻から登別へ", "inform +flight Hanamaki_Airport> >登別"),
        ("o|川崎です", "inform 川崎>"),
        ("o|鬼怒川まで", "inform >鬼怒川"),
        ("o|行くのは島根です", "inform >島根"),
        ("g|飛騨古川がいい", "inform >飛騨古川"),
        ("きょうとから、ばんこくへ", "inform +flight Kyoto> >Bangkok"),
        ("町田と申します", "tell"),
        ("豊田部長と京都へ", "inform >Kyoto a2"),
        ("有田焼の体験がしたい", "inform +activity ?有田焼の体験"),
        ("下田に別荘があります", "chat"),
        ("青森〜羽田、12月4日", "inform +flight Aomori> >Haneda_(HND) 12-04.."),
        ("京都の者です。12月4日に福岡へ", "inform Kyoto> / inform 12-04.. >Fukuoka"),
        ("去年は城崎に行きました。今年は福岡へ", "tell / inform >Fukuoka"),
        ("妹の結婚式が金沢であります。12月5日から2泊、ホテル", "inform Kanazawa? / inform +hotel 12-05.. n2"),
        ("*|出発だけ伊丹に変えて", "change Itami_(ITM)>"),
        ("もし宝くじが当たったらファーストクラスに乗りたいなあ", "tell"),
        ("いつかビジネスクラスに乗ってみたい", "tell"),
        ("百万長者になったらファーストクラスに乗るよ", "tell"),
        ("昇進したらビジネスクラスに乗るつもりです", "tell"),
        ("お金があればビジネスクラスに乗りたい", "tell"),
        ("窓側がいいと聞きました", "tell"),
    ],
)
def test_a_place_is_read_where_it_is_one_whether_or_not_the_tools_know_it(said: str, wanted: str) -> None:
    assert reading(said) == marks(wanted), reading(said)


@cases(
    ("said", "wanted"),
    [
        ("福岡から那覇へ12月4日から7日まで妻と行くんだけど妻と隣の席がいい", "a2"),
        ("姉と金沢へ12月4日、姉も温泉が好きで", "a2"),
        ("父と母と行きます、父と母は隣にしたい", "a3"),
        ("夫と赤ちゃんと私で、赤ちゃんは膝の上", "a2 i1"),
        ("娘と福岡へ12月4日、娘も飛行機が好き", "c1"),
        ("母と妻の母と私で", "a3"),
        ("娘と2人で、娘は6歳", "p2 a1 c1 ages6"),
        ("米子から福岡へ12月4日、2人", "p2"),
        ("広島から銚子へ12月4日、大人2人子1人", "a2 c1"),
        ("我孫子から那覇へ12月4日、1人", "p1"),
    ],
)
def test_who_is_named_again_counts_once_and_a_place_is_no_child(said: str, wanted: str) -> None:
    told = [mark for clause in reading(said) for mark in clause if re.fullmatch(r"[paci]\d+|ages\d+", mark)]
    assert sorted(told) == sorted(wanted.split()), told


@cases(
    ("said", "wanted"),
    [
        ("*|13日からで", "inform 12-13.."),
        ("*|13日からにして", "inform 12-13.."),
        ("*|出発を13日に", "inform 12-13.."),
        ("*|13日チェックインで", "inform 12-13.."),
        ("*|14日からに", "inform 12-14.."),
        ("*|14日までに", "inform ..12-14"),
        ("*|13日で", "inform ..12-13"),
        ("*|行きだけ一日早く", "inform s-1"),
        ("*|帰りだけ一日遅く", "inform e+1"),
        ("*|一日早めて", "inform s-1 e-1"),
        ("*|もう一泊", "inform l+1"),
    ],
)
def test_a_day_said_to_begin_it_is_the_first_even_where_it_was_the_last(said: str, wanted: str) -> None:
    assert reading(said) == marks(wanted), reading(said)


@cases(
    ("said", "wanted"),
    [
        ("*|祖母抜きで", "inform a1 leaves"),
        ("*|姉は留守番です", "inform a1 leaves"),
        ("*|夫はキャンセルで", "inform a1 leaves"),
        ("*|妻の分はいらない", "inform a1 leaves"),
        ("*|娘は実家に預けます", "inform c1 leaves"),
        ("*|子どもは置いていきます", "inform c0 i0"),
        ("*|子供たちは祖父の家に預ける", "inform c0 i0"),
        ("*|子供の分は不要です", "inform c0 i0"),
        ("*|大人だけになりました", "inform c0 i0"),
        ("*|1人抜けました", "inform a1 leaves"),
        ("*|2人来られなくなった", "inform a2 leaves"),
        ("*|自分の分だけ予約して", "book p1"),
        ("*|姉は窓側がいい", "inform seat=window"),
        ("*|予約をキャンセルしたい", "cancel"),
    ],
)
def test_who_does_not_come_leaves_the_party(said: str, wanted: str) -> None:
    assert reading(said) == marks(wanted), reading(said)


@cases(
    ("said", "wanted"),
    [
        ("ホテル抜きで東京から福岡へ12月4日、1人", "drop +hotel / inform +flight 12-04.. >Fukuoka Tokyo> p1"),
        ("東京から福岡へ12月4日、1人、ホテル以外で", "inform +flight 12-04.. >Fukuoka Tokyo> p1 / drop +hotel"),
        ("宿は友人宅なのでいりません、福岡へ12月4日", "drop +hotel / inform 12-04.. >Fukuoka"),
        ("車は借りません。福岡へ12月4日", "drop +car / inform 12-04.. >Fukuoka"),
        ("福岡へ12月4日。宿には泊まりません", "inform 12-04.. >Fukuoka / drop +hotel"),
        ("福岡へ12月4日、レンタカーは使わないです", "inform 12-04.. >Fukuoka / drop +car"),
        ("パリへ12月4日、機内泊は嫌", "inform 12-04.. >Paris overnight=False"),
        ("福岡へ12月4日、空港泊はなしで", "inform 12-04.. >Fukuoka ?空港泊"),
        ("福岡へ12月4日、ホテルもお願い", "inform +hotel 12-04.. >Fukuoka"),
        ("*|レンタカーなしで大丈夫です", "drop +car"),
    ],
)
def test_a_thing_that_is_denied_is_not_wanted(said: str, wanted: str) -> None:
    assert reading(said) == marks(wanted), reading(said)


@cases(
    ("said", "wanted"),
    [
        ("*|11時までに会場に着きたい", "inform arrive_before=11:00"),
        ("*|9時には現地にいたい", "inform arrive_before=09:00"),
        ("*|夜7時には家に帰りたい", "inform home_before=19:00"),
        ("*|19時までに帰宅したい", "inform home_before=19:00"),
        ("*|帰りは夜9時までに着きたい", "inform home_before=21:00"),
        ("*|19時以降に帰りたい", "inform return_after=19:00"),
        ("*|11時以降に着きたい", "inform ?11時以降に着き"),
        ("*|帰りの便は16時より前で", "inform +flight return_before=16:00"),
        ("*|11時までに出発", "inform depart_before=11:00"),
    ],
)
def test_when_one_is_there_or_home_again_is_told_from_when_one_leaves(said: str, wanted: str) -> None:
    assert reading(said) == marks(wanted), reading(said)


@cases(
    ("said", "wanted"),
    [
        ("*|スカイマークとジェットスター以外で", "inform without=Skymark,Jetstar"),
        ("*|ピーチやスプリングは避けたい", "inform without=Spring_Japan,Peach"),
        ("*|JALかスカイマークがいい", "inform airline=Japan_Airlines,Skymark"),
        ("*|スカイマークじゃなくてJALで", "inform airline=Japan_Airlines without=Skymark"),
        ("*|スカイマークよりJALがいい", "inform airline=Japan_Airlines without=Skymark"),
        ("*|関空は避けて", "inform +flight without=Kansai_(KIX)"),
    ],
)
def test_several_companies_are_wanted_or_refused_together(said: str, wanted: str) -> None:
    assert reading(said) == marks(wanted), reading(said)


@cases(
    ("said", "wanted"),
    [
        (
            "*|便は4万円以内、ホテルは1泊9千円以内",
            "inform +flight budget=40000JPY / inform +hotel budget=9000JPY/night",
        ),
        ("*|4泊で7万円まで", "inform n4 budget=70000JPY/total"),
        ("*|3日間で2万円以内", "inform n2 budget=20000JPY/total"),
        ("*|1泊1人8千円まで", "inform budget=8000JPY/person_night"),
        ("*|一晩9千円以内", "inform budget=9000JPY/night"),
        ("大阪のホテル、12月4日から6日、2人、9千円以内", "inform +hotel Osaka? 12-04..12-06 p2 budget=9000JPY"),
        ("大阪のホテル、12月4日から6日、3人で5万円以内", "inform +hotel Osaka? 12-04..12-06 p3 budget=50000JPY/total"),
        ("*|1人4万円まで", "inform budget=40000JPY/person"),
    ],
)
def test_what_a_sum_is_for_is_read(said: str, wanted: str) -> None:
    assert reading(said) == marks(wanted), reading(said)


@cases(
    ("said", "wanted"),
    [
        ("*|飛行機は2番、宿は3番で", "choose +flight #2 / choose +hotel #3"),
        ("*|両方、でもホテルは安い方", "choose every / choose +hotel sort!cheapest sort=cheapest"),
        ("*|両方、ただホテルは2番", "choose every / choose +hotel #2"),
        ("*|便もホテルも1番で", "choose +flight +hotel #1"),
    ],
)
def test_each_part_takes_what_is_said_of_it(said: str, wanted: str) -> None:
    assert reading(said) == marks(wanted), reading(said)


@cases(
    ("said", "wanted"),
    [
        ("*|一番大きい車", "inform +car category=largest"),
        ("*|もう少し小さい車がいい", "inform +car category=smaller"),
        ("*|大きめの車で", "inform +car category=larger"),
        ("*|ワンランク上の車がいい", "inform +car category=larger"),
        ("*|小さい車でいい", "inform +car category=compact"),
    ],
)
def test_the_size_of_a_car_is_read_beside_the_one_talked_about(said: str, wanted: str) -> None:
    assert reading(said) == marks(wanted), reading(said)


@cases(
    ("said", "wanted"),
    [
        ("旅費は一人三万五千円まで", "inform budget=35000JPY/person"),
        ("五万円から八万円に変えて", "change budget=80000JPY"),
        ("1人2万5000円以内のホテル、福井", "inform +hotel budget=25000JPY/person 福井?"),
        ("昼過ぎに羽田を出たい", "inform Haneda_(HND)> depart_after=12:00"),
        ("日中の便でソウルへ", "inform +flight >Seoul depart_after=09:00 depart_before=17:00"),
        ("10時台の便で札幌へ", "inform +flight >Sapporo depart_after=09:00 depart_before=11:00"),
        ("*|10時台の便にします", "choose +flight at!10:00"),
        ("6時前に出るのは無理", "inform depart_after=06:00"),
        ("スノボの板2枚あります", "inform bags=2"),
        ("トリプル2部屋、京都", "inform +hotel Kyoto? requests=トリプル rooms=2"),
        ("ツイン3つとシングル2つ、大阪", "inform Osaka? requests=ツイン,シングル rooms=5"),
        ("ツイン3つ、大阪", "inform Osaka? requests=ツイン rooms=3"),
        ("二食付きの旅館、箱根", "inform +hotel Hakone? requests=二食付き"),
        ("高知で四駆のSUV", "inform Nankoku? category=suv"),
        ("8人乗りの車、沖縄", "inform +car Okinawa? category=van"),
    ],
)
def test_sums_hours_and_counted_things_are_read(said: str, wanted: str) -> None:
    assert reading(said) == marks(wanted), reading(said)


def test_full_width_and_blanks_are_one_form() -> None:
    assert matched("１２月 ３日　２人") == matched("12月3日 2人")
    assert matched("New York 行き") == "new york行き"


@cases(
    ("said", "places"),
    [
        ("金沢、あ、ごめん、広島のホテル", [("Hiroshima", "unsaid")]),
        ("東京から金沢、間違えた、広島まで", [("Tokyo", "origin"), ("Hiroshima", "destination")]),
        ("名古屋から、あ違う、大阪からソウル", [("Osaka", "origin"), ("Seoul", "destination")]),
        ("東京から、すみません、大阪まで2人", [("Tokyo", "origin"), ("Osaka", "destination")]),
    ],
)
def test_a_place_said_instead_at_once_takes_the_role_of_the_one_before(
    said: str, places: list[tuple[str, str]]
) -> None:
    found = [place for clause in read(said, CONTEXTS[""], "ja").clauses for place in clause.places]
    assert [(place.name, place.role) for place in found] == places


@cases(
    ("said", "wanted"),
    [
        ("*|みんなで話してたらローマの方がいいってなりました", "inform >Rome"),
        ("*|ローマのほうがいいってことになった", "inform >Rome"),
        ("*|みんなローマ派でした", "inform >Rome"),
        ("*|彼女がウィーンがいいって言ってて", "inform >Vienna"),
        ("*|やっぱりローマのほうがよさそうです", "inform >Rome"),
        ("*|上司からロンドンにしてくれと言われました", "inform >London"),
        ("*|友達はローマが好きで、よく行くらしいです", "tell"),
        ("*|この前ローマに行った友達が楽しかったと言ってました", "tell"),
    ],
)
def test_a_place_that_is_preferred_is_where_it_goes(said: str, wanted: str) -> None:
    told = [{mark for mark in clause if mark[0] in ">" or mark in ("inform", "tell")} for clause in reading(said)]
    assert told == [set(wanted.split())], reading(said)


@cases(
    ("said", "wanted"),
    [
        ("4月3日、土曜日に", "04-03.."),
        ("12月5日から8日、土曜から火曜まで", "12-05..12-08"),
        ("5月1日、土曜から5日、水曜まで", "05-01..05-05"),
        ("4月3日、土曜の便で、4月6日、火曜に戻ります", "04-03..04-06"),
        ("4月3日に出発して、土曜に帰る", "04-03..04-10"),
        ("3/27土曜〜29月曜", "03-27..03-29"),
        ("3/27土曜日〜29日月曜日で", "03-27..03-29"),
    ],
)
def test_a_weekday_beside_its_day_says_it_again(said: str, wanted: str) -> None:
    assert [mark for clause in reading(said) for mark in clause if ".." in mark] == [wanted], reading(said)


@cases(
    ("said", "rented"),
    [
        ("*|車で行くので駐車場付きで", False),
        ("*|自分の車で来るから駐車場が必要です", False),
        ("*|うちの車なんで駐車場のある宿", False),
        ("*|車を運転していくので駐車場はありますか", False),
        ("*|車は自分のがあるので駐車場だけ", False),
        ("*|駅から車で10分以内のホテル", False),
        ("*|レンタカーで行きます", True),
        ("*|車で回りたいので借りたい", True),
        ("*|着いたら車を使います", True),
    ],
)
def test_the_car_that_one_comes_with_is_not_rented(said: str, rented: bool) -> None:
    assert any("+car" in clause for clause in reading(said)) is rented, reading(said)


@cases(
    ("said", "meal"),
    [
        ("*|友達のひとりが期間限定でヴィーガンやってるんだけどグアムで食べるもんある?", None),
        ("*|友達がヴィーガンなんだけど、食べるとこある?", None),
        ("*|うちの嫁がグルテンフリーやってて、向こうで食べられるかな", None),
        ("*|妻がベジタリアンなので機内食をそれで", "meal=vegetarian"),
        ("*|ヴィーガンの機内食ありますか", "meal=vegan"),
    ],
)
def test_the_diet_of_somebody_named_in_passing_orders_no_meal(said: str, meal: str | None) -> None:
    ordered = [mark for clause in reading(said) for mark in clause if mark.startswith("meal=")]
    assert ordered == ([meal] if meal else []), reading(said)


@cases(
    ("said", "wanted"),
    [
        (
            "とうきょうから 1月30日に いきます、2月14日 かえります。ひとりです。",
            "inform Tokyo> 01-30..02-14 / inform p1",
        ),
        ("わたしは ハノイに かえりたいです。", "inform >Hanoi"),
        ("おおさかから 4月2日に でます。4月5日に もどります。", "inform Osaka> 04-02.. / inform ..04-05"),
        ("5月1日に ばんこくに いきます。", "inform >Bangkok 05-01.."),
        ("e|3月9日に かえります", "inform ..03-09"),
    ],
)
def test_a_message_with_spaces_between_its_words_is_read(said: str, wanted: str) -> None:
    assert reading(said) == marks(wanted), reading(said)
