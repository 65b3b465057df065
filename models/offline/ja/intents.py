"""Tells what the user wants with a Japanese message."""

from __future__ import annotations

import re

from models.offline.ja.control import CONTROL, asks_not_to_remember, without_refusal
from models.offline.ja.wording import clean, plain
from models.offline.readings import Intent, Request

_PHRASES: tuple[tuple[Intent, str], ...] = (
    *CONTROL,
    ("decline",
        r"^(?:いいえ|いえ|結構|けっこう|やめて(?:お|く)|やめます|なんでもない|何でもない|気にしない|"
        r"忘れて(?:いい|構わない)|大丈夫です$|必要ありません|ううん|不要です)[^。]{0,12}$"),
    ("forget",
        r"(?P<about>.*?)(?:を|は|も|のこと|こと|の記憶)?(?:すべて|全部|全て|完全に|"
        r"もう)?(?:忘れ(?:て(?!い|しま|ました|た)|る|ちゃって|なさい)|(?:記憶|メモ|覚え|好み|情報|データ|"
        r"それ|これ|こと|話|件|の|履歴)[^。]{0,10}?(?:消し|削除し|消去し|取り消し|破棄し|抹消し)(?:て|"
        r"といて)|覚えておかな(?:い|く)|覚えないで)(?!か)"),
    ("profile",
        r"(?:私|僕|俺|わたし|自分|うち)(?:について|のこと|に関して|の好み|の情報|の(?:席|食事|座席|"
        r"旅)の好み|の記憶|のプロフィール|の条件)[^。]{0,14}(?:知って|知り|覚えて|把握|教えて|見せて|何|"
        r"わか|分か|一覧|ある|登録|確認|記憶)|(?:何|なに|どんなこと|どこまで)を?(?:知って|覚えて|記憶して|"
        r"把握して|保存して|メモして)|(?:好み|記憶|メモ|覚えて(?:い)?ること|知って(?:い)?ること|"
        r"プロフィール)(?:を|の)?(?:一覧|全部|すべて)?(?:を)?(?:見せ|教え|表示|確認|一覧|リスト)|"
        r"私は(?:誰|どんな)|私を知って"),
    ("recall",
        r"(?:前回|以前|前に|先月|昨年|去年|この前|先日|前の(?:会話|旅行|旅))[^。]*(?:ですか|でしたか|"
        r"ましたか|たっけ|でしたっけ|教えて|思い出|どこ|何|どの|どれ|覚えて)|覚えて(?:い)?ます?か|"
        r"たっけ[?]?$|でしたっけ"),
    ("help",
        r"あなたは(?:誰|何|だれ|なに|どなた|ai|人間|ロボット|ボット)|(?:何|なに)が(?:できる|できます|"
        r"出来)|使い方|^ヘルプ|^help|助けて$|どう(?:使|や)(?:えば|って使)|名前は(?:何|なん)|自己紹介|"
        r"オフライン(?:です|な|って|なの)|できることは|ai(?:です|なん)か"),
    ("goodbye",
        r"^(?:(?:ありがとう(?:ございま(?:す|した))?|では|じゃあ?|それでは|はい|了解|"
        r"わかりました)[、。!]*)*(?:さようなら|さよなら|バイバイ|ばいばい|また(?:ね|今度|明日|来ます|後で|"
        r"あとで|お願いします|よろしく|連絡)|失礼し(?:ます|ました)|おやすみ|お休みなさい|以上です|"
        r"これで(?:終わり|以上|失礼)|終わります|じゃあね|ではまた|それじゃ)"),
    ("thanks",
        r"^(?:(?:はい|いつも|本当に|どうも|わざわざ|ご丁寧に|とても|すごく|大変|おお|わあ|完璧です|"
        r"助かりました|いいですね|素晴らしい)[、。!]*)*(?:ありがと|有難|サンキュー|感謝|助かり(?:ました|"
        r"ます)|助かった|お世話になりました|恐れ入ります|さすが)"),
    ("greeting",
        r"^(?:こんにち[はわ]|こんばん[はわ]|おはよう|はじめまして|初めまして|やあ|どうも|もしもし|ハロー|"
        r"お久しぶり|ご無沙汰|お疲れ|おつかれ|はろー|ごきげんよう|お世話になり|よろしくお願い|"
        r"よろしく)[^。!?、]{0,14}[。!?]*$"),
    ("restart",
        r"最初から(?:やり直|始|お願い)|やり直し(?:たい|て|ます)|(?:この|その|今の|旅行の)(?:旅行?|計画|話|"
        r"プラン|件)(?:は|を)?(?:なし|やめ|キャンセル|取り消|白紙|忘れ)|白紙に|リセット"),
    ("accept",
        r"^(?:はい|うん|ええ|ok|オーケー|オッケー|了解|承知|かしこまり|わかりました|分かりました|"
        r"いいですね|いいです$|お願いします|それで|そうです|その通り|合って|大丈夫|問題(?:ない|"
        r"ありません)|完璧|進めて|もちろん|確定|よろしい)[^?]{0,18}$"),
    ("advice",
        r"探し|さがし|おすすめ|オススメ|お勧め|提案|紹介|アイデア|行き方|どうやって|どこ(?:で|に|へ|が|"
        r"か)|何を(?:食べ|見|し|すれば)|どう(?:すれば|したら|行け)|予約(?:し|を)|手配|取って|相談|計画|"
        r"プラン|調べて|教えて|助けて|どうしよう|どの[^。]*(?:いい|良い)|候補"),
    ("question",
        r"[?]\s*$|(?:ですか|ますか|でしょうか|ませんか|かな|ましたか|のか|るか|いか|たか)$|^(?:何|なに|"
        r"どこ|どの|どれ|どう|いつ|なぜ|なんで|誰|いくら|いくつ|どんな)"),
)  # fmt: skip
_SMALLTALK = re.compile(
    r"^(?:今日|昨日|最近|さっき|この|その|天気|すごい|なるほど|へえ|そうですか|そうなんです|面白|楽しみ|"
    r"いい(?:天気|名前)|お?腹|眠|疲れ|暇|嬉し|悲し|仕事が|映画|音楽|歌)"
)
_ABOUT = re.compile(
    r"^(?:お願い|すみません|ごめん(?:なさい)?|やっぱり|さっき(?:の|言った)?|先ほど(?:の|言った)?|今(?:の|"
    r"言った)?|いま(?:の|言った)?|私(?:の|が|について(?:の)?)|僕(?:の|が)|では|じゃあ|あの|その|あと|もう|"
    r"全部|すべて)[、。]?"
)
_LAST = re.compile(
    r"^(?:それ|これ|あれ|そのこと|このこと|今の|いまの|さっきの(?:こと|話|件)?|先ほどの(?:こと|話|件)?|"
    r"今のこと|今言ったこと|さっき言ったこと|こと|の|話|件)?$"
)
_ABOUT_END = re.compile(
    r"(?:だ|である|な)?(?:という|っていう|と言った|って言った|と(?:い)?う|に関する|に関して|について|が好きだ|の好み|好み|だ|である|な)?"
    r"(?:こと|話|件|の|記憶|メモ|情報)?(?:を|は|も)?$"
)

_ENOUGH = 4
"""Characters beside "don't save that" from which they say something of their own."""


def request(text: str) -> Request:
    """What the user wants with `text`; trips are read elsewhere."""
    form = plain(text).strip("。!")
    if not form:
        return Request("unknown")
    if asks_not_to_remember(form) and not re.search(CONTROL[0][1], form):
        rest = plain(without_refusal(form))
        if len(rest) < _ENOUGH:
            return Request("forget")
        form = rest
    for intent, pattern in _PHRASES:
        if match := re.search(pattern, form):
            if intent == "source":
                return Request(intent, form[: match.start()].strip("、。"))
            return Request(intent, _about(match["about"]) if intent == "forget" else clean(text))
    return Request("smalltalk" if _SMALLTALK.search(form) else "unknown", clean(text))


def _about(said: str) -> str:
    """What is to be forgotten, without the words around it; empty for "that" alone."""
    before = None
    while before != said:
        before = said
        said = _ABOUT.sub("", said)
    said = said.rsplit("。", 1)[-1].strip("、。 !")
    if _LAST.match(said):
        return ""
    return _ABOUT_END.sub("", said) or said
