"""What a conversation came to decide: kept in its summary, so that nothing is looked for twice."""

from __future__ import annotations

from collections.abc import Iterable

from models.offline.languages import all_languages
from models.offline.tasks.headings import by_heading
from models.offline.travel.request import KINDS, Kind

_BETWEEN = "; "


def decisions(replies: Iterable[str], before: str) -> str:
    """The bookings made and cancelled in `replies`, by their kind, after those of the summary `before`."""
    found = [part for part in before.split(_BETWEEN) if part]
    for text in replies:
        for line in text.splitlines():
            found += [said for said in _sayings() if line.startswith(f"{said}: ") or line.startswith(f"{said}：")]
    return _BETWEEN.join(dict.fromkeys(found))


def decided_kinds(summary: str) -> frozenset[Kind]:
    """The kinds that the decisions of a history summary settle."""
    told = by_heading(summary).get("decisions", "") if summary else ""
    return frozenset(kind for said, kind in _sayings().items() if said in told)


def _sayings() -> dict[str, Kind]:
    return {
        language.say(key, kind=language.say(f"kind_{kind}")): kind
        for language in all_languages()
        for key in ("decided_booked", "decided_cancelled")
        for kind in KINDS
    }
