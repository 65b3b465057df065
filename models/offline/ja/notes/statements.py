"""Finds what the user says of themselves in Japanese that is worth keeping: durable, in their own words."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from models.offline.ja.clauses import Clause, clauses, is_plain, is_question, is_request, trimmed, unlinked
from models.offline.ja.notes import scope_cues
from models.offline.ja.notes.conditions import split_condition
from models.offline.ja.notes.save_requests import asks_to_remember, without_request
from models.offline.ja.notes.topics import hits, is_telling, topic_of
from models.offline.ja.wording import plain
from models.offline.readings import LONGEST_NOTE, Statement
from models.offline.tables import Stance, find_stances

_MOST = 6
_STOPS = "。！!？?…\n"
_CONFIDENCE = {"hard": 0.95, "strong": 0.9, "mild": 0.85, "wish": 0.7, "once": 0.75}
_FEATURES: frozenset[str] = frozenset(
    {
        "seat", "cabin", "meal", "room", "baggage", "layover", "airline", "hotel", "neighborhood", "transport", "car",
        "pace", "booking",
    }
)  # fmt: skip
_GENERIC = re.compile(
    r"(?:ホテル|宿|部屋|席|座席|飛行機|便|フライト|移動|食事|旅行|旅|航空会社|レンタカー|機内食|荷物|"
    r"支払い|連絡|予定|立地|ベッド|朝食|乗り継ぎ|観光|説明)(?:は|なら|については|に関しては)(?!\d)"
)
_WANTS = ("たい", "たいです", "たいんです", "たいのです")
_CORRECTS = re.compile(
    r"^(?:(?:いや|いえ|あ|あっ|すみません|ごめんなさい?)[、,。 ]*)?(?:やっぱり?|やはり|訂正|違います|違う|"
    r"考え直|気が変わ)"
)
_WISHING = re.compile(
    r"(?:たい(?:です|んです|のです|な|ね|よ|と思います)?|ください|下さい|お願い(?:し|いたし)?ます|"
    r"お願い)(?:ね|よ)?$"
)
_ASKING = re.compile(
    r"(?:お願い(?:し|いたし)?ます|お願い|ください|下さい|よろしく)(?:ね|よ)?$|不要|いりません|いらない|要りません|要らない|必要(?:は|が)?(?:ない|あり)|"
    r"(?:[\d一二三四五六]つ|[\d一二三四五六](?:部屋|室|台|枚|名|人))"
)
"""Asks for, or waives, something of the trip at hand."""
_STAYING = re.compile(
    r"いつも|毎回|今後|これから|次から|次回から|以後|派|主義|常に|普段|昔から|タイプ|基本|どこ|たち(?:で|"
    r"な)|性格"
)


@dataclass(frozen=True, slots=True)
class _Judged:
    clause: Clause
    level: str | None
    topic: str | None

    @property
    def trip_only(self) -> bool:
        return self.level == "once"


def detect(text: str) -> list[Statement]:
    """Statements worth keeping in `text`, at most six. Questions, trip details and small talk give none."""
    judged = _judge_all(text)
    return [_statement(group, text) for group in _grouped(judged)][:_MOST]


def _judge_all(text: str) -> list[_Judged]:
    found = [clause for clause in _request_joined(clauses(text), text) if is_plain(clause.text)]
    judged: list[_Judged] = []
    for place, clause in enumerate(found):
        before = judged[-1] if judged and clause.link == "reason" else None
        after = found[place + 1] if place + 1 < len(found) and found[place + 1].link == "reason" else None
        judged.append(_judge(clause, before, after))
    return judged


def _request_joined(found: list[Clause], text: str) -> list[Clause]:
    """A bare request to remember is joined with the statement that it follows or opens."""
    joined: list[Clause] = []
    for clause in found:
        before = joined[-1] if joined else None
        if before and (_only_asks(clause.text) or _only_asks(before.text, "：")):
            whole = replace(before, text=text[before.start : clause.end], end=clause.end, asked=False)
            joined[-1] = whole
        else:
            joined.append(clause)
    return joined


def _only_asks(said: str, end: str = "") -> bool:
    """True for a request to remember that does not say what."""
    return asks_to_remember(said) and not is_plain(without_request(said + end))


def _judge(clause: Clause, before: _Judged | None, after: Clause | None) -> _Judged:
    keep = asks_to_remember(clause.text)
    words = trimmed(without_request(clause.text) if keep else clause.text)
    form = plain(words)
    topic = topic_of(hits(form)) or (before.topic if before else None)
    if not form or (not keep and (is_question(form, clause.asked) or is_request(form))):
        return _Judged(clause, None, topic)
    level = _level(form, topic, keep, plain(before.clause.text) if before else "")
    bound = scope_cues.one_trip(form) or scope_cues.dated(form)
    reasoned = level == "once" and before is not None and before.level in {"hard", "strong"}
    if not bound and (reasoned or (level in {None, "once"} and _corrects(clause.text, form))):
        level = "strong"
    if level in {"mild", "wish", "once"} and after is not None and scope_cues.one_trip(plain(after.text)):
        level = "once" if topic in _FEATURES else None
    return _Judged(clause, level, topic)


def _corrects(said: str, form: str) -> bool:
    """True for 「やっぱり通路側で」: one value of a feature, put in the place of another."""
    return bool(_CORRECTS.match(said)) and any(stance.name == "corrected" for stance in find_stances("ja", form))


def _level(form: str, topic: str | None, keep: bool, reason: str) -> str | None:
    """The level at which a clause with its `reason` is kept, `once` for a trip-only one, or None."""
    if scope_cues.others(form) or scope_cues.hearsay(form):
        return None
    found = find_stances("ja", form)
    for stance in found:
        if level := _allowed(stance, form, topic, reason):
            return level
    if keep and len(form) > 2:
        return "once" if scope_cues.dated(form) or scope_cues.past(form) else "strong"
    return None


def _allowed(stance: Stance, form: str, topic: str | None, reason: str) -> str | None:
    if scope_cues.past(form) or scope_cues.hypothetical(form):
        return None
    if stance.level == "hard":
        return "once" if scope_cues.one_trip(form) else "hard"
    whole = reason + form
    if topic is None or scope_cues.definite(whole):
        return None
    if scope_cues.one_trip(whole):
        return "once" if topic in _FEATURES else None
    if scope_cues.dated(whole):
        return None
    return _firm(stance, form, topic) if stance.level == "strong" else _tasteful(stance, form, topic)


def _firm(stance: Stance, form: str, topic: str) -> str | None:
    if not _WISHING.search(form) or _STAYING.search(form):
        return "strong"
    if _is_errand(form):
        return None
    if stance.name != "frequency" or _GENERIC.search(form) or (form.endswith(_WANTS) and topic in _FEATURES):
        return "strong"
    return "once"


def _is_errand(form: str) -> bool:
    """Return whether `form` asks for one thing, names a route, or a time of day to be at."""
    return scope_cues.request_for_one(form) or scope_cues.route(form) or scope_cues.clocked(form)


def _tasteful(stance: Stance, form: str, topic: str) -> str | None:
    if (
        scope_cues.request_for_one(form)
        or scope_cues.route(form)
        or scope_cues.clocked(form)
        or not is_telling(hits(form))
    ):
        return None
    if stance.level == "wish":
        lasting = (_GENERIC.search(form) and not _ASKING.search(form)) or split_condition(form)[1]
        return "wish" if lasting else "once" if topic in _FEATURES else None
    return stance.level


def _grouped(judged: list[_Judged]) -> list[list[_Judged]]:
    """Kept clauses, each with the clause that gives its reason."""
    groups: list[list[_Judged]] = []
    open_group = False
    for item in judged:
        if item.level is None:
            open_group = False
            continue
        last = groups[-1][-1] if groups else None
        joins = (
            open_group and last is not None and item.clause.link == "reason"
            and item.clause.sentence == last.clause.sentence and item.trip_only == last.trip_only
        )  # fmt: skip
        if joins:
            groups[-1].append(item)
        else:
            groups.append([item])
        open_group = True
    return groups


def _statement(group: list[_Judged], message: str) -> Statement:
    end = group[-1].clause.end
    quote, rest = message[group[0].clause.start : end], message[end:].lstrip(" 、,")
    words = without_request(quote) if asks_to_remember(quote) else quote
    sentence = _shortened(unlinked(trimmed(words), bool(rest) and rest[0] not in _STOPS))
    text, condition = split_condition(sentence)
    form = plain(text)
    # What the statement says counts twice what its condition says.
    found = [*hits(form), *hits(form), *hits(plain(condition or ""))]
    topic = topic_of(found) or group[-1].topic or group[0].topic or "other"
    return Statement(
        text=text,
        quote=quote,
        topic=topic,
        trip_only=group[0].trip_only,
        condition=condition,
        confidence=max(_CONFIDENCE[item.level] for item in group if item.level),
        sentence=sentence if condition else "",
    )


def _shortened(text: str) -> str:
    if len(text) <= LONGEST_NOTE:
        return text
    cut = re.match(rf"^.{{20,{LONGEST_NOTE}}}(?=[、。])", text)
    return cut[0] if cut else text[:LONGEST_NOTE]
