"""Reads who travels: counts, ages, relations, who joins and who stays at home (「大人2人と5歳の子」)."""

from __future__ import annotations

import re
from functools import partial

from models.offline.ja.form import Form, N, number, pattern, table
from models.offline.reading.party import ADULT, Heads, party_of
from models.offline.reading.understanding import Party, ReadingContext

_table = partial(pattern, "people")


def read_party(form: Form, context: ReadingContext) -> Party | None:
    """Return who travels; None where nobody is named. The words that say it are marked as read."""
    heads = Heads()
    heads.leaves = bool(_table("leaves").search(form.whole))
    heads.joins = bool(_table("joins").search(form.whole)) and not heads.leaves
    if context.asked == "ages" and _table("bare_ages").match(form.left):
        heads.ages = [int(each) for each in re.findall(r"\d+", form.left)]
        form.blank(0, len(form.left))
        return party_of(heads)
    form.take(_table("denied"))
    heads.within = any(_table(name).search(form.left) for name in ("within", "with_young"))
    heads.no_children = bool(form.take(_table("everybody")))
    _read_ages(form, heads)
    _read_young(form, heads)
    _read_grown(form, heads, context)
    if not _any(heads):
        heads.joins = heads.leaves = False
    elif heads.total > 1 or heads.adults > 1:
        heads.joins = heads.joins and bool(heads.kin)
    return party_of(heads)


def _any(heads: Heads) -> bool:
    return bool(heads.total or heads.adults or heads.children or heads.infants or heads.kin or heads.ages)


def _read_ages(form: Form, heads: Heads) -> None:
    for match in form.take_all(_table("months_old")):
        heads.ages.append(number(match[1] or match[2]) // 12)
    for match in form.take_all(_table("ages_of")):
        heads.ages += [int(each) for each in re.findall(r"\d+", match["ages"])]
    for match in form.take_all(_table("years_old")):
        ages = [number(match[part]) for part in ("age", "second", "third") if match[part]]
        count = number(match["count"] or ("2" if match["who"] == "双子" else "1"))
        heads.ages += ages * count if len(ages) == 1 else ages
        if match["kin"] and min(ages) < ADULT:
            heads.kin += 1


def _read_young(form: Form, heads: Heads) -> None:
    for match in form.take_all(_table("one_of")):
        heads.within = True
        rest = form.left[match.end() :]
        if re.match(table("people")["baby"], rest):
            heads.infants += max(0, number(match[1]) - 1)
        elif not re.match(N + "歳", rest):
            heads.children += number(match[1]) - 1
    for match in form.take_all(_table("baby_named")):
        heads.infants += number(match[1] or match[2] or "1")
    counts = [
        number(next((part for part in match.groups() if part), "1")) for match in form.take_all(_table("children"))
    ]
    heads.children += max(0, sum(counts)) if counts else 0


def _read_grown(form: Form, heads: Heads, context: ReadingContext) -> None:
    for match in form.take_all(_table("adults")):
        heads.adults += number(match[1] or match[2])
    if now := form.take(_table("now_are")):
        heads.total, heads.joins, heads.leaves = number(now[1]), False, False
        return
    if more := form.take(_table("one_more")):
        heads.adults += number(more[1] or more[2] or more[3])
        heads.joins, heads.leaves = more[3] is None, more[3] is not None
        return
    if pair := form.take(_table("parents")):
        heads.kin += 2
        heads.me = heads.me or "親" in pair[0] or "父母" in pair[0]
    for match in form.take_all(_table("kin_with")):
        heads.kin += number(match["count"] or "1")
        heads.me = True
    if heads.leaves and not heads.kin:
        heads.kin += len(form.take_all(_table("kin_away")))
    if form.take(_table("myself")):
        heads.me = True
        heads.kin += len(form.take_all(re.compile(r"(?<=■と)" + table("people")["kin"])))
    if heads.kin and (heads.joins or heads.leaves):
        heads.me = False
    if form.take(_table("alone")):
        heads.total = 1
    elif group := form.take(_table("group")):
        heads.total = number(group[1] or "2")
    elif not _any(heads) and context.asked == "people" and (bare := form.take(_table("bare"))):
        heads.total = number(bare[1])
    if heads.total and heads.kin:
        heads.kin, heads.me, heads.within = 0, False, True
