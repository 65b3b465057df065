"""Detects text that tries to instruct the assistant instead of describing the traveller, even if it is disguised.

The score is the mean log-odds of a linear model over words and shapes, and of a small neural net over the embedding of
the passage, which generalises to wordings that the linear model has no weights for.
`weights.md` is the model card; `python -m evals.training.injection` rebuilds `weights.npz` and `net.npz`.
"""

import codecs
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from zlib import crc32

from memory.policy.sensitive.patterns import compiled
from text import Text, normalise, sentences, stem
from text.encoder import combined_odds
from text.features import LinearModel, is_unspaced, linear_model, shapes, tokenize
from text.normalise import decode, join_letters

WEIGHTS = Path(__file__).parent / "weights.npz"
NET = Path(__file__).parent / "net.npz"
LOWEST = -9.0
"""The score of a text without words."""
THRESHOLD = 0.2
"""The log-odds above which a passage is an instruction."""
_HARMLESS = -2.0
"""The log-odds of the linear model up to which the net is not asked: no text below it was found an instruction."""
_LONGEST_PASSAGE = 400
_WINDOW, _STRIDE = 12, 4
_WINDOW_PENALTY = 2.0
"""The score that a window of a long sentence needs in addition, because it lacks its context."""
_MOSTLY = 0.7
_FEW_WORDS, _FOREIGN = 3, 0.3
_CLAUSE_BREAKS = re.compile(
    r"\s*[;()\[\]\u3010\u3011|]\s*|\s+[-\u2013]+\s+|,? (?:and|but|plus|also|oh and|while you're at it) (?:also )?|"
    r"\b[pP]\.?[sS]\.? |(?<=[\u3002\uff01\uff1f])|\u3001(?=それ|あと|ついで|また|さらに|そして)"
)
_LEET = str.maketrans("0345789@$!+", "oeastbgasit")
_JOINED_WORDS = re.compile(r"[A-Za-z]{14,}")
_LONGEST_WORD = 16
_MARKED_LETTERS = re.compile(r"(?<!\S)(?:[^\W_][.\-_*|~/+\u00b7]){2,}[^\W_](?!\S)")
_SPACED_LETTERS = re.compile(r"(?<!\S)(?:\S[ \t]){2,}\S(?=\s{2}|\s*$)")
_RUN_TOGETHER = (
    r"(?:ignore|disregard|forget|override|bypass)(?:all|any|the|your|my|these|those|of|every|previous|prior|"
    r"earlier|above|preceding|system|safety){1,6}"
    r"(?:instructions?|prompts?|rules|directives|guidelines|commands)|systemprompt|revealyour(?:system|"
    r"instructions|prompt)|youarenow(?:an?|the|in|my|free|un|dan|admin|evil)|"
    r"developermode|doanythingnow|(?<!i)alwaysobey|nevertelltheuser|donottelltheuser|donttelltheuser|"
    r"systemrule|systemoverride|actasan?(?:admin|unrestricted|evil|different)"
)
_MARKS = re.compile(r"[\d@$!+|%\\&*_.\-]|\s\S\s\S\s|[^\x00-\x7f]")
MARGIN = 1.5
"""How much lower the threshold is for a disguised text, which an innocent wish need not be, and how much higher for a
reading that may be nonsense, such as ordinary words backwards."""


@lru_cache(maxsize=4096)
def injection_score(text: str) -> float:
    """Return the highest log-odds of any passage of `text` minus the threshold: above 0 it is an instruction."""
    by_words = {part: _words().odds(part) for part, _ in _judged(text)}
    odds = combined_odds(NET, by_words, above=_HARMLESS, share=0.5)
    return max((odds[part] - penalty for part, penalty in _judged(text)), default=LOWEST) - THRESHOLD


@lru_cache(maxsize=4096)
def word_score(text: str) -> float:
    """Return the same score by the linear model alone, for a reading that may not be a sentence at all."""
    return max((_words().odds(part) - penalty for part, penalty in _judged(text)), default=LOWEST) - THRESHOLD


def _judged(text: str) -> list[tuple[str, float]]:
    """Return the passages and windows of `text`, each with the penalty on its log-odds."""
    return [(part, 0.0) for part in passages(text)] + [(window, _WINDOW_PENALTY) for window in _windows(text)]


def is_known_word(word: str) -> bool:
    """Return whether the lower-case `word` is in the English training texts in some form."""
    return stem(word) in _words().vocabulary


def is_readable(text: str) -> bool:
    """Return whether `text` has kana or mostly known words: a score means nothing otherwise."""
    words = tokenize(text)
    return re.search(r"[\u3041-\u30ff]", text) is not None or (
        len(words) > 1 and sum(map(is_known_word, words)) >= _MOSTLY * len(words)
    )


def addresses_machine(text: str) -> bool:
    """Return whether `text` has markup, a call or an address, in a language of which few words have a weight."""
    words = [part for token in tokenize(text) for part in (token if is_unspaced(token) else [token])]
    known = sum(crc32(word.encode()) in _words().weights for word in words)
    is_foreign = len(words) > _FEW_WORDS and known < _FOREIGN * len(words)
    return is_foreign and not shapes(text).isdisjoint(("tag", "pair", "call", "url", "mail"))


def passages(text: str) -> tuple[str, ...]:
    """Return the sentences of `text`, pairs of adjacent sentences, and clauses, without duplicates."""
    return tuple(dict.fromkeys(part for part in _passages(text) if len(part) > 3))


def _passages(text: str) -> Iterator[str]:
    whole = [sentence[:_LONGEST_PASSAGE] for sentence in sentences(text)]
    yield from (" ".join(pair) for pair in pairwise(whole))
    for sentence in whole:
        yield sentence
        clauses = (clause.strip(" ,:") for clause in _CLAUSE_BREAKS.split(sentence))
        yield from (clause for clause in clauses if clause.count(" ") > 1 or (not clause.isascii() and len(clause) > 5))


def _windows(text: str) -> Iterator[str]:
    """Yield windows of long sentences, in which the rest would outweigh an instruction."""
    for words in (sentence[:_LONGEST_PASSAGE].split() for sentence in sentences(text)):
        if len(words) > _WINDOW:
            yield from (" ".join(words[at : at + _WINDOW]) for at in range(0, len(words) - _WINDOW + _STRIDE, _STRIDE))


def _words() -> LinearModel:
    return linear_model(WEIGHTS)


def is_instruction(text: Text) -> bool:
    """Return whether `text`, in any of its readings, tells the assistant what to do, be, hide or run.

    Preferences phrased as wishes ("always book refundable fares") are not instructions in this sense. A text in a
    language that the model was not trained on is judged by its shape: markup, calls and addresses are refused.
    """
    if any(injection_score(reading) > 0 for reading in (*text.readings, *_respelled(text))):
        return True
    if addresses_machine(text.normalised) or any(injection_score(one) > -MARGIN for one in _disguised(text)):
        return True
    if any(word_score(guess) > MARGIN for guess in _ciphered(text) if is_readable(guess)):
        return True
    letters = re.sub(r"[\W_\d]+", "", text.decoded.lower())
    return _MARKS.search(text.raw) is not None and compiled(_RUN_TOGETHER).search(letters) is not None


def _ciphered(text: Text) -> list[str]:
    """Return `text` decoded as rot13, backwards and respelled; nonsense for most texts."""
    readings = codecs.encode(text.decoded, "rot13"), text.decoded[::-1], *_respelled(text)
    return [reading for reading in readings if reading != text.decoded]


def _respelled(text: Text) -> list[str]:
    readings = [_split_words(text.decoded)]
    if re.search(r"[\d@$!+|]", text.decoded):
        letters = _unleet(text.decoded, "i")
        readings += [letters, _unleet(text.decoded, "l"), join_letters(letters)]
    return readings


def _disguised(text: Text) -> list[str]:
    """Return the decoded readings of `text` if it was disguised on purpose; none for a plain text."""
    plain = text.normalised
    encoded = re.search(r"[A-Za-z0-9+/_-]{12}|%[0-9a-fA-F]{2}|\\[xu]", plain)
    readings = [normalise(decode(plain))] if encoded else []
    joined = _SPACED_LETTERS.sub(lambda match: re.sub(r"\s", "", match.group()), text.raw)
    readings.append(normalise(_MARKED_LETTERS.sub(lambda match: re.sub(r"[\W_]", "", match.group()), joined)))
    readings += [reading for reading in _ciphered(text) if _reads_better(reading, plain)]
    return [reading for reading in readings if reading != plain]


def _reads_better(reading: str, plain: str) -> bool:
    """Return whether `reading`, or a part between colons or brackets, has known words where `plain` has none."""
    pairs = zip(re.split(r"[:(]", reading), re.split(r"[:(]", plain), strict=False)
    return any(is_readable(one) and not is_readable(other) for one, other in [(reading, plain), *pairs])


def _split_words(text: str) -> str:
    """Separate joined words (`IgnoreAllRules`, `ignoreallrules`, `ignore-all-rules`) if all of them are known."""
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", join_letters(text))
    text = re.sub(r"(?<=[A-Za-z]{2})[-_.]+(?=[A-Za-z]{2,}[-_.])|(?<=[-_.][A-Za-z]{2})[-_.]+(?=[A-Za-z]{2})", " ", text)
    return _JOINED_WORDS.sub(lambda match: " ".join(_fewest_words(match.group().lower())), text)


def _fewest_words(run: str) -> list[str]:
    best: dict[int, list[str]] = {0: []}
    for end in range(1, len(run) + 1):
        words = ((start, run[start:end]) for start in range(max(0, end - _LONGEST_WORD), end) if start in best)
        known = [[*best[at], word] for at, word in words if is_known_word(word) and (len(word) > 1 or word in "ai")]
        if known:
            best[end] = min(known, key=len)
    return best.get(len(run), [run])


def _unleet(text: str, one: str) -> str:
    def fold(match: re.Match[str]) -> str:
        token = match.group()
        if not re.search(r"[a-z]", token, re.IGNORECASE) or not re.search(r"[\d@$!+|]", token):
            return token
        return token.translate(_LEET).replace("1", one).replace("|", one)

    return re.sub(r"[^\s,;:?\"'()]+", fold, text)
