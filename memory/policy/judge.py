"""The judgement: one candidate in, one verdict out (S4.1, S4.2)."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence

from memory.policy.candidate import MAX_QUOTE, Candidate, Gate, NoteDraft, Verdict
from memory.policy.contract import UNKNOWN_SCOPE, Shaped, shape
from memory.policy.grounding import find_quote, is_grounded
from memory.policy.injection.detect import is_instruction
from memory.policy.screen import screen
from memory.policy.third_party import is_about_others
from memory.records.notes import MAX_TEXT
from text import Text, normalise
from text.words import same_words, sentences

_HASH_DIGITS = 32


def fingerprint(text: str, key: bytes) -> str:
    """Keyed hash of the normalised `text`: the same words give the same 32 hexadecimal digits under one key."""
    words = normalise(text).casefold().encode("utf-8", "replace")
    return hmac.new(key, words, hashlib.sha256).hexdigest()[:_HASH_DIGITS]


def judge(candidate: Candidate, gate: Gate, *, user_words: Sequence[str], taken: int = 0, key: bytes) -> Verdict:
    """Say whether `candidate` may be remembered.

    Args:
        candidate: The proposal, as the model gave it.
        gate: What is allowed now.
        user_words: The user's own messages of this thread; a note must rest on them.
        taken: Candidates already taken in this turn.
        key: Secret of the hash that stands for the text in the journal.

    Returns:
        A verdict. Nothing about the candidate raises: what cannot be repaired is blocked.
    """
    shaped = shape(candidate)
    code = _refusal(candidate, shaped, gate, user_words, taken)
    digest = fingerprint(candidate.text, key)
    if code:
        return Verdict("blocked", code, digest, None)
    quote = find_quote(shaped.quote, shaped.text, user_words)
    repaired = shaped.repaired or quote != candidate.quote
    return Verdict("normalised" if repaired else "accepted", None, digest, _draft(shaped, quote))


def _refusal(candidate: Candidate, shaped: Shaped, gate: Gate, user_words: Sequence[str], taken: int) -> str | None:
    if gate.paused:
        return "paused"
    if taken >= gate.max_per_turn:
        return "limit"
    if len(shaped.text) > MAX_TEXT or shaped.condition_too_long:
        return "too_long"
    return _unsafe(candidate, shaped) or _denied(shaped, gate) or _unfounded(shaped, user_words)


def _unsafe(candidate: Candidate, shaped: Shaped) -> str | None:
    """The parts are read one by one and then together, so that nothing hides by being split over fields."""
    parts = [candidate.text, candidate.condition or "", candidate.quote[: 2 * MAX_QUOTE], candidate.topic[:100]]
    parts.append(" ".join(candidate.keywords)[:500])
    parts.append(" ".join(filter(None, [shaped.text, shaped.condition])))
    codes = [code for part in dict.fromkeys(parts) if part and (code := screen(part))]
    return min(codes, key=lambda code: not code.startswith("sensitive"), default=None)


def _denied(shaped: Shaped, gate: Gate) -> str | None:
    if shaped.topic not in gate.topics:
        return "topic_denied"
    if shaped.scope == UNKNOWN_SCOPE or shaped.scope not in gate.scopes:
        return "scope_denied"
    if shaped.topic in gate.denied_topics:
        return "consent_denied"
    return "low_confidence" if shaped.confidence < gate.min_confidence else None


def _unfounded(shaped: Shaped, user_words: Sequence[str]) -> str | None:
    if is_about_others(shaped.text, user_words):
        return "third_party"
    whole = " ".join(filter(None, [shaped.text, shaped.condition]))
    quote = find_quote(shaped.quote, shaped.text, user_words)
    if not shaped.text or not quote or not is_grounded(whole, user_words, near=quote):
        return "ungrounded"
    if is_about_others(quote, user_words):
        return "third_party"
    return "instruction" if is_instruction(Text(_sentences_around(quote, user_words))) else None


def _sentences_around(quote: str, user_words: Sequence[str]) -> str:
    """The user's sentences that hold the quote: one that is half preference, half attack keeps nothing."""
    found = [sentence for words in user_words for sentence in sentences(words) if same_words(quote, sentence)]
    return " ".join(found[:3])


def _draft(shaped: Shaped, quote: str) -> NoteDraft:
    return NoteDraft(
        text=shaped.text,
        topic=shaped.topic,
        keywords=shaped.keywords,
        scope="user" if shaped.scope == UNKNOWN_SCOPE else shaped.scope,
        condition=shaped.condition,
        confidence=shaped.confidence,
        ttl_days=shaped.ttl_days,
        hard=shaped.hard,
        quote=quote,
    )
