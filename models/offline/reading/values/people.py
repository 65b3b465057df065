"""Reads who travels: counts, ages, relations, who joins and who stays at home.

The groups of the patterns in `words/people.toml` say what to add; see `Heads.add`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from models.offline.reading.form import BLANK, Form, parts_of
from models.offline.reading.understanding import Party, ReadingContext
from text.words import word_set, words

ADULT, CHILD = 12, 2
"""The lowest age in years of an adult by travel fares, and of a child that needs a seat."""
OF_AGE = 18
"""The age of majority in years; a reply says that younger people count as adults in fares."""
GROWN = 20
"""The lowest age in years that can be the age of a relation named before it ("my dad, he's 78")."""
_A_CHILD = (Party(children=1), Party(infants=1))
_WORD = re.compile(r"\d+|[a-z]+|[一二三四五六七八九十]+")
_COUNTS = ("total", "adults", "children", "infants", "kin", "others")
_MARKS = ("me", "within", "no_children", "joins", "leaves", "teens")
_BETWEEN = re.compile(r"\W+|\b(?:and|plus)\b|(?<=[一-龥々ァ-ヴー])と|と(?=[一-龥ァ-ヴー]{2})")
"""Separates the names of a list."""


@dataclass(slots=True)
class Heads:
    """Counts of the people that a clause mentions; `ages` in years, `within` if `total` includes the children.

    `kin` are adults named by their relation to the traveller, `others` people counted by any noun ("3 flatmates").
    """

    number: Callable[[str], int]
    total: int = 0
    adults: int = 0
    children: int = 0
    infants: int = 0
    kin: int = 0
    others: int = 0
    me: bool = False
    ages: list[int] = field(default_factory=list)
    within: bool = False
    no_children: bool = False
    joins: bool = False
    leaves: bool = False
    teens: bool = False
    young_ends: list[int] = field(default_factory=list)
    total_start: int = 0

    @property
    def young(self) -> bool:
        """Whether children or ages were mentioned."""
        return any(self._young)

    @property
    def _young(self) -> tuple[int, int, int]:
        return self.children, self.infants, len(self.ages)

    def any(self) -> bool:
        """Return whether anybody was mentioned."""
        return bool(self.ages or self.me or any(getattr(self, name) for name in _COUNTS))

    def add(self, match: re.Match[str]) -> None:
        """Add the people of a match by its groups.

        A count without a number is 1, `duo` and `kins` are 2, `pairs` counts double. A single age in `ages` is that of
        `times` children; `age` is added unless listed; `of` counts children whose ages are given, `names` lists people.
        """
        young, total, groups = self._young, self.total, parts_of(match)
        ages = [age for word in _words(groups.get("ages", "")) if (age := self.number(word)) or word == "0"]
        if "age" in groups and (age := self._count(groups["age"])) not in self.ages:
            ages.append(age)
        if "months" in groups:
            ages.append(self._count(groups["months"]) // 12)
        self.ages += ages * (self._count(groups.get("times", "")) if len(ages) == 1 else 1)
        self.children += max(0, self._count(groups["of"]) - len(ages)) if "of" in groups else 0
        for name in _COUNTS[1:]:
            counted = name in groups and not (name == "kin" and ages and min(ages) >= ADULT)
            setattr(self, name, getattr(self, name) + (self._count(groups[name]) if counted else 0))
        self.kin += self._count(groups["kins"], 2) if "kins" in groups else 0
        if not total or (self.joins != self.leaves and "total" in groups):
            self.total = 2 * self._count(groups["pairs"]) if "pairs" in groups else 2 * ("duo" in groups)
            self.total = self._count(groups["total"]) if "total" in groups else self.total
            self.total += 1 + len({*_BETWEEN.split(groups["names"])} - {""}) if "names" in groups else 0
        for name in _MARKS:
            setattr(self, name, getattr(self, name) or name in groups)
        self.young_ends += [match.end()] if self._young != young else []
        if not total and self.total:
            self.total_start = match.start()

    def take(self, form: Form, *patterns: re.Pattern[str]) -> None:
        """Add the people of all matches in the unread rest of a clause, and blank them out."""
        for pattern in patterns:
            for match in form.take(pattern, "people"):
                self.add(match)

    def _count(self, text: str, otherwise: int = 1) -> int:
        return next((count for word in _words(text) if (count := self.number(word))), otherwise)


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text) if word not in {"a", "an"}]


def read_party(form: Form, context: ReadingContext) -> Party | None:
    """Return who travels by the unread rest of a clause, and blank it out; None if nobody is mentioned."""
    heads, asked = Heads(form.words.number), form.patterns("people", "asked")
    _reduce_to_relations(form)
    cues = form.words.found(form.text, "people", "cues")
    cues -= set() if context.trip_open else {"own_family"}
    heads.leaves, heads.within = "leaves" in cues, "within" in cues
    heads.joins = "joins" in cues and not heads.leaves
    _blank_repeats(form)
    if context.asked == "people":
        heads.take(form, asked["number"], asked["numbers"])
    _take_named(heads, form, context, cues)
    if context.asked == "people" and not heads.total and asked["rest"].fullmatch(asked["listed"].sub("", form.rest)):
        cues.add("for_kin")  # a list of people and nothing else
        heads.take(form, asked["listed"])
    if heads.any():
        heads.take(form, asked["named_young"])
    bare = context.trip_open and not context.offers_shown and context.asked is None and form.words.code == "en"
    keys = ["names", *(["people"] if bare or context.asked == "people" else [])]
    keys += (["several_more", "one_more"] if heads.joins else []) + (["kin_away"] if heads.leaves else [])
    for key in keys:
        if not heads.any() and (match := form.take_first(asked[key], "people")):
            heads.add(match)
    young_end = max((end for end in heads.young_ends if end <= heads.total_start), default=0)
    between, links = form.text[young_end : heads.total_start] if young_end else "", form.patterns("people", "cues")
    beside = links["beside_total"].match(form.text, heads.total_start)  # "he is 7, so four of us plus a child"
    if between and not (links["beside"].match(between) or beside):
        heads.within = True  # "a baby and two kids, so five of us"
    if heads.joins and heads.kin and not context.trip_open and "with_me" in cues:
        heads.joins, heads.me = False, True  # "my mother comes with me": there is no trip yet for her to join
    uncertain = "unsure" in cues and (heads.joins or heads.leaves)
    _settle(heads, cues)
    if uncertain and (heads.joins or heads.leaves):
        return None  # "my mother might join us": undecided
    party = _family_in(heads, form) or party_of(heads)
    words = [word for start, end, what in form.taken if what == "people" for word in _words(form.text[start:end])]
    uncounted = context.counted and party in _A_CHILD and not any(map(form.words.number, words))
    return None if uncounted and asked["in_passing"].search(form.text) else party  # 「子どもが起きられない」


def read_stranger(form: Form, context: ReadingContext) -> Party | None:
    """Return somebody known only by a name who joins or leaves the trip, or a "he" or "she" who leaves; else None."""
    match = form.patterns("people", "asked")["stranger"].search(form.rest) if context.trip_open else None
    if not match or BLANK in match[0]:
        return None
    key = next(each for each in match.groupdict() if match[each])
    who, gone = form.original_at(*match.span(key)), key == "gone"
    if form.spans and not gone and not _is_named(who):
        return None
    form.blank(*match.span(), "people")
    return Party(adults=1 if gone else None, leaves=gone, unsure=who)


def _family_in(heads: Heads, form: Form) -> Party | None:
    """Return the traveller's family if it is mentioned without a count or an age ("all of us", "me and the kids")."""
    if heads.ages or heads.total or heads.infants or heads.children > 1 or heads.joins or heads.leaves:
        return None
    for key, alone in (("family", 0), ("kids", 1)):
        if match := form.patterns("people", "asked")[key].search(form.text):
            name = next(each for each in match.groupdict() if match[each])
            form.blank(*match.span(name), "people")
            return Party(
                adults=heads.adults or heads.kin + alone if alone else None, family=form.original_at(*match.span(name))
            )
    return None


def _reduce_to_relations(form: Form) -> None:
    """Reduce a relation with a name (「妻の美咲も」) to the relation, at the end of the stretch."""
    for match in [*form.patterns("people", "asked")["apposed"].finditer(form.rest)]:
        (start, _), (_, end) = match.span("kin"), match.span("name")
        form.rest = f"{form.rest[:start]}{BLANK * len(match['name'])}{match['kin']}{form.rest[end:]}"
        form.text = f"{form.text[:start]}{match['name']}{match['kin']}{form.text[end:]}"


def _blank_repeats(form: Form) -> None:
    """Blank out repeated mentions of a person by the same word ("with mum, and mum wants a window seat")."""
    named = set[str]()
    for match in form.patterns("people", "asked")["mention"].finditer(form.rest):
        if match["who"] in named:
            form.blank(*match.span("who"), "people")
        named.add(match["who"])


def _take_named(heads: Heads, form: Form, context: ReadingContext, cues: set[str]) -> None:
    """Add the people that the patterns match; counts of rooms are restored for `read_wishes`."""
    if heads.joins or heads.leaves:
        heads.take(form, form.patterns("people", "asked")["one_of"])
    rooms: list[re.Match[str]] = []
    listed = context.asked == "people" or form.taken
    small = form.patterns("people", "cues")["thing_one"].search(form.text) if context.about else None
    for key, pattern in form.patterns("people", "people").items():
        if heads.total and "total" in pattern.groupindex:
            continue
        if key == "others" and context.offers_shown and not (heads.joins or form.taken):
            continue  # "two tourists were robbed there"
        if (key == "theirs" and heads.joins) or (key == "named_list" and not listed):
            continue  # "my sister has two kids and they are coming too"
        if key == "she_is" and "young" not in cues:
            continue
        named = pattern.search(form.rest) if key == "named_and_i" else None
        if named and (
            context.asked in ("origin", "destination") or not _is_named(form.original_at(*named.span("names")))
        ):
            continue  # "Rome and I want a window seat", "only economy and I must have a bag"
        rooms += [*pattern.finditer(form.rest)] if key == "rooms_of" else []
        hit = pattern.search(form.rest) if small and context.asked != "people" else None
        if small and hit and hit.start() < small.end() and small.start() < hit.end():
            continue  # "a small one", of cars
        heads.take(form, pattern)
    for match in rooms:
        form.restore(*match.span())


def _is_named(text: str) -> bool:
    """Return whether each word has a capital letter and is no stop word ("Oh and I …")."""
    names = {word for word in words(text) if word not in ("and", "plus")}
    return all(word[0].isupper() and word.casefold() not in word_set("stop_words") for word in names)


def _settle(heads: Heads, cues: set[str]) -> None:
    """Resolve what each count means, by the cues of the whole clause."""
    if heads.leaves and heads.total:
        heads.children, heads.infants, heads.ages = 0, 0, []  # "the baby stays with grandma, so just the four of us"
    if heads.no_children:
        if not (heads.adults or heads.total or heads.ages or heads.kin):
            heads.adults = heads.children + heads.me  # "four girls, all over 21"
        heads.children, heads.ages = 0, []  # "the kids stay with grandma, so adults only"
    young = heads.young
    if heads.others and not heads.total:
        heads.adults += heads.others + heads.kin + heads.me
        heads.kin, heads.me = 0, False
    heads.others = 0
    if "twins" in cues:
        of = "infants" if heads.infants and not heads.children else "children"
        setattr(heads, of, max(2, getattr(heads, of)))
        heads.ages = heads.ages * 2 if len(heads.ages) == 1 else heads.ages
    if heads.leaves and not (young or heads.kin) and "own_children" in cues:
        heads.no_children, heads.leaves = True, False
    if not young and ("only_kin" in cues or (heads.total and "nobody_else" in cues)):
        heads.no_children = True
    if "now" in cues:
        heads.joins = heads.leaves = False
    if heads.total and heads.joins:
        heads.adults = 0
    if "more" not in cues:
        heads.joins = heads.joins and not (heads.total or heads.adults > 1)
    heads.me = heads.me or (young and "self_and" in cues)
    heads.me = heads.me or (heads.any() and "with_own" in cues and not (heads.joins or heads.leaves))
    counts = heads.me or heads.joins or heads.leaves or heads.total or heads.adults or young or "for_kin" in cues
    heads.kin = heads.kin if counts else 0
    counted = heads.total or heads.adults or heads.kin or young or "own_family" in cues
    heads.me = (heads.me or "own_family" in cues) and bool(counted)  # "me and the girls" counts nobody
    heads.leaves = heads.leaves and not (heads.total or (heads.adults and "one_less" not in cues))
    if heads.kin and (heads.joins or heads.leaves):
        heads.me = False
    if heads.total and heads.kin:
        heads.kin, heads.me, heads.within = 0, False, True
    if not heads.any():
        heads.joins = heads.leaves = False


def party_of(heads: Heads) -> Party | None:
    """Return the party that the counts make, or None if nobody was counted."""
    young = [age for age in heads.ages if age < ADULT]
    infants = max(heads.infants, sum(age < CHILD for age in young))
    laps = max(0, sum(age < CHILD for age in young) - heads.infants)
    children = max(heads.children - (len(heads.ages) - len(young)) - laps, sum(age >= CHILD for age in young))
    grown_young = len(heads.ages) - len(young)
    adults = heads.adults + grown_young if heads.adults or (grown_young and not heads.total) else 0
    if heads.kin and not heads.adults:
        aged = min(heads.kin, sum(age >= GROWN for age in heads.ages))
        adults = heads.kin + grown_young - aged + (1 if heads.me else 0)
    elif heads.me and not (heads.adults or heads.total):
        adults = 1 + grown_young
    if heads.total:
        rest = heads.total - children - infants if heads.within else heads.total
        adults = adults or (max(1, rest) if children or infants or heads.no_children else 0)
    ages, teens = tuple(young), heads.teens or any(ADULT <= age < OF_AGE for age in heads.ages)
    if grown_young and not (heads.total or heads.adults or heads.children or heads.infants or heads.kin or heads.me):
        return Party(ages=tuple(heads.ages), teens=teens)
    party = Party(heads.total or None, adults or None, children or None, infants or None, ages)
    if party == Party() and not heads.no_children:
        return None
    none = 0 if heads.no_children else None
    counts = party.total, party.adults, party.children or none, party.infants or none
    return Party(*counts, ages, heads.joins, heads.leaves, teens=teens)
