"""What a Japanese message touches, so that the notes that matter for it can be found; and the sense of its words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from models.offline.ja.wording import plain
from models.offline.readings import Concern
from models.offline.tables import request_kinds

_TERM = re.compile(r"[一-鿿々]+|[ァ-ヴー]{2,}|[a-z0-9]+")
_FRAME = re.compile(
    r"利用者|旅行者|旅行|希望|好み|大好き|好き|嫌い|必要|場合|時間|今回|今後|普段|基本的?|絶対|必ず|"
    r"常に|毎回|苦手|避け|選[びぶんば]|使[いうわっ]|予約|宿泊|座席|(?<![出欠即])席|食事|部屋|何か|"
    r"お客様|私|僕|俺|自分|主義|無理|優先|重視|大事|大切|覚え|忘れ|知っ|泊ま[りるっれら]|"
    r"乗[りるっれら]|"
    r"行[きくっか]|来|見|思|言|話|方|派|系|人|事|物|者|際|時|用|的|以外|以上|以下|お願い|下さ|一番|"
    r"本当|全部|少し|体質|タイプ|質問|教え|探し|調べ|良い|悪い"
)
_NEGATIVE = re.compile(
    r"嫌|きらい|苦手|無理|だめ|ダメ|駄目|ng|避け|断り|勘弁|遠慮|不可|ません|ない(?!と|なら|かぎ|限)|"
    r"怖|こわ|不安|心配|アレルギー|抵抗|懲り|やめ|卒業|合わ|困る|困り|ごめん|論外|敬遠|つら|しんど|"
    r"きつ|除"
)
_POSITIVE = re.compile(
    r"好き|好み|好ん|いつも|必ず|派|いい|良い|希望|優先|楽|安心|お気に入り|一択|限る|限り|しか|必須|"
    r"ないと|たい|愛用|大事|重視|理想|助か|じゃないと|でないと"
)


_LIKED = re.compile(
    r"(?:じゃ|で)?ないと|しか[^。]*(?:ない|ません)|なければ|以外[^。]*(?:ない|ません)|惜しみません|欠かせ|外せ|譲れ|目がな"
)
"""Denials that insist: 「〜しか…ない」 wants the thing it names."""


_WHOLE = "trip"
_ADVICE = re.compile(r"おすすめ|オススメ|お勧め|提案|計画|プラン|手配|考えて|紹介|どうすれば|どこ(?:が|か)いい")


def concern(text: str, kinds: Sequence[str]) -> Concern:
    """What `text` asks for, and a trip of these `kinds`."""
    form = plain(text)
    found = [each for each in request_kinds("ja") if each.kind in kinds or each.pattern.search(form)]
    if not found and _ADVICE.search(form):
        found = [each for each in request_kinds("ja") if each.kind == _WHOLE]
    return Concern(
        frozenset(each.kind for each in found),
        frozenset(topic for each in found for topic in each.topics),
        any(each.limits for each in found),
        any(each.everything for each in found),
        content_words(text),
    )


def relevant_kinds(text: str) -> frozenset[str]:
    """Kinds of requests that a note with this `text` matters for, by its words."""
    form = plain(text)
    return frozenset(each.kind for each in request_kinds("ja") if each.notes and each.notes.search(form))


def content_words(text: str) -> frozenset[str]:
    """Nouns and stems that carry meaning: runs of kanji, katakana or Latin letters, without the words around them."""
    return frozenset(_TERM.findall(_FRAME.sub(" ", plain(text))))


_ASKED_BACK = re.compile(r"前回|以前|前に|この前|先日|会話|話し?|っけ|何|どの|どこ|どれ|いつ|見た|でしたか")


def search_terms(text: str) -> str:
    """The terms of a question about earlier conversations, in their order; all of `text` when it has none."""
    terms = _TERM.findall(_FRAME.sub(" ", _ASKED_BACK.sub(" ", plain(text))))
    return " ".join(terms) or text


def polarity(text: str) -> int:
    """1 for a liking, -1 for a refusal or dislike, 0 where it can't be told."""
    form = plain(text)
    liked = _LIKED.search(form)
    if _NEGATIVE.search(form) and not liked:
        return -1
    return 1 if liked or _POSITIVE.search(form) else 0
