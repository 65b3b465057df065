"""A conversation over HTTP: streamed answers, approval, stopping a turn, and the end of a session."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tests.app.page.conftest import Page, Server

_DAY = f"{datetime.now(UTC) + timedelta(days=40):%Y-%m-%d}"
_FLIGHT = f"Find me a flight from Berlin to Lisbon on {_DAY}, one way, one adult."


def _refusal(page: Page, route: str, **body: object) -> tuple[int, str, str]:
    """Return the status, code and message of a streaming route's error."""
    answer = page.post(f"/threads/trip/{route}", json=body)
    data = answer.json()["error"]
    return answer.status_code, data["kind"], data.get("code", "")


def test_conversation_from_hello_to_a_booking(server: Server) -> None:
    with server.page("ana") as page:
        *pieces, reply = page.events("/threads/trip/messages", message="Hello! I am vegetarian, please remember that.")
        assert "".join(one["text"] for one in pieces if one["type"] == "token").strip() == reply["reply"]
        assert [note["topic"] for note in reply["memory"]["written"]] == ["meal"], reply
        assert page.json("/threads/trip")["noted"][0]["text"] == reply["memory"]["written"][0]["text"]
        steps = [one["name"] for one in page.events("/threads/trip/messages", message=_FLIGHT) if one["type"] == "step"]
        assert steps == ["search_flights", "thinking"]
        (staged,) = page.json("/threads/trip")["noted"]
        faults: dict[str, dict[str, object]] = {
            "text": {"text": "My card is 4111 1111 1111 1111"},
            "claims.0": {"claims": [{"attribute": "diet", "value": "stones"}]},
            "when.season_": {"when": {"season_": "winter"}},
            "expires_at": {"expires_at": "2020-01-01"},
        }
        for field, edit in faults.items():
            refused = page.patch(f"/memory/notes/{staged['id']}?thread_id=trip", json=edit)
            assert refused.json()["error"]["field"] == field, refused.text
        given: dict[str, object] = {"text": "I am vegan", "when": {"route": "international"}, "scope": "trip"}
        page.change("PATCH", f"/memory/notes/{staged['id']}?thread_id=trip", **given)
        again = page.json("/threads/trip")
        assert [{name: note[name] for name in given} for note in again["noted"]] == [given]
        assert [note["text"] for note in again["marks"]["1"]["written"]] == ["I am vegan"]
        assert again["mode"] == "on"
        page.change("PATCH", f"/memory/notes/{staged['id']}?thread_id=trip", scope="user", condition="")
        reply = page.say("trip", "Book the first one.", language="ja")
        (question,) = reply["interrupts"]
        assert page.json("/threads/trip")["waiting"] == question
        assert "BER→LIS" in question["action_requests"][0]["description"]
        for wrong in ([{"type": "approve"}] * 2, [{"type": "approv"}], []):
            assert _refusal(page, "decisions", decisions=wrong) == (400, "invalid", "")
        assert _refusal(page, "ask_again") == (409, "conflict", "waiting")
        *_, done = page.events("/threads/trip/decisions", decisions=[{"type": "approve"}], language="ja")
        assert [use["outcome"] for use in done["tools"] if use["name"] == "book_offer"] == ["ran"], done
        (booking,) = page.json("/trips")["bookings"]
        assert booking["reference"] in done["reply"]
        for route, body in (("decisions", {"decisions": [{"type": "approve"}]}), ("decisions", {}), ("ask_again", {})):
            assert _refusal(page, route, **body) == (404, "not_found", "nothing_waits")
        assert page.get(f"/trips/{booking['reference']}/calendar.ics").text.startswith("BEGIN:VCALENDAR")
        *_, ended = page.events("/threads/trip/end")
        assert [one["op"] for one in ended["memory"]["consolidated"]] == ["ADD"]
        claims = [{"attribute": "seat_side", "value": "window", "stance": "prefers"}]
        (kept,) = page.json("/memory")["notes"]
        assert kept["topic"] == "meal"
        page.change(
            "PATCH", f"/memory/notes/{kept['id']}", text="I always take a window seat", topic="seat", claims=claims
        )
        page.say("trip", "My password is hunter2, please remember it.")
        used = page.say("trip", _FLIGHT.replace("Lisbon", "Rome"))["memory"]["used"]
        page.say("trip", "Hello again", memory_mode="paused")
        reopened = page.json("/threads/trip")
        marks_by_turn = {
            turn: {kind for kind, found in marks.items() if found} for turn, marks in reopened["marks"].items()
        }
        assert marks_by_turn["1"] == {"written"}
        assert marks_by_turn["4"] == {"blocked"}
        assert used
        assert [note["id"] for note in reopened["marks"]["5"]["used"]] == [note["id"] for note in used]
        assert reopened["mode"] == "paused"
        (listed,) = page.json("/threads")["threads"]
        assert listed["title"].startswith("Hello! I am vegetarian")
        assert listed["turns"] == 6
