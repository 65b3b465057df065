"""Runs `concierge sessions`: list conversations; end a session; read or delete a conversation."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.opening import CommandContext, Thread, with_concierge
from app.cli.screen import Output, Screen, described, text_output
from app.cli.wording import doing, read_settings, say
from config.errors import InvalidInputError

if TYPE_CHECKING:
    from app.api.concierge import Concierge
    from app.api.history import HistoryEntry


async def list_conversations(
    ctx: CommandContext, limit: Annotated[int, typer.Option(min=1, help="Only the latest so many.")] = 50
) -> Output:
    """List the conversations of a user that can be gone on with, the latest first."""
    conversations = await ctx.concierge.conversations(ctx.user_id, limit=limit)

    def write(screen: Screen) -> None:
        for one in conversations:
            day = one.last_at[:10]
            screen.line(say("conversation", thread=one.thread_id, day=day, turns=one.turns, title=one.title))
        if not conversations:
            screen.aside(say("no_conversations"))

    return Output(conversations, write)


async def end_session(ctx: CommandContext, thread: Thread) -> Output:
    """End the session of a conversation: what it learnt becomes long-term memory."""
    reply = await ctx.concierge.end_session(user_id=ctx.user_id, thread_id=thread)
    operations, memory = reply.memory.consolidated, ctx.memory
    kept = [await memory.note(key) for key in dict.fromkeys(item["note"] for item in operations) if key]
    dropped = sum(item["op"] == "DROP" for item in operations)
    lines = [say("kept_for_next_time", what=described(note)) for note in kept]
    lines += [say("let_go", count=dropped)] if dropped else []
    record = {"thread_id": thread, "stop_reason": str(reply.stop_reason), "kept": kept, "dropped": dropped}
    return text_output({**record, "operations": operations}, *(lines or [say("nothing_new")]))


def show_history(
    thread: Thread,
    user: Annotated[str | None, typer.Option(help="Refuse a conversation that is not this user's.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the last so many messages.")] = None,
) -> Output:
    """Show everything ever said in a conversation, oldest first."""

    async def read(concierge: Concierge) -> list[HistoryEntry]:
        if user is None:
            return await concierge.operator_history(thread_id=thread)
        return await concierge.full_history(user_id=user, thread_id=thread)

    entries = with_concierge(read)
    return history(entries[-limit:] if limit else entries)


def history(entries: Sequence[HistoryEntry]) -> Output:
    """Return messages of a conversation as output."""

    def write(screen: Screen) -> None:
        for entry in entries:
            _write_entry(screen, entry)

    return Output(entries, write)


def _write_entry(screen: Screen, entry: HistoryEntry) -> None:
    """Write a user or assistant message as text, and summaries and tool calls as asides."""
    if entry.role in ("user", "assistant") and entry.text.strip() and not entry.synthetic:
        is_user = entry.role == "user"
        who = say("history_you" if is_user else "history_concierge")
        if is_user or not screen.console:
            screen.line(f"{who}> {entry.text}", style="bold" if is_user else "")
        else:
            screen.line(f"{who}>")
            screen.markdown(entry.text)
        return
    if entry.kind == "summary":
        screen.aside(say("summary_of", first=entry.covers[0], last=entry.covers[-1]))
        screen.line(entry.text, style="dim")
    for call in entry.tool_calls:
        screen.aside(doing(call["name"]))


async def delete_conversation(
    ctx: CommandContext,
    thread: Thread,
    yes: Annotated[bool, typer.Option("--yes", help="Delete it without being asked.")] = False,
) -> Output:
    """Delete a conversation for good, its earlier turns too; what was learnt from it stays."""
    if not yes:
        raise InvalidInputError(say("confirm_delete", thread=thread))
    await ctx.concierge.clear_thread(user_id=ctx.user_id, thread_id=thread)
    return text_output({"status": "deleted", "thread_id": thread}, say("conversation_deleted", thread=thread))


def sweep(
    idle: Annotated[
        float | None,
        typer.Option(min=0, help="Minutes without a message; without it, CONCIERGE_SESSION_IDLE_MINUTES."),
    ] = None,
) -> Output:
    """End every session in which nobody has spoken for a while, of all users."""
    settings = read_settings()
    minutes = settings.session_idle_minutes if idle is None else idle
    replies = with_concierge(lambda concierge: concierge.sweep(idle=timedelta(minutes=minutes)), settings)
    operations = [item for reply in replies for item in reply.memory.consolidated]
    return text_output({"ended": len(replies), "operations": operations}, say("sessions_ended", count=len(replies)))
