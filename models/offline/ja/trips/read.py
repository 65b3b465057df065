"""Reads what a Japanese message says of a trip: where, from where, when, how many, what for."""

from __future__ import annotations

import re
from datetime import date
from functools import cache

from models.offline.ja.trips.dates import read_dates
from models.offline.ja.wording import place_pattern, places, plain
from models.offline.readings import Reading, Slot
from text.numbers import kanji_number

_KINDS = {
    "flight": r"航空券|(?<![郵不])便(?!利|秘|宜)|フライト|飛行機|飛び|飛んで",
    "hotel": r"ホテル|宿(?!題)|旅館|泊まる(?:ところ|所|場所)|宿泊|部屋|民泊|ホステル",
    "train": r"新幹線|電車|列車|特急|切符",
    "car": r"レンタカー|車を借り",
    "activity": r"アクティビティ|ツアー|観光(?:プラン|スポット)|体験",
    "trip": r"旅行|旅(?!館|券|費|先)|出張|休暇|観光|バカンス|ハネムーン|帰省",
}
_OPENS = re.compile(
    r"行きたい|行く|行き(?:ます|の)|行こう|旅行(?:し|を|に|の)|出張(?:し|で|の|が|に)|予約|取って|"
    r"とって|手配|探して|探し|お願い|ほしい|欲しい|必要|計画|予定|飛び|飛ぶ|向かい|訪れ|泊まりたい|"
    r"泊まる|したい|検討|考えて|要り|要る|行って|プラン|滞在"
)
_ASKS = re.compile(
    r"(?:ですか|ますか|でしょうか|かな|[?])[?]?$|^(?:何|どこ|どの|どれ|どう|いつ|なぜ|いくら)|教えて|"
    r"おすすめ|オススメ|お勧め"
)
_REPLACES = re.compile(
    r"やっぱり|やはり|やっぱ|じゃなく|ではなく|でなく|変更|変えて|代わりに|訂正|間違え|違います|違った|"
    r"違う|にしてください|にして$|にします$|に変え|いえ、|いや、|ごめん"
)
_PURPOSES = {
    "出張": r"出張|仕事|商談|打ち合わせ|会議|学会|展示会|研修|商用",
    "新婚旅行": r"新婚旅行|ハネムーン", "記念日": r"記念日", "誕生日": r"誕生日", "結婚式": r"結婚式|挙式",
    "帰省・家族訪問": r"帰省|実家|家族に会|両親に会|親に会|友人に会|友達に会|孫に会",
    "観光": r"観光|休暇|バカンス|遊び|レジャー|のんびり",
}  # fmt: skip
_N = r"(\d{1,2}|[一二三四五六七八九十]{1,2})"
_HEADS = re.compile(
    rf"(大人|子供|子ども|小人|幼児|赤ちゃん)(?:が|は)?{_N}(?:人|名)?|{_N}(?:人|名)の?(?:大人|子供|子ども|"
    rf"幼児)"
)
_GROUP = re.compile(rf"{_N}(?:人|名)(?!前|暮|気|様用)")
_WORDS = (
    ("ひとり", 1), ("一人旅", 1), ("自分だけ", 1), ("私だけ", 1), ("単身", 1), ("ふたり", 2),
    ("夫婦", 2), ("カップル", 2),
)  # fmt: skip
_PARTNER = re.compile(
    r"(?:妻|夫|家内|主人|旦那|彼女|彼氏|パートナー|恋人|婚約者|母|父|娘|息子|姉|妹|兄|弟|友人|友達|上司|"
    r"同僚)(?:と(?!子|娘|息)|も一緒|と一緒|と二人|を連れ)"
)
_BUDGET = re.compile(
    r"(?:予算(?:は|が|:)?|一人|1人|ひとり)?(?:だいたい|約|およそ|最大|"
    r"せいぜい)?(?P<sum>(?:[$€£¥])?\d[\d,.]*(?:万|千)?(?:\d+千?)?(?:円|ドル|ユーロ|ポンド|元|ウォン|eur|"
    r"usd|gbp|jpy))(?:くらい|ぐらい|程度|以内|以下|まで|前後)?"
)
_MOVED = re.compile(rf"{_N}(日|週間)(?:ほど|くらい|だけ)?(?:、)?(後ろ|遅く|遅ら|先に延ば|延期|早く|早め|前倒し|前に)")
_LONGER = re.compile(rf"(?:もう|あと){_N}泊")
_OTHERS = re.compile(
    r"(?:両親|親|家族|友人|友達|彼女?|母|父|兄|姉|弟|妹|息子|娘|祖[父母]|妻|夫|子供?)(?:は|が|も)?(?:今)?、?$"
)
_EACH_NIGHT = re.compile(r"(?:1|一)泊(?=(?:約)?[\d,]+万?(?:円|ドル|ユーロ|ポンド))")
"""What each night costs, and no length of stay."""
_STAY = re.compile(rf"{_N}泊")
_ONE_WAY = re.compile(r"片道")
_NOT_PLACES = re.compile(
    r"^(?:ホテル|フライト|ビジネス|エコノミー|レンタカー|ツアー|プラン|タクシー|バス|クラス|ベジタリアン|"
    r"ビーガン|シングル|ツイン|ダブル|クリスマス|はい|いいえ|明日|来月|来週|今週|今月|今日|仕事|出張|旅行|"
    r"観光|海外|国内|温泉|一人|二人|家族|未定|空港|駅|自宅|ここ|どこか|どこ|そこ|予約|会社|友人|部屋|"
    r"お任せ|一緒|最後|最初|先|直行|乗り継ぎ|片道|往復|窓側|通路側|午前|午後|朝|夜|夕方|昼|便|月|日|週末|"
    r"便利|本当|確認|変更|検討|私|行き先|目的地|出発地|代わり|予定|計画|美術館|博物館|ゴルフ|スキー|海|山|"
    r"島|[\d一二三四五六七八九十]+[月日泊人名時年週].*)$"
)
_ENDS_POLITELY = re.compile(
    r"(?:から|へ|まで|に|で|が|を|は)?(?:の)?(?:出発|行き|行きたい|します|して|がいい|がよい|です|だ|"
    r"でお願いします|にお願いします|お願いします|かな|を希望します|にします|、|。|!|行き)*(?:です|ます|ね|"
    r"よ|。|!)*$"
)


def read_trip(text: str, today: date, asked: Slot | None, month: date | None, running: bool) -> Reading:
    """What `text` says of a trip; an empty reading when it neither asks for one, answers a question nor corrects."""
    form = plain(text)
    kinds = tuple(kind for kind, pattern in _KINDS.items() if re.search(pattern, form))
    replaces = running and bool(_REPLACES.search(form))
    origin, destination = _route(form, asked, replaces or running)
    asks = bool(_OPENS.search(form)) or (bool(_STAY.search(form)) and not _ASKS.search(form))
    opens = asks and (bool(kinds) or bool(destination))
    shift, longer, rest = _shift(form) if running else (0, 0, form)
    when = read_dates(_EACH_NIGHT.sub("", rest), today, asked == "dates", month)
    if _ASKS.search(form) and not (opens and destination) and not replaces:
        return Reading()
    if not (opens or asked or replaces or running):
        return Reading(origin=_home(form))
    if running and not (opens or asked or replaces):
        destination, origin = None, _home(form)
    return Reading(
        destination=destination, origin=origin, start=when.start, end=when.end, nights=when.nights,
        vague_dates=when.vague, month=when.month, flexible=when.flexible, people=_people(form, asked),
        children=_young(form, "子供|子ども|小人|娘|息子"), infants=_young(form, "幼児|赤ちゃん"),
        purpose=_purpose(form), budget=_budget(form), kinds=kinds if opens or replaces else (),
        one_way=bool(_ONE_WAY.search(form)),
        opens=opens, replaces=replaces, shift=shift, longer=longer,
    )  # fmt: skip


@cache
def _finders() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    known = place_pattern()
    free = r"(?:[ァ-ヴー・]{2,}|[一-鿿]{2,5}?)"
    tail = r"(?:市|県|府|都|空港|駅|国)?"
    return (
        re.compile(rf"(?P<place>{known}{tail}|{free})(?:から|発(?!着)|出発|を出|より)(?!\d|今|明|来|先)"),
        re.compile(
            rf"(?P<place>{known}{tail})(?:へ|に|まで|行き|旅行|出張|観光|滞在|で|の|を(?:訪|観|旅)|がいい|"
            rf"にし|、|!|$)|(?P<other>{free})(?:へ|まで|行き(?!先)|に(?:行|飛|旅|出張|向|滞在|泊|変|"
            rf"し(?:て|ま|たい))|旅行|で(?:の)?休暇|への)"
        ),
        re.compile(rf"(?P<place>{known}{tail}|{free})(?:じゃなく|ではなく|でなく|はやめ|をやめ|の代わり)"),
        re.compile(rf"(?P<place>{known})"),
    )


def _route(form: str, asked: Slot | None, running: bool) -> tuple[str | None, str | None]:
    from_, to, not_, any_ = _finders()
    dropped = {name for match in not_.finditer(form) if (name := _named(match["place"]))}
    home = _home(form)
    origin = _first(from_, form, dropped) or home
    dropped |= {home} if home else set()
    destination = _first(to, form, dropped | ({origin} if origin else set()))
    if asked == "origin" and origin is None and not re.search(r"行きたい|行き先|目的地", form):
        return _first(any_, form, dropped) or _bare(form), None
    named = asked == "destination" or running or any(re.search(each, form) for each in _KINDS.values())
    if destination is None and named:
        destination = _first(any_, form, dropped | ({origin} if origin else set()))
    if destination is None and asked == "destination" and origin is None:
        destination = _bare(form)
    return origin, destination


def _home(form: str) -> str | None:
    """The place where the writer lives, by their word (「東京に住んでいます」), or None."""
    found = re.search(
        rf"(?<![がは])(?P<place>{place_pattern()})(?:市|県|府|都)?(?:に(?:住んで(?:い|る|お)|在住)|在住|住まい|暮らし|を拠点|が拠点)",
        form,
    )
    return None if found is None or _OTHERS.search(form[: found.start()]) else _named(found["place"])


def _first(pattern: re.Pattern[str], form: str, dropped: set[str]) -> str | None:
    for match in pattern.finditer(form):
        name = _named(next(value for value in match.groupdict().values() if value))
        if name and name not in dropped:
            return name
    return None


@cache
def _spelled() -> dict[str, str]:
    return {plain(name): name for name in places()}


def _named(words: str) -> str | None:
    """The place's usual name, or None when the words are no place."""
    known = _spelled()
    if words in known:
        return known[words]
    return None if _NOT_PLACES.match(words) else words


def _bare(form: str) -> str | None:
    words = _ENDS_POLITELY.sub("", form.strip("。、!"))
    if not 1 < len(words) <= 10 or not re.fullmatch(r"[ァ-ヴー・一-鿿a-z々]+", words):
        return None
    return _named(words)


def _shift(form: str) -> tuple[int, int, str]:
    """Days by which the trip is moved, nights by which it grows, and the text without those words."""
    if match := _LONGER.search(form):
        return 0, kanji_number(match[1]), form.replace(match[0], "")
    if match := _MOVED.search(form):
        days = kanji_number(match[1]) * (7 if match[2] == "週間" else 1)
        return (-days if match[3].startswith(("早", "前")) else days), 0, form.replace(match[0], "")
    return 0, 0, form


def _people(form: str, asked: Slot | None) -> int | None:
    heads = sum(kanji_number(match[2] or match[3]) for match in _HEADS.finditer(form))
    if heads:
        return heads
    if match := _GROUP.search(form):
        return kanji_number(match[1])
    for word, count in _WORDS:
        if word in form:
            return count
    if _PARTNER.search(form):
        return 2
    if asked == "people" and (match := re.search(_N, form)):
        return kanji_number(match[1])
    return 1 if asked == "people" and re.search(r"私|僕|自分", form) else None


def _young(form: str, words: str) -> int | None:
    """How many children or infants are named; None for none."""
    found = re.findall(rf"(?:{words})(?:が|は)?(?:{_N}(?:人|名))?|{_N}(?:人|名)の?(?:{words})", form)
    return sum(kanji_number(before or after) if before or after else 1 for before, after in found) or None


def _purpose(form: str) -> str | None:
    return next((name for name, pattern in _PURPOSES.items() if re.search(pattern, form)), None)


def _budget(form: str) -> str | None:
    match = _BUDGET.search(form)
    return match["sum"] if match else None
