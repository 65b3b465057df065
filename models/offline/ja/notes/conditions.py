"""Parts a Japanese statement from the condition it holds under (「夜行便では」)."""

from __future__ import annotations

import re

_KIND = (
    r"(?:夜行便|早朝便|深夜便|長距離(?:便|線|フライト|移動)?|中距離(?:便|線)?|短距離(?:便|線|フライト|"
    r"移動)?|国内線|国際線|直行便|乗り継ぎ便|長時間(?:の)?(?:フライト|移動|便)?|"
    r"[^、。]{0,8}時間(?:以上|以内|以下|未満|を超える|より長い)の?(?:フライト|便|移動|飛行|乗り継ぎ)?|"
    r"出張|仕事|観光|子連れ|子供連れ|家族旅行|一人旅|ひとり旅|"
    r"休暇|夏|冬|春|秋|雨の日|暑い(?:国|場所|日|時期)|寒い(?:国|場所|日|時期)|海外(?:旅行)?|"
    r"国内(?:旅行)?|都会|田舎|大都市|リゾート|週末旅行|長期滞在|短期滞在|連泊|[^、。]{0,8}の(?:便|"
    r"フライト|旅行|旅|移動|滞在|出張))"
)
_TIME = (
    r"[^、。]{1,30}(?:のとき|の時(?!間|期|点|差)|の場合|の際|るとき|る時(?!間|期|点|差)|る場合|る際|いとき|い時(?!間|期|点|差)|い場合|たとき|た時(?!間|期|点|差)|"
    r"た場合|ないとき|ない時(?!間|期|点|差)|ない場合)"
)
_LEADING = re.compile(
    rf"^(?P<condition>(?:{_TIME}(?:は|には|だけは?|に限り|のみ)?|{_KIND}(?:では|だと|なら(?:ば)?|のみ|"
    rf"だけは?|に限り|は必ず(?=[^、]*席))))、?(?P<rest>[^、。].+)$"
)
_SUBJECT = re.compile(
    rf"^(?P<condition>{_KIND}は)、?(?P<rest>[^、。]*(?:窓側|通路側|窓際|席|クラス|エコノミー|シート|直行|"
    rf"機内食|部屋|ホテル|宿|荷物|手荷物|タクシー|電車|一人)[^、。]*.*)$"
)
_ANOTHER = re.compile(rf"、{_KIND}(?:では|だと|なら|は)")
"""A condition in what is left: 「夜行便では窓側、短距離便では通路側」 has two, and each its own wish."""
_ENOUGH = 3
_LONGEST = 120


def split_condition(text: str) -> tuple[str, str | None]:
    """`text` without its condition, and the condition, or None."""
    for pattern in (_LEADING, _SUBJECT):
        match = pattern.match(text)
        if match and _ANOTHER.search(match["rest"]):
            return text, None
        if match and len(match["rest"]) >= _ENOUGH and len(match["condition"]) <= _LONGEST:
            return match["rest"], match["condition"].rstrip("、")
    return text, None
