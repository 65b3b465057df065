"""Numbers and words that a label gives away: "my passport number is …", "… is my PIN"."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from memory.policy.rule import compiled, has_any

_BETWEEN = (
    r"(?:\s*(?:[:=#>.,;|/(\-\"']|->|is|are|was|it's|its|'s|will|it|as|for|of|to|on|my|the|our|this|that|and|"
    r"number|numbers|num|no|nr|nos|code|id|ref|reference|card|visa|"
    r"reads?|ends?|starts?|goes|with|digits?|follows?|following|currently|still|new|old|here|full|british|us|"
    r"uk|japanese|german|french|"
    r"be|should|use|enter|type|set|you|can|me|at|on|under|reach|"
    r"普通|当座|支店|は|が|を|も|の|番号|コード|、|です|に|で|「|【|『|\uff1a)){0,7}\s*"
)
_AFTER = (
    r"[\s\"'」』】)]*(?:,|\.|-|\(|=|<-|is|are|was|as|が|は|というのが|\u2192)\s*(?:for )?(?:my|our|the|his|her|"
    r"私の|僕の)?\s*(?:\w+ ){0,2}"
)


@dataclass(frozen=True, slots=True)
class Label:
    """Words that announce a value of one kind, and what such a value looks like.

    Attributes:
        kind: What the value is (S4.3).
        triggers: Lower-case substrings parted by `|`, one of which is in every text with the label.
        words: The label, as a regular expression.
        value: The value, as a regular expression.
        loose: A value so telling that any few words may stand between the label and it.
    """

    kind: str
    triggers: str
    words: str
    value: str
    loose: str = ""

    def hits(self, text: str) -> bool:
        """True when the label and a value stand together in `text`."""
        if not has_any(self.triggers, text.lower()):
            return False
        return any(compiled(pattern).search(text) for pattern in _patterns(self.words, self.value, self.loose))


@cache
def _patterns(words: str, value: str, loose: str) -> tuple[str, ...]:
    patterns = (rf"(?:{words}){_BETWEEN}(?:{value})", rf"(?:{value}){_AFTER}(?:{words})")
    return (*patterns, rf"(?:{words})[^\d;!?]{{0,40}}?(?:{loose})") if loose else patterns


def digits(fewest: int, most: int) -> str:
    """A pattern for `fewest`..`most` digits, spaced or dashed as people do."""
    return rf"(?<![\d])\d(?:[\s.\-/の]{{0,2}}\d){{{fewest - 1},{most - 1}}}(?!\d)"


def mixed(fewest: int, most: int) -> str:
    """A pattern for `fewest`..`most` letters and digits with at least two digits, spaced or dashed in groups."""
    whole = rf"(?=(?:[a-z]*\d){{2}})[a-z0-9]{{{fewest},{most}}}"
    spaced = (
        r"(?!(?:in|on|at|to|by|of|is|no|nr|for|and|the|my|id|was|are|as|from|"
        r"till?)\b)[a-z]{1,3}(?:[\s\-.]?\d){3,12}(?:[\s\-.]?[a-z](?![a-z]))?"
    )
    dashed = r"(?=(?:[a-z\-]*\d){2})(?:[a-z0-9]{2,5}-){1,4}[a-z0-9]{2,5}"
    return rf"(?<![a-z0-9])(?:{whole}|{spaced}|{dashed})(?![a-z0-9])"
