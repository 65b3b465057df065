"""Tells which of several things a Japanese answer picks, and how it leaves the choice open."""

from __future__ import annotations

import re
from collections.abc import Sequence

from models.offline.ja.concerns import content_words
from models.offline.ja.wording import clean, plain
from models.offline.readings import Undecided

_ORDINALS = (r"[1一]|最初|ひとつ|上の|前者", r"[2二]|ふたつ", r"[3三]|みっつ", r"[4四]|よっつ", r"[5五]|いつつ")
_COUNTED = re.compile(r"\d(?:人|名|泊|日|月|時)|[一二三四五](?:人|名|泊)")
_LONGEST_ORDINAL = 14


_DEPENDS = re.compile(r"場合による|場合によ|によります|による|次第|どちらも|両方|どっちも|時々|ときどき")
_NEITHER = re.compile(
    r"どちらでも|どっちでも|何でもいい|なんでもいい|どうでも|分からな|わからな|分かりません|わかりません|特にな"
)


def undecided(text: str) -> Undecided:
    """`both` for 「場合による」 and 「両方」, `neither` for 「どちらでも」 and the like."""
    form = plain(text)
    return "both" if _DEPENDS.search(form) else "neither" if _NEITHER.search(form) else ""


_CASES = re.compile(r"[、。,;:：!！]|で、")
_CASE = re.compile(r"^(?P<when>.+?(?:では|だと|なら(?:ば)?|のとき(?:に)?は|の時(?:に)?は|の場合は|は))(?P<taken>.+)$")


def cases(text: str) -> list[tuple[str, str]]:
    """The cases of 「短いフライトは通路側、夜行便は窓側」: what is taken, and when."""
    found = (_CASE.match(piece.strip()) for piece in _CASES.split(clean(text)))
    return [(match["taken"], match["when"]) for match in found if match]


def picked(text: str, choices: Sequence[str]) -> int | None:
    """Index of the choice that `text` names by place or by its words; None when it names none or several."""
    form = plain(text)
    if choices and re.search(r"最後|下の|後者", form):
        return len(choices) - 1
    words = content_words(text)
    shared = [len(words & content_words(choice)) for choice in choices]
    best = [at for at, count in enumerate(shared) if count and count == max(shared)]
    if len(best) == 1:
        return best[0]
    if _COUNTED.search(form):
        return None
    named = [at for at, names in enumerate(_ORDINALS[: len(choices)]) if re.search(names, form)]
    return named[0] if len(named) == 1 and len(form) <= _LONGEST_ORDINAL else None
