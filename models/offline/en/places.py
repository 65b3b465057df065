"""Reads the places of a clause and their roles: origin, destination, area of a city."""

import re
from dataclasses import replace
from itertools import pairwise

from models.offline.en.form import WORDS, is_ordinary
from models.offline.reading.form import BLANK, Form, Mention
from models.offline.reading.understanding import Kind, Place, ReadingContext, Role
from models.offline.reading.values.names import companies_in, corrected_place, is_code, longest_at

_CAPITAL = re.compile(r"[A-ZÀ-Þ]")
_IN_BRACKETS = re.compile(r" \( ([a-z]{3}) \)")
_CODE = re.compile(r"\b[A-Z]{3}\b")
_LINKS = frozenset({"to", "-", ">", "→", "–"})
"""Words between the two places of a route."""
_FEW = 4
"""Clauses with fewer words may answer with a misspelt place, and the capital of their first word marks a name."""
_CODE_LENGTH = 3
_LONGEST = 2
"""The most words in an unknown name after its first."""


def _before(cue: str, words: str) -> bool:
    """Return whether the words before a place end with a cue such as `from`, `to` or `in`."""
    return bool(_cue(cue).search(words))


def _cue(key: str) -> re.Pattern[str]:
    return WORDS.patterns("acts", "places")[key]


def read_places(form: Form, kinds: tuple[Kind, ...], context: ReadingContext) -> tuple[tuple[Place, ...], str | None]:
    """Return the places in the unread rest of a clause, with their roles, and an area of a city; blank them out."""
    names = [each for each in _found(form, context) if not _cue("no_place").match(form.text, each.end)]
    names = [each for each in names if not _before("not", form.text[: each.start])]
    refusal = form.patterns("acts", "refusal")
    refused = [each for each in names if refusal["denied" if each.area else "before"].search(form.text[: each.start])]
    form.unread += [each.said for each in refused]
    names = [each for each in names if each not in refused]
    cued = {_cued(form, each) for each in names if each.known}
    names = [each for each in names if each.known or each.joined or _cued(form, each) not in cued]
    for each in names:
        form.blank(each.start, each.end, "place")
    _give_roles(form, names, kinds, context)
    area = next((each.name for each in names if each.area), None)
    return tuple(each.place for each in names if each.role), area


def _cued(form: Form, each: Mention) -> tuple[bool, bool]:
    """Return whether "from" and "to" precede a name; used to skip unknown names ("went to Rome, and said to Geoff")."""
    return _before("from", form.rest[: each.start]), _before("to", form.rest[: each.start])


def _found(form: Form, context: ReadingContext) -> list[Mention]:
    row = _Row(form)
    mentions: list[Mention] = []
    at = 0
    while at < len(row.words):
        if mention := _place_at(row, at, context):
            if (code := _IN_BRACKETS.match(form.text, mention.end)) and is_code(code[1]):
                mention.name, mention.end = code[1].upper(), code.end()  # "London (LHR)"
            mention.said = form.original_at(mention.start, mention.end)
            mentions.append(mention)
            at = next((next_at for next_at, start in enumerate(row.starts) if start >= mention.end), len(row.words))
        else:
            at += 1
    return mentions


class _Row:
    """The words in the unread rest of a clause, their offsets, and their original spelling."""

    def __init__(self, form: Form) -> None:
        self.form = form
        self.starts = [match.start() for match in re.finditer(r"(?<= )\S", form.rest)]
        self.words = [form.rest[start : form.rest.index(" ", start)] for start in self.starts]
        ends = (start + len(word) for start, word in zip(self.starts, self.words, strict=True))
        self.said = [form.original_at(start, end) for start, end in zip(self.starts, ends, strict=True)]

    def names(self, at: int) -> bool:
        """Return whether a known place or a code begins at `at`."""
        if not 0 <= at < len(self.words):
            return False
        hit = longest_at(self.words, at)
        return bool(hit and (not hit[1].plain_word or self.capital(at))) or self.is_code(at)

    def capital(self, at: int) -> bool:
        """Return whether a word begins with a capital letter that marks a name."""
        if at == 0 and len(self.words) >= _FEW:
            end = self.starts[0] + len(self.words[0])
            alone = _cue("alone").match(self.form.rest, end) or longest_at(self.words, 1)
            if is_ordinary(self.words[0]) or not alone:
                return False  # "Victoria comes too"
        return bool(_CAPITAL.match(self.said[at]))

    def is_code(self, at: int) -> bool:
        """Return whether a word is written like an airport code."""
        return bool(_CODE.fullmatch(self.said[at])) and self.said[at] not in WORDS.table("acts")["plain"]["no_codes"]

    def routed(self, at: int, after: int) -> bool:
        """Return whether "to" or a dash joins the words from `at` to `after` with a place, or a code follows a code."""
        for link, place in ((after, after + 1), (at - 1, at - 2)):
            if 0 <= link < len(self.words) and self.words[link] in _LINKS and self.names(place):
                return True
        beside = [each for each in (at - 1, after) if 0 <= each < len(self.words) and self.is_code(each)]
        return self.is_code(at) and any(is_code(self.words[each]) for each in beside)


def _place_at(row: _Row, at: int, context: ReadingContext) -> Mention | None:
    words, said, start = row.words, row.said[at], row.starts[at]
    word, before = words[at], row.form.rest[:start]
    if not word[0].isalpha() or companies_in(said, "airline"):
        return None  # "on KLM", though an airport has that code
    if _before("name", before) and words[at + 1 : at + 2] not in (["based"], ["bound"]):
        return None  # "I'm Sofia", "I bank with Santander"
    cued = any(_before(cue, before) for cue in ("from", "to", "in"))
    capital = row.capital(at)
    asked = context.asked in {"destination", "origin"}
    slips = asked and len(words) < _FEW
    if hit := longest_at(words, at):
        count, place = hit
        end = row.starts[at + count - 1] + len(words[at + count - 1])
        answers = _cue("answer").fullmatch(row.form.text, 0, start) and _cue("answered").match(row.form.text, end)
        sure = not place.plain_word or capital or cued or bool(asked and answers)  # "um, split please"
        if place.sort == "towns":
            sure = capital or (not place.plain_word and (cued or asked or count > 1))
        if place.sort == "areas" and count == 1:
            sure = capital or _before("in", before)
        routed = row.routed(at, at + count)
        if place.sort == "codes":
            sure = not place.plain_word or (routed and not is_ordinary(word))
            place = replace(place, name=place.name.upper())
        sure = sure or (routed and (place.sort == "known" or not is_ordinary(word))) or _dated(words, at)
        if sure:
            return Mention(place.name, said, start, end, area=place.sort == "areas")
    if row.is_code(at) and not _before("owned", before) and (cued or is_code(word) or row.routed(at, at + 1)):
        return Mention(said, said, start, start + len(word))
    linked = words[at + 1 : at + 2] and (words[at + 1] in _LINKS or BLANK in words[at + 1])
    alone = at == 0 and (len(words) == 1 or linked)
    if (cued or slips or alone) and not is_ordinary(word) and (slip := corrected_place(word, asked)):
        return Mention(slip.name, said, start, start + len(word))
    return _unknown(row, at, cued and capital and not _before("named", before))


def _dated(words: list[str], at: int) -> bool:
    """Return whether a name stands between a place and a day."""
    place = longest_at(words, at - 1) if at and BLANK not in words[at - 1] else None
    return bool(place and not place[1].plain_word and words[at + 1 : at + 2] and words[at + 1][0] == BLANK)


def _unknown(row: _Row, at: int, cued: bool) -> Mention | None:
    """Return an unknown capitalised name as a place, if it follows "to" or "from" or is joined with a place."""
    plain = WORDS.table("acts")["plain"]
    last = at
    while last < at + _LONGEST and last + 1 < len(row.words) and _CAPITAL.match(row.said[last + 1]):
        if row.is_code(last + 1):
            return None  # "Ms Laurent CDG-PRG"
        last += 1
    begins = at == 0 or _before("beside", row.form.rest[: row.starts[at]]) or (at == 2 and row.names(0))
    joined = begins and _CAPITAL.match(row.said[at]) and row.routed(at, last + 1) and not is_ordinary(row.words[at])
    if joined and not cued and at == last and len(row.words[at]) == _CODE_LENGTH and not row.is_code(at):
        row.form.unread.append(row.said[at])
        return None  # "Tom to Paris": an unknown town would be longer, and a code in capitals
    if not (cued or joined) or row.words[at] in (*plain["never_places"], *plain["words"]):
        return None
    end = row.starts[last] + len(row.words[last])
    said = row.form.original_at(row.starts[at], end)
    return Mention(said, said, row.starts[at], end, known=False, joined=not cued)


def _give_roles(form: Form, mentions: list[Mention], kinds: tuple[Kind, ...], context: ReadingContext) -> None:
    """Set the role of each place by the words before it and by its order; an area of a city has none."""
    cues: tuple[tuple[str, Role], ...] = (("from", "origin"), ("to", "destination"))
    for each in mentions:
        own = _cue("own_airport").match(form.rest, each.end)
        said = (role for cue, role in cues if own or _before(cue, form.rest[: each.start]))
        each.role = None if each.area else next(said, "unsaid")
    repairs = WORDS.patterns("dates", "links")["repair"]
    for before, each in pairwise(mentions):
        if each.role == "unsaid" and repairs.search(form.text[before.end : each.start]):
            each.role = before.role  # "from Rome, no wait, Milan"
    here = [each for each in mentions if _before("at", form.rest[: each.start])]
    if len(mentions) > 1 and here and all(each.role != "origin" for each in mentions):
        here[0].role = "origin"  # "flights to Goa, we are in Leeds"
    for before, each in pairwise(mentions):
        if before.role == "origin" and each.role == "unsaid" and form.rest[: before.start].endswith(" between "):
            each.role = "destination"
        goes_on = before.role == "unsaid" and each.role in ("unsaid", "destination")
        between = form.original_at(before.end, each.start)
        if goes_on and (_are_joined(form, before, each) or _cue("part").fullmatch(between)):
            before.role, each.role = "origin", "destination"
    last = mentions[-1] if len(mentions) > 1 and mentions[-1].role == "destination" else None
    if last and _before("home", form.rest[: last.start]):
        homeward = all(each.role != "origin" for each in mentions)
        onward = mentions[-2].role == "origin" and _are_joined(form, mentions[-2], last)  # "Athens back to London"
        last.role = last.role if onward else "origin" if homeward else None  # "to Rome on the 3rd, back to Leeds"
    for before, each in reversed([*pairwise(mentions)]):
        if _cue("or").fullmatch(form.text[before.end : each.start]):
            before.either = each.either = True  # "from Rome or Milan", "Rome or Milan to Oslo"
            before.role = each.role = before.role if each.role == "unsaid" else each.role
    _settle(form, mentions, kinds, context)


def _are_joined(form: Form, before: Mention, each: Mention) -> bool:
    """Return whether only "to", a dash or the like stands between two places."""
    return bool(_cue("joint").fullmatch(form.rest[before.end : each.start]))


def _settle(form: Form, mentions: list[Mention], kinds: tuple[Kind, ...], context: ReadingContext) -> None:
    """Set the role of places without a cue: the one that was asked for, else destination."""
    if mentions and all(each.role == "unsaid" and (each.either or each is mentions[0]) for each in mentions):
        lives = _before("here", form.rest[: mentions[0].start]) and all(what != "dates" for *_, what in form.taken)
        for each in mentions:
            each.role = "origin" if lives or context.asked == "origin" else "unsaid"  # "I'm in Leeds"
    elif [each.role for each in mentions] == ["origin"] and kinds and "flight" not in kinds:
        mentions[0].role = "destination"
    for each in mentions:
        each.role = "destination" if each.role == "unsaid" else each.role
