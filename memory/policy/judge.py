"""Screens each text that memory writes, shows or imports, and judges candidates for memory."""

import hmac
import re
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from hashlib import blake2b
from pathlib import Path

from memory.policy.candidate import OTHERS, SELF, Candidate, Gate, Verdict, ending, left_out, shape, supported
from memory.policy.injection.detect import injection_score, is_instruction
from memory.policy.sensitive.detect import PLACEHOLDERS, sensitive_kind
from memory.policy.wording import Heard, Refused, find_message, own_sentence, settle
from memory.records.notes import COMPANIONS, MAX_QUOTE, MAX_TEXT, STANCES, USER, Note
from memory.schema import Schema
from text import Text, fold, normalise
from text.encoder import encoder_version
from text.normalise import tidy

_MOST_VERDICTS = 20_000
_verdicts: dict[bytes, str | None] = {}
"""Verdicts by the digest of the text, so that the cache holds no forgotten text."""
_HASH_DIGITS = 32
_WEAK = 3.0
"""The highest injection score of a borderline instruction, of which another wording of the statement may decide."""
_TRADE = ("travel", "trip", "journey", "traveller", "traveler", "user", "guest", "customer")
"""Words that any note about a traveller may contain."""


def screen(text: str) -> str | None:
    """Return why `text` may not be remembered or shown: `sensitive:<kind>` or `instruction`; None if it may."""
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    if digest not in _verdicts:
        if len(_verdicts) >= _MOST_VERDICTS:
            _verdicts.clear()
        whole = Text(text)
        kind = sensitive_kind(whole)
        _verdicts[digest] = f"sensitive:{kind}" if kind else ("instruction" if is_instruction(whole) else None)
    return _verdicts[digest]


def verdict_key(text: str) -> str:
    """Return the key under which a verdict on `text` may be stored; it changes with the version of the screen."""
    return blake2b(text.encode("utf-8", "surrogatepass"), key=version(), digest_size=16).hexdigest()


@cache
def version() -> bytes:
    """Return a digest of everything a verdict depends on: the files of this package and of `text`, and the encoder."""
    folders = Path(__file__).parent, Path(__file__).parents[2] / "text"
    paths = (path for folder in folders for path in folder.rglob("*") if path.is_file())
    files = (path for path in paths if path.suffix not in (".md", ".pyc"))
    contents = (path.read_bytes() for path in sorted(files))
    return blake2b(b"".join(contents) + encoder_version().encode(), digest_size=16).digest()


def fingerprint(text: str, key: bytes) -> str:
    """Return the keyed hash of the normalised `text`, 32 hexadecimal digits; case does not matter."""
    words = normalise(text).casefold().encode("utf-8", "replace")
    return hmac.digest(key, words, "sha256").hex()[:_HASH_DIGITS]


def judge(
    candidate: Candidate, gate: Gate, *, heard: Sequence[Heard], now: datetime, taken: int = 0, key: bytes
) -> Verdict:
    """Decide whether `candidate` may be remembered, and in which words.

    `heard` are the user's messages of this thread without private ones, oldest first; the note must be based on them.
    `taken` is the number of candidates accepted earlier in this turn. The hash in the verdict is made under `key`.
    A malformed candidate never raises: if it can't be repaired it is blocked, and the hint says why.
    """
    digest = fingerprint(candidate.text, key)
    try:
        draft, repaired, remarks = _draft(candidate, gate, heard, now, taken)
    except Refused as refused:
        return Verdict("blocked", refused.code, digest, None, refused.hint)
    return Verdict("normalised" if repaired or remarks else "accepted", None, digest, draft, "; ".join(remarks))


def _draft(
    candidate: Candidate, gate: Gate, heard: Sequence[Heard], now: datetime, taken: int
) -> tuple[Note, bool, list[str]]:
    """Return the note to keep, whether its shape was repaired, and remarks on what was changed. Raises Refused."""
    draft, repaired = shape(candidate, gate.schema, now)
    quote = draft.latest.quote
    message = find_message(quote, heard)
    own = own_sentence(quote, message.text) if message else ""
    proposed = ", ".join(filter(None, [draft.text, draft.condition]))  # a condition alone is no sentence to judge
    # The proposed text and the user's sentence mean the same: if one is a borderline instruction, the other decides.
    text_excused = bool(own) and _is_borderline(proposed) and screen(own) is None
    own_excused = _is_borderline(own) and screen(proposed) is None and injection_score(normalise(proposed)) < -_WEAK
    texts = [] if text_excused else [candidate.text, proposed]
    texts += [] if own_excused else [candidate.quote[: 2 * MAX_QUOTE]]
    _check(candidate, draft, gate, taken, texts)
    if message is None:
        raise Refused("ungrounded", "`quote` is not in what the user wrote; copy their words exactly")
    if not own_excused and is_instruction(Text(own)):
        raise Refused("instruction", "it tells the assistant what to do")
    draft, removed = supported(draft, gate.schema, (message.text, message.before))
    expires_at, changed_end = ending(candidate.until or "", now.date(), hard=draft.hard)
    fault = "it reads as an instruction" if text_excused else removed and f"the user did not say `{removed}`"
    known = _known_words(gate.schema)
    text, fault = settle(draft.text, draft.condition, quote, message, known=known, fault=fault)
    if fault and (code := screen(text)):
        raise Refused(code)
    evidence = draft.latest.model_copy(update={"question": message.question, "message_id": message.message_id})
    update = {"text": text, "own_words": bool(fault), "evidence": (evidence,), "expires_at": expires_at}
    own_words = f"kept in the user's own words, because {fault}" if fault else ""
    remarks = [own_words, *([] if removed else left_out(candidate, draft, gate.schema)), changed_end]
    return draft.model_copy(update=update), repaired, [remark for remark in remarks if remark]


def _is_borderline(text: str) -> bool:
    return screen(text) == "instruction" and 0 < injection_score(normalise(text)) < _WEAK


def _check(candidate: Candidate, draft: Note, gate: Gate, taken: int, texts: Sequence[str]) -> None:
    """Raise Refused if the candidate is unsafe (`texts` are screened) or not allowed by the gate."""
    if gate.paused:
        raise Refused("paused", "the user paused memory")
    if taken >= gate.max_per_turn:
        raise Refused("limit", f"at most {gate.max_per_turn} notes a turn")
    if not draft.text:
        raise Refused("ungrounded", "`text` is empty")
    if len(draft.text) > MAX_TEXT:
        raise Refused("too_long", f"`text` has {len(draft.text)} characters, and {MAX_TEXT} are allowed")
    if code := _unsafe(candidate, texts, gate.schema):
        raise Refused(code)
    about = fold(tidy(candidate.about))
    if draft.topic not in gate.topics:
        raise Refused("topic_denied")
    if gate.schema.scope(candidate.scope) not in gate.scopes:
        raise Refused("scope_denied")
    if (draft.topics | (set() if about in {*SELF, gate.schema.domain.speaker} else {COMPANIONS})) & gate.denied_topics:
        raise Refused("consent_denied")
    if about == OTHERS:
        raise Refused("third_party", f"it is about somebody {gate.schema.domain.en['others']}")
    if draft.confidence < gate.min_confidence:
        raise Refused("low_confidence", "the model is not sure that the user said it")


def _unsafe(candidate: Candidate, texts: Sequence[str], schema: Schema) -> str | None:
    """Return why a text, the topic or the joined values of claims and conditions are refused; sensitive data first."""
    ours = {USER, *STANCES, *schema.attributes, *schema.when}  # fixed terms, not the user's words
    given = (str(value) for raw in (*candidate.claims, *candidate.when) for value in raw.values())
    values = " ".join(value for value in given if value not in ours)
    parts = dict.fromkeys([*texts, values[:500], candidate.topic[:100]])
    codes = [code for part in parts if part and (code := screen(part))]
    codes += [f"sensitive:{kind}" for kind, mask in PLACEHOLDERS.items() if mask in candidate.text]
    return min(codes, key=lambda code: not code.startswith("sensitive"), default=None)


@cache
def _known_words(schema: Schema) -> frozenset[str]:
    """Return the words in the names of the schema: any note of its domain may contain them."""
    names = (*schema.topics, *schema.attributes, *schema.when, *_TRADE)
    return frozenset(word for name in names for word in re.findall(r"[a-z]{4,}", name.casefold()))
