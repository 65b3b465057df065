"""Short numbers that open something: the hotel safe, a suitcase, a gate, a phone.

Three digits, or four that look like a year, say nothing by themselves; the thing that they open stands close by.
"""

from __future__ import annotations

import re

from memory.policy.rule import compiled, has_any
from memory.policy.sensitive.dates import mask

_TRIGGERS = (
    "safe|case|lock|gate|garage|door|alarm|keypad|key|bag|trunk|combin|phone|tablet|laptop|金庫|スーツケース|ロック|"
    "鍵|ロッカー|ドア|玄関|ゲート|ダイヤル|キーボックス|トランク|ガレージ|錠|門"
)
_THING = (
    r"(?:(?:room |hotel |mini )?safe(?:ty box)?|suitcase|luggage|trunk|briefcase|bag|pad ?lock|lock|bike lock|locker|"
    r"lock ?box|key ?box|key ?safe|(?:suit|brief)?case (?:code|combo|pin)|gate|garage|front door|back door|door|"
    r"alarm (?:code|pin)|key ?pad|entry pad)"
)
_SETTING = (
    r"(?:sets?|setting|opens?|opening|unlocks?|programs?|programmed|locks?|is|are|was|stays?|combination|combo|"
    r"code|pin|"
    r"digits|numbers?|with|by|to|at|on|as|always|usually|still|my|the|our|it|using|dialling|dialing|under|for|and|"
    r"typing|entering|flat|home|house|cottage|apartment|every ?time|everywhere|always|remains?)"
)
_DIGITS = r"(?<![\w.,/])\d(?:[ \-.]?\d){2,7}(?![\w/%°]|[.,:]\d|-\d| (?:euros?|dollars?|nights?|l|litres?|cm|mm|kg|m)\b)"
_JA_THING = (
    r"(?:金庫|スーツケース|ロッカー|南京錠|ダイヤル(?:錠)?|キーボックス|トランク|ガレージ|玄関|ゲート|オートロック|"
    r"鍵|ドアロック|自転車の鍵|(?:スマホ|携帯|タブレット|パソコン)の(?:ロック|鍵|番号|暗証))"
)
_JA_SETTING = (
    r"(?:の|は|を|が|に|で|も|:|、|\s|鍵|ロック|番号|コード|数字|暗証|いつも|毎回|必ず|解除|ダイヤル|ナンバー|"
    r"旅行中|ホテル)"
)
_JA_DIGITS = (
    r"(?<![\w.,/])\d(?:[\- ・]?\d){2,7}(?![\d/%]|\s?(?:円|年|月|日|時|分|泊|階|号|センチ|ミリ|キロ|グラム|枚|本|"
    r"つ|番(?!で|に|だ|です)|個|台|cm|"
    r"mm|kg|リットル|人|名))"
)
_OPENED = (
    rf"\b{_THING}(?:'s)?\W{{1,3}}(?:{_SETTING}\W{{1,3}}){{1,6}}{_DIGITS}",
    rf"\b(?:case|lock|safe|gate|door|garage|alarm) (?:code|combo|combination|pin)\W{{1,3}}{_DIGITS}",
    rf"\b{_THING}\W{{0,2}}[:=]\s?{_DIGITS}",
    rf"{_DIGITS}\W{{1,3}}(?:(?:is|opens|unlocks|for|on|gets (?:me|you) (?:in|into|through)|as)\W{{1,3}})"
    rf"(?:(?:on|for|of|my|the|our|every|each|code|combination|to)\s){{0,3}}{_THING}\b",
    rf"\b(?:unlock|get into|open|log into|start)\s(?:my |the |her |his |our )?(?:phone|tablet|laptop|ipad|app|"
    rf"safe|case)\b"
    rf"[^\d.;!?]{{1,25}}{_DIGITS}",
    rf"{_JA_THING}{_JA_SETTING}{{1,8}}{_JA_DIGITS}",
    rf"{_JA_DIGITS}\s?(?:で|を入れると|にすると|が)\s?{_JA_THING}",
)
_SMALL_THINGS = r"\b(?:floor|room|gate|locker|door|exit)s? (?:no\.? ?|number )?[a-z]?\d{1,4}\b(?! opens)"


def has_lock_number(text: str) -> bool:
    """True when `text` tells the number that opens something."""
    lowered = text.lower()
    if not has_any(_TRIGGERS, lowered) or not re.search(r"\d", lowered):
        return False
    lowered = compiled(_SMALL_THINGS).sub(" ", mask(lowered))
    return any(compiled(pattern).search(lowered) for pattern in _OPENED)
