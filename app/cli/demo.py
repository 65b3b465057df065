"""Gives a user on request a made-up profile and past trips, which stand in `words/demo.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.opening import with_concierge
from app.cli.screen import Screen
from app.cli.wording import say
from config.errors import InvalidInputError

if TYPE_CHECKING:
    from memory.records.repository import UserMemory


def make_demo(user: Annotated[str, typer.Option(help="Who becomes the demo traveller.")]) -> None:
    """Give a user without a profile a made-up one, with past trips. Doing it again changes nothing."""
    made = with_concierge(lambda concierge: give_demo(concierge.memory(user)))
    Screen().aside(say("demo_made" if made else "demo_already", user=user))


async def give_demo(memory: UserMemory) -> bool:
    """Give a user without a profile the made-up one and its trips; False when they were there before.

    Raises:
        InvalidInputError: the user has a profile of their own.
    """
    from memory.records.notes import note_id
    from memory.records.profile import Profile
    from memory.records.trips import Trip

    found = tomllib.loads((Path(__file__).with_name("words") / "demo.toml").read_text(encoding="utf-8"))
    known, profile = await memory.profile(), Profile.model_validate(found["profile"])
    if known not in (Profile(), profile) and known.customer_id != profile.customer_id:
        raise InvalidInputError(f"{memory.user_id} has a profile already; make the demo traveller under another user.")
    made = await memory.set_profile(profile, step="demo:profile")
    for name, told in found["trips"].items():
        made = await memory.add_trip(Trip(id=note_id("demo-trip", memory.user_id, name), **told)) or made
    return made
