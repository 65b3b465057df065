"""What a traveller says in Japanese to rule over memory: off the record, not to be saved, where is it from."""

from __future__ import annotations

import re

from llm.offline.tongue import Intent

_THIS = r"(?:この|今回の|今日の|ここでの|私たちの)(?:会話|チャット|やり(?:とり|取り)|セッション)"
CONTROL: tuple[tuple[Intent, str], ...] = (
    ("private",
        rf"{_THIS}(?:の内容|のこと)?(?:は|を|について)?[^。]{{0,8}}?(?:覚え(?:ないで|なくて)|記憶し(?:ないで|なくて)|"
        r"保存し(?:ないで|なくて)|記録し(?:ないで|なくて)|残さ(?:ないで|なくて)|メモし(?:ないで|なくて)|忘れて|消して|"
        r"オフレコ|内密|内緒|秘密)|オフレコ(?!では|じゃ)"),
    ("public",
        rf"{_THIS}(?:の内容|のこと)?(?:は|を|も)?(?:やっぱり|やはり|また|もう一度|これから(?:は)?)?"
        r"(?:覚えて|記憶して|保存して|記録して)(?!い(?:る|ます))"),
    ("source",
        r"(?:どこ(?:で|から)|どうやって|どうして|なぜ|なんで|何で|どうして)[^。]{0,14}(?:知って|知った|知りました|聞い|"
        r"わかった|わかる|分かった|分かる|思うん|思った|思いま)|いつ(?:私|僕|俺)?(?:が|は)?(?:そんな|それ|そう|その)[^。]{0,8}"
        r"(?:言|話|伝)|(?:誰|だれ)(?:が|に|から)[^。]{0,10}(?:言|聞)|(?:そんな|その|そう|それ)[^。]{0,6}(?:言|話)"
        r"(?:って|した)?(?:い)?(?:ない|ません|覚え)|(?:言|話し)い?ました(?:か|っけ)$|出(?:どころ|所)|根拠"),
)  # fmt: skip
"""Intents and their patterns; the first says that a conversation is off the record."""


_REFUSAL = re.compile(
    r"(?:(?:これ|それ|このこと|今のこと|今から言うこと|次のこと)(?:は|を|も)?)?(?:覚えなくて(?:も)?(?:いい|結構|大丈夫)|"
    r"覚えないで|記憶しないで|保存しないで|記録しないで|メモしないで|残さないで|控えないで|保存しなくて(?:も)?(?:いい|結構))"
    r"(?:ください|下さい|ほしい|欲しい|もらい|いただき|おいて)*(?:です|のですが|んですが|んだけど|けれど|けど|が|ね|たい)*[、。！!]?|"
    r"(?:ここだけ|内緒|ないしょ)の(?:話|こと)(?:です|だ|な)?(?:が|けど|ので|んだけど|のですが|んですが)?[、。]?"
)


def keeps_back(text: str) -> bool:
    """True when `text` asks that what it says not be kept."""
    return bool(_REFUSAL.search(text.strip()))


def without_refusal(text: str) -> str:
    """`text` without the request not to keep it."""
    return _REFUSAL.sub("", text.strip()).strip(" 、,。！!")
