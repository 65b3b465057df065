"""Screens every text wherever memory is written, shown or imported, and judges one candidate with one verdict."""

import hashlib
import hmac
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from hashlib import blake2b
from pathlib import Path

from memory.policy.candidate import Candidate, Gate, NoteDraft, Verdict
from memory.policy.contract import UNKNOWN_SCOPE, Shaped, is_hard, shape, supported_claims, supported_when
from memory.policy.injection.detect import MARGIN, is_instruction
from memory.policy.injection.score import injection_score
from memory.policy.sensitive.detect import PLACEHOLDERS, sensitive_kind
from memory.policy.wording import Heard, Refused, Wording, find_message, own_sentence, settle
from memory.records.notes import MAX_QUOTE, MAX_TEXT
from memory.schema import Schema
from text import Text, normalise

_FOLDERS = tuple(Path(__file__).parents[at] / name for at, name in ((1, "policy"), (2, "text")))
"""What a verdict depends on: rules, tables, weights, and how text is read."""

_MOST_KNOWN = 20_000
_known: dict[bytes, str | None] = {}
"""Verdicts by the digest of their text: what was forgotten is not kept in here."""
_HASH_DIGITS = 32
_NOT_SAID = "`quote` is not in what the user wrote; copy their words exactly"
_HINTS = {
    "third_party": "it is about somebody who does not travel along",
    "low_confidence": "the model is not sure that the user said it",
}
_TRADE = ("travel", "trip", "journey", "traveller", "traveler", "user", "guest", "customer")
"""Words that any note about a traveller may have."""


def screen(text: str) -> str | None:
    """Return why `text` may not be remembered or shown: `sensitive:<kind>`, `instruction`, or None when it may."""
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    if digest not in _known:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        _known[digest] = _verdict(text)
    return _known[digest]


def verdict_key(text: str) -> str:
    """Return what names `text` together with the version of the screen, under which a verdict may be kept."""
    return blake2b(text.encode("utf-8", "surrogatepass"), key=version(), digest_size=16).hexdigest()


@cache
def version() -> bytes:
    """Return a digest of all that a verdict depends on; another version of it judges every text anew."""
    found = blake2b(digest_size=16)
    for path in sorted(path for folder in _FOLDERS for path in folder.rglob("*") if path.is_file()):
        if path.suffix != ".pyc":
            found.update(path.read_bytes())
    return found.digest()


def _verdict(text: str) -> str | None:
    whole = Text(text)
    kind = sensitive_kind(whole)
    if kind:
        return f"sensitive:{kind}"
    return "instruction" if is_instruction(whole) else None


def fingerprint(text: str, key: bytes) -> str:
    """Keyed hash of the normalised `text`: the same words give the same 32 hexadecimal digits under one key."""
    words = normalise(text).casefold().encode("utf-8", "replace")
    return hmac.new(key, words, hashlib.sha256).hexdigest()[:_HASH_DIGITS]


def judge(
    candidate: Candidate, gate: Gate, *, heard: Sequence[Heard], today: date, taken: int = 0, key: bytes
) -> Verdict:
    """Say whether `candidate` may be remembered, and in which words.

    Args:
        candidate: The proposal, as the model gave it.
        gate: What is allowed now.
        heard: The user's own messages of this thread, oldest first, less the private ones; a note must rest on them.
        today: The date, for expiries.
        taken: Candidates already taken in this turn.
        key: Secret of the hash that stands for the text in the journal.

    Returns:
        A verdict. Nothing about the candidate raises: what can't be repaired is blocked, and the hint says why.
    """
    shaped = shape(candidate, gate.schema, today)
    digest = fingerprint(candidate.text, key)
    said = find_message(shaped.quote, heard)
    own = own_sentence(shaped.quote, said.text) if said else ""
    misread, misheard = _doubts(_sentence(shaped), own)
    refused = _refusal(candidate, shaped, gate, taken, misread=misread, misheard=misheard)
    if refused:
        return Verdict("blocked", refused.code, digest, None, refused.hint)
    if said is None:
        return Verdict("blocked", "ungrounded", digest, None, _NOT_SAID)
    if not misheard and is_instruction(Text(own)):
        return Verdict("blocked", "instruction", digest, None, "it tells the assistant what to do")
    shaped, unsaid = _conditioned(shaped, said, gate.schema)
    fault = "it reads as an instruction" if misread else unsaid and f"the user did not say `{unsaid}`"
    known = _known_words(gate.schema)
    settled = settle(shaped.text, shaped.condition, shaped.quote, said, known=known, fault=fault)
    if isinstance(settled, Refused):
        return Verdict("blocked", settled.code, digest, None, settled.hint)
    if settled.own_words and (code := screen(settled.text)):
        return Verdict("blocked", code, digest, None, "")
    draft = _draft(shaped, settled, said, gate.schema)
    repaired = [*shaped.repaired, *(["text"] if settled.own_words else [])]
    hint = f"kept in the user's own words, because {settled.fault}" if settled.own_words else ""
    return Verdict("normalised" if repaired else "accepted", None, digest, draft, hint)


def _doubts(text: str, own: str) -> tuple[bool, bool]:
    """Return whether only the model's text barely reads as an instruction, and whether only the user's sentence does.

    Of two texts of one meaning the harmless one decides.
    """
    return bool(own) and _barely_instructs(text) and screen(own) is None, _barely_instructs(own) and _is_harmless(text)


def _barely_instructs(text: str) -> bool:
    return screen(text) == "instruction" and 0 < injection_score(normalise(text)) < MARGIN


def _is_harmless(text: str) -> bool:
    return screen(text) is None and injection_score(normalise(text)) < -MARGIN


def _sentence(shaped: Shaped) -> str:
    """Return the note with its condition, which alone is no sentence to judge."""
    return ", ".join(filter(None, [shaped.text, shaped.condition]))


def _refusal(
    candidate: Candidate, shaped: Shaped, gate: Gate, taken: int, *, misread: bool, misheard: bool
) -> Refused | None:
    if gate.paused:
        return Refused("paused", "the user paused memory")
    if taken >= gate.max_per_turn:
        return Refused("limit", f"at most {gate.max_per_turn} notes a turn")
    if not shaped.text:
        return Refused("ungrounded", "`text` is empty")
    if len(shaped.text) > MAX_TEXT:
        return Refused("too_long", f"`text` has {len(shaped.text)} characters, and {MAX_TEXT} are allowed")
    code = _unsafe(candidate, shaped, misread=misread, misheard=misheard) or _denied(shaped, gate)
    return Refused(code, _HINTS.get(code, "")) if code else None


def _unsafe(candidate: Candidate, shaped: Shaped, *, misread: bool, misheard: bool) -> str | None:
    """Read the parts one by one and then together, so that nothing hides by being split over fields."""
    given = (str(value) for raw in (*candidate.claims, *candidate.when) for value in raw.values())
    values = " ".join(value for value in given if value != "user")  # a word of ours, which nobody said
    said = [] if misread else [candidate.text, _sentence(shaped)]
    quoted = [] if misheard else [candidate.quote[: 2 * MAX_QUOTE]]
    parts = [*said, *quoted, values[:500], candidate.topic[:100]]
    codes = [code for part in dict.fromkeys(parts) if part and (code := screen(part))]
    codes += [f"sensitive:{kind}" for kind, shown in PLACEHOLDERS.items() if shown in candidate.text]
    return min(codes, key=lambda code: not code.startswith("sensitive"), default=None)


def _denied(shaped: Shaped, gate: Gate) -> str | None:
    if shaped.topic not in gate.topics:
        return "topic_denied"
    if shaped.scope == UNKNOWN_SCOPE or shaped.scope not in gate.scopes:
        return "scope_denied"
    if shaped.topic in gate.denied_topics:
        return "consent_denied"
    if shaped.about_others:
        return "third_party"
    return "low_confidence" if shaped.confidence < gate.min_confidence else None


def _conditioned(shaped: Shaped, said: Heard, schema: Schema) -> tuple[Shaped, str]:
    """Return the candidate without conditions that the user did not name, and those; claims don't hold without them."""
    when = supported_when(shaped.when, schema, (said.text, said.before))
    unsaid = ", ".join(value for key, value in shaped.when.items() if key not in when)
    return (replace(shaped, when=when, claims=()), unsaid) if unsaid else (shaped, "")


@cache
def _known_words(schema: Schema) -> frozenset[str]:
    """Return the words that the schema itself is made of: a note of its domain may have them, and they add nothing."""
    names = (*schema.topics, *schema.attributes, *schema.when, *_TRADE)
    return frozenset(word for name in names for word in re.findall(r"[a-z]{4,}", name.casefold()))


def _draft(shaped: Shaped, settled: Wording, said: Heard, schema: Schema) -> NoteDraft:
    claims = supported_claims(shaped.claims, schema, (said.text, said.before))
    kept = replace(shaped, claims=claims)
    return NoteDraft(
        text=settled.text,
        topic=kept.topic,
        claims=kept.claims,
        when=kept.when,
        scope="user" if kept.scope == UNKNOWN_SCOPE else kept.scope,
        confidence=kept.confidence,
        expires_on=kept.expires_on,
        hard=is_hard(kept.claims, kept.topic, schema),
        own_words=settled.own_words,
        quote=kept.quote,
        question=said.question,
        message_id=said.message_id,
    )
