"""Runs `concierge backup` and `concierge restore`: everything that is kept in a data directory, as one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from app.cli.screen import Output, text_output
from app.cli.wording import read_settings, say
from config.errors import SettingsError
from config.settings import Settings

_File = Annotated[Path, typer.Argument(metavar="FILE", help="The archive.")]


def back_up_all(file: _File) -> Output:
    """Write memory, conversations and bookings of all users into one file; it may be done while they are in use."""
    from stores.backup.archive import back_up
    from stores.chroma import utc_now

    made = back_up(_embedded().data_dir, file, _names(), now=utc_now())
    return text_output({"file": str(file), **made.model_dump(mode="json")}, say("backed_up", file=file))


def restore_all(file: _File) -> Output:
    """Put a backup into an empty CONCIERGE_DATA_DIR; it is encrypted with the key that is set."""
    from stores.backup.archive import restore, settle_restored
    from stores.encryption import cipher_of

    settings = _embedded()
    keys = cipher_of(settings.encryption_key), cipher_of(settings.old_encryption_key)
    made = restore(file, settings.data_dir, _names(), finish=lambda folder: settle_restored(folder, *keys))
    told = say("restored_all", folder=settings.data_dir)
    return text_output({"file": str(file), **made.model_dump(mode="json")}, told)


def _embedded() -> Settings:
    settings = read_settings()
    if settings.store_url:
        raise SettingsError(
            "CONCIERGE_STORE_URL is set: memory and conversations are in PostgreSQL. Back them up with its own tools: "
            "pg_dump --format=custom, and pg_restore into an empty database."
        )
    return settings


def _names() -> list[str]:
    """Return the databases in the order in which copies fit together: what is done twice after a restore is done once.

    A conversation is copied before what it led to, because a step of it that is repeated changes nothing.
    """
    from stores.chroma import ITEMS_FILE
    from stores.lifespan import CHECKPOINTS_FILE, STORE_FOLDER
    from travel.sample.world import INVENTORY_FILE

    return [CHECKPOINTS_FILE, f"{STORE_FOLDER}/{ITEMS_FILE}", INVENTORY_FILE]
