"""Applies memory to travel: the traveller's wishes, the needs to pass on with a booking, and passport problems."""

from collections.abc import Sequence

from memory.policy import screen
from memory.records.notes import Note
from nodes.capture import staged_notes
from nodes.services import Run
from nodes.tools.call import Call
from prompts.loader import Language
from travel.booking.documents import check_documents
from travel.flights import FlightOffer
from travel.provider import AnyOffer
from travel.ranking.wishes import Wish, requests_of, wishes_of
from travel.summary import summary


def _remembers(run: Run) -> bool:
    """Return whether this run may read the memory of its user."""
    return run.mode != "off" and run.user_id is not None


async def known_wishes(call: Call, language: Language = "en") -> list[Wish]:
    """Return the user's wishes, those of this conversation first; none in a temporary chat."""
    run = call.run
    if not _remembers(run):
        return []
    candidates = map(Note.model_validate, call.state.get("candidates") or ())
    new = [*(note for note in candidates if note.is_live(run.now)), *staged_notes(call.state, live_at=run.now)]
    return wishes_of([*new, *await run.notes()], await run.profile(), run.schema, language=language)


async def with_needs(call: Call, offer: AnyOffer, requests: Sequence[str]) -> tuple[str, ...]:
    """Return `requests` followed by the needs in the traveller's notes, so that an allergy is never left out."""
    needs = requests_of([wish for wish in await known_wishes(call) if wish.hard], offer.kind)
    folded = {request.casefold() for request in requests}
    return (*requests, *(need for need in needs if need.casefold() not in folded and screen(need) is None))


async def offer_faults(call: Call, offer: AnyOffer) -> tuple[str, ...]:
    """Return problems of the traveller's passport with an international flight; empty for any other offer."""
    if not isinstance(offer, FlightOffer) or not _remembers(call.run):
        return ()
    leaves, lands = offer.outbound.segments[0].origin_country, offer.outbound.segments[-1].destination_country
    if leaves == lands:
        return ()
    trip, profile = summary(offer), await call.run.profile()
    days = {"start": trip.first_day, "end": trip.last_day, "today": call.run.now.date()}
    checked = check_documents(profile, lands, **days, language=call.language)
    return (*checked.errors, *(checked.warnings if checked.passport == "renew" else ()))
