"""Masks what the concierge never needs (card numbers, passwords, passports and the like) in what a traveller writes.

`sensitive_kind` says whether a text holds such a value; what is masked is the least whose removal makes it say no.
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
"""What a person may send though it looks like a secret: ids of notes (UUIDv5; keys are random, UUIDv4) and of offers,
and the terminal codes that come along with text that is pasted."""
_KEPT = "harmless"
_BLANK = " \u2205 "
_MOST_CANDIDATES = 60
"""In a stretch with more values all of them are masked: to try each would take too long."""
_MOST_ROUNDS = 12
_SENTENCES = re.compile(rf"{SENTENCE_END.pattern}|\n+")
_CLAUSES = re.compile(
    rf"{_SENTENCES.pattern}|(?<=[,;、；])|(?=\b(?:and|but|my|also|call me|flight|booking|ssn|iban)\b)", re.IGNORECASE
)
_CODE_BEHIND = re.compile(
    rf"(?<={re.escape(PLACEHOLDERS['payment_card'])})"
    r"([^\w\[]{1,4}(?:(?:exp|val)\w*|thru|until|有効期限)?[^\w\[]{0,3}\d\d ?/ ?\d\d(?:\d\d)?[^\w\[]{1,4})\d{3,4}(?!\d)"
)
"""The date and then the code of a card, right behind its number."""
_SHORT = 80
_FEW_WORDS = 4
_BLOCK = 2000
_SAID = frozenset({"content", "text", "messages"})
"""Keys whose texts somebody said; under any other key a text without blanks may be an id."""
_ASSISTANT = frozenset({"ai", "assistant", "AIMessage", "AIMessageChunk"})
_MACHINES = _ASSISTANT | {"system", "tool", "SystemMessage", "ToolMessage", "SystemMessageChunk", "ToolMessageChunk"}
_PEOPLE = frozenset({"user", "human"})


def redact(text: str, before: str = "") -> str:
    """Mask payment cards and their codes, bank accounts, passwords, codes, API keys, national ids and passports.

    The rest of the text stays as it is. Masking twice changes nothing, and finds the same kinds. `before` is what was
    said to the traveller before it: a bare "4821" is a secret where it answers "What is your PIN?".
    """
    blocks = ((block, sensitive_kind(Text(block))) for block in _blocks(text))
    text = "".join(_Redaction(block).run() if kind else block for block, kind in blocks)
    return _answer(text, before) if before and is_short(text) else text


def removed_kinds(text: str) -> tuple[str, ...]:
    """Return the kinds of what was masked in `text`, in its order."""
    found = [kind for kind, placeholder in PLACEHOLDERS.items() if placeholder in text]
    return tuple(sorted(found, key=lambda kind: text.index(PLACEHOLDERS[kind])))


def is_short(text: str) -> bool:
    """Return whether `text` could be a bare answer, which only the question before it explains."""
    return 0 < len(text) <= _SHORT and (len(text.split()) <= _FEW_WORDS or re.search(r"\d", text) is not None)


def _blocks(text: str) -> list[str]:
    """Return `text` in blocks of whole sentences, so that the time it takes grows with its length only."""
    cuts, last = [0], 0
    for match in _SENTENCES.finditer(text) if len(text) > _BLOCK else ():
        if match.end() - cuts[-1] > _BLOCK and last > cuts[-1]:
            cuts.append(last)
        last = match.end()
    return [text[start:end] for start, end in pairwise([*cuts, len(text)])]


def _answer(text: str, before: str) -> str:
    said = [sentence for sentence in _SENTENCES.split(redact(before[-400:])) if sentence and sentence.strip()]
    for question in reversed(said[-2:] if re.search(r"\d", text) else said[-1:]):
        label = question.rstrip(" .?!。？！") + (": " if question.isascii() else "は")
        if sensitive_kind(Text(label)) is None and sensitive_kind(Text(label + text)) in PLACEHOLDERS:
            return _Redaction(label + text, offset=len(label)).run()
    return text


class _Redaction:
    """Looks for what is sensitive in clauses, then in sentences, then in the whole text, and masks it.

    What is sensitive but may be said (a phone number) is set aside, and looks blank like what is masked already.
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
        """Return the text from the offset on, masked."""
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
        return _CODE_BEHIND.sub(rf"\g<1>{PLACEHOLDERS['payment_card']}", text[self._offset :])

    def _split(self, ends: re.Pattern[str]) -> list[Span]:
        cuts = [0, *sorted({match.end() for match in ends.finditer(self._text)} - {0}), len(self._text)]
        return [Span(start, end) for start, end in pairwise(cuts) if start < end]

    def _look(self, window: Span, ordinary: Sequence[Span] | None = None) -> None:
        """Find what is sensitive in `window`; dates and prices (`ordinary`) count where nothing else is found."""
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
                self._found = {span: its for span, its in before if not window.start <= span.start < window.end}
            if not spans:
                return
            found = {span: self._kind_of(span, window, kind) for span in spans}
            self._found.update({span: its for span, its in found.items() if its})
            hidden += [span for span, its in found.items() if not its]

    def _kind_of(self, span: Span, window: Span, kind: str) -> str | None:
        """Return the kind of a value in a clause, as the sentence corrects it.

        It decides where the value's shape alone tells the kind, and where it tells of one that is never needed.
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
        """Return the spans whose removal makes `kind` go away; none where only that of all words does."""

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
        """Return what of `spans` has to stay blank, when as much as possible is put back in their order."""
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
        found = [Span(start + begin, end + begin) for start, end in spans_of(self._text[begin : window.end])]
        taken = [*self._found, *but]
        return [one for one in found if not any(one.start < other.end and other.start < one.end for other in taken)]

    def _is_ordinary(self, span: Span, window: Span, free: Sequence[Span]) -> bool:
        """Return whether travel talk explains the value, all that is a number in `window`: a date, a price."""
        value, shown = self._text[span.start : span.end], self._shown(window, [one for one in free if one != span])
        return bool(re.search(r"\d", value)) and not re.search(r"\d", without_ordinary_numbers(normalise(shown)))


class Masking:
    """Walks through data in the order of the conversation: an answer is read with the question before it.

    Attributes:
        is_open: True when a text that may be an answer came before any question.
    """

    def __init__(self, before: str = "") -> None:
        self.is_open = False
        self._before = before

    def masked(self, value: Any, *, said: bool = False) -> Any:
        """Return `value` with the texts in it masked that people wrote; the same object where there are none.

        Args:
            value: Messages, their dictionary and tuple forms, or data made of dictionaries, lists and texts.
            said: True when a text in it was said by somebody, and is no id.
        """
        if isinstance(value, str):
            return self._text(value, said=said)
        by, told = _speaker(value)
        self._before = str(told) if by in _ASSISTANT else self._before
        if by in _MACHINES:
            return value
        if isinstance(value, BaseMessage):
            content = self.masked(value.content, said=True)
            return value if content is value.content else value.model_copy(update={"content": content})
        if isinstance(value, Mapping):
            found = {key: self.masked(inner, said=key in _SAID) for key, inner in value.items()}
            return value if all(found[key] is inner for key, inner in value.items()) else found
        if not isinstance(value, list | tuple):
            return value
        parts = [self.masked(one, said=said or bool(by)) for one in value]
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


def _speaker(value: Any) -> tuple[Any, Any]:
    """Return who said a message, in any of its forms, and what; twice nothing for what is no message."""
    if isinstance(value, BaseMessage):
        return value.type, value.text
    if isinstance(value, Mapping) and "content" in value:
        return value.get("role") or value.get("type"), value["content"]
    is_pair = isinstance(value, list | tuple) and len(value) == 2 and isinstance(value[0], str)
    return (value[0], value[1]) if is_pair and value[0] in _MACHINES | _PEOPLE | _SAID else (None, None)
