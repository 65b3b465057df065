"""Shows and changes the profile from `concierge memory profile`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from app.cli.memory.show import write_profile
from app.cli.opening import Speaking
from app.cli.screen import Screen, Told
from app.cli.wording import say
from config.errors import InvalidInputError


async def change_profile(
    speaking: Speaking,
    fields: Annotated[
        list[str] | None,
        typer.Argument(metavar="FIELD=VALUE", help="home_city=Porto, active_visas=US,JP, loyalty_status.SkyTeam=Gold; "
                       "an empty value empties the field."),
    ] = None,
) -> Told:  # fmt: skip
    """Show the profile, or set fields of it; `memory undo` takes that back."""
    profile = await speaking.memory.profile()
    wanted: dict[str, Any] = {}
    for name, key, value in map(_field, fields or ()):
        wanted[name] = _value(wanted.get(name, profile.dump().get(name)), key, value)
    if wanted:
        profile = await speaking.memory.edit_profile(wanted)
    consent = await speaking.memory.consent()

    def write(screen: Screen) -> None:
        write_profile(screen, profile, consent)
        if not profile.model_dump(exclude_defaults=True):
            screen.aside(say("nothing_remembered"))

    return Told(profile, write)


def _field(written: str) -> tuple[str, str, str]:
    """Return the name, the key within it, and the value. Raises InvalidInputError for another form."""
    name, equals, value = written.partition("=")
    if not equals:
        raise InvalidInputError(f"{written!r} sets no field. Write it as home_city=Porto.")
    field, _, key = name.strip().partition(".")
    return field, key, value.strip()


def _value(before: object, key: str, value: str) -> object:
    """Return what a field becomes: a list of values, a mapping with one of them set or taken away, or a value."""
    if isinstance(before, dict) and key:
        return {name: one for name, one in {**before, key: value}.items() if one != ""}
    if not value:
        return None
    return [part.strip() for part in value.split(",")] if isinstance(before, list) else value
