"""The tables of Japanese; its readers are imported when first needed."""

from __future__ import annotations

import re

from models.offline.ja.wording import plain
from models.offline.language import Language, Readers

_OPENING = re.compile(r"^(?:私|僕|俺|わたし|自分|うち)(?:は|が)、?")


def _restate(text: str) -> str:
    """Return the user's words as said back to them: in quotation marks, without the subject."""
    return f"「{_OPENING.sub('', text.rstrip('。 '))}」"


def _fit(key: str, values: dict[str, object]) -> dict[str, object]:
    """Return the values with lists joined as Japanese joins them, and a name with its form of address."""
    if key in {"greeting", "goodbye"} and values.get("name"):
        values["name"] = f"、{str(values['name']).strip(', ')}さん"
    if key == "greeting_again":
        values["name"] = f"{str(values['name']).strip(', ')}さん、" if values.get("name") else ""
    return {name: _joined(value) if isinstance(value, str) else value for name, value in values.items()}


def _joined(value: str) -> str:
    return re.sub(r"(?<=[^\x00-\x7f]), |; |(?<=\S), (?=[^\x00-\x7f])", "、", value)


def _readers() -> Readers:
    from models.offline.ja.readers import READERS

    return READERS


JAPANESE = Language(
    code="ja",
    load_readers=_readers,
    reads=100_000,
    readable=str,
    fold=plain,
    hello=re.compile(
        r"^(?:こんにち[はわ]|こんばん[はわ]|おはよう(?:ございます)?|はじめまして|初めまして)[。！!、〜ー\s]*$"
    ),
    over=re.compile(
        r"最初から(?:やり直|始)|やり直し(?:たい|て)|(?:この|その|今の|旅行の)(?:旅行?|計画|話|プラン|件)(?:は|"
        r"を)?(?:なし|やめ|キャンセル|取り消|白紙)|白紙に|リセットし"
    ),
    from_now_on=re.compile(r"今後|今から|これから|以後|これまでの指示"),
    travellers=re.compile(r"名様\Z"),
    destination_part=re.compile("(.*)行き"),
    summary="旅行の予定は{trip}、{travellers}",
    date_format="{day.year}年{day.month}月{day.day}日",
    day_format="{day.month}/{day.day}({weekday_ja})",
    comma="、",
    ways={
        "配車アプリ": r"配車|ライドシェア|ウーバー|uber|相乗り",
        "タクシー": r"タクシー|ハイヤー",
        "電車": r"電車|列車|鉄道|新幹線",
        "バス": r"バス",
        "地下鉄": r"地下鉄|メトロ",
        "フェリー": r"フェリー|船",
        "送迎": r"送迎",
        "徒歩": r"徒歩|歩",
    },
    refused_ways="や",
    remaining_ways="{}、{}か{}",
    restate=_restate,
    fit=_fit,
)
