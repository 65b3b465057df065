"""What a statement says of passports and visas."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from models.offline.notes.claims.written import written_as
from models.offline.notes.meaning.form import Form
from text.numbers import MONTHS

_NATION = "nation-"
_DAY = re.compile(r"(?P<year>\d{4})(?:[-/.年](?P<month>\d{1,2})(?:[-/.月](?P<day>\d{1,2})\b日?)?)?")


def documents_in(text: str, form: Form, nations: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the countries of passports and visas, and until when the passport is valid, each with its attribute."""
    said = {name for sign, name in form.atoms if sign > 0 or form.mood == "ends"}
    countries = sorted(name for name in said if name.startswith(_NATION))
    if "passport" in said:
        yield from (("passport", nations[name]) for name in countries if name in nations)
        if "expire" in said and (found := _DAY.search(text)):
            month = next((f"{at:02d}" for at, name in enumerate(MONTHS, 1) if name in text.casefold()), None)
            parts = [found["year"], found["month"] or month, found["day"]]
            yield "passport_expiry", "-".join(part.zfill(2) for part in parts if part)
    if "visa" in said:
        named = (written_as(name, text, "document") for name in [*countries, *sorted(said & form.names)])
        yield from (("visa", words) for words in named if words)
