"""`concierge trips`: what can be typed. What a command does is in the module it imports when it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from app.cli.options import Json, User

trips = typer.Typer(help="See, cancel and take along what is booked.", no_args_is_help=True)

_WHICH = "The booking's reference, its beginning, or words that occur in it."
BookingName = Annotated[str, typer.Argument(metavar="BOOKING", help=_WHICH)]


@trips.command("list")
def trips_list(
    user: User = None,
    everything: Annotated[bool, typer.Option("--all", help="Cancelled bookings and lapsed holds too.")] = False,
    as_json: Json = False,
) -> None:
    """List bookings by the day they start, and the journeys that are remembered beside them."""
    from app.cli.trips.show import list_trips

    list_trips(user, everything=everything, as_json=as_json)


@trips.command("show")
def trips_show(
    booking: Annotated[str | None, typer.Argument(help=f"{_WHICH} Without it, everything day by day.")] = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Show a booking with its itinerary, receipts and rules, or the itinerary of everything that is booked."""
    from app.cli.trips.show import show_itinerary, show_trip

    if booking is None:
        show_itinerary(user, as_json=as_json)
    else:
        show_trip(booking, user, as_json=as_json)


@trips.command("cancel")
def trips_cancel(
    booking: BookingName,
    user: User = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: Json = False,
) -> None:
    """Cancel a booking or a hold. It shows what is paid back and asks first."""
    from app.cli.trips.changes import cancel_trip

    cancel_trip(booking, user, yes=yes, as_json=as_json)


@trips.command("export")
def trips_export(
    file: Annotated[Path | None, typer.Argument(help="Where to; without it, or with -, to standard output.")] = None,
    user: User = None,
    booking: Annotated[
        list[str] | None, typer.Option("--booking", "-b", help=f"Only this one; may be repeated. {_WHICH}")
    ] = None,
    as_json: Json = False,
) -> None:
    """Write what is booked as a calendar (.ics), in the local times of each place."""
    from app.cli.trips.changes import export_trips

    export_trips(file, user, only=booking or [], as_json=as_json)
