"""Arguments as people read and change them."""

from __future__ import annotations

from typing import Any

import pytest

from app.cli.chat.arguments import changed, written, written_lines
from config.errors import InvalidInputError

ARGS: dict[str, Any] = {"offer_id": "FL.1", "seats": [{"segment": 0, "seat": "12A"}, {"segment": 1, "seat": "3C"}]}


def test_what_is_written_reads_back_as_it_was() -> None:
    args = {**ARGS, "extra_bags": 2, "requests": ["vegetarian meal", "quiet"], "note": None, "odd": ["a,b"]}
    assert written_lines(ARGS) == ["offer_id=FL.1", "seats=12A, 1:3C"]
    assert changed(args, written_lines(args)) == args


@pytest.mark.parametrize(
    ("line", "key", "value"),
    [
        ("extra_bags=2", "extra_bags", 2),
        ("extra_bags = two", "extra_bags", "two"),
        ("seats=14c, 2:1K", "seats", [{"segment": 0, "seat": "14C"}, {"segment": 2, "seat": "1K"}]),
        ("seats=anything", "seats", ["anything"]),
        ("requests=vegetarian meal, window = yes", "requests", ["vegetarian meal", "window = yes"]),
        ('requests=["a, b"]', "requests", ["a, b"]),
        ("offer_id=123", "offer_id", "123"),
    ],
)
def test_a_line_changes_one_argument(line: str, key: str, value: Any) -> None:
    assert changed(ARGS, [line]) == {**ARGS, key: value}


def test_an_empty_value_takes_it_away_and_nothing_is_changed_in_place() -> None:
    assert changed(ARGS, ["seats="]) == {"offer_id": "FL.1"}
    assert written(ARGS["seats"]) == "12A, 1:3C"


@pytest.mark.parametrize("line", ["more bags", "=2", "two words=2", "-=1"])
def test_what_is_no_pair_is_refused(line: str) -> None:
    with pytest.raises(InvalidInputError, match="no key=value"):
        changed(ARGS, [line])
