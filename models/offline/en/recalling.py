"""Takes from a question about earlier conversations the words that are worth searching for."""

from __future__ import annotations

import re
from functools import cache

from models.offline.en.wording import clean, plain, table

_FRAME = re.compile(
    r"(?:talk|discuss|mention|look|agree|lik|want)(?:e?d|ing)?|speak|spoke|say|told|tell|recall|remember|remind|"
    r"decided?|conversations?|chats?|earlier|previous(?:ly)?|before|past|last|again|ever|were|was|you|we|us|our|your|been"
)
_WORD = re.compile(r"[^\W_][\w'’-]*")


def search_terms(text: str) -> str:
    """The words of `text` that say what is looked for, in their order; all of `text` when it has none."""
    words = [word for word in _WORD.findall(clean(text)) if not _empty(word)]
    return " ".join(words) or clean(text)


def _empty(word: str) -> bool:
    forms = plain(word).split()
    return all(_FRAME.fullmatch(form) or form in _without_content() for form in forms)


@cache
def _without_content() -> frozenset[str]:
    return frozenset(table("grammar")["without_content"])
