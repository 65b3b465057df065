"""Words, sentences and stems, in English and Japanese, for comparing what was said with what is claimed."""

from __future__ import annotations

import re

from text.normalise import normalise
from text.spelled import NUMBER_WORDS

_FUNCTION_WORDS_LIST = """
    a an the this that these those it its i im ive id ill me my mine myself we us our ours ourselves you your
    yours he him his she her hers they them their theirs who whom whose which what when where why how there here
    and or but nor so yet if then than as at by for from in into of off on onto out over per to toward towards
    under up upon with within about above across after against along among around before behind below beneath
    beside besides between beyond during inside near outside since through till until via whether while because
    although though unless except only just also too very really quite rather more most much many few less least
    lot lots some any each every either neither both all other another such same own be am is are was were been
    being isnt arent wasnt werent do does did done doing dont doesnt didnt have has had having havent hasnt
    hadnt will would shall should can could may might must wont wouldnt shouldnt cant couldnt cannot let lets
    get gets got getting not no never none nothing without instead please thanks thank yes ok okay actually
    always usually often generally normally typically sometimes ever again already now still even well like
    likes liked prefer prefers preferred preference preferences preferring want wants wanted need needs needed
    require requires required requirement would rather love loves loved enjoy enjoys hate hates hated dislike
    dislikes disliked avoid avoids avoiding stand refuse refuses choose chooses book books booking take takes
    use uses make makes go goes going keep keeps whenever wherever whichever user users traveller traveler
    travellers customer person one ones something anything thing things kind sort way time times possible able
    favor favour favourite favorite s t re ve ll d m nt wish wishes going regarding follow follows
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS_LIST.split())
"""Words that state nothing by themselves: grammar, and the verbs in which a preference is put."""

_GENERIC_LIST = """
    travel travels travelling traveling trip trips flight flights fly seat seats hotel hotels room rooms stay
    stays food meal meals option options place places area areas location locations spot spots
"""
GENERIC = frozenset(_GENERIC_LIST.split())
"""Words of the trade that a short statement may add ("window" becomes "window seat") without inventing anything."""

_JA_FRAME_LIST = """
    利用者 旅行者 旅行 希望 好み 好 嫌 必要 常 場合 時 私 僕 俺 者 人 方 事 物
    際 苦手 避 選 使 予約 宿泊 派 座席 席 便 食事 ユーザー ホテル フライト お客様
    部屋
"""
_JA_FRAME = tuple(_JA_FRAME_LIST.split())


def _expand(text: str) -> str:
    whole = normalise(text).casefold().replace("can't", "can not").replace("won't", "will not")
    return whole.replace("n't", " not").replace("'", " ")


def english_words(text: str) -> list[str]:
    """Lower-case words and numbers of `text` in Latin script; hyphens part words, an apostrophe ends one."""
    return re.findall(r"[a-z]+|\d+(?:[.,:]\d+)*", _expand(text), re.ASCII)


def content_words(text: str) -> list[str]:
    """The words of `text` that state something, in order, unstemmed; number words as digits."""
    numbers = {word: str(value) for word, value in NUMBER_WORDS.items() if word != "one"}
    words = [numbers.get(word, word) for word in english_words(text)]
    return [word for word in words if word not in FUNCTION_WORDS and (len(word) > 1 or word.isdigit())]


def japanese_terms(text: str) -> list[str]:
    """Runs of kanji or katakana that state something, without the words a preference is framed in."""
    text = normalise(text)
    for frame in _JA_FRAME:
        text = text.replace(frame, " ")
    return re.findall(r"[\u3400-\u9fff々]+|[ァ-ヺー]{2,}", text)


def key_terms(text: str, most: int) -> tuple[str, ...]:
    """Up to `most` keywords of `text`: the longest content words in the order they occur."""
    words = [word for word in content_words(text) if word not in GENERIC and not word.isdigit()]
    words += [term for term in japanese_terms(text) if len(term) > 1]
    words += [word for word in content_words(text) if word in GENERIC]
    words = [word[:40] for word in words]
    chosen = sorted(dict.fromkeys(words), key=len, reverse=True)[:most]
    return tuple(sorted(chosen, key=words.index))


def sentences(text: str) -> list[str]:
    """The sentences of `text`, trimmed; a line break ends one too."""
    parts = re.split(r"(?<=[.!?。！？])\s*(?=\s|[^\x00-\x7f]|$)|[\r\n]+", text)
    return [part.strip() for part in parts if part and part.strip()]


def plain_words(text: str) -> str:
    """Letters and digits only, single blanks, for finding a quote whatever its punctuation."""
    return " ".join(re.findall(r"[^\W_]+", normalise(text).casefold().replace("'", "")))


def same_words(part: str, whole: str) -> bool:
    """True when the words of `part` occur in `whole` in order, side by side."""
    needle, hay = plain_words(part), plain_words(whole)
    if not needle:
        return False
    if not needle.isascii():
        return needle.replace(" ", "") in hay.replace(" ", "")
    return f" {needle} " in f" {hay} "
