"""The forms of Japanese verbs: which of them wish, refuse, or say that something is over."""

from __future__ import annotations

from collections.abc import Iterator

_ROWS = {
    "う": "わいえおっ", "く": "かきけこい", "ぐ": "がぎげごい", "す": "さしせそし", "つ": "たちてとっ",
    "ぶ": "ばびべぼん", "む": "まみめもん", "る": "らりれろっ",
}  # fmt: skip
"""For each ending the ending before ない, ます, ば, う and た."""
_VOICED = frozenset("ぐぶむ")
_REFUSED = {"filler": "negate", "like": "dislike", "dislike": "like"}
_WISHED = {"filler": "like", "like": "like", "dislike": "dislike"}


def forms(verb: str, kind: str, role: str) -> Iterator[tuple[str, str]]:
    """The forms of `verb`, each with its role; `kind` is "godan", "ichidan" or "suru"."""
    if kind == "suru":
        yield from _of(verb + "し", verb + "し", verb + "でき", f"{verb}して", verb + "する", role)
        yield verb, role
    elif kind == "ichidan":
        trunk = verb[:-1]
        yield from _of(trunk, trunk, trunk + "られ", trunk + "て", verb, role)
        yield from _able(trunk + "れ", role)
    else:
        before, polite, able, _, past = tuple(_ROWS[verb[-1]])
        trunk = verb[:-1]
        past = "っ" if verb.endswith("行く") else past
        joined = trunk + past + ("で" if verb[-1] in _VOICED else "て")
        yield from _of(trunk + before, trunk + polite, trunk + able, joined, verb, role)


def _of(before: str, polite: str, able: str, joined: str, plain: str, role: str) -> Iterator[tuple[str, str]]:
    """The forms from those before ない and ます, of ability, before いる, and of the dictionary."""
    past = joined[:-1] + ("だ" if joined[-1] == "で" else "た")
    for form in (plain, polite, polite + "ます", polite + "ました", joined, past):
        yield form, role
    for ending in ("ない", "ず", "ずに", "ないように", "ないことに", "なくて", "ないで", "ないです"):
        yield before + ending, _REFUSED[role]
    yield polite + "ません", _REFUSED[role]
    yield polite + "ませんでした", _REFUSED[role]
    for ending in ("たい", "たいです", "たく", "たがる"):
        yield polite + ending, _WISHED[role]
    for ending in ("たくない", "たくありません", "たくないです", "たがらない", "たくはない"):
        yield polite + ending, _REFUSED[role]
    for ending in ("なくなった", "なくなりました", "なくなって", "なくなり", "なくなっている", "なくなっています"):
        yield before + ending, "end"
    yield from _able(able, role)


def _able(able: str, role: str) -> Iterator[tuple[str, str]]:
    for ending in ("る", "ます", "て"):
        yield able + ending, role
    for ending in ("ない", "ません", "ず"):
        yield able + ending, _REFUSED[role]
    for ending in ("なくなった", "なくなりました"):
        yield able + ending, "end"
