"""A conversation over HTTP: answers as they are written, approval, stopping in the middle, the end of a session."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tests.app.page.conftest import Server

_DAY = f"{datetime.now(UTC) + timedelta(days=40):%Y-%m-%d}"
_FLIGHT = f"Find me a flight from Berlin to Lisbon on {_DAY}, one way, one adult."


def test_from_hello_to_a_booking(server: Server) -> None:
    with server.page("ana") as page:
        *pieces, reply = page.events("/threads/trip/messages", message="Hello! I am vegetarian, please remember that.")
        assert "".join(one["text"] for one in pieces if one["type"] == "token").strip() == reply["reply"]
        assert [note["topic"] for note in reply["memory"]["written"]] == ["meal"], reply
        assert page.json("/threads/trip")["noted"][0]["text"] == reply["memory"]["written"][0]["text"]
        steps = [one["name"] for one in page.events("/threads/trip/messages", message=_FLIGHT) if one["type"] == "step"]
        assert steps == ["search_flights", "thinking"]
        reply = page.say("trip", "Book the first one.", language="ja")
        (question,) = reply["interrupts"]
        assert page.json("/threads/trip")["waiting"] == question
        assert "BER→LIS" in question["action_requests"][0]["description"]
        *_, wrong = page.events("/threads/trip/decisions", decisions=[{"type": "approve"}] * 2)
        assert wrong["error"]["kind"] == "invalid"
        *_, done = page.events("/threads/trip/decisions", decisions=[{"type": "approve"}], language="ja")
        assert [use["outcome"] for use in done["tools"] if use["name"] == "book_offer"] == ["ran"], done
        (booking,) = page.json("/trips")["bookings"]
        assert booking["reference"] in done["reply"]
        assert page.get(f"/trips/{booking['reference']}/calendar.ics").text.startswith("BEGIN:VCALENDAR")
        *_, ended = page.events("/threads/trip/end")
        assert [one["op"] for one in ended["memory"]["consolidated"]] == ["ADD"]
        assert [note["topic"] for note in page.json("/memory")["notes"]] == ["meal"]
        (listed,) = page.json("/threads")["threads"]
        assert listed["title"].startswith("Hello! I am vegetarian")
        assert listed["turns"] == 3
