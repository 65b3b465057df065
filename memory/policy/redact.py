"""Masks values that the concierge never needs (card numbers, passwords, passports and the like) in users' messages.

`sensitive_kind` detects such a value; the smallest part whose removal makes it detect nothing is masked.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any

from langchain_core.messages import BaseMessage

from memory.policy.sensitive.detect import PLACEHOLDERS, REMOVED, SENTENCE_END, is_about_phones, sensitive_kind
from memory.policy.sensitive.patterns import without_ordinary_numbers
from memory.policy.spans import Span, coarse_values, phrases, values, words
from text import Text, normalise

_HARMLESS = re.compile(
    r"\b[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b"
    r"|(?<![\w.])[A-Z]{2}(?:\.[\w-]+){2,}\.(?=\d*[a-z])[a-z0-9]{6}(?!\w)"
    r"|\x1b\[(?:\d{1,3}(?:;\d{1,3}){0,4})?[A-Za-z]"
)
"""Harmless strings that look like secrets: ids of notes (UUIDv5; keys are random, UUIDv4) and of offers, and terminal
codes in pasted text."""
_KEPT = "harmless"
_BLANK = " \u2205 "
_MOST_CANDIDATES = 60
"""If a part of the text has more values, all of them are masked: trying each would take too long."""
_MOST_ROUNDS = 12
_SENTENCES = re.compile(rf"{SENTENCE_END.pattern}|\n+")
_CLAUSES = re.compile(
    rf"{_SENTENCES.pattern}|(?<=[,;、；])|(?=\b(?:and|but|my|also|call me|flight|booking|ssn|iban)\b)", re.IGNORECASE
)
_CARD_CODE = re.compile(
    rf"(?<={re.escape(PLACEHOLDERS['payment_card'])})"
    r"([^\w\[]{1,4}(?:(?:exp|val)\w*|thru|until|有効期限)?[^\w\[]{0,3}\d\d ?/ ?\d\d(?:\d\d)?[^\w\[]{1,4})\d{3,4}(?!\d)"
)
"""The expiry date and the code of a card, right after its number."""
_SHORT = 80
_FEW_WORDS = 4
_BLOCK = 2000
_CONTENT_KEYS = frozenset({"content", "text", "messages"})
"""Keys of message content; under any other key a string without spaces may be an id."""
_ASSISTANT = frozenset({"ai", "assistant", "AIMessage", "AIMessageChunk"})
_MACHINES = _ASSISTANT | {"system", "tool", "SystemMessage", "ToolMessage", "SystemMessageChunk", "ToolMessageChunk"}
_PEOPLE = frozenset({"user", "human"})


def redact(text: str, before: str = "") -> str:
    """Mask payment cards and their codes, bank accounts, passwords, codes, API keys, national ids and passports.

    The rest of the text stays as it is, and masking twice changes nothing. `before` is the preceding message to the
    user: a bare "4821" is a secret if it answers "What is your PIN?".
    """
    blocks = ((block, sensitive_kind(Text(block))) for block in _blocks(text))
    text = "".join(_Redaction(block).run() if kind else block for block, kind in blocks)
    return _answer(text, before) if before and is_short(text) else text


def removed_kinds(text: str) -> tuple[str, ...]:
    """Return the kinds of the masked values in `text`, in the order of their first occurrence."""
    kinds = [kind for kind, placeholder in PLACEHOLDERS.items() if placeholder in text]
    return tuple(sorted(kinds, key=lambda kind: text.index(PLACEHOLDERS[kind])))


def is_short(text: str) -> bool:
    """Return whether `text` could be a bare answer that only makes sense with the question before it."""
    return 0 < len(text) <= _SHORT and (len(text.split()) <= _FEW_WORDS or re.search(r"\d", text) is not None)


def _blocks(text: str) -> list[str]:
    """Return `text` in blocks of whole sentences, so that the run time grows linearly with its length."""
    cuts, last = [0], 0
    for match in _SENTENCES.finditer(text) if len(text) > _BLOCK else ():
        if match.end() - cuts[-1] > _BLOCK and last > cuts[-1]:
            cuts.append(last)
        last = match.end()
    return [text[start:end] for start, end in pairwise([*cuts, len(text)])]


def _answer(text: str, before: str) -> str:
    questions = [sentence for sentence in _SENTENCES.split(redact(before[-400:])) if sentence and sentence.strip()]
    for question in reversed(questions[-2:] if re.search(r"\d", text) else questions[-1:]):
        label = question.rstrip(" .?!。？！") + (": " if question.isascii() else "は")
        if sensitive_kind(Text(label)) is None and sensitive_kind(Text(label + text)) in PLACEHOLDERS:
            return _Redaction(label + text, offset=len(label)).run()
    return text


class _Redaction:
    """Finds sensitive values in clauses, then in sentences, then in the whole text, and masks them.

    Sensitive values that users may send (a phone number) are not masked, but ignored in the further search.
    """

    def __init__(self, text: str, *, offset: int = 0) -> None:
        self._text = text
        self._offset = offset
        self._whole = Span(0, len(text))
        self._sentences = self._split(_SENTENCES)
        kinds = {placeholder: kind for kind, placeholder in PLACEHOLDERS.items()}
        self._found: dict[Span, str] = {Span(*match.span()): kinds[match.group()] for match in REMOVED.finditer(text)}
        self._found |= {Span(*match.span()): _KEPT for match in _HARMLESS.finditer(text)}

    def run(self) -> str:
        """Return the masked text from the offset on."""
        for windows in (self._split(_CLAUSES), self._sentences, [self._whole]):
            for window in windows:
                free = self._free(values, window)
                self._look(window, [one for one in free if self._is_ordinary(one, window, free)])
                self._look(window)
            if self._kind(self._whole) is None:
                break
        text = self._text
        for (start, end), kind in sorted(self._found.items(), reverse=True):
            if kind in PLACEHOLDERS:
                text = text[:start] + PLACEHOLDERS[kind] + text[end:]
        return _CARD_CODE.sub(rf"\g<1>{PLACEHOLDERS['payment_card']}", text[self._offset :])

    def _split(self, ends: re.Pattern[str]) -> list[Span]:
        cuts = [0, *sorted({match.end() for match in ends.finditer(self._text)} - {0}), len(self._text)]
        return [Span(start, end) for start, end in pairwise(cuts) if start < end]

    def _look(self, window: Span, ordinary: Sequence[Span] | None = None) -> None:
        """Find sensitive values in `window`, without the `ordinary` ones (dates, prices) if these are given."""
        hidden = list(ordinary or ())
        done = {kind for span, kind in self._found.items() if window.start <= span.start < window.end}
        for _ in range(_MOST_ROUNDS):
            kind = self._kind(window, hidden)
            if kind is None or (ordinary is None and kind in done):
                return
            spans = self._smallest(window, kind, hidden)
            if not spans and kind in PLACEHOLDERS and ordinary is None:
                spans = [window]
                before = self._found.items()
                self._found = {span: other for span, other in before if not window.start <= span.start < window.end}
            if not spans:
                return
            kinds = {span: self._kind_of(span, window, kind) for span in spans}
            self._found.update({span: corrected for span, corrected in kinds.items() if corrected})
            hidden += [span for span, corrected in kinds.items() if not corrected]

    def _kind_of(self, span: Span, window: Span, kind: str) -> str | None:
        """Return the kind of a value in a clause, corrected by its sentence.

        The sentence decides if the clause's kind follows from the value's shape alone, or if only the sentence shows a
        kind to mask.
        """
        shown = self._text[window.start : window.end]
        if span == window or window in self._sentences or is_about_phones(shown):
            return kind
        sentence = next((one for one in self._sentences if one.start <= span.start < one.end), self._whole)
        corrected = self._kind(sentence, [one for one in self._free(values, sentence) if one != span])
        by_shape = self._kind(span) == kind
        return corrected if by_shape or (kind not in PLACEHOLDERS and corrected in PLACEHOLDERS) else kind

    def _kind(self, window: Span, without: Collection[Span] = ()) -> str | None:
        return sensitive_kind(Text(self._shown(window, without)))

    def _shown(self, window: Span, without: Collection[Span]) -> str:
        text = self._text[window.start : window.end]
        for start, end in sorted({*self._found, *without}, reverse=True):
            if start < window.end and end > window.start:
                text = text[: max(start - window.start, 0)] + _BLANK + text[end - window.start :]
        return text

    def _smallest(self, window: Span, kind: str, hidden: Sequence[Span]) -> Sequence[Span]:
        """Return the spans whose removal makes the detection of `kind` go away; none if there are no such spans."""

        def stays(*blank: Span) -> bool:
            return self._kind(window, [*hidden, *blank]) == kind

        for spans_of in (values, coarse_values):
            spans = self._free(spans_of, window, hidden)
            if spans and not stays(*spans):
                needed = self._needed(spans, window, kind, hidden)
                if stays(*(span for span in spans if span not in needed)):
                    return needed
        if (spans := self._free(values, window, hidden)) and not stays(*spans):
            return spans
        if (spans := self._free(words, window, hidden)) and not stays(*spans):
            return phrases(self._text, self._needed(spans, window, kind, hidden))
        return []

    def _needed(self, spans: Sequence[Span], window: Span, kind: str, hidden: Sequence[Span]) -> list[Span]:
        """Return those of `spans` that must stay hidden, after restoring as many as possible one after the other."""
        if len(spans) > _MOST_CANDIDATES:
            return list(spans)
        blank = list(spans)
        for span in spans:
            rest = [one for one in blank if one != span]
            if self._kind(window, [*hidden, *rest]) != kind:
                blank = rest
        return blank

    def _free(self, spans_of: Callable[[str], list[Span]], window: Span, but: Collection[Span] = ()) -> list[Span]:
        begin = max(window.start, self._offset)
        spans = [Span(start + begin, end + begin) for start, end in spans_of(self._text[begin : window.end])]
        taken = [*self._found, *but]
        return [one for one in spans if not any(one.start < other.end and other.start < one.end for other in taken)]

    def _is_ordinary(self, span: Span, window: Span, free: Sequence[Span]) -> bool:
        """Return whether the value, with the other values hidden, is an ordinary number of travel: a date, a price."""
        value, shown = self._text[span.start : span.end], self._shown(window, [one for one in free if one != span])
        return bool(re.search(r"\d", value)) and not re.search(r"\d", without_ordinary_numbers(normalise(shown)))


class Masking:
    """Masks the messages of a conversation in order, so that an answer is read with the question before it.

    Attributes:
        is_open: True if a text that may be an answer came before any message of the assistant.
    """

    def __init__(self, before: str = "") -> None:
        self.is_open = False
        self._before = before

    def masked(self, value: Any, *, said: bool = False) -> Any:
        """Return `value` with the texts that people wrote masked; the same object if nothing is masked.

        Args:
            value: Messages, their dictionary and tuple forms, or data made of dictionaries, lists and strings.
            said: True if a string in it is message content, False if it may be an id.
        """
        if isinstance(value, str):
            return self._text(value, said=said)
        role, content = _role_and_content(value)
        self._before = str(content) if role in _ASSISTANT else self._before
        if role in _MACHINES:
            return value
        if isinstance(value, BaseMessage):
            content = self.masked(value.content, said=True)
            return value if content is value.content else value.model_copy(update={"content": content})
        if isinstance(value, Mapping):
            items = {key: self.masked(inner, said=key in _CONTENT_KEYS) for key, inner in value.items()}
            return value if all(items[key] is inner for key, inner in value.items()) else items
        if not isinstance(value, list | tuple):
            return value
        parts = [self.masked(one, said=said or bool(role)) for one in value]
        if all(new is old for new, old in zip(parts, value, strict=True)):
            return value
        if isinstance(value, list):
            return parts
        return value._make(parts) if hasattr(value, "_make") else tuple(parts)

    def _text(self, text: str, *, said: bool) -> str:
        if not said and not re.search(r"\s", text):
            return text
        self.is_open = self.is_open or (said and not self._before and is_short(text))
        return redact(text, self._before if said else "")


def _role_and_content(value: Any) -> tuple[Any, Any]:
    """Return the role and the content of a message in any of its forms; (None, None) if `value` is not a message."""
    if isinstance(value, BaseMessage):
        return value.type, value.text
    if isinstance(value, Mapping) and "content" in value:
        return value.get("role") or value.get("type"), value["content"]
    is_pair = isinstance(value, list | tuple) and len(value) == 2 and isinstance(value[0], str)
    return (value[0], value[1]) if is_pair and value[0] in _MACHINES | _PEOPLE | _CONTENT_KEYS else (None, None)
