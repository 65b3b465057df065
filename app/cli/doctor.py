"""Runs `concierge doctor`: names what is kept and can't be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.cli.json_records import print_json
from app.cli.opening import with_concierge
from app.cli.options import Json
from app.cli.screen import Screen

if TYPE_CHECKING:
    from app.api.concierge import Concierge


def examine(as_json: Json = False) -> None:
    """Name every record and conversation that is damaged; nothing is changed, and everything else still works."""
    found = with_concierge(_damaged)
    if as_json:
        print_json(found)
        return
    screen = Screen()
    for one in found:
        screen.line(f"{one['what']}: {one['fault']}")
    if found:
        screen.aside("They are left out of everything. Restore them from a backup or an export, or delete them.")
    else:
        screen.aside("everything that is kept can be read")


async def _damaged(concierge: Concierge) -> list[dict[str, str]]:
    return [{"what": name, "fault": fault} for name, fault in await concierge.damaged()]
