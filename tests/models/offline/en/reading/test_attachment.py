"""Which part of a trip a word of a message belongs to: a fare or the dates, the way out or home, whose meeting."""

from __future__ import annotations

from tests.models.offline.en.reading.phrases import missed
from tests.tables import table as cases

_TRIP = " [shown start=2026-12-14 end=2026-12-18]"


@cases(
    ("said", "wanted"),
    [
        ("Warsaw to Rome, 12 to 19 December, flexible fare", "flex=- start=2026-12-12"),
        ("Warsaw to Rome, 12 to 19 December, flexible tickets only", "flex=-"),
        ("Warsaw to Rome, 12 to 19 December, a fully flexible economy fare", "flex=-"),
        ("Warsaw to Rome, 12 to 19 December, the ticket has to be flexible", "flex=-"),
        ("Warsaw to Rome, 12 to 19 December, flexi fare please", "flex=-"),
        ("hotel in Rome, 12 to 19 December, flexible rate", "flex=- features=free_cancellation"),
        ("Warsaw to Rome, 12 to 19 December, flexible", "flex=3"),
        ("Warsaw to Rome, 12 to 19 December, flexible dates", "flex=3"),
        ("Warsaw to Rome, 12 to 19 December, flexible by 2 days", "flex=2"),
    ],
)
def test_a_flexible_fare_is_no_flexible_date(said: str, wanted: str) -> None:
    assert not missed(said, wanted)


@cases(
    ("said", "wanted"),
    [
        ("Please to change the flight to 20 December the return", "start=- end=2026-12-20"),
        ("change the flight to the 20th, the return", "start=- end=2026-12-20"),
        ("move it to 20 December, just the return", "start=- end=2026-12-20"),
        ("the 20th for the return please", "start=- end=2026-12-20"),
        ("make it 20 December for the way back", "start=- end=2026-12-20"),
        ("can we do the 20th only for the flight home?", "start=- end=2026-12-20"),
        ("please change to 13 December for the outbound", "start=2026-12-13 end=-"),
        ("out on the 13th, return on the 19th", "start=2026-12-13 end=2026-12-19"),
        ("13 December for a return flight", "start=2026-12-13 end=-"),
    ],
)
def test_a_word_after_a_day_says_which_way_it_is_of(said: str, wanted: str) -> None:
    assert not missed(said + _TRIP, wanted)
