"""Finds the spans of a text that could be a number, a code or a secret."""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from memory.policy.injection.detect import is_known_word
from memory.policy.sensitive.patterns import search
from text.numbers import spoken_runs
from text.words import word_set

_TOKEN = re.compile(
    r"[〇零一二三四五六七八九十]{2,}"
    r"|[^\s\u3000-\u30ff\u3400-\u9fff\uff01\uff0c\uff1a\uff1b\uff1d\uff1f,;:=\"'“”‘’«»(){}\[\]（）]+"
)
_TAIL = ".-/*!?"
"""Characters that end a sentence or join groups; at the end of a token they are not part of the value."""
_SIGNS = re.compile(r"(?=.*\w)(?:.*[@#$%^&*_~<+\\]|.*[a-z][A-Z]|\S{20})")
_NEAR = re.compile(r"[ \t\u3000\u00a0]{0,2}|[ \t\u3000]?[\-\u2010-\u2015\u2212.\u00b7_・/の*)(（）][ \t\u3000]?")
_APART = re.compile(
    r"(?:[\s,、;:|/.\-\u2010-\u2015*・の()'\"「」]|\b(?:and|then|next|dash|hyphen|space|slash|dot|plus)\b){0,8}"
)
_BRIDGE = re.compile(r"(?<=[A-Z]{2}\d\d )[A-Z]{4}|(?<=\d )[A-Z](?= \d)")
"""Letters between the digits of one number: the bank code in an IBAN, a single letter."""
_CARD_DATE = re.compile(r"\d{1,2}/\d{2}(?:\d{2})?")
_WORD = re.compile(
    r"(?<=[\"“「『])[^\"”」』\n]{2,60}(?=[\"”」』])"
    r"|[A-Za-z0-9\u00c0-\u024f][^\s,;:\"“”()「」『』。、\u3040-\u30ff\u3400-\u9fff]*"
    r"|[はがのをにでもと](?=[\u3041-\u309f]{3})|[\u3041-\u309f]+|[\u30a0-\u30ff]+|[\u3400-\u9fff]+"
)
_GRAMMAR = re.compile(r"[\u3041-\u309f]{1,3}|.*(?:です|ます|した|ください)(?:ね|よ|か)?")
_ANNOUNCING = frozenset({"security", "secret", "answer", "code", "key", "login", "pass", "pin", "safe", "unlock"})
_ODD = 2


class Span(NamedTuple):
    """The start and end of a part of a text."""

    start: int
    end: int


def values(text: str) -> list[Span]:
    """Return the spans of numbers, mixed tokens and spoken numbers; groups of one value are joined."""
    return _runs(text, _NEAR)


def coarse_values(text: str) -> list[Span]:
    """Return the same spans as `values`, but also join those that commas or small words separate."""
    return _runs(text, _APART)


def words(text: str) -> list[Span]:
    """Return the words and quotations except those that announce a secret ("password"), common words first."""
    return [span for oddity, span in sorted((oddity, span) for span, oddity in _oddities(text)) if oddity]


def phrases(text: str, spans: Sequence[Span]) -> list[Span]:
    """Return `spans` extended to passphrases: by adjacent uncommon words, and by any word after two such words."""
    runs: list[tuple[Span, int]] = []
    for span, oddity in sorted(_oddities(text)):
        near = bool(runs) and not text[runs[-1][0].end : span.start].strip(" ")
        follows = near and runs[-1][1] > 1 and text[span.start : span.end].casefold() not in word_set("function_words")
        if near and (span in spans or oddity == _ODD or follows):
            before, count = runs.pop()
            runs.append((Span(before.start, span.end), count + 1))
        elif span in spans or oddity == _ODD:
            runs.append((span, 1))
    return [run for run, _ in runs if any(run.start <= span.start < run.end for span in spans)]


def _oddities(text: str) -> list[tuple[Span, int]]:
    text = "".join(map(_plain, text))
    found = [Span(match.start(), match.start() + len(match.group().rstrip(".!?"))) for match in _WORD.finditer(text)]
    return [(span, _oddity(text[span.start : span.end])) for span in found]


def _oddity(word: str) -> int:
    """Return 0 for a word that announces a secret, 1 for a common word and 2 for any other."""
    plain = word.casefold().strip(".!?-'")
    if search("credentials.password_words", plain) or plain in _ANNOUNCING:
        return 0
    return 1 if is_known_word(plain) or _GRAMMAR.fullmatch(plain) else _ODD


def _runs(text: str, gap: re.Pattern[str]) -> list[Span]:
    """Join values that only `gap` or short groups of letters separate ("GB29 NWBK 6016")."""
    text = "".join(map(_plain, text))
    runs: list[Span] = []
    end = -1
    for span, is_value in _tokens(text):
        near = end >= 0 and gap.fullmatch(text[end : span.start]) is not None
        is_date = _CARD_DATE.fullmatch(text, *span) is not None
        if is_value:
            runs.append(Span(runs.pop().start, span.end) if near and runs and not is_date else span)
        end = -1 if is_date else span.end if is_value or (near and _BRIDGE.fullmatch(text, *span)) else -1
    return runs


def _plain(char: str) -> str:
    """Return the NFKC form of a character if that is a single character, else the character itself."""
    plain = unicodedata.normalize("NFKC", char)
    return plain if len(plain) == 1 else char


def _tokens(text: str) -> list[tuple[Span, bool]]:
    spoken = [Span(*run) for run in spoken_runs(text)]
    found = [(span, True) for span in spoken]
    for match in _TOKEN.finditer(text):
        token = match.group().rstrip(_TAIL)
        span = Span(match.start(), match.start() + len(token))
        if token and not any(span.start < one.end and one.start < span.end for one in spoken):
            is_value = token[0] in "〇零一二三四五六七八九十" or any(map(str.isdigit, token))
            found.append((span, is_value or _SIGNS.search(token) is not None))
    return sorted(found)
