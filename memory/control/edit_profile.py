"""Changes the profile by hand, as its owner asks; what is shown to a model passes the policy."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import ValidationError

from config.errors import InvalidInputError
from config.explain import did_you_mean
from memory.control.edit import revised
from memory.policy.refusals import refusal, refused
from memory.records.journal import Change, Step
from memory.records.profile import Profile
from memory.records.repository import UserMemory


async def edit_profile(memory: UserMemory, fields: Mapping[str, object]) -> Profile:
    """Set fields of the profile, and empty those given as None; return it as it is then."""
    known = Profile.model_fields
    if unknown := next((name for name in fields if name not in known), None):
        raise InvalidInputError(
            f"There is no field {unknown!r}.{did_you_mean(unknown, known)} It has: {', '.join(known)}."
        )
    blank = Profile().dump()
    given = {name: blank[name] if value is None else value for name, value in fields.items()}

    async def revise() -> tuple[Profile, list[Step]]:
        before = await memory.profile()
        after = _checked({**before.dump(), **given})
        if code := refused("profile", after.model_dump(include=set(given))):
            raise InvalidInputError(refusal(code))
        change = Change(kind="profile", key="profile", before=before.dump(), after=after.dump())
        return after, [Step("", "user", "profile_edited", (change,))] if after != before else []

    return await revised(memory, revise)


def _checked(values: Mapping[str, object]) -> Profile:
    try:
        return Profile.model_validate(values)
    except ValidationError as error:
        told = [
            f"{'.'.join(map(str, one['loc']))}: {one['msg'].removeprefix('Value error, ')}" for one in error.errors()
        ]
        raise InvalidInputError(f"Not kept. {'; '.join(told)}. Nothing was changed.") from None
