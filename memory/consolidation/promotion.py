"""Finds the field of the profile that a note states, with its value, by the schema."""

from __future__ import annotations

from pydantic import ValidationError

from memory.records.notes import USER, Claim, Note
from memory.records.profile import Profile
from memory.schema import Schema

PROMOTED_AFTER = 3
"""Sessions that must have confirmed a note before it is stable enough for the profile."""

Field = tuple[str, str | bool]
"""The name of a field and its value."""


def stated_field(note: Note, schema: Schema) -> Field | None:
    """Return the field of the profile that `note` states, or None.

    Only what holds always, for the traveller, and for the user alone is promoted: a condition, a companion or a
    workspace keep a note a note. A note that states several fields, or two values of one, states none.
    """
    if note.when or note.scope != "user":
        return None
    found = {field for claim in note.claims if (field := _field(claim, schema))}
    return found.pop() if len(found) == 1 else None


def _field(claim: Claim, schema: Schema) -> Field | None:
    attribute = schema.attributes.get(claim.attribute)
    if attribute is None or not attribute.profile or claim.about != USER:
        return None
    liked = claim.stance in ("is", "prefers", "requires")
    if _is_flag(attribute.profile):
        # "short" is the value that a flag such as tight_connections asks about.
        return (attribute.profile, liked) if claim.value == attribute.values[0] else None
    return (attribute.profile, claim.value) if liked else None


def _is_flag(name: str) -> bool:
    annotation = Profile.model_fields[name].annotation if name in Profile.model_fields else None
    return annotation == bool | None


def filled(profile: Profile, field: Field) -> Profile | None:
    """Return the profile with `field` filled; None where it is filled already, or takes no such value."""
    name, value = field
    if name not in Profile.model_fields or getattr(profile, name) not in (None, ()):
        return None
    try:
        listed = Profile.model_fields[name].default == ()
        return Profile.model_validate({**profile.dump(), name: (value,) if listed else value})
    except ValidationError:
        return None
