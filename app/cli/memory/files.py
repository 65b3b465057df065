"""Exports and imports memory from `concierge memory`."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli.files import write_private
from app.cli.json_records import print_json
from app.cli.opening import speaker, with_memory
from app.cli.options import Json, User
from app.cli.screen import Screen, counted
from config.errors import InvalidInputError, NotFoundError
from config.settings import load_settings

if TYPE_CHECKING:
    from memory.transfer.importing import ImportReport

_THINGS = {
    "notes": ("note",), "updated": ("newer note",), "confirmed": ("confirmed note",), "profile": ("profile field",),
    "trips": ("trip",), "episodes": ("session summary", "session summaries"), "turns": ("earlier turn",),
    "archive": ("earlier turn",), "journal": ("journal entry", "journal entries"), "erasures": ("forgotten thing",),
    "bookings": ("booking",),
}  # fmt: skip

_LONGEST = 512 * 1024 * 1024


def export_memory(
    file: Annotated[Path | None, typer.Argument(help="Where to; without it, or with -, to standard output.")] = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Write everything that is remembered as JSON. A file can be read by its owner only."""
    data = with_memory(user, lambda memory: memory.export())
    if file is None or str(file) == "-":
        print_json(data, lines=as_json)
        return
    write_private(file, json.dumps(data, ensure_ascii=False, indent=2) + "\n")
    if as_json:
        print_json({"file": str(file), "user": data["user"], "counts": data["counts"]})
        return
    counts = {**data["counts"], "archive": sum(len(thread["turns"]) for thread in data["archive"])}
    told = [counted(count, *_THINGS[name]) for name, count in counts.items() if count]
    Screen().aside(f"exported to {file}: {', '.join(told) or 'nothing is remembered yet'}")


def import_memory(
    file: Annotated[Path | None, typer.Argument(help="The export; without it, or with -, standard input.")] = None,
    user: User = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Take the file's word where both differ.")] = False,
    as_json: Json = False,
) -> None:
    """Merge an export into what is remembered, whole or not at all; the same file again adds nothing."""
    from memory.transfer.export import loaded

    speaker(user, load_settings())  # before the file is read
    data = loaded(_read(file))
    report = with_memory(user, lambda memory: memory.import_(data, overwrite=overwrite))
    if as_json:
        print_json(asdict(report))
    else:
        _tell(Screen(), report)


def _tell(screen: Screen, report: ImportReport) -> None:
    counts: dict[str, Any] = {**asdict(report), "profile": len(report.profile), "consent": 0, "blocked": 0}
    told = [counted(count, *_THINGS[name]) for name, count in counts.items() if count]
    screen.aside(f"imported: {', '.join(told)}" if told else "nothing new in it")
    if report.consent:
        screen.aside("consent is now as in the file; `concierge memory consent` shows it")
    for one in report.blocked:
        screen.aside(f"not kept: {one.kind} {one.id} ({one.code})")


def _read(file: Path | None) -> str:
    try:
        if file is None or str(file) == "-":
            if sys.stdin.isatty():
                raise InvalidInputError("Name the file to import, or pipe it in.")
            raw = sys.stdin.buffer.read(_LONGEST + 1)
        else:
            with file.open("rb") as given:
                raw = given.read(_LONGEST + 1)
    except FileNotFoundError:
        raise NotFoundError(f"There is no file {file}.") from None
    except OSError as error:
        raise InvalidInputError(f"{file} cannot be read: {error.strerror or error}.") from None
    if len(raw) > _LONGEST:
        raise InvalidInputError("The file is larger than 512 MB, which no export is.")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInputError("The file is no text in UTF-8, so it is no export.") from None
