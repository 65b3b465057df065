"""Changes what a user lets memory do from `concierge memory`: pause, resume, consent by topic."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.opening import Json, Topics, User, with_memory
from app.cli.screen import Screen, print_json, report
from app.cli.wording import counted, say
from config.errors import InvalidInputError
from config.settings import load_settings

if TYPE_CHECKING:
    from app.api.user_memory import OwnMemory
    from memory.control.consent import Consent


def pause(user: User = None, as_json: Json = False) -> None:
    """Learn nothing from any conversation until `memory resume`; what is known is still used."""
    _set_paused(user, paused=True, as_json=as_json)


def resume(user: User = None, as_json: Json = False) -> None:
    """Learn from conversations again."""
    _set_paused(user, paused=False, as_json=as_json)


def _set_paused(user: str | None, *, paused: bool, as_json: bool) -> None:
    consent = with_memory(user, lambda memory: memory.pause() if paused else memory.resume())
    report(consent, say("paused" if consent.paused else "resumed"), as_json=as_json)


def show_consent(
    user: User = None,
    deny: Annotated[Topics, typer.Option(metavar="TOPIC", help="Neither keep nor use it; may be repeated.")] = None,
    allow: Annotated[Topics, typer.Option(metavar="TOPIC", help="Keep and use it again; may be repeated.")] = None,
    as_json: Json = False,
) -> None:
    """Show what may be remembered, topic by topic, or change it."""
    deny, allow = deny or [], allow or []
    if both := sorted(set(deny) & set(allow)):
        raise InvalidInputError(f"{both[0]} is both denied and allowed. Say one of the two.")

    async def change(memory: OwnMemory) -> tuple[Consent, Counter[str]]:
        if deny or allow:
            await memory.change_topics(deny=deny, allow=allow)
        return await memory.consent(), Counter(note.topic for note in await memory.notes())

    consent, notes = with_memory(user, change)
    if as_json:
        kept = {topic: notes[topic] for topic in consent.denied if notes[topic]}
        allowed = sorted({*_topics()} - {*consent.denied})
        print_json({**consent.dump(), "allowed": allowed, "kept_unused": kept})
    else:
        write_consent(Screen(), consent, notes)


def _topics() -> tuple[str, ...]:
    from memory.schema import TRAVEL, load_schema

    return load_schema(load_settings().memory_schema or TRAVEL).topic_names


def write_consent(screen: Screen, consent: Consent, notes: Counter[str]) -> None:
    """Write what may be remembered, topic by topic, and what is kept of denied ones."""
    for topic in sorted({*_topics(), *consent.denied, *notes}):
        is_denied = topic in consent.denied
        kept = f"  {counted(notes[topic], 'note')}" if notes[topic] else ""
        screen.row(topic, f"{say('denied' if is_denied else 'allowed')}{kept}", width=14, style="bold" * is_denied)
    screen.aside(say("paused" if consent.paused else "resumed"))
    for topic in consent.denied:
        if notes[topic]:
            screen.aside(say("kept_unused", topic=topic, what=counted(notes[topic], "note")))
