"""Shows and changes the profile from `concierge memory profile`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli.memory.show import write_profile
from app.cli.opening import Json, User, with_memory
from app.cli.screen import Screen, print_json
from app.cli.wording import say
from config.errors import InvalidInputError

if TYPE_CHECKING:
    from app.api.user_memory import OwnMemory
    from memory.records.profile import Consent, Profile


def change_profile(
    fields: Annotated[
        list[str] | None,
        typer.Argument(metavar="FIELD=VALUE", help="home_city=Porto, active_visas=US,JP, loyalty_status.SkyTeam=Gold; "
                       "an empty value empties the field."),
    ] = None,
    user: User = None,
    as_json: Json = False,
) -> None:  # fmt: skip
    """Show the profile, or set fields of it; `memory undo` takes that back."""
    given = [_field(one) for one in fields or ()]

    async def change(memory: OwnMemory) -> tuple[Profile, Consent]:
        known = await memory.profile()
        wanted: dict[str, Any] = {}
        for name, key, value in given:
            before = wanted.get(name, known.dump().get(name))
            wanted[name] = _value(before, key, value)
        return await memory.edit_profile(wanted) if wanted else known, await memory.consent()

    profile, consent = with_memory(user, change)
    if as_json:
        print_json(profile.dump())
        return
    screen = Screen()
    write_profile(screen, profile, consent)
    if not profile.model_dump(exclude_defaults=True):
        screen.aside(say("nothing_remembered"))


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
