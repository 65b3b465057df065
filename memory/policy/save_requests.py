"""Whether the user asks, in so many words, that something be remembered."""

from __future__ import annotations

from memory.policy.rule import compiled
from text import normalise

_ENGLISH = (
    r"(?:^|[.!?,;:] *|\b(?:please|and|but|so|now|actually|ok|okay|also|then|you|to|can you|could you) )"
    r"(?:do )?(?:remember(?! (?:when|how|if|whether|what|where|who|me telling))|"
    r"keep in mind|make a note|take note|note down|write down|save (?:that|this|it)|note that|memori[sz]e|don't forget|"
    r"do not forget|never forget)\b"
)
_NOT_ASKED = r"\b(?:do not|don't|dont|never|stop|no need to|not to|why|how|what|did|do) (?:you )?(?:\w+ )?remember"
_JAPANESE = r"覚えて|覚えと|忘れないで|記憶して(?!いる|ます)|メモして|記録して(?!いる)|控えて(?:おいて|ください)"
_NOT_ASKED_JA = r"覚えてい(?:る|ま)|覚えてる|覚えなくて|覚えないで|覚えていな"


def asks_to_remember(text: str) -> bool:
    """True for "remember that …", "please keep in mind …", 「…を覚えておいて」; not for "do you remember …?"."""
    lowered = normalise(text).casefold().replace("\u2019", "'")
    english = compiled(_ENGLISH).search(lowered) and not compiled(_NOT_ASKED).search(lowered)
    japanese = compiled(_JAPANESE).search(lowered) and not compiled(_NOT_ASKED_JA).search(lowered)
    return bool(english or japanese)
