"""Runs `concierge backup` and `concierge restore`, for everything in a data directory as one file."""

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
    from stores.backup import back_up
    from stores.chroma import utc_now

    manifest = back_up(_embedded_settings().data_dir, file, _databases(), now=utc_now())
    return text_output({"file": str(file), **manifest.model_dump(mode="json")}, say("backed_up", file=file))


def restore_all(file: _File) -> Output:
    """Put a backup into an empty CONCIERGE_DATA_DIR; it is encrypted with the key that is set."""
    from stores.backup import restore, settle_restored
    from stores.encryption import cipher_of

    settings = _embedded_settings()
    keys = cipher_of(settings.encryption_key), cipher_of(settings.old_encryption_key)
    manifest = restore(file, settings.data_dir, _databases(), finish=lambda folder: settle_restored(folder, *keys))
    line = say("restored_all", folder=settings.data_dir)
    return text_output({"file": str(file), **manifest.model_dump(mode="json")}, line)


def _embedded_settings() -> Settings:
    """Read the settings. Raises SettingsError if memory and conversations are in PostgreSQL."""
    settings = read_settings()
    if settings.store_url:
        raise SettingsError(
            "CONCIERGE_STORE_URL is set: memory and conversations are in PostgreSQL. Back them up with its own tools: "
            "pg_dump --format=custom, and pg_restore into an empty database."
        )
    return settings


def _databases() -> list[str]:
    """Return the databases in the order in which they must be copied to be consistent.

    Conversations come before their effects: after a restore, repeating a step that was already applied changes nothing.
    """
    from stores.chroma import ITEMS_FILE
    from stores.lifespan import CHECKPOINTS_FILE, STORE_FOLDER
    from travel.sample.world import INVENTORY_FILE

    return [CHECKPOINTS_FILE, f"{STORE_FOLDER}/{ITEMS_FILE}", INVENTORY_FILE]
