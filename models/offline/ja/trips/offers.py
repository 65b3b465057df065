"""Reads what a Japanese message asks of offers and bookings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeVar

from models.offline.ja.wording import clean, plain
from models.offline.travel.chains import chain_in
from models.offline.travel.request import KINDS, Act, Cabin, Kind, OfferRequest, Sort
from text.numbers import kanji_number

_T = TypeVar("_T")

_ACTS: tuple[tuple[Act, str], ...] = (
    ("why", r"(?:なぜ|どうして|なんで|何で).*(?:選|これ|それ|おすすめ|勧め|お勧め|なの|です)|"
     r"(?:選んだ|おすすめの|お勧めの)理由"),
    ("total", r"(?:合計|総額|全部で|トータル)(?:は|で|って|の金額)?(?:いくら|おいくら|どれ|教|$|[?])"),
    ("calendar", r"カレンダー|\.?ics"),
    ("itinerary", r"旅程|日程表|行程|スケジュール(?:を|が)?(?:見|教|確認|出)"),
    (
        "policy",
        r"キャンセル(?:料|規定|ポリシー|条件)|取消料|(?:キャンセル|取り消|変更|返金)(?:は)?(?:できます|でき(?:る)?[?]|可能)|"
        r"返金(?:の)?(?:規定|条件)|規約",
    ),
    (
        "bookings",
        r"(?:何|なに|どれ|どの便)を?予約(?:し|済)|予約(?:した|済みの?|している)(?:もの|内容|便|ホテル)?(?:は|を)?(?:何|教|見|一覧|"
        r"確認|[?]|$)|予約(?:の)?(?:一覧|内容|状況|確認|リスト)|予約を(?:見|確認|教)",
    ),
    (
        "convert",
        r"(?:いくら|換算|何(?:円|ドル|ユーロ|ポンド)|"
        r"(?:円|ドル|ユーロ|ポンド|元|ウォン)(?:で(?!す|した|お願)|だと|に(?:する|直|換)))",
    ),
    (
        "documents",
        r"ビザ(?:は|が|って)?(?:必要|要|い[るり])|"
        r"パスポート(?:は|が|の)?(?:[^。]{0,8})(?:大丈夫|足り|有効|切れ|期限)",
    ),
    ("cancel", r"(?:キャンセル|取り消|取消|取りやめ|解約)(?!料|規定|ポリシー|待ち|無料)"),
    ("change", r"(?:予約|便|フライト)(?:を|の)?(?:別の便に)?(?:変更|振り替え|振替)"),
    ("hold", r"仮押さえ|押さえて(?:おいて)?|取り置き|キープ"),
    ("details", r"詳し[くい]|詳細|運賃(?:の)?(?:規則|条件)|条件(?:は|を)|返金(?:は)?(?:可|でき)"),
    (
        "book",
        r"予約(?:して|を(?:お願い|確定|進)|お願い|し(?:ます|たい)|で$|$)|"
        r"(?:それ|これ|そちら|こちら)(?:に|で)(?:し|お願い|決)|決めます|取って(?:ください)?$",
    ),
)  # fmt: skip
_NAMED: dict[Kind, str] = {
    "flight": r"航空券|フライト|飛行機|(?<![郵不])便(?!利|秘|宜)",
    "hotel": r"ホテル|宿(?!題)|旅館|宿泊|部屋",
    "car": r"レンタカー|車(?!椅子|いす|イス|いっぱい|内|両)",
    "activity": r"アクティビティ|ツアー|観光|体験|現地で",
    "insurance": r"保険",
}
_YES = re.compile(
    r"^(?:はい|うん|ええ|ok|オーケー|オッケー|お願いします|ぜひ|それで|いいです(?:ね)?|大丈夫です|もちろん|了解|承知|そうして|"
    r"進めて|確定|予約して(?:ください)?$|予約をお願い|(?:それ|これ|そちら|こちら)(?:に|で)(?:し|お願い|決))"
)
_NO = re.compile(
    r"^(?:いいえ|いえ|いや|ううん|結構|けっこう|不要|要りません|いりません|いらない|必要(?:ありません|ない)|やめ(?:て|ます|よ)|"
    r"なし(?:で)?|大丈夫です、(?:要|い)|今回は(?:いい|結構|やめ|なし)|特に(?:ない|ありません)|待って$|違います)|"
    r"見送|(?:は|も)(?:やっぱり|やはり|もう|今回は)?(?:不要|要りません|いりません|いらない|必要ない|必要ありません|結構)"
)
_CHOICES: tuple[tuple[int, str], ...] = (
    (0, r"(?:1|一|最初の)(?:番(?:目)?|つ目)|最初の(?:もの|便|ホテル|の|やつ)|^1$|一番上"),
    (1, r"(?:2|二)(?:番(?:目)?|つ目)|^2$|真ん中"),
    (2, r"(?:3|三)(?:番(?:目)?|つ目)|^3$"),
    (-1, r"最後の(?:もの|便|ホテル|の|やつ)|一番下"),
)
_SORTS: tuple[tuple[Sort, str], ...] = (
    ("cheapest", r"安[いくめ]|安価|格安|最安|高い|高すぎ|節約|値段を(?:下|抑)"),
    ("earliest", r"(?:もっと|少し|もう少し)?早[いくめ](?!から)|朝(?!食|ごはん|ご飯)(?:の)?(?:便|発|出発)?|午前|遅すぎ"),
    ("latest", r"遅[いくめ](?!れ)|遅い便|夕方|午後|夜(?:の)?(?:便|発)|早すぎ"),
    ("fastest", r"短時間|所要時間|速[いく]|時間の短い|時間がかから"),
    (
        "central",
        r"中心(?:部|地|街)?|(?:街|駅)の?(?:真ん中|近く)|都心|"
        r"近[いくめ](?:ところ|の|ホテル)?|遠すぎ|便利な(?:場所|ところ|立地)",
    ),
    ("rating", r"評価|評判|口コミ|質の(?:高|良|いい)|もっと(?:いい|良い)|きれいな|高級"),
)  # fmt: skip
_CABINS: tuple[tuple[Cabin, str], ...] = (
    ("premium_economy", r"プレミアムエコノミー|プレエコ"),
    ("business", r"ビジネス(?:クラス|$|で|に|を)"),
    ("first", r"ファースト(?:クラス)?"),
    ("economy", r"エコノミー"),
)
_NO_STOPS = re.compile(
    r"直行|乗り(?:継|換)ぎ?え?(?:の)?(?:なし|無し|ない|は(?:嫌|いや|なし))|ノンストップ|経由(?:なし|しない)"
)
_FEW_STOPS = re.compile(r"乗り継ぎ(?:は)?([12一二])回(?:まで|以内)")
_NIGHTLY = re.compile(r"(?:1|一)?泊(?P<sum>[\d,]+)(?P<man>万)?(?:円|ドル|ユーロ|ポンド)?(?:以下|以内|まで|未満)")
_FEATURES = {
    "breakfast": r"朝食(?!なし|は(?:不要|いら))|朝ごはん|朝ご飯",
    "free cancellation": r"(?:キャンセル|取り?消し?)無料|無料(?:キャンセル|取消)",
    "gym": r"ジム|フィットネス", "pool": r"プール", "spa": r"スパ|サウナ",
    "step-free access": r"車(?:椅子|いす|イス)|バリアフリー|段差",
    "workspace": r"ワークスペース|(?:机|デスク)のある",
    "family rooms": r"ファミリールーム|家族(?:部屋|向け)", "parking": r"駐車場",
    "rooftop bar": r"屋上|ルーフトップ", "pets welcome": r"ペット(?:可|と|連れ)|犬と|猫と",
}  # fmt: skip
_HAS = re.compile(r"(?:朝食|ジム|プール|スパ|駐車場|バー)(?:は|も)?(?:付(?:き|いて)|つい|あり|含)[^のが]*(?:か|[?])$")
_AREA = re.compile(
    r"(?P<area>[A-Za-zÀ-ÿ][A-Za-zÀ-ÿ' -]{2,}[A-Za-zÀ-ÿ])(?:地区|エリア)?"
    r"(?:の(?:ホテル|宿|あたり|近く)|に(?:泊|ある)|あたり|周辺|がいい)"
)
_FLEXIBLE = re.compile(r"前後([1-3一二三])日|([1-3一二三])日(?:くらい|ほど)?(?:前後|ずれ|ずらし)")
_OTHER = re.compile(
    r"(?:ほか|他|別)の|それ以外|もっと(?:見|候補)|違う(?:ホテル|便|もの|の)|ほかに|他に|"
    r"気に入(?:らない|りません)|代わり"
)
_CURRENCIES = {
    "JPY": r"円|jpy", "EUR": r"ユーロ|eur", "USD": r"(?<!豪)(?<!カナダ)ドル|usd", "GBP": r"ポンド|gbp",
    "CNY": r"人民元|元(?:で|だと|に)|cny",
    "KRW": r"ウォン|krw", "CHF": r"フラン|chf", "INR": r"ルピー|inr",
}  # fmt: skip
_REFERENCE = re.compile(r"tc-?([a-z2-7]{6})")
_WHOLE = re.compile(r"全部|すべて|全て|両方|まとめて|旅行(?:を|は)?(?:全|キャンセル)")
_AMOUNT = re.compile(r"\d[\d,]*(?:\.\d+)?(?=円|ドル|ユーロ|ポンド|元|ウォン)")
_SETTLED = frozenset({"bookings", "itinerary", "calendar", "policy", "convert", "documents", "cancel"})
"""Acts beside which a message asks for no other offers."""


def read_offer_request(text: str) -> OfferRequest:
    """What `text` asks of offers and bookings."""
    form = plain(text).strip("。!?")
    act: Act = next((act for act, pattern in _ACTS if re.search(pattern, form)), "")
    currency = next((code for code, words in _CURRENCIES.items() if re.search(words, form)), None)
    if act == "convert" and currency is None:
        act = ""
    features = tuple(name for name, words in _FEATURES.items() if re.search(words, form))
    if features and act in {"", "details"} and _HAS.search(form):
        act = "has"
    choice = next((place for place, pattern in _CHOICES if re.search(pattern, form)), None)
    few, amount = _FEW_STOPS.search(form), _AMOUNT.search(form)
    return OfferRequest(
        act=act,
        kinds=tuple(kind for kind in KINDS if re.search(_NAMED[kind], form)),
        yes=False if _NO.search(form) else True if _YES.search(form) else None,
        choice=choice,
        sort=None if act in _SETTLED else _first(_SORTS, form),
        cabin=_first(_CABINS, form),
        max_stops=kanji_number(few[1]) if few else 0 if _NO_STOPS.search(form) else None,
        per_night=_nightly(form),
        area=area["area"].strip() if (area := _AREA.search(clean(text))) and not chain_in(area["area"]) else None,
        chain=chain_in(form),
        features=features,
        flexible_days=_flexible(form),
        other=choice is None and act not in _SETTLED and bool(_OTHER.search(form)),
        currency=currency,
        amount=float(amount[0].replace(",", "")) if act == "convert" and amount else None,
        reference=f"TC-{found[1].upper()}" if (found := _REFERENCE.search(form)) else None,
        seat="aisle" if "通路側" in form else "window" if "窓側" in form else None,
        bare=bool(re.search(r"(?:座席|席|荷物)(?:の指定|指定)?(?:なし|は(?:なし|いりません|不要|結構))", form)),
        whole=bool(_WHOLE.search(form)),
    )


def _first(table: Iterable[tuple[_T, str]], form: str) -> _T | None:
    return next((found for found, pattern in table if re.search(pattern, form)), None)


def _nightly(form: str) -> float | None:
    match = _NIGHTLY.search(form)
    return float(match["sum"].replace(",", "")) * (10_000 if match["man"] else 1) if match else None


def _flexible(form: str) -> int | None:
    match = _FLEXIBLE.search(form)
    return kanji_number(match[1] or match[2]) if match else None
