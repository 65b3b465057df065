"""Defines the options and arguments that many commands share."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

User = Annotated[str | None, typer.Option(help="Who is speaking; without it, CONCIERGE_DEFAULT_USER.")]
Thread = Annotated[str, typer.Option(help="The conversation.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for a program to read.")]
Lang = Annotated[
    Literal["en", "ja"] | None, typer.Option(help="The language to be spoken to in; without it, CONCIERGE_LANGUAGE.")
]
Workspace = Annotated[
    str | None, typer.Option(help="The memory shared with others who name it; without it, CONCIERGE_WORKSPACE.")
]
Topics = list[str] | None
NoteName = Annotated[str, typer.Argument(help="The note's id, the beginning of it, or words that tell which one.")]

WHICH_BOOKING = "The booking's reference, its beginning, or words that occur in it."
BookingName = Annotated[str, typer.Argument(metavar="BOOKING", help=WHICH_BOOKING)]
