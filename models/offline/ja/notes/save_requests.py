"""Requests to remember: recognised, and taken off the words that are to be kept."""

from __future__ import annotations

import re

_POLITE = (
    r"(?:ください|下さい|くださいね|くれ(?:る|ます|ませんか|ない)?|ほしい(?:です|んです|のです)?|"
    r"欲しい(?:です|んです|のです)?|いただけ(?:ます|る|ません|れば|ると).*|もらえ(?:ます|る|ません|れば|"
    r"ると).*|もらいたい.*|いただきたい.*|ね|よ|な)?"
)
_VERB = (
    r"(?:(?:ちゃんと|しっかり|ずっと|ぜひ|必ず|一応|どうか)?(?:覚え|おぼえ|憶え|記憶し|メモし|記録し|"
    r"保存し|登録し|書き留め|書いて|控え|頭に入れ|心に留め|留意し|考慮し|記憶に留め|メモを取っ|"
    r"メモっ)(?:て?(?:て?お|と)(?:い|き|く|いて)?|て)?(?:て|く|き|いて)?(?:と(?:い)?て)?"
    r"|(?:忘れ|わすれ)ないで(?:い)?(?:て)?)"
)
_LEADING = re.compile(
    rf"^(?:(?:これ|次のこと|以下)(?:は|を|も))?{_VERB}{_POLITE}(?:のですが|んですが|んだけど|のだけど|"
    rf"けど|が|こと(?:が|は|:|、))?(?:か)?[、,:：。！!\s]+"
    rf"|^(?:メモ|覚え書き|プロフィールに追加|記憶)[:：、]\s*"
)
_TRAILING = re.compile(
    rf"(?:(?:である|だ|な|という|っていう|って|と|との|する|の)?(?:こと|事|の|点)(?:を|は|も)?|"
    rf"という(?:の|点)を|って|と|、|。|ので|から|は|を|。これ(?:を|は)?|、それ(?:を|は)?|それ(?:を|"
    rf"は)?|！|!)?[、\s]*"
    rf"(?:今後のため(?:に)?|次(?:回)?のために|これからのために|これからも|次回から|プロフィールに|"
    rf"メモに|しっかり|ちゃんと|ぜひ|必ず|も)?[、\s]*{_VERB}{_POLITE}(?:か)?[。！!\s]*$"
)
_COPULA = re.compile(r"(?<=[一-鿿ァ-ヴー])(?:である|だ)$")
_MENTION = re.compile(
    r"(?:覚え|おぼえ|憶え|記憶し|メモし|メモっ|記録し|保存し|登録し|書き留め|頭に入れ|心に留め|"
    r"留意し)(?:て(?:お|く|ほ|欲|い[たて]|も|ね|$|、|。|よ|下|!|！|:|：)|と(?:い|く|け)|とこ)|忘れないで|"
    r"^(?:メモ|プロフィールに追加)[:：]"
)
_REMINDER = re.compile(
    r"(?:を|のを)(?:忘れないよう|忘れずに)|覚えて(?:い|る|ます)?(?:か|$|ます|る)|覚えてい?る(?:\?|？)|"
    r"思い出"
)


def asks_to_remember(text: str) -> bool:
    """True when `text` asks in so many words to be remembered."""
    return bool(_MENTION.search(text.strip())) and not _REMINDER.search(text)


def without_request(text: str) -> str:
    """`text` without the request to remember it."""
    rest = _LEADING.sub("", text.strip(), count=1)
    kept = _TRAILING.sub("", rest)
    return (_COPULA.sub("", kept) if kept != rest else kept).strip(" 、,。！!")
