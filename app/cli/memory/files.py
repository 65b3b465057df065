"""Exports and imports memory from `concierge memory`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli.opening import Json, User, as_user, speaker
from app.cli.screen import in_words, print_json
from app.cli.wording import counted, read_settings, say
from config.errors import InvalidInputError, NotFoundError
from stores.private_files import write_private

if TYPE_CHECKING:
    from memory.transfer.importing import ImportReport

_THINGS = {
    "notes": "note", "updated": "newer_note", "confirmed": "confirmed_note", "profile": "profile_field",
    "trips": "trip", "episodes": "episode", "turns": "turn", "archive": "turn", "journal": "journal",
    "erasures": "erasure", "bookings": "booking",
}  # fmt: skip


def export_memory(
    file: Annotated[Path | None, typer.Argument(help="Where to; without it, or with -, to standard output.")] = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Write everything that is remembered as JSON. A file can be read by its owner only."""
    data = as_user(user, lambda speaking: speaking.memory.export())
    if file is None or str(file) == "-":
        print_json(data, lines=as_json)
        return
    write_private(file, json.dumps(data, ensure_ascii=False, indent=2) + "\n")
    counts = {**data["counts"], "archive": sum(len(thread["turns"]) for thread in data["archive"])}
    told = ", ".join(counted(count, _THINGS[name]) for name, count in counts.items() if count)
    exported = say("exported", file=file, what=told or say("nothing_remembered"))
    in_words({"file": str(file), "user": data["user"], "counts": data["counts"]}, exported).show(as_json=as_json)


def import_memory(
    file: Annotated[Path | None, typer.Argument(help="The export; without it, or with -, standard input.")] = None,
    user: User = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Take the file's word where both differ.")] = False,
    as_json: Json = False,
) -> None:
    """Merge an export into what is remembered, whole or not at all; the same file again adds nothing."""
    from memory.transfer.export import loaded

    settings = read_settings()
    speaker(user, settings)  # before the file is read
    data = loaded(_read(file, settings.max_import_mb), megabytes=settings.max_import_mb)
    found = as_user(user, lambda speaking: speaking.memory.import_(data, overwrite=overwrite))
    in_words(found, *_told(found)).show(as_json=as_json)


def _told(found: ImportReport) -> Iterator[str]:
    """Yield what an import brought, and what it did not."""
    counts: dict[str, Any] = {**asdict(found), "profile": len(found.profile)}
    told = [counted(counts[name], word) for name, word in _THINGS.items() if counts.get(name)]
    yield say("imported", what=", ".join(told)) if told else say("nothing_new_in_it")
    if found.consent:
        yield say("consent_imported")
    if found.over_limit:
        yield say("over_limit", what=counted(found.over_limit, "note"))
    yield from (say("not_kept", what=f"{one.kind} {one.id} ({one.code})") for one in found.blocked)


def _read(file: Path | None, megabytes: int) -> str:
    from memory.transfer.export import check_size

    most = megabytes * 2_000_000  # white space between the values does not count
    try:
        if file is None or str(file) == "-":
            if sys.stdin.isatty():
                raise InvalidInputError("Name the file to import, or pipe it in.")
            raw = sys.stdin.buffer.read(most + 1)
        else:
            with file.open("rb") as given:
                raw = given.read(most + 1)
    except FileNotFoundError:
        raise NotFoundError(f"There is no file {file}.") from None
    except OSError as error:
        raise InvalidInputError(f"{file} cannot be read: {error.strerror or error}.") from None
    check_size(len(raw) // 2, megabytes)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInputError("The file is no text in UTF-8, so it is no export.") from None
