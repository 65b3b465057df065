"""Tells what holds once from what holds for good: dates, this trip, one definite thing, the past, somebody else."""

from __future__ import annotations

import re
from functools import cache

from models.offline.ja.wording import place_pattern, table

_TRIP = re.compile(
    r"今回|今度(?:の|は)|この(?:旅|便|フライト|滞在|出張|休み)|次の(?:旅行?|出張|フライト|便|休み|"
    r"滞在|予約)(?!から|以降)|次回(?!から|以降)|今だけ|一度だけ|一回だけ|たまには|今日は|今夜は|"
    r"今晩は|明日は|帰り(?:の便)?(?:は|では|だけ)|行きの便|往路|復路|行きは|とりあえず|ひとまず|"
    r"(?:誕生日|記念日|新婚旅行|ハネムーン|卒業旅行|結婚式|学会|会議|面接|葬儀|会合|商談)(?:なので|"
    r"だから|のため|の|で|に|なんで)"
)
_DATED = re.compile(
    r"\d+月\d*|(?<!\d)\d{1,2}日(?!間|に\d|以上|以内|まで歩|数)|\d{1,4}[/-]\d{1,2}|来週|再来週|来月|"
    r"再来月|今週|今月|明日|あした|あす(?!か)|明後日|あさって|今夜|今晩|今日(?!から)|今朝|来年|今年|"
    r"この(?:夏|冬|春|秋|週末|連休)|次の(?:[月火水木金土日]曜|週末|連休)|"
    r"第[1-5一二三四五]週|\d+泊(?!あたり|につき|[^。]{0,8}円|以上|.{0,4}(?:以内|以下|まで))|"
    r"[一二三四五六七八九]泊(?:[一二三四五六七八九十]日|です|で|し(?:ます|たいです)|の予|分|$|"
    r"、)(?!.{0,8}(?:円|ドル|ユーロ|万))|\d日間|大人\d|\d+(?:名|人)(?:です|で行|分)|[二三四五六](?:名|"
    r"人)で行|いま、|今、|^今(?:空港|ゲート|電車|移動|から)|^いま|そろそろ|もうすぐ|さっそく|早速"
)
_CLOCK = re.compile(
    r"(?<![土平])[月火水木金土日]曜日?(?:に(?!は)|の(?:便|朝|夜|午)|から|まで|発|着)|\d{1,2}(?:時(?:\d+分|"
    r"半)?|:\d\d)(?:まで|に|頃|ごろ|発|着|から|の便|ちょうど)"
)
_DEFINITE = re.compile(
    r"(?:この(?!歳|年齢|年[でに]|体|先|手|ため|よう)|その(?!場で|ため|よう|土地|国|地|日その|まま)|"
    r"あの(?!手)|こちらの|そちらの|さっきの|先ほどの|今の(?!ところ|時代)|いまの|(?:[一二三四1-9]|最初|"
    r"最後|別|上記|前者|後者)(?:番目|つ目|番)?の(?=ホテル|プラン|案|便|やつ|もの|ほう|方|候補|選択肢|"
    r"オプション|が|で|を))|"
    r"^(?:それ|これ(?!から|まで|くらい)|あれ|どれ|そこ|そちら|こちら|そっち|こっち|ここ)(?:は|が|で|"
    r"を|に|も|の|だと|なら)|(?:が|は|も)(?:それ|これ|そこ)(?:です|が|で)|いただいた|教えてもらった|"
    r"提案(?:してくれた|された|の)"
)
_PAST_TIME = re.compile(
    r"昨日|一昨日|おととい|先週|先月|去年|昨年|一昨年|前回|先日|さっき|先ほど|さきほど|この前(?!から)|"
    r"この間|昔は|以前は|昔、|以前、|子供の(?:ころ|頃)|子どもの(?:ころ|頃)|学生時代|若い(?:ころ|頃)は|"
    r"かつて|当時|前に(?=[^。]*(?:た|た(?:です|んです))$)|今まで(?=[^。]*た$)|昨晩|昨夜"
)
_PAST_END = re.compile(
    r"(?:ました|でした|だった|かった|っていた|ていた|った|いた|した|きた|れた|えた|せた|けた|めた|"
    r"べた|(?<=[一-鿿])んだ|りた|みた|ちた|なかった)(?:んです|のです|です|ね|よ|な|なあ|よね|んだ|わ|"
    r"が|けれど|けど|って|ので|から|し|ため|、)*$"
)
_CHANGED = re.compile(
    r"(?:になりまし|になっ|に変えまし|に変え|に変わ|にしまし|やめまし|やめ|止めまし|卒業し|懲り|こり|"
    r"と決め|に決め|ことにし|切り替え|診断され|分かりまし|わかりまし|判明し|手術(?:し|を)|発症し|"
    r"止められ|禁じられ|言われ|克服し|目覚め|始めまし)"
    r"(?:まし)?(?:た|て)?"
)
_EXPLAINED = re.compile(r"(?:卒業|懲り|こりごり)")
_HYPOTHETICAL = re.compile(
    r"もし[^。]*(?:のに|だろう|でしょう|たい|なあ|かな|な$)|たらいい|たら最高|たら(?:うれし|嬉し|"
    r"楽し)|のに$|(?:て|で)みたい|いつか|かもしれ|かも(?:$|です|ね|。)|迷って|迷い|悩|考え中|検討中|"
    r"なあ$|だろう|でしょう|と思ってい(?:る|ま)|つもり|だったら(?:いい|なあ)|夢です|憧れ(?:です|ます|"
    r"る)|予定です|予定で$|(?:しよう|行こう|乗ろう|泊まろう)|気がする|"
    r"(?:楽しみ(?:です|だ|!|$)(?<!の楽しみです)(?<!が楽しみです))|だといい|といいな"
)
_HEARSAY = re.compile(
    r"(?:なん|るん|いん)ですね$|(?:らしい|だそう|るそう|いそう(?:です|だ|$)|とのこと|と聞(?:い|き)|と言って(?:い|た|ま)|"
    r"みたい(?:です|だ|ね)|と書いて|だって(?:$|さ)|人気(?:です|だ|があ)|(?:する|う|いる|使う|"
    r"好きな)人(?:が|は)(?:多|少|増))"
)
_WEATHER = re.compile(
    r"^(?:(?:最近|今日|外|毎日|本当に|ほんと)(?:は|も|、)?)?(?:雨|雪|天気|気温|台風|風|寒いの|暑いの|寒さ|"
    r"暑さ|湿気)[^。]{0,12}(?:ね|な)(?:え|ぇ|あ|ぁ)?(?:、?最近)?$"
)


def one_trip(form: str) -> bool:
    """True when matched text says that it holds for one trip only."""
    return bool(_TRIP.search(form))


def dated(form: str) -> bool:
    """True when matched text names a date or a stretch of days."""
    return bool(_DATED.search(form))


def clocked(form: str) -> bool:
    """True when matched text names a time of day as a point to be at."""
    return bool(_CLOCK.search(form))


def definite(form: str) -> bool:
    """True when matched text speaks of one definite thing ("その便")."""
    return bool(_DEFINITE.search(form))


def past(form: str) -> bool:
    """True when matched text tells an event that is over; a change that lasts is none."""
    if _CHANGED.search(form):
        return bool(_PAST_TIME.search(form)) and not _EXPLAINED.search(form) and "から" not in form
    return bool(_PAST_TIME.search(form) or _PAST_END.search(form))


def hypothetical(form: str) -> bool:
    """True when matched text wonders, plans or dreams."""
    return bool(_HYPOTHETICAL.search(form))


@cache
def _others() -> re.Pattern[str]:
    grammar = table("grammar")
    return re.compile(
        rf"^(?:(?:私|僕|うち|弊社|会社|うちの会社|大学|職場)の)?(?:隣の|昔の|"
        rf"仲の良い)?{grammar['others']}(?:の[^はがも]{{1,8}})?(?:たち|達)?(?:は|が|も|って|に|"
        rf"によると|いわく|から|、)|^(?:みんな|皆|誰でも|普通の人|(?:[ァ-ヴー]+|日本|韓国|中国)人(?:は|って|が))"
    )


@cache
def _along() -> re.Pattern[str]:
    party = table("grammar")["party"]
    return re.compile(
        r"(?:いつも|よく|必ず|毎回)?一緒に(?:旅行|旅|行)|同行|連れ(?:て|だ|な)|と(?:旅行|旅)(?:する|し|が)|と私|と僕|"
        rf"^(?:私|うち)の?(?:姉|兄|妹|弟)(?:は|が)[^。]*(?:アレルギー|車椅子|障)|^{party}と"
    )


@cache
def _presented() -> re.Pattern[str]:
    return re.compile(rf"(?:な|の|い|る){table('grammar')['others']}が(?:い|お)")


def others(form: str) -> bool:
    """True when matched text speaks of somebody who is not of the user's party, or passes on what is said."""
    return bool(_others().match(form) or _presented().search(form)) and not _along().search(form)


def hearsay(form: str) -> bool:
    """True when matched text passes on what others say, or makes talk of the weather."""
    return bool(_HEARSAY.search(form) or _WEATHER.search(form))


@cache
def _route() -> re.Pattern[str]:
    place = place_pattern()
    return re.compile(
        rf"{place}(?:市|県|都|府)?(?:に|へ|まで|行き|から|発|着|で(?!も)|では|滞在|旅行|出張|"
        rf"の(?:ホテル|宿|旅館|レストラン|美術館|ツアー|便|フライト|空港|街|中心|どこ|あと|次))"
    )


def route(form: str) -> bool:
    """True when matched text names where a journey goes."""
    return bool(_route().search(form))


_REQUESTED = re.compile(
    r"(?:ホテル|宿|便|フライト|航空券|チケット|切符|レンタカー|部屋|タクシー|送迎|予約|ビザ|席|ツアー|"
    r"プラン|領収書|場所|レストラン|休憩|時間|車|旅館|請求書|情報|助け|アドバイス|ベッド|傘|充電器|"
    r"両替|シャトル)(?:が|を|も)(?:[\d一二三四五六]+\S{0,3}?|もう[一1]つ)?(?:必要|ほしい|欲しい|"
    r"要(?:り|る)|いり|いる|お願い|希望)|"
    r"(?:[\d一二三四五六]+(?:部屋|枚|名|人|つ|台|席|室))(?:必要|ほしい|欲しい|要り|お願い|希望)"
)


def request_for_one(form: str) -> bool:
    """True when matched text asks for one thing to be found or booked."""
    return bool(_REQUESTED.search(form))
