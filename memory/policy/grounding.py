"""Does a statement rest on what the user said? (S4.6, S6.3)."""

from __future__ import annotations

from collections.abc import Sequence

from memory.policy.candidate import MAX_QUOTE
from memory.policy.rule import compiled
from text import normalise, stem
from text.wordlists import word_set
from text.words import content_words, japanese_terms, same_words, sentences

_NEGATION = r"(?:n't|not|never|cannot|cant|dont|no longer)"
_DISLIKE = (
    rf"\b(?:hates?|dislikes?|detests?|loathes?|despises?|avoids?|refuses?)\b|{_NEGATION} (?:\w+ ){{0,2}}"
    r"(?:like|love|prefer|enjoy|want|stand|bear)\b|苦手|嫌い|嫌だ|避け|好きでは|好きじゃ|好まな"
)
_AT_EASE = (
    rf"{_NEGATION} (?:\w+ ){{0,2}}mind\b|\b(?:fine|ok|okay|happy|comfortable) (?:with|in|on|at)\b|構わな|かまわな|"
    r"大丈夫|平気"
)
_RHYTHM = r"\b(?:every|each) (?:single )?(?:\w+)|毎(?:日|週|月|年|朝|晩|回|春|夏|秋|冬)"
_ANY_NEGATION = r"\b(?:no|not|never|without|instead|rather|cannot|cant|dont)\b|n't|ない|ません"
_DENIED = r"\b(?:no|not an?|never an?|without an?|without) ((?:[a-z-]+ ?){1,3})"
_LIKE = r"\b(?:likes?|loves?|prefers?|enjoys?|wants?|adores?|favou?rites?|fond of|keen on)\b|好き|好む|希望|好み"


def is_grounded(text: str, sources: Sequence[str], *, near: str = "") -> bool:
    """True when each content word, number and name of `text` comes from `sources` and liking is not turned round.

    Args:
        text: The statement.
        sources: The texts it must rest on: the user's messages, or the notes that a plan merges.
        near: The passage of the sources it rests on, if known; its mood must not contradict the statement's.
    """
    if text.isascii() and not content_words(text):
        return False  # words that state nothing rest on nothing: "the traveller only books here"
    generic = word_set("generic_words")
    said = {stem(word) for source in sources for word in content_words(source)}
    if any(stem(word) not in said and word not in generic for word in content_words(text)):
        return False
    whole = normalise(" ".join(sources))
    if any(not _said_in_japanese(term, whole) for term in japanese_terms(text)):
        return False
    passage = near or " ".join(sources)
    return not (_turned_round(text, passage) or _denied_there(text, passage) or _made_a_habit(text, whole))


def find_quote(quote: str, text: str, user_words: Sequence[str]) -> str:
    """The user's own words that `text` rests on: `quote` if the user said it, else their closest sentence.

    Returns an empty string when nothing the user said has a content word in common with `text`.
    """
    if quote and any(same_words(quote, words) for words in user_words):
        return quote
    wanted = {stem(word) for word in content_words(text)} | set(japanese_terms(text))
    best, most = "", 0
    for words in reversed(user_words):
        for sentence in sentences(words):
            had = {stem(word) for word in content_words(sentence)}
            common = sum(term in had or (not term.isascii() and term in sentence) for term in wanted)
            if common > most:
                best, most = sentence, common
    return best[:MAX_QUOTE].strip()


def _said_in_japanese(term: str, source: str) -> bool:
    if term in source:
        return True
    pairs = [term[at : at + 2] for at in range(len(term) - 1)]
    return bool(pairs) and all(pair in source for pair in pairs)


def _mood(text: str) -> str:
    lowered = text.casefold().replace("\u2019", "'")
    if compiled(_AT_EASE).search(lowered):
        return "likes"
    disliked = compiled(_DISLIKE).search(lowered)
    rest = compiled(_DISLIKE).sub(" ", lowered)
    liked = compiled(_LIKE).search(rest)
    if disliked and liked:
        return "mixed"
    return "dislikes" if disliked else "likes" if liked else "plain"


def _turned_round(text: str, passage: str) -> bool:
    claimed, said = _mood(text), _mood(passage)
    if claimed == "dislikes" and compiled(_AT_EASE).search(passage.casefold().replace("\u2019", "'")):
        return True
    if {claimed, said} != {"likes", "dislikes"}:
        return False
    other = passage if claimed == "dislikes" else text
    return not compiled(_ANY_NEGATION).search(other.casefold())


def _denied_there(text: str, passage: str) -> bool:
    """True when the passage says "no X" or "not an X", and the statement takes X without any denial."""
    claimed = text.casefold().replace("\u2019", "'")
    if compiled(_ANY_NEGATION).search(claimed) or _mood(text) == "dislikes":
        return False
    stated = {stem(word) for word in content_words(text)}
    for found in compiled(_DENIED).finditer(passage.casefold().replace("\u2019", "'")):
        denied = {stem(word) for word in content_words(found.group(1))}
        if denied and denied <= stated:
            return True
    return False


def _made_a_habit(text: str, said: str) -> bool:
    """True when the statement says how often, and the user did not."""
    lowered = said.casefold()
    return any(found.group() not in lowered for found in compiled(_RHYTHM).finditer(text.casefold()))
