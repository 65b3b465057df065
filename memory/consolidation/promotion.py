"""Fills fields of the profile from notes that were confirmed often enough."""

from __future__ import annotations

from memory.records.profile import Profile
from models.offline.statements import Field


def filled(profile: Profile, field: Field) -> Profile | None:
    """Return the profile with `field` filled; None where it is filled already, by whoever filled it."""
    name, value = field
    if getattr(profile, name) is not None:
        return None
    return Profile.model_validate({**profile.dump(), name: value})
