"""Runs `concierge memory export` and `concierge memory import`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli.opening import CommandContext, User, run_as_user
from app.cli.screen import Output, print_json, text_output
from app.cli.wording import counted, read_settings, say
from config.errors import InvalidInputError
from stores.private_files import write_private

if TYPE_CHECKING:
    from memory.transfer.importing import ImportReport

STREAM = Path("-")
"""Stands for standard input or output."""
_THINGS = {
    "notes": "note", "session_notes": "session_note", "updated": "newer_note", "confirmed": "confirmed_note",
    "profile": "profile_field",
    "trips": "trip", "episodes": "episode", "turns": "turn", "archive": "turn", "journal": "journal",
    "erasures": "erasure", "bookings": "booking",
}  # fmt: skip


async def export_memory(
    ctx: CommandContext,
    file: Annotated[Path, typer.Argument(help="Where to; without it, or with -, to standard output.")] = STREAM,
) -> Output:
    """Write everything that is remembered as JSON. A file can be read by its owner only."""
    data = await ctx.memory.export()
    if file == STREAM:
        return Output(data, lambda _: print_json(data, lines=False))
    write_private(file, json.dumps(data, ensure_ascii=False, indent=2) + "\n")
    counts = {**data["counts"], "archive": sum(len(thread["turns"]) for thread in data["archive"])}
    what = ", ".join(counted(count, _THINGS[name]) for name, count in counts.items() if count)
    record = {"file": str(file), "user": data["user"], "counts": data["counts"]}
    return text_output(record, say("exported", file=file, what=what or say("nothing_remembered")))


def import_memory(
    file: Annotated[Path | None, typer.Argument(help="The export; without it, or with -, standard input.")] = None,
    user: User = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Take the file's word where both differ.")] = False,
) -> Output:
    """Merge an export into what is remembered, whole or not at all; the same file again adds nothing."""
    from memory.transfer.export import loaded

    megabytes = read_settings().max_import_mb
    if file is None and sys.stdin.isatty():
        raise InvalidInputError("Name the file to import, or pipe it in.")
    try:
        with nullcontext(sys.stdin.buffer) if file is None or file == STREAM else file.open("rb") as source:
            content = source.read(megabytes * 2_000_000 + 2)
    except OSError as error:
        raise InvalidInputError(f"{file} can't be read: {error.strerror}. Name the file of an export.") from None
    data = loaded(content, megabytes=megabytes)
    report = run_as_user(user, lambda ctx: ctx.memory.import_(data, overwrite=overwrite))
    return text_output(report, *_render_report(report))


def _render_report(report: ImportReport) -> Iterator[str]:
    """Yield sentences about what was imported and what was not."""
    counts: dict[str, Any] = {**asdict(report), "profile": len(report.profile)}
    parts = [counted(counts[name], word) for name, word in _THINGS.items() if counts.get(name)]
    yield say("imported", what=", ".join(parts)) if parts else say("nothing_new_in_it")
    if report.consent:
        yield say("consent_imported")
    if report.over_limit:
        yield say("over_limit", what=counted(report.over_limit, "note"))
    yield from (say("not_kept", what=f"{record.kind} {record.id} ({record.code})") for record in report.blocked)
