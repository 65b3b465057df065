"""Hotel brands and chains that travellers ask for by name, in Latin letters and in Japanese."""

from __future__ import annotations

import re

_CHAINS = {
    "Marriott": "marriotts?|マリオット", "Courtyard": "courtyard|コートヤード", "Sheraton": "sheraton|シェラトン",
    "Westin": "westin|ウェスティン", "The Ritz-Carlton": "ritz(?:[- ]carlton)?|リッツ・?カールトン",
    "Hilton": "hiltons?|ヒルトン", "DoubleTree": "double ?tree|ダブルツリー", "Hampton": "hampton|ハンプトン",
    "Conrad": "conrad|コンラッド", "Park Hyatt": "park hyatt|パークハイアット", "Hyatt": "hyatts?|ハイアット",
    "InterContinental": "inter-?continental|インターコンチネンタル", "Crowne Plaza": "crowne? plaza|クラウンプラザ",
    "Holiday Inn": "holiday inn|ホリデイ・?イン", "IHG": "ihg", "Novotel": "novotel|ノボテル",
    "Mercure": "mercure|メルキュール", "ibis": "ibis|イビス", "Sofitel": "sofitel|ソフィテル", "Accor": "accor|アコー",
    "Park Inn": "park inn|パークイン", "Radisson": "radisson|ラディソン", "Ramada": "ramada|ラマダ",
    "Wyndham": "wyndham|ウィンダム", "Best Western": "best western|ベストウェスタン",
    "Four Seasons": "four seasons|フォーシーズンズ", "Meliá": "meli[aá]|メリア", "Minor": "minor hotels?",
    "NH": "nh(?= hotel)|nh collection", "Shangri-La": "shangri-?la|シャングリ・?ラ", "APA Hotel": "apa|アパ(?:ホテル)?",
    "Nikko": "nikko|日航", "Premier Inn": "premier inn|プレミア・?イン", "Kempinski": "kempinski|ケンピンスキー",
}  # fmt: skip
_NAMES = {
    name: re.compile(rf"(?<![A-Za-zァ-ヴー])(?:{words})(?![A-Za-zァ-ヴー])", re.IGNORECASE)
    for name, words in _CHAINS.items()
}


def chain_in(text: str) -> str | None:
    """The brand or chain that `text` names, or None."""
    return next((name for name, pattern in _NAMES.items() if pattern.search(text)), None)
