"""Adds to a booking what memory knows: the needs to pass on, and what speaks against the passport."""

from collections.abc import Sequence
from datetime import date

from memory.policy import screen
from memory.records.notes import Note
from nodes.services import Run
from nodes.tools.call import Call
from prompts.loader import Language
from travel.booking.documents import check_documents
from travel.flights import FlightOffer
from travel.provider import AnyOffer
from travel.ranking.wishes import Wish, requests_of, wishes_of
from travel.summary import summary


def remembers(run: Run) -> bool:
    """Return whether this run may read what is remembered of its user."""
    return run.mode != "off" and run.user_id is not None


async def known_wishes(call: Call, language: Language = "en") -> list[Wish]:
    """Return the wishes of whoever is speaking, from memory and this conversation; none where it may not be read."""
    run, state = call.run, call.state
    if not remembers(run):
        return []
    staged = map(Note.model_validate, [*(state.get("candidates") or []), *state.get("session_notes", [])])
    notes = [*(note for note in staged if note.is_live(run.now)), *await run.notes()]
    return wishes_of(notes, await run.profile(), run.schema, language=language)


async def with_needs(call: Call, offer: AnyOffer, requests: Sequence[str]) -> tuple[str, ...]:
    """Return `requests` followed by the needs in the traveller's notes, so that an allergy is never left out."""
    needs = requests_of([wish for wish in await known_wishes(call) if wish.hard], offer.kind)
    said = {request.casefold() for request in requests}
    return (*requests, *(need for need in needs if need.casefold() not in said and screen(need) is None))


async def offer_faults(run: Run, offer: AnyOffer, today: date) -> tuple[str, ...]:
    """Return what speaks against a flight on offer on the passport on file; nothing within a country."""
    if not isinstance(offer, FlightOffer) or not remembers(run):
        return ()
    leaves, lands = offer.outbound.segments[0].origin_country, offer.outbound.segments[-1].destination_country
    if leaves == lands:
        return ()
    told, profile = summary(offer), await run.profile()
    days = {"start": told.first_day, "end": told.last_day, "today": today}
    checked = check_documents(profile, lands, **days, language=run.language)
    return (*checked.errors, *(checked.warnings if checked.passport == "renew" else ()))
