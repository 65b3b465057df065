"""Takes notes from the user's words alone (`ExtractedNotes`), by the same reading as in conversation."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from models.offline.notes import proposals, statements


def extract_notes(messages: Iterable[dict[str, Any]], today: date | None) -> list[dict[str, Any]]:
    """Return note proposals from the words of the `traveller`; what is said twice is taken once, the later."""
    found: dict[str, dict[str, Any]] = {}
    for message in messages:
        known = [(each["text"], each["topic"]) for each in found.values()]
        for each in statements(str(message.get("traveller", ""))):
            for proposal in proposals(each, today, known=known):
                del proposal["asked"]
                proposal["kind"] = "this_trip" if proposal.pop("scope") == "trip" else "lasting"
                found.pop(proposal["text"].lower(), None)
                found[proposal["text"].lower()] = {**proposal, "confidence": each.confidence}
    return list(found.values())
