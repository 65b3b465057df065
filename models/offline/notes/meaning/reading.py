"""From items to the canonical form: what is wanted and refused, under which condition, by whom, and why."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from models.offline.notes.meaning.clauses import (
    CONTENT,
    STANCES,
    SUBJECTS,
    clauses_of,
    contents_of,
    parts_of,
    set_apart,
    signed,
)
from models.offline.notes.meaning.draft import Chunks, Draft
from models.offline.notes.meaning.form import Form
from models.offline.notes.meaning.items import Item, items_of


@lru_cache(maxsize=8192)
def read(text: str, condition: str, topic: str) -> Form:
    """The canonical form of `text`, said of `topic` under `condition` (empty for none)."""
    draft = Draft()
    for clause in clauses_of(items_of(text, topic)):
        _read(clause, draft)
    under = items_of(condition, topic)
    draft.under = contents_of(under)
    draft.note_words(under)
    return draft.finished(topic)


def _read(clause: Sequence[Item], draft: Draft) -> None:
    sign = 1
    plain: list[Chunks] = []
    for part in parts_of(clause):
        rest = set_apart(part, draft)
        _note(rest, draft)
        if (draft.open or plain) and _verdict(rest):  # "Hostels? Never again."
            plain, draft.open = draft.open or plain, []
            sign = _verdict(rest)
            if sign < 0:
                _turn(plain)
            plain = []
            continue
        if part[0].role == "filler" and part[0].name in SUBJECTS | _VERBS:
            sign = 1  # "doesn't need cover, he has it through work"; "avoids buses, takes trains"
        if sign < 0 and part[0].role != "list" and _answers(rest) & _refused(plain or draft.segments):
            sign = 1  # "don't call me, text me"
        segments, sign, refused_last = signed(rest, sign)
        if refused_last:  # "meat, fish and eggs are off limits": the verdict comes last
            _turn(plain)
        plain = [] if any(item.role in STANCES for item in rest) else [*plain, *segments]
        vague = not any(item.role in STANCES for item in rest) and any(
            item.role == "word" and not item.proper for item in rest
        )
        draft.parts += [(draft.parts[-1][0] + 1 if draft.parts else 1, vague)] * len(segments)
        draft.segments += segments
        draft.sign = sign
    draft.open = plain


def _answers(items: Sequence[Item]) -> set[str]:
    return {item.name.partition(":")[0] for item in items if item.role == "value" and ":" in item.name}


def _refused(segments: Sequence[Chunks]) -> set[str]:
    atoms = [atom for chunks in segments for chunk in chunks for atom in chunk]
    return {name.partition(":")[0] for sign, name in atoms if sign < 0 and ":" in name}


_ANEW_WORDS = """
    anew again now can after currently もう 今は 今では これからは 今後は ようになった ようになりました よくなった
    よくなりました 良くなった 良くなりました
"""
_ANEW = frozenset(_ANEW_WORDS.split())
_VERBS = frozenset({"travel", "fly", "stay", "book", "use", "take", "order", "choose", "go", "pick", "pay"})
_SAYING = frozenset({"filler", *STANCES})


def _turn(segments: Sequence[Chunks]) -> None:
    for segment in segments:
        segment[:] = [[(-one, name) for one, name in atoms] for atoms in segment]


def _verdict(rest: Sequence[Item]) -> int:
    """The sign of a part that holds a stance and nothing else; 0 for any other."""
    signs = [STANCES[item.role] for item in rest if item.role in STANCES]
    if not signs or rest[-1].name in _SOMETIMES or any(item.role in CONTENT or item.role == "domain" for item in rest):
        return 0
    return -1 if signs.count(-1) % 2 else 1


_SOMETIMES = frozenset({"always", "often", "usually", "frequently", "regularly", "necessarily"})
"""What is not always so is so at times."""


def _note(rest: Sequence[Item], draft: Draft) -> None:
    roles = {item.role for item in rest}
    if "mention" in roles:
        draft.mood = "mentions"
    elif "end" in roles and draft.mood == "states":
        draft.mood = "ends"
    draft.favorite |= any(item.name == "favorite" and item.role == "like" for item in rest)
    draft.liking |= "like" in roles
    draft.anew |= any(item.name in _ANEW and item.role in _SAYING for item in rest)
    draft.domains |= {item.name for item in rest if item.role == "domain"}
    draft.subject |= {item.name for item in rest if item.role == "person"}
    draft.note_words(rest)
