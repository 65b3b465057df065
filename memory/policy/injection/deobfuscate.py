"""More ways to read a text, sensible only for telling orders apart: nobody writes a wish backwards or in rot13."""

from __future__ import annotations

import codecs
import re

from memory.policy.injection.score import is_familiar, knows
from text.deobfuscate import decode, join_letters
from text.normalise import normalise

_LEET = str.maketrans("0345789@$!+", "oeastbgasit")
_RUN = 14
"""Letters in a row from which on a word may be several written as one."""
_SPELLED = re.compile(r"(?<!\S)(?:[^\W_][.\-_*|~/+\u00b7]){2,}[^\W_](?!\S)")
_APART = re.compile(r"(?<!\S)(?:\S[ \t]){2,}\S(?=\s{2}|\s*$)")


def ciphers(text: str) -> tuple[str, ...]:
    """`text` in rot13 and backwards, and respelled: nonsense for most texts."""
    plain = normalise(decode(text))
    found = [codecs.encode(plain, "rot13"), plain[::-1], *respelled(text)]
    return tuple(dict.fromkeys(reading for reading in found if reading != plain))


def respelled(text: str) -> tuple[str, ...]:
    """`text` with digits read as letters, and with words parted that are written as one, where that changes it."""
    plain = normalise(decode(text))
    found = [_parted(plain)]
    if re.search(r"[\d@$!+|]", plain):
        found += [_unleet(plain, "i"), _unleet(plain, "l"), join_letters(_unleet(plain, "i"))]
    return tuple(dict.fromkeys(reading for reading in found if reading != plain))


def unveiled(text: str) -> tuple[str, ...]:
    """What `text` says under a veil that it wears for certain: nothing for a text without one."""
    plain = normalise(text)
    decoded = normalise(decode(plain))
    found = [decoded] if re.search(r"[A-Za-z0-9+/_-]{12}|%[0-9a-fA-F]{2}|\\[xu]", plain) else []
    found += [normalise(_joined(text))]
    found += [reading for reading in ciphers(text) if _reads_better(reading, plain)]
    return tuple(dict.fromkeys(reading for reading in found if reading != plain))


def letters_only(text: str) -> str:
    """The letters of `text`, lower-case and run together, to see through punctuation put between them."""
    return re.sub(r"[\W_\d]+", "", normalise(decode(text)).lower())


def _reads_better(reading: str, plain: str) -> bool:
    """True when `reading`, or a part of it that a mark parts off, is made of known words, and `plain` there is not."""
    pairs = zip(re.split(r"[:(]", reading), re.split(r"[:(]", plain), strict=False)
    return any(is_familiar(one) and not is_familiar(other) for one, other in [(reading, plain), *pairs])


def _joined(text: str) -> str:
    """Words spelled with a mark between letters, or with wider gaps between words than between letters, joined."""
    text = _APART.sub(lambda match: re.sub(r"\s", "", match.group()), text)
    return _SPELLED.sub(lambda match: re.sub(r"[\W_]", "", match.group()), text)


def _parted(text: str) -> str:
    """Words written as one (`IgnoreAllRules`, `ignoreallrules`, `ignore-all-rules`) parted where each is known."""
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", join_letters(text))
    text = re.sub(r"(?<=[A-Za-z]{2})[-_.]+(?=[A-Za-z]{2,}[-_.])|(?<=[-_.][A-Za-z]{2})[-_.]+(?=[A-Za-z]{2})", " ", text)
    return re.sub(rf"[A-Za-z]{{{_RUN},}}", lambda match: " ".join(_words_of(match.group().lower())), text)


def _words_of(run: str) -> list[str]:
    """The fewest known words that make up `run`, or `run` itself when none do."""
    best: list[list[str] | None] = [[], *([None] * len(run))]
    for end in range(1, len(run) + 1):
        for start in range(max(0, end - 16), end):
            before = best[start]
            shorter = best[end]
            if before is None or not knows(run[start:end]) or (end - start < 2 and run[start:end] not in "ai"):
                continue
            if shorter is None or len(before) + 1 < len(shorter):
                best[end] = [*before, run[start:end]]
    whole = best[-1]
    return whole if whole is not None else [run]


def _unleet(text: str, one: str) -> str:
    def fold(match: re.Match[str]) -> str:
        token = match.group()
        if not re.search(r"[a-z]", token, re.IGNORECASE) or not re.search(r"[\d@$!+|]", token):
            return token
        return token.translate(_LEET).replace("1", one).replace("|", one)

    return re.sub(r"[^\s,;:?\"'()]+", fold, text)
