"""`concierge trips`: list, show, cancel and export."""

from __future__ import annotations

import shutil
import stat
from pathlib import Path

import pytest
from icalendar import Calendar

from tests.app.commandline import CommandLine, Outcome
from tests.app.pending import LEAVES, booked, bookings_wait


@pytest.fixture(scope="module")
def journeys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a data directory in which Ana has two booked flights."""
    concierge = CommandLine(tmp_path_factory.mktemp("journeys"))
    bookings_wait(concierge, 2)
    assert concierge("chat", "--user", "ana", "--thread", "t", "--resume", "approve").code == 0
    return concierge.data_dir


@pytest.fixture
def travelling(concierge: CommandLine, journeys: Path) -> CommandLine:
    shutil.copytree(journeys, concierge.data_dir)
    return concierge


def trips(concierge: CommandLine, *args: str, stdin: str = "", user: str = "ana") -> Outcome:
    return concierge("trips", *args, "--user", user, stdin=stdin)


def test_bookings_and_trips_are_listed_with_their_source(travelling: CommandLine) -> None:
    first, second = booked(travelling)
    shown = trips(travelling, "list").out
    assert "sample data: made up" in shown
    assert first["reference"] in shown
    assert second["reference"] in shown
    assert shown.count("booked, paid $") == 2
    assert {"keys", "reserved_as", "released"}.isdisjoint(first)
    assert (first["status"], first["source"], first["starts"]) == ("booked", "sample data", LEAVES.isoformat())
    travelling("demo", "--user", "demo")
    listed = trips(travelling, "list", user="demo")
    assert "Lisbon - Kyoto (completed, ANA, Kamo River Inn)" in listed.out
    assert len(trips(travelling, "list", "--json", user="demo").json["trips"]) == 3


def test_booking_is_shown_with_itinerary_receipts_and_rules(travelling: CommandLine) -> None:
    one, other = booked(travelling)
    shown = trips(travelling, "show", one["reference"]).out
    for text in (
        "sample data", f"{LEAVES}", "Berlin (BER) - Lisbon (LIS)", "receipts:", f"{one['reference']}-1", "rules:",
        "Cancelling now pays back $", "Changing: ", "conversation t",
    ):  # fmt: skip
        assert text in shown
    assert other["reference"] not in shown
    data = trips(travelling, "show", one["reference"][3:7].lower(), "--json").json
    assert data["id"] == one["id"]
    assert data["refund"]["amount"] == one["paid"]
    assert data["itinerary"][0]["day"] == LEAVES.isoformat()
    everything = trips(travelling, "show").out
    assert one["reference"] in everything
    assert other["reference"] in everything
    assert trips(travelling, "show", "--json").json["source"] == "sample data"


@pytest.mark.parametrize(("what", "says"), [("lisbon hotel", "no booking"), ("flight", "2 bookings"), ("", "no book")])
def test_booking_must_be_named_unambiguously(travelling: CommandLine, what: str, says: str) -> None:
    for verb in ("show", "cancel"):
        refused = trips(travelling, verb, what)
        assert (refused.code, refused.out) == (2, "")
        assert says in refused.err
    assert len(booked(travelling)) == 2


def test_cancel_shows_the_refund_and_asks_for_confirmation(travelling: CommandLine) -> None:
    one, other = booked(travelling)
    name = one["reference"]
    asked = trips(travelling, "cancel", name, stdin="no\n")
    assert asked.code == 0
    assert "Cancelling now pays back $" in asked.err
    assert "is kept as it was" in asked.out
    unanswered = trips(travelling, "cancel", name)
    assert (unanswered.code, unanswered.out) == (2, "")
    assert "--yes" in unanswered.err
    assert len(booked(travelling)) == 2
    done = trips(travelling, "cancel", name, stdin="y\n")
    assert done.code == 0
    assert f"cancelled: {name}" in done.out
    assert "paid back: $" in done.out
    assert [left["id"] for left in booked(travelling)] == [other["id"]]
    again = trips(travelling, "cancel", name, "--yes")
    assert again.code == 2
    assert "It is cancelled" in again.err
    assert "cancelled, paid $0.00" in trips(travelling, "list", "--all").out
    data = trips(travelling, "cancel", "flight", "--yes", "--json").json
    assert (data["id"], data["status"], data["paid"]["amount"]) == (other["id"], "cancelled", 0)
    assert data["refund"]["amount"] == other["paid"]


def test_hold_is_shown_as_a_hold(concierge: CommandLine) -> None:
    bookings_wait(concierge, tool="hold_offer")
    assert concierge("chat", "--user", "ana", "--thread", "t", "--resume", "approve").code == 0
    shown = trips(concierge, "show", "flight").out
    assert "held until" in shown
    assert "nothing was paid" in shown
    assert "paid back: $0.00" in trips(concierge, "cancel", "flight", "--yes").out


def test_calendar_is_written_to_a_file_or_to_stdout(travelling: CommandLine) -> None:
    one, _ = booked(travelling)
    file = travelling.folder / "trips.ics"
    output = trips(travelling, "export", str(file)).out
    assert "2 bookings (sample data)" in output
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(Calendar.from_ical(file.read_bytes()).walk("VEVENT")) == 4
    printed = trips(travelling, "export", "--booking", one["reference"])
    events = Calendar.from_ical(printed.out).walk("VEVENT")
    assert len(events) == 2
    assert all("sample data" in str(event["DESCRIPTION"]) for event in events)
    assert trips(travelling, "export", "-b", one["reference"], "--json").json["bookings"] == [one["reference"]]
    assert trips(travelling, "export", str(file), "--json").json["file"] == str(file)
    assert trips(travelling, "export", "nowhere/trips.ics").code == 1
    assert trips(travelling, "export", "-b", "nothing").code == 2


@pytest.mark.parametrize("other", ["an", "ANA", "*"])
def test_no_command_accesses_bookings_of_other_users(travelling: CommandLine, other: str) -> None:
    one, _ = before = booked(travelling)
    for args in (["show", one["reference"]], ["show", one["id"]], ["cancel", one["id"], "--yes"], ["export"]):
        refused = trips(travelling, *args, user=other)
        assert (refused.code, refused.out) == (2, "")
    assert trips(travelling, "list", "--json", user=other).json == {"bookings": [], "trips": []}
    assert booked(travelling) == before


def test_disabled_travel_names_the_setting(concierge: CommandLine) -> None:
    refused = concierge("trips", "list", "--user", "ana", env={"CONCIERGE_TRAVEL": "off"})
    assert refused.code == 1
    assert "CONCIERGE_TRAVEL=sample" in refused.err


def test_calendar_is_exported_in_the_chat(travelling: CommandLine) -> None:
    file = travelling.folder / "my trips.ics"
    output = travelling("chat", "--user", "ana", stdin=f"/trips export {file}\n/trips export nowhere/trips.ics\n").out
    assert "exported to" in output
    assert "cannot be written" in output
    assert Calendar.from_ical(file.read_text(encoding="utf-8")).walk("VEVENT")
    assert "nothing is booked" in travelling("chat", "--user", "bob", stdin="/trips export\n").out
