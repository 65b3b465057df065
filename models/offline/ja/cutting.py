"""Splits a Japanese message into clauses and finds the act of each; details that belong together are not split."""

import re
from dataclasses import dataclass
from typing import get_args

from models.offline.ja.form import WORDS, core, form_of
from models.offline.reading.draft import kinds_in, topic_of
from models.offline.reading.form import Form, Piece, is_pasted, sentences
from models.offline.reading.understanding import Act

_ORDERS = frozenset({"book", "hold", "cancel"})
_DONE = _ORDERS | {"change", "bags", "seats"}
_LEANS = _DONE | {"ask", "confirm", "choose"}
_OBJECT = 12
"""The most characters in a fragment that may be the object of the next one."""
_ACTS: dict[str, Act] = {act: act for act in get_args(Act)}
"""The acts by name; an entry of the table may have a suffix after "_"."""
_ASKABLE = frozenset(
    {"greet", "thanks", "bye", "help", "complain", "tell_memory", "ask_memory", "reject", "reject_order", "restart"}
)
"""Entries that keep their act in a question."""


@dataclass(slots=True)
class _Part:
    text: str
    act: str
    marked: bool = False
    otherwise: bool = False


def _known(key: str) -> re.Pattern[str]:
    return WORDS.patterns("acts", "forms")[key]


def split_condition(text: str) -> tuple[str, str, bool] | None:
    """Return a conditional order as (order, condition as a question, False); None for any other text."""
    match = _known("hung").match(form_of(text).text.rstrip("、。 "))
    if not match or _known("any_like_it").search(match[0]):
        return None
    ending = "い" if match["adjective"] else "る" if match["verb"] else ""
    return match["order"], f"{match['condition']}{ending}か", False


def cut(message: str) -> list[Piece]:
    """Return the clauses of a message; a pasted text is one clause."""
    if is_pasted(message, WORDS):
        return [Piece(message)]
    text = _known("quote").sub("", message)
    parts = [part for each, marked in sentences(text, WORDS) for part in _joined(_parts(each, marked))]
    acts = {part.act for part in parts}
    parting = bool(acts & {"thanks", "bye", "greet"})  # a yes before these is only an acknowledgement
    leads = (part.act == "confirm" and ("ask" in acts or (parting and form_of(part.text).says("acknowledges")))
             for part in parts)  # fmt: skip
    kept = [part for part, led in zip(parts, leads, strict=True) if not led]
    pieces = [Piece(each.text, is_question(form_of(each.text), each.marked), otherwise=each.otherwise) for each in kept]
    return pieces or ([Piece(message)] if message.strip() else [])


def _parts(sentence: str, marked: bool) -> list[_Part]:
    texts: list[str] = []
    start = 0
    ends = [match.end() for key in ("comma", "cut") for match in _known(key).finditer(sentence)]
    for end in sorted({*ends, len(sentence)}):
        if re.search(r"\w", sentence[start:end]):
            texts.append(sentence[start:end])
            start = end
    parts: list[_Part] = []
    for number, text in enumerate(texts):
        form, last = form_of(text), number == len(texts) - 1
        told = is_of_others(form) or (form.says("habit") and _known("but").search(text))
        other = "tell" if told else "" if form.core else "lead"
        parts.append(_Part(text, act_of(form, is_question(form, marked and last)) or other, marked and last))
    return parts


def _joined(parts: list[_Part]) -> list[_Part]:
    """Join details to details, and an object to its order."""
    merged: list[_Part] = []
    for part in parts:
        before = merged[-1] if merged else None
        other = _known("otherwise").match(part.text)
        if before and other and split_condition(before.text):
            merged.append(_Part(part.text[other.end() :], "", part.marked, otherwise=True))
        elif before and (_belong(before, part) or split_condition(before.text + part.text)):
            before.text += part.text
            before.act = part.act if part.act != "lead" else before.act
            before.marked = part.marked
        else:
            merged.append(part)
    return merged


def _belong(before: _Part, part: _Part) -> bool:
    if before.act == part.act == "" and form_of(part.text).says("of_part"):
        form = form_of(before.text)
        return not (kinds_in(form) or form.says("of_all"))  # 「便は5万円以内、ホテルは1泊1万円以内」
    if any(each.act == "chat" and _known("joke").match(each.text) for each in (before, part)):
        before.act, part.act = "chat", "chat"
    named, acts = core(before.text), (before.act, part.act)
    fine = _known("fine").match(core(part.text)) if before.act == "confirm" else named.startswith("大丈夫")
    listed = part.act in _ORDERS and before.text.rstrip().endswith("と、")
    if "lead" in acts or before.act == part.act or ("confirm" in acts and fine) or listed:
        return True
    if before.act != "":
        return False
    if part.act == "drop":
        return len(named) <= _OBJECT and not re.search(r"\d", named)
    if part.act == "ask":
        return not re.search(r"(?:ました|ます|です|たい)$", named)
    means = part.act in _LEANS and _known("means").search(named) and len(named) <= _OBJECT + 6
    return part.act == "cancel" or bool(means)


def is_question(form: Form, marked: bool = False) -> bool:
    """Return whether a clause is a question, by a question mark or its wording."""
    if (form.says("request") and not form.says("asks_what")) or form.says("reason"):
        return False
    return marked or (form.says("question") and not form.says("no_question"))


def act_of(form: Form, asked: bool) -> Act | None:
    """Return the act of a clause by its words; None if it depends on the values."""
    for name in (name for name in form.patterns("acts", "acts") if form.says(name, "acts")):
        act = _ACTS[name.partition("_")[0]]
        can_be_done = act in _DONE and form.says("can_do") and not form.says("how_to")
        if not asked or name in _ASKABLE or can_be_done:
            return act
    return "ask" if asked or (form.asks("shown", topic_of(form)) and form.says("show")) else None


def is_of_others(form: Form) -> bool:
    """Return whether a clause is about somebody else or the past, and requests nothing."""
    return (form.says("others") or form.says("past")) and not form.says("request")
