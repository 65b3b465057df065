"""Reads a history summary back into its headings, however they are set ("Trip: …", "## Trip", "**Trip**")."""

import re

FIELDS = ("trip", "travellers", "preferences", "constraints", "options", "decisions", "open_questions")
UNVERIFIED = "UNVERIFIED"

_OTHER_NAMES = {
    "travelers": "travellers", "旅程": "trip", "旅行者": "travellers", "好み": "preferences", "制約": "constraints",
    "検討した選択肢": "options", "決まったこと": "decisions", "未決事項": "open_questions",
}  # fmt: skip
_HEADING = re.compile(
    rf"^[\W_]*(?P<name>{'|'.join((*FIELDS, 'open questions', *_OTHER_NAMES))})\b[\W_]*(?P<rest>.*)$", re.IGNORECASE
)


def by_heading(text: str) -> dict[str, str]:
    """The text under each heading that `text` has, by field name; parts marked UNVERIFIED are left out."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in text.splitlines():
        match = _HEADING.match(line)
        if match:
            name = _named(match)
            found.setdefault(name, []).append(match["rest"].strip())
        elif name and line.strip():
            found[name].append(line.strip(" -*"))
    joined = {name: " ".join(part for part in parts if part).strip() for name, parts in found.items()}
    return {name: text for name, text in joined.items() if text and text.strip(". ") != UNVERIFIED}


def is_summary(text: str) -> bool:
    """True for text under most of the headings of a history summary."""
    names = {_named(match) for line in text.splitlines() if (match := _HEADING.match(line))}
    return len(names) >= len(FIELDS) - 2


def _named(match: re.Match[str]) -> str:
    name = match["name"].lower().replace(" ", "_")
    return _OTHER_NAMES.get(name, name)
