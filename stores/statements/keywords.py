"""When two notes say the same, when one says more, and when one takes the other's place (S1.3)."""

from __future__ import annotations

import re
from functools import cache

from stores.notes import Note
from stores.policy.words import content_words, japanese_terms, stem

_NEGATIONS = frozenset(
    "no not never none without cannot can't don't doesn't won't isn't aren't wasn't didn't longer anymore".split()  # noqa: SIM905
)
_FOR = frozenset("love like enjoy adore prefer favourite favorite fan want keen happy fond 好き 好み 好む".split())  # noqa: SIM905
_AGAINST = frozenset("hate dislike avoid loathe refuse detest despise skip".split()) | {  # noqa: SIM905
    "嫌い", "苦手", "避け", "無理", "好きではない", "好きではありません", "好きじゃない", "好きじゃありません",
    "好きになれない",
}  # fmt: skip

_ANSWERS = {
    "seat": ("window aisle middle 窓側 窓際 通路側 真ん中", "front back rear forward 前方 前の席 後方 後ろの席"),
    "cabin": ("economy business first premium coach エコノミー ビジネス ファースト",),
    "room": (
        "high low top ground upper lower 高層階 高い階 上の階 低層階 低い階 下の階",
        "king queen twin double single ツイン ダブル シングル",
        "smoking non-smoking nonsmoking 喫煙 禁煙",
        "和室 洋室",
    ),
    "budget": ("tight low cheap budget mid-range midrange luxury splurge expensive premium 節約 格安 高級 贅沢",),
    "pace": ("slow relaxed easy leisurely packed busy full fast のんびり ゆっくり 詰め込",),
    "baggage": ("carry-on cabin hand checked check 手荷物 預け",),
    "layover": ("direct nonstop non-stop connecting short long 直行便 乗り継ぎ",),
    "communication": ("email phone text sms chat call メール 電話", "brief short detailed long 簡潔 詳しく"),
}
_DIMENSIONS = {topic: tuple(frozenset(words.split()) for words in groups) for topic, groups in _ANSWERS.items()}
"""What one value of a single-valued topic excludes: words of one set answer the same question."""


def key_words(text: str) -> frozenset[str]:
    """The stems of the words of `text` that state something; what two texts have in common, they share here."""
    return frozenset({*map(stem, content_words(text)), *japanese_terms(text)})


def same_statement(one: Note, other: Note) -> bool:
    """True when both say the same under the same scope and condition."""
    return _comparable(one, other) and key_words(one.text) == key_words(other.text)


def says_more(one: Note, other: Note) -> bool:
    """True when `one` holds all that `other` says, and more."""
    return _comparable(one, other) and one.topic == other.topic and key_words(one.text) > key_words(other.text)


def replaces(new: Note, old: Note) -> bool:
    """True when `new` may take the place of `old`: the same question answered differently, or the stance reversed.

    Scope and condition must be the same. In a single-valued topic the notes must answer the same question ("window",
    then "aisle"; not "window", then "near the front"); in any topic, a reversed stance on the same thing ("I love
    hostels", then "I hate hostels") replaces.
    """
    if new.topic != old.topic or new.scope != old.scope or not _same_condition(new, old):
        return False
    return _reverses(new, old) or (new.single_valued and _same_question(new, old) and not same_statement(new, old))


def ends(new: Note, old: Note) -> bool:
    """True when `new` says that `old` no longer holds: its stance reversed, under the same scope and condition."""
    if new.scope != old.scope or not _same_condition(new, old):
        return False
    return _about(new.text) >= _about(old.text) and (_stance(new.text) or 1) * (_stance(old.text) or 1) < 0


def _comparable(one: Note, other: Note) -> bool:
    same_kind = one.scope == other.scope and _same_condition(one, other)
    return same_kind and (_stance(one.text) or 1) == (_stance(other.text) or 1)


def _same_condition(one: Note, other: Note) -> bool:
    return key_words(one.condition or "") == key_words(other.condition or "")


def _same_question(one: Note, other: Note) -> bool:
    words, others = _raw(one.text), _raw(other.text)
    return any(words & values and others & values for values in _DIMENSIONS.get(one.topic, ()))


def _reverses(one: Note, other: Note) -> bool:
    # What is told without a stance ("I am vegetarian") is turned round by its denial ("I'm no longer vegetarian").
    stance, before = _stance(one.text) or 1, _stance(other.text) or 1
    return stance * before < 0 and _about(one.text) == _about(other.text)


def _stance(text: str) -> int:
    words = _raw(text)
    lean = 1 if words & _FOR else -1 if words & _AGAINST else 0
    return -(lean or 1) if _negated(text) else lean


def _about(text: str) -> frozenset[str]:
    return key_words(" ".join(sorted(_raw(text) - _FOR - _AGAINST - _NEGATIONS)))


def _negated(text: str) -> bool:
    return bool(_raw(text) & _NEGATIONS)


def _raw(text: str) -> frozenset[str]:
    lowered = text.lower().replace("’", "'")
    words = (word.strip(".,;:!?\"'()") for word in lowered.split())
    return frozenset((*words, *_unspaced().findall(text)))


@cache
def _unspaced() -> re.Pattern[str]:
    """Finds the words above that are written without spaces around them; of two that overlap, the longer one."""
    listed = {*_FOR, *_AGAINST, *(word for groups in _DIMENSIONS.values() for words in groups for word in words)}
    return re.compile("|".join(sorted((word for word in listed if not word.isascii()), key=len, reverse=True)))
