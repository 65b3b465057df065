"""Detects text that tries to instruct the assistant instead of describing the traveller, even if it is disguised."""

import codecs
import re

from memory.policy.injection.score import addresses_machine, injection_score, is_known_word, is_readable, word_score
from memory.policy.sensitive.patterns import compiled
from text import Text, normalise
from text.normalise import decode, join_letters

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
