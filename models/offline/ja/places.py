"""Finds the places of a Japanese clause, and their roles by the words after them."""

import re
from functools import cache
from itertools import pairwise
from pathlib import Path

from models.offline.ja.form import WORDS, matched
from models.offline.reading.form import BLANK, Form, Mention
from models.offline.reading.understanding import Kind, Place, ReadingContext, Role
from models.offline.reading.values.names import named

_FILE = Path(__file__).parent / "words" / "places.txt"
"""A line for each place: its name or code for the travel tools, then its Japanese names."""
_CODE = 3
"""The length of an airport code."""
_JOINTS = ("・", "の")
"""Separators between two names of one place (「大阪・関空」)."""
_KATAKANA = re.compile(r"[ァ-ヴー]")
_V, _B = re.compile("ヴ[ァィェォ]?"), {"ヴ": "ブ", "ヴァ": "バ", "ヴィ": "ビ", "ヴェ": "ベ", "ヴォ": "ボ"}
"""A sound of foreign names, and its alternative spelling (「ドゥブロブニク」)."""
_HIRAGANA = {code: code - 0x60 for code in range(ord("ァ"), ord("ヴ") + 1)}
_SPELT = 4
"""The fewest letters of a katakana name that is also recognised in hiragana (「ばんこく」)."""


def _route(key: str) -> re.Pattern[str]:
    return WORDS.patterns("routes", "places")[key]


@cache
def _names() -> dict[str, str]:
    """Return the name for the travel tools by each Japanese name; empty if the tools have none."""
    names: dict[str, str] = {}
    for line in _FILE.read_text(encoding="utf-8").splitlines():
        name, _, called = line.partition("|")
        for said in map(matched, filter(None, called.split(","))):
            names[said] = names[_V.sub(lambda sound: _B[sound[0]], said)] = name
            if len(said) >= _SPELT and not re.sub(_KATAKANA, "", said):
                names.setdefault(said.translate(_HIRAGANA), name)
    return names


@cache
def _called() -> dict[str, str]:
    """Return the first Japanese name of each place."""
    lines = (line.partition("|") for line in _FILE.read_text(encoding="utf-8").splitlines())
    return {name: called.partition(",")[0] for name, _, called in lines if called}


def in_japanese(place: str) -> str:
    """Return the Japanese name of a place of the travel tools: 「台北 (TPE)」 for "Taipei, TW (TPE)"."""
    name, code = place.partition(",")[0], place.rpartition(" (")[2].rstrip(")")
    called = _called().get(f"{name} ({code})") or _called().get(name)
    return place if called is None else called if name == place else f"{called} ({code})"


def read_places(form: Form, _: tuple[Kind, ...], context: ReadingContext) -> tuple[tuple[Place, ...], str | None]:
    """Return the places in the unread rest of a clause, with their roles, and an area of a city; blank them out."""
    areas = WORDS.patterns("wishes", "areas").items()
    area = next((name for name, pattern in areas if list(form.take(pattern, ""))), None)
    form.take_first(_route("around"), "")
    names = _known(form) + _latin(form, context)
    names.sort(key=lambda name: name.start)
    names = _merged(form, names)
    for name in names:
        name.role, via = _role(form, name), _route("via").match(form.text, name.end)
        if name.role and form.patterns("acts", "refusal")["after"].match(form.text, name.end):
            name.role = None
            airport = name.name.endswith(")")
            (form.refused if airport else form.unread).append(name.name if airport else name.said)
        if _route("of_others").search(form.text[: name.start]):
            name.role = None
            form.unread.append(name.said)  # 「娘の家は静岡」
        elif name.role is None and via and not _route("denied").match(form.text, via.end()):
            form.unread.append(f"{name.said}経由")
    kept = _without_corrected(form, [name for name in names if name.role is not None])
    kept += _unknown(form, {name.role for name in kept})
    away = [name for name in kept if name.role != "origin" or not _is_home(form, name)]
    if any(name.role == "origin" for name in away) or (away and context.asked == "origin"):
        kept = away  # 「高崎の者ですが羽田から」
    _by_order(form, kept)
    if context.asked == "origin" and kept and not any(name.role == "origin" or _is_aim(form, name) for name in kept):
        kept = kept[-1:]
        kept[0].role = "origin"
    for name in kept:
        leaves = context.asked != "destination" and _route("airport").fullmatch(name.said)
        beside = len(kept) > 1 and form.text[name.start : name.end].endswith("空港")
        beside = beside and all(other.role != "origin" for other in kept)
        if name.role == "unsaid" and (beside or (leaves and not _route("of_airport").match(form.text, name.end))):
            name.role = "origin"  # 「ソウル!女子5人!羽田!」
    first = {name.role: name for name in reversed(kept)}  # of a longer journey, only the first leg is read
    more = [name for name in kept if name.role != "unsaid" and first[name.role] is not name]
    form.unread += [name.said for name in more]
    places = tuple(name.place for name in kept if name not in more)
    return places, area


def _merged(form: Form, names: list[Mention]) -> list[Mention]:
    """Merge alternatives into the last (「羽田か成田から」), and a country into its city (「ポルト（ポルトガル）」)."""
    kept: list[Mention] = []
    for name in names:
        between = form.text[kept[-1].end : name.start] if kept else ""
        bracketed = between == "(" and form.text.startswith(")", name.end)
        if bracketed:
            name.end += 1
            if not name.name.endswith(")"):  # not an airport, unlike 「東京（羽田）」
                kept[-1].end = name.end
                continue
            name.start = kept[-1].start
        either = _route("either").fullmatch(between)
        if bracketed or between in _JOINTS or either:
            before = kept.pop()
            name.others = (*before.others, before.name) if either else ()
        kept.append(name)
    return kept


def _known(form: Form) -> list[Mention]:
    """Return the known names, the longest at each position."""
    mentions: list[Mention] = []
    at, text, longest = 0, form.rest, max(map(len, _names()))
    while at < len(text):
        length = next((size for size in range(longest, 0, -1) if text[at : at + size] in _names()), 0)
        if length and _stands_alone(form, at, at + length):
            said = text[at : at + length]
            suffix = _route("suffix").match(text, at + length)
            end = suffix.end() if suffix else at + length
            mentions.append(Mention(_names()[said] or said, said, at, end, known=bool(_names()[said])))
            form.blank(at, end, "")
        at += length or 1
    return mentions


def _stands_alone(form: Form, start: int, end: int) -> bool:
    """Return whether the letters from `start` to `end` are not part of a longer word."""
    text = form.text
    loose = not _names()[text[start:end]] or _route("hiragana").match(text, start)
    if loose and (_route("joined").match(text, start) or not _route("apart").match(text, end)):
        return False
    if _route("not_a_place").match(text, end) or (text[start:end] == "大分" and _route("not_oita").match(text, end)):
        return False
    if _KATAKANA.match(text, start):
        before = start > 0 and _KATAKANA.match(text, start - 1) and form.rest[start - 1] != BLANK
        after = _KATAKANA.match(text, end)
        tail = re.match(r"[ァ-ヴー]+", text[end:])
        followed = _route("katakana_after").match(text, end) or (tail is not None and tail[0] in _names())
        return not before and (not after or bool(followed))
    return not (re.match(r"[a-z]", text[start]) and re.match(r"[a-z]", text[end : end + 1]))


def _latin(form: Form, context: ReadingContext) -> list[Mention]:
    """Return codes and names in Latin letters ("NRT", "Paris"); unknown ones need a particle such as 「行き」."""
    shown = " ".join(context.names).lower()
    sections = ("airline", "chain", "currencies", "vehicle", "category")
    mentions: list[Mention] = []
    for match in _route("latin").finditer(form.original):
        written = match["place"]
        if not named(written.split()) and (code := written.split()[0]).isupper() and len(code) == _CODE:
            written = code  # "ITM JAL"
        words = matched(written)
        at = form.rest.find(words)
        other = any(each.fullmatch(words) for part in sections for each in WORDS.patterns("wishes", part).values())
        if at < 0 or other or words in shown:
            continue
        end, listed = at + len(words), named(written.split())
        code = written.isupper() and len(written) == _CODE
        after = "after_code" if code else "after_latin" if listed else "after_strange"
        if _route(after).match(form.text, end):
            mentions.append(Mention(listed.name if listed else written, written, at, end, known=bool(listed)))
            form.blank(at, end, "")
    return mentions


def _role(form: Form, name: Mention) -> Role | None:
    """Return the role of a place by the words around it, None if one does not travel from or to it."""
    after, text = name.end, form.text
    if any(_route(no).match(text, after) for no in ("denied", "denied_from", "via")):
        return None
    if _is_home(form, name):
        return "origin"
    roles: tuple[Role, ...] = ("origin", "destination")
    for role in roles:
        if _route(f"{role}_before").search(text[: name.start]):
            return role
    return next((role for role in roles if _route(role).match(text, after)), "unsaid")


def _is_home(form: Form, name: Mention) -> bool:
    """Return whether the traveller says that they live in a place."""
    return bool(_route("home").match(form.text, name.end) or _route("home_before").search(form.text[: name.start]))


def _is_aim(form: Form, name: Mention) -> bool:
    """Return whether a place is clearly a destination, even as an answer to "from where?"."""
    before = form.text[: name.start]
    spa = form.text[name.start : name.end].endswith("温泉")
    return bool(spa or _route("destination_before").search(before) or _route("aim").match(form.text, name.end))


def _without_corrected(form: Form, names: list[Mention]) -> list[Mention]:
    """Return the places without those corrected at once by another of the same role (「金沢、いや広島のホテル」)."""
    kept: list[Mention] = []
    for name in names:
        before = kept[-1] if kept else name
        same = before.role == name.role or (before.role != "origin" and "unsaid" in (before.role, name.role))
        if kept and same and WORDS.patterns("dates", "links")["not_after"].match(form.text, before.end):
            name.role = before.role if name.role == "unsaid" else name.role
            kept.pop()
        kept.append(name)
    return kept


def _unknown(form: Form, roles_taken: set[Role | None]) -> list[Mention]:
    """Return unknown names in the position of a place (「トリエステへ」)."""
    mentions: list[Mention] = []
    roles: tuple[Role, ...] = ("origin", "destination", "unsaid")
    for role in roles:
        free, taken = _route(f"free_{role}"), roles_taken | {name.role for name in mentions}
        if role in taken or (role == "unsaid" and "destination" in taken):
            continue
        for match in (*free.finditer(form.rest), *free.finditer(form.text)):
            left = form.rest[match.start() : match.end("place")]
            if BLANK not in left and not _route("not_free").match(match["place"]):
                start, end = match.start(), match.end("place")
                mentions.append(Mention(match["place"], match["place"], start, end, role, known=False))
                form.blank(start, end, "")
    return mentions


def _by_order(form: Form, names: list[Mention]) -> None:
    """Set the roles of two places without particles by their order: 「東京 ソウル」 goes from Tokyo to Seoul."""
    names.sort(key=lambda name: name.start)
    for one, other in pairwise(names):
        between = form.text[one.end : other.start]
        goes_on = one.role == "unsaid" and other.role in ("unsaid", "destination")
        if goes_on and re.fullmatch(r"(?:から)?[、→~ー/-]?(?:to)?", between):
            one.role, other.role = "origin", "destination"
        elif one.role == "origin" and other.role == "unsaid":
            other.role = "destination"
