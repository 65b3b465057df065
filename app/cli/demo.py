"""Runs `concierge demo`, which gives a user the fictional profile and past trips of `words/demo.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path

from app.cli.opening import CommandContext
from app.cli.screen import Output, text_output
from app.cli.wording import say
from config.errors import InvalidInputError


async def make_demo(ctx: CommandContext) -> Output:
    """Give a user without a profile a made-up one, with past trips. Doing it again changes nothing."""
    from memory.records.notes import note_id
    from memory.records.profile import Profile
    from memory.records.trips import Trip

    memory, user = ctx.memory, ctx.user_id
    demo = tomllib.loads((Path(__file__).with_name("words") / "demo.toml").read_text(encoding="utf-8"))
    existing, profile = await memory.profile(), Profile.model_validate(demo["profile"])
    if existing not in (Profile(), profile) and existing.customer_id != profile.customer_id:
        raise InvalidInputError(f"{user} has a profile already; make the demo traveller under another user.")
    made = await memory.set_profile(profile, step="demo:profile")
    for name, trip in demo["trips"].items():
        made = await memory.add_trip(Trip(id=note_id("demo-trip", user, name), **trip)) or made
    return text_output({"user": user, "made": made}, say("demo_made" if made else "demo_already", user=user))
