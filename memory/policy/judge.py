"""Screens every text wherever memory is written, shown or imported, and judges one candidate with one verdict."""

import hmac
import re
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from hashlib import blake2b
from pathlib import Path

from memory.policy.candidate import OTHERS, SELF, Candidate, Gate, Verdict, shape, supported
from memory.policy.injection.detect import is_instruction
from memory.policy.injection.score import injection_score
from memory.policy.sensitive.detect import PLACEHOLDERS, sensitive_kind
from memory.policy.wording import Heard, Refused, find_message, own_sentence, settle
from memory.records.notes import COMPANIONS, MAX_QUOTE, MAX_TEXT, STANCES, USER, Note
from memory.schema import Schema
from text import Text, fold, normalise
from text.encoder import encoder_version
from text.normalise import tidy

_MOST_KNOWN = 20_000
_known: dict[bytes, str | None] = {}
"""Verdicts by the digest of their text: what was forgotten is not kept in here."""
_HASH_DIGITS = 32
_BARELY = 3.0
"""Of two texts of one meaning, one that scores up to here is judged by the other, where that is as far below."""
_TRADE = ("travel", "trip", "journey", "traveller", "traveler", "user", "guest", "customer")
"""Words that any note about a traveller may have."""


def screen(text: str) -> str | None:
    """Return why `text` may not be remembered or shown: `sensitive:<kind>`, `instruction`, or None when it may."""
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    if digest not in _known:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        whole = Text(text)
        kind = sensitive_kind(whole)
        _known[digest] = f"sensitive:{kind}" if kind else ("instruction" if is_instruction(whole) else None)
    return _known[digest]


def verdict_key(text: str) -> str:
    """Return what names `text` together with the version of the screen, under which a verdict may be kept."""
    return blake2b(text.encode("utf-8", "surrogatepass"), key=version(), digest_size=16).hexdigest()


@cache
def version() -> bytes:
    """Return a digest of all that a verdict depends on; another version of it judges every text anew.

    That is the encoder, and the rules, tables and weights here, and how text is read.
    """
    folders = Path(__file__).parent, Path(__file__).parents[2] / "text"
    files = (path for folder in folders for path in folder.rglob("*") if path.suffix != ".pyc" and path.is_file())
    read = (path.read_bytes() for path in sorted(files))
    return blake2b(b"".join(read) + encoder_version().encode(), digest_size=16).digest()


def fingerprint(text: str, key: bytes) -> str:
    """Keyed hash of the normalised `text`: the same words give the same 32 hexadecimal digits under one key."""
    words = normalise(text).casefold().encode("utf-8", "replace")
    return hmac.digest(key, words, "sha256").hex()[:_HASH_DIGITS]


def judge(
    candidate: Candidate, gate: Gate, *, heard: Sequence[Heard], now: datetime, taken: int = 0, key: bytes
) -> Verdict:
    """Say whether `candidate` may be remembered, and in which words.

    `heard` are the user's own messages of this thread, oldest first, less the private ones; a note must rest on them.
    `taken` candidates of this turn were accepted before. The hash in the verdict, which stands for the text in the
    journal, is made under `key`. Nothing about the candidate raises: what can't be repaired is blocked, and the hint
    says why.
    """
    digest = fingerprint(candidate.text, key)
    try:
        draft, repaired, fault = _settled(candidate, gate, heard, now, taken)
    except Refused as refused:
        return Verdict("blocked", refused.code, digest, None, refused.hint)
    hint = f"kept in the user's own words, because {fault}" if fault else ""
    return Verdict("normalised" if repaired or fault else "accepted", None, digest, draft, hint)


def _settled(
    candidate: Candidate, gate: Gate, heard: Sequence[Heard], now: datetime, taken: int
) -> tuple[Note, bool, str]:
    """Return the note to keep, whether its shape was repaired, and what was wrong with its words. Raises Refused."""
    draft, repaired = shape(candidate, gate.schema, now)
    quote = draft.latest.quote
    said = find_message(quote, heard)
    own = own_sentence(quote, said.text) if said else ""
    told = ", ".join(filter(None, [draft.text, draft.condition]))  # a condition alone is no sentence to judge
    # Of two texts of one meaning, of which one barely reads as an instruction, the harmless one decides.
    misread = bool(own) and _barely_instructs(told) and screen(own) is None
    misheard = _barely_instructs(own) and screen(told) is None and injection_score(normalise(told)) < -_BARELY
    shown = ([] if misread else [candidate.text, told]) + ([] if misheard else [candidate.quote[: 2 * MAX_QUOTE]])
    _check(candidate, draft, gate, taken, shown)
    if said is None:
        raise Refused("ungrounded", "`quote` is not in what the user wrote; copy their words exactly")
    if not misheard and is_instruction(Text(own)):
        raise Refused("instruction", "it tells the assistant what to do")
    draft, unsaid = supported(draft, gate.schema, (said.text, said.before))
    fault = "it reads as an instruction" if misread else unsaid and f"the user did not say `{unsaid}`"
    known = _known_words(gate.schema)
    text, fault = settle(draft.text, draft.condition, quote, said, known=known, fault=fault)
    if fault and (code := screen(text)):
        raise Refused(code)
    heard_as = draft.latest.model_copy(update={"question": said.question, "message_id": said.message_id})
    kept = {"text": text, "own_words": bool(fault), "evidence": (heard_as,)}
    return draft.model_copy(update=kept), repaired, fault


def _barely_instructs(text: str) -> bool:
    return screen(text) == "instruction" and 0 < injection_score(normalise(text)) < _BARELY


def _check(candidate: Candidate, draft: Note, gate: Gate, taken: int, shown: Sequence[str]) -> None:
    if gate.paused:
        raise Refused("paused", "the user paused memory")
    if taken >= gate.max_per_turn:
        raise Refused("limit", f"at most {gate.max_per_turn} notes a turn")
    if not draft.text:
        raise Refused("ungrounded", "`text` is empty")
    if len(draft.text) > MAX_TEXT:
        raise Refused("too_long", f"`text` has {len(draft.text)} characters, and {MAX_TEXT} are allowed")
    if code := _unsafe(candidate, shown, gate.schema):
        raise Refused(code)
    about = fold(tidy(candidate.about))
    if draft.topic not in gate.topics:
        raise Refused("topic_denied")
    if fold(candidate.scope.strip()) not in gate.scopes:
        raise Refused("scope_denied")
    if (draft.topics | (set() if about in SELF else {COMPANIONS})) & gate.denied_topics:
        raise Refused("consent_denied")
    if about == OTHERS:
        raise Refused("third_party", "it is about somebody who does not travel along")
    if draft.confidence < gate.min_confidence:
        raise Refused("low_confidence", "the model is not sure that the user said it")


def _unsafe(candidate: Candidate, shown: Sequence[str], schema: Schema) -> str | None:
    """Read the parts one by one and then together, so that nothing hides by being split over fields."""
    ours = {USER, *STANCES, *schema.attributes, *schema.when}  # nobody said these
    given = (str(value) for raw in (*candidate.claims, *candidate.when) for value in raw.values())
    values = " ".join(value for value in given if value not in ours)
    parts = dict.fromkeys([*shown, values[:500], candidate.topic[:100]])
    codes = [code for part in parts if part and (code := screen(part))]
    codes += [f"sensitive:{kind}" for kind, mask in PLACEHOLDERS.items() if mask in candidate.text]
    return min(codes, key=lambda code: not code.startswith("sensitive"), default=None)


@cache
def _known_words(schema: Schema) -> frozenset[str]:
    """Return the words that the schema itself is made of: a note of its domain may have them, and they add nothing."""
    names = (*schema.topics, *schema.attributes, *schema.when, *_TRADE)
    return frozenset(word for name in names for word in re.findall(r"[a-z]{4,}", name.casefold()))
