"""Reads the places of a clause and their roles: from where, where to, which part of a city."""

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from models.offline.en.form import WORDS, is_ordinary
from models.offline.reading.form import BLANK, Form
from models.offline.reading.understanding import Kind, Place, ReadingContext, Role
from models.offline.reading.values.names import companies_in, is_code, longest_at, mended

_CAPITAL = re.compile(r"[A-ZÀ-Þ]")
_IN_BRACKETS = re.compile(r" \( ([a-z]{3}) \)")
_CODE = re.compile(r"\b[A-Z]{3}\b")
_LINKS = frozenset({"to", "-", ">", "→", "–"})
"""What stands between the two places of a route."""
_FEW = 4
"""Words of an answer in which a plain word is a place ("Nice")."""


@dataclass(slots=True)
class _Found:
    start: int
    end: int
    name: str
    area: bool = False
    known: bool = True
    role: Role | None = None
    either: bool = False


def _before(cue: str, words: str) -> bool:
    """Return True where the words before a place end with a cue of `from`, `to`, `in` and so on."""
    return bool(_cue(cue).search(words))


def _cue(key: str) -> re.Pattern[str]:
    return WORDS.patterns("acts", "places")[key]


def read_places(form: Form, kinds: tuple[Kind, ...], context: ReadingContext) -> tuple[tuple[Place, ...], str | None]:
    """Return the places that are left in a clause, with their roles, and the part of a city; blank them out."""
    found = [
        each
        for each in _found(form, context)
        if not (_before("not", form.whole[: each.start]) or _cue("no_place").match(form.whole, each.end))
    ]
    refusal = form.patterns("acts", "refusal")
    refused = [each for each in found if refusal["denied" if each.area else "before"].search(form.whole[: each.start])]
    form.unread += [form.own(each.start, each.end) for each in refused]
    found = [each for each in found if each not in refused]
    found = [each for each in found if each.known or not any(_alike(form, each, other) for other in found)]
    for each in found:
        form.blank(each.start, each.end, "place")
    _give_roles(form, found, kinds, context)
    for before, each in reversed([*pairwise(found)]):
        if _cue("or").fullmatch(form.whole[before.end : each.start]):
            before.role, before.either, each.either = each.role, True, True
    places = tuple(
        Place(each.name, each.role, form.own(each.start, each.end), each.known, each.either)
        for each in found
        if each.role
    )
    return places, next((each.name for each in found if each.area), None)


def _alike(form: Form, unknown: _Found, other: _Found) -> bool:
    """Return whether a known place stands where an unknown name does: "went to Seville, and I said to Geoff"."""
    return other.known and all(
        _before(cue, form.left[: unknown.start]) == _before(cue, form.left[: other.start]) for cue in ("from", "to")
    )


def _found(form: Form, context: ReadingContext) -> list[_Found]:
    starts = [match.start() for match in re.finditer(r"(?<= )\S", form.left)]
    words = [form.left[start : form.left.index(" ", start)] for start in starts]
    found: list[_Found] = []
    at = 0
    while at < len(words):
        if one := _place_at(form, words, starts, at, context):
            if (code := _IN_BRACKETS.match(form.whole, one.end)) and is_code(code[1]):
                one.name, one.end = code[1].upper(), code.end()  # "London (LHR)"
            found.append(one)
            at = next((next_at for next_at, start in enumerate(starts) if start >= one.end), len(words))
        else:
            at += 1
    return found


def _place_at(form: Form, words: list[str], starts: list[int], at: int, context: ReadingContext) -> _Found | None:
    word, start = words[at], starts[at]
    before, said = form.left[:start], form.own(start, start + len(word))
    if not word[0].isalpha() or companies_in(said, "airline"):
        return None  # "on KLM", though an airport has that code
    if _before("name", before) and words[at + 1 : at + 2] not in (["based"], ["bound"]):
        return None  # "I'm Sofia", "I bank with Santander"
    cued = bool(_before("from", before) or _before("to", before) or _before("in", before))
    capital = bool(_CAPITAL.match(said)) and (at > 0 or len(words) < 4)
    asked = context.asked in {"destination", "origin"}
    slips = asked and len(words) < _FEW
    if hit := longest_at(words, at):
        count, place = hit
        end = starts[at + count - 1] + len(words[at + count - 1])
        answers = asked and (not place.plain_word or len(words) <= _FEW)
        sure = not place.plain_word or capital or cued or answers or _before("from", before)
        if place.sort == "towns":
            sure = capital or (not place.plain_word and (cued or asked or count > 1))
        if place.sort == "areas" and count == 1:
            sure = capital or bool(_before("in", before))
        if place.sort == "codes":
            sure = not place.plain_word or (_routed(words, at) and not is_ordinary(word))
            place = replace(place, name=place.name.upper())
        sure = sure or (place.plain_word and place.sort == "known" and _routed(words, at))
        if sure:
            return _Found(start, end, place.name, area=place.sort == "areas")
    if (
        _CODE.fullmatch(said)
        and said not in WORDS.table("acts")["plain"]["no_codes"]
        and not _before("owned", before)
        and (cued or is_code(word) or _routed(words, at))
    ):
        return _Found(start, start + len(word), said)
    if not cued and not slips and (at > 0 or (words[1:] and words[1] not in _LINKS and BLANK not in words[1])):
        return None
    if slip := None if is_ordinary(word) else mended(word, asked):
        return _Found(start, start + len(word), slip.name)
    return _unknown(form, words, starts, at, cued and capital and not _before("named", before))


def _routed(words: list[str], at: int) -> bool:
    """Return True for a name that "to" or a dash joins with another place, or that stands between one and a day."""
    place = longest_at(words, at - 1) if at and BLANK not in words[at - 1] else None
    if place and not place[1].plain_word and words[at + 1 : at + 2] and words[at + 1][0] == BLANK:
        return True
    after = at + 2 < len(words) and words[at + 1] in _LINKS and longest_at(words, at + 2)
    before = at > 1 and words[at - 1] in _LINKS and longest_at(words, at - 2)
    return bool(after or before)


def _unknown(form: Form, words: list[str], starts: list[int], at: int, cued: bool) -> _Found | None:
    """Return an unknown name with capital letters after "to" or "from" as a place as said."""
    plain = WORDS.table("acts")["plain"]
    if not cued or words[at] in (*plain["never_places"], *plain["words"]):
        return None
    last = at
    for start in starts[at + 1 : at + 3]:
        if not _CAPITAL.match(form.own(start, start + 1) or "a"):
            break
        last += 1
    end = starts[last] + len(words[last])
    return _Found(starts[at], end, form.own(starts[at], end), known=False)


def _give_roles(form: Form, found: list[_Found], kinds: tuple[Kind, ...], context: ReadingContext) -> None:
    """Give each place its role by the words before it, none to a part of a city; side by side one goes there."""
    cues: tuple[tuple[str, Role], ...] = (("from", "origin"), ("to", "destination"))
    for each in found:
        own = _cue("own_airport").match(form.left, each.end)
        said = (role for cue, role in cues if own or _before(cue, form.left[: each.start]))
        each.role = None if each.area else next(said, "unsaid")
    repairs = WORDS.patterns("dates", "links")["repair"]
    for before, each in pairwise(found):
        if each.role == "unsaid" and repairs.search(form.whole[before.end : each.start]):
            each.role = before.role  # "from Rome, no wait, Milan"
    here = [each for each in found if _before("at", form.left[: each.start])]
    if len(found) > 1 and here and all(each.role != "origin" for each in found):
        here[0].role = "origin"  # "flights to Goa, we are in Leeds"
    for before, each in pairwise(found):
        goes_on = before.role == "unsaid" and each.role in ("unsaid", "destination")
        if goes_on and _cue("joint").fullmatch(form.left[before.end : each.start]):
            before.role, each.role = "origin", "destination"
    if [each.role for each in found] == ["unsaid"]:
        lives = _before("here", form.left[: found[0].start]) and all(what != "dates" for *_, what in form.taken)
        found[0].role = "origin" if lives or context.asked == "origin" else "unsaid"  # "I'm in Leeds"
    elif [each.role for each in found] == ["origin"] and kinds and "flight" not in kinds:
        found[0].role = "destination"
    for each in found:
        each.role = "destination" if each.role == "unsaid" else each.role
