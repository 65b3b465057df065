"""Cuts a Japanese message into sentences and clauses, each an exact piece of the user's words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from models.offline.ja.wording import clean, plain, table

Link = Literal["start", "reason", "aside"]

_SENTENCE = re.compile(r"[。！!？?…\n♪☆]+|(?<=[^\x00-\x7f])\s{2,}|[wｗ]{2,}(?=$|\s)")
_CUT = re.compile(
    r"(?P<reason>(?<!も)ので(?!は|も|す|し[たょ]|き|な)、?|(?<=[るいうくすつぬむたんだ])から、|ため、|"
    r"(?<=[くしっいきりちみびえけせてれげべめ])て、|(?<=んで)、|(?<=[ァ-ヴー一-鿿])で、)"
    r"|(?P<aside>(?<=[すだるいたん])(?:けれども|けれど|けど)、?(?=[^、。]{2})|(?<=[でま]す)が、?|"
    r"(?<=ません)が、|(?<=[だるいたう])が、|(?<=[だすいるた])し、|：|:(?!\d)|、(?=(?:あと|それと|"
    r"それから|また|でも|ただ|ちなみに)、?))"
)
_END_OF_CLAUSE = re.compile(r"(?:、|,|\s)+$")
_LINKING_END = re.compile(
    r"(?:けれども|けれど|けど|(?<=[すだたるい])が|(?<=[だすいるた])し|ので|(?<=[るいうだすた])から|"
    r"(?<=[のるた])ため)$"
)
_TRAILING_OFF = re.compile(r"(?<=[すだ])(?:けれども|けれど|けど|が)$")
_EXPLAINING_END = re.compile(r"(?:なの|なん|の|ん)(?:です|だ)?$|な$")


@dataclass(frozen=True, slots=True)
class Clause:
    """A piece of a message: its place in it, how it hangs on the piece before, and whether it is asked."""

    text: str
    start: int
    end: int
    link: Link
    asked: bool
    sentence: int


def clauses(text: str) -> list[Clause]:
    """The clauses of `text` in order; `text[clause.start:clause.end]` is the clause as the user wrote it."""
    found: list[Clause] = []
    for number, (start, end, asked) in enumerate(_sentences(text)):
        found += _cut(text, start, end, asked, number)
    return found


def _sentences(text: str) -> list[tuple[int, int, bool]]:
    found: list[tuple[int, int, bool]] = []
    start = 0
    for match in _SENTENCE.finditer(text):
        if text[start : match.start()].strip():
            found.append((start, match.start(), "?" in match[0] or "？" in match[0]))
        start = match.end()
    return [*found, (start, len(text), False)] if text[start:].strip() else found


def _cut(text: str, start: int, end: int, asked: bool, number: int) -> list[Clause]:
    pieces: list[tuple[int, int, Link]] = []
    link: Link = "start"
    at = start
    for match in _CUT.finditer(text, start, end):
        if len(text[at : match.start()].strip()) < 2 or not text[match.end() : end].strip():
            continue
        pieces.append((at, match.end(), link))
        link = "reason" if match["reason"] else "aside"
        at = match.end()
    pieces.append((at, end, link))
    last = len(pieces) - 1
    return [
        _clause(text, one, two, how, asked and place == last, number) for place, (one, two, how) in enumerate(pieces)
    ]


def _clause(text: str, start: int, end: int, link: Link, asked: bool, number: int) -> Clause:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip(" \t\u3000、,・-*"))
    end -= len(piece) - len(piece.rstrip(" \t\u3000、,：:"))
    return Clause(text[start:end], start, end, link, asked, number)


def trimmed(text: str) -> str:
    """`text` without what is said in passing at its head and tail."""
    text = clean(text)
    before = None
    while before != text:
        before = text
        text = _leads().sub("", text).strip(" 、,。．！!・-~〜")
        text = _tails().sub("", text).strip(" 、,。．！!・-~〜")
    return text


def unlinked(text: str, cut: bool) -> str:
    """`text` without its link to another clause: 「ビーガンなのですが」 is 「ビーガン」.

    A reason that ends a sentence stays whole; it loses its link only when what follows was `cut` off.
    """
    linked = (_LINKING_END if cut else _TRAILING_OFF).sub("", text)
    return _EXPLAINING_END.sub("", linked) if linked != text else text


@cache
def _leads() -> re.Pattern[str]:
    words = "|".join(sorted(map(re.escape, table("grammar")["leads"]), key=len, reverse=True))
    attached = "やっぱり|やはり|やっぱ|実は|ちなみに|一応|個人的には|正直言うと"
    return re.compile(rf"^(?:(?:{words})(?:[、,。！!・：:…\s]+|$)|(?:{attached})(?=.{{3}}))")


@cache
def _tails() -> re.Pattern[str]:
    words = "|".join(sorted(map(re.escape, table("grammar")["tails"]), key=len, reverse=True))
    return re.compile(rf"(?:[、,。！!\s]+(?:{words})|ので(?:、)?よろしく(?:お願い(?:いた)?します)?|[(（]笑[)）])$")


_ASKS = re.compile(
    r"(?:でしょうか|ですか|ますか|ませんか|(?<!に)(?<!と)(?<!も)(?<!い)か|かな|かね|かしら|ですかね|"
    r"の|っけ)[?]?$|^(?:どこ|どの|どれ|どちら|どっち|どう(?!し)|いつ(?!も|か)|なぜ|なんで|どうして|誰|"
    r"何時|いくら|いくつ|どんな(?!に))[^。]*$|って何|とは何|教えて|知りたい|気になり|(?:ある|いる|"
    r"できる|いい|良い|ない)の$|おすすめは|オススメは|お勧めは"
)
_NOT_ASKED = re.compile(
    r"(?:もの|こと|とき|ところ|ほう|やつ|(?<=[ァ-ヴー一-鿿])用)の$|どこへ行っても|どこに行っても|どこでも|"
    r"いつも"
)
_REQUESTS = re.compile(
    r"(?:忘れ|消し|削除し|教え|探し|さがし|調べ|見せ|提案し|紹介し|検索し|比べ|比較し|予約し|取っ|"
    r"とっ|手配し|用意し|押さえ|確認し|変更し|キャンセルし|送っ|書い|作っ|計算し|見積もっ|勧め|すすめ|"
    r"言っ|答え|見つけ|待っ|考え|続け|始め|やめ|話し|翻訳し|まとめ|出し|知らせ|手伝っ|予約を|予約)"
    r"(?:て|てください|て下さい|てくれ(?:る|ます)?|てほしい(?:です)?|て欲しい(?:です)?|"
    r"ていただけ(?:ます|る)?|てもらえ(?:ます|る|ません)?|たい(?:です|んです|のです)?|お願いします|"
    r"お願い|よろしく)(?:か|ね|よ|な)?$|(?:探して|検討して|考えて|迷って|計画して|"
    r"調べて)(?:い)?(?:ます|る)"
)
_STANDING = re.compile(r"いつも|毎回|常に|今後|これから|次から|以後|普段|必ず|絶対|決して|基本|どこ(?:へ|に)行っても")


def is_question(form: str, asked: bool) -> bool:
    """True when matched text asks something, with or without a question mark."""
    return asked or (bool(_ASKS.search(form)) and not _NOT_ASKED.search(form))


def is_request(form: str) -> bool:
    """True when matched text asks for one thing to be done, rather than always."""
    return bool(_REQUESTS.search(form)) and not _STANDING.search(form)


def is_plain(text: str) -> bool:
    """True when `text` holds anything besides marks."""
    return bool(re.search(r"\w", plain(text)))
