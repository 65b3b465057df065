"""Reads a history summary back into its headings, however they are set ("Trip: …", "## Trip", "**Trip**")."""

from __future__ import annotations

import re

FIELDS = ("trip", "travellers", "preferences", "constraints", "options", "decisions", "open_questions")
UNVERIFIED = "UNVERIFIED"

_HEADING = re.compile(
    r"^[\W_]*(?P<name>trip|travell?ers|preferences|constraints|options|decisions|open[ "
    r"_]questions)\b[\W_]*(?P<rest>.*)$",
    re.IGNORECASE,
)


def by_heading(text: str) -> dict[str, str]:
    """The text under each heading that `text` has, by field name; parts marked UNVERIFIED are left out."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in text.splitlines():
        match = _HEADING.match(line)
        if match:
            name = match["name"].lower().replace(" ", "_").replace("travelers", "travellers")
            found.setdefault(name, []).append(match["rest"].strip())
        elif name and line.strip():
            found[name].append(line.strip(" -*"))
    joined = {name: " ".join(part for part in parts if part).strip() for name, parts in found.items()}
    return {name: text for name, text in joined.items() if text and text.strip(". ") != UNVERIFIED}


def is_summary(text: str) -> bool:
    """True for text under most of the headings of a history summary."""
    names = {match["name"].lower() for line in text.splitlines() if (match := _HEADING.match(line))}
    return len(names) >= len(FIELDS) - 2
