"""Authorisation on a LangGraph server: signed-in users may use their own threads, and nothing else.

Everything without a handler here is refused: crons, the raw store (it would bypass the memory policy), and changes to
assistants (their contexts would apply to every user who runs them).
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, cast

from langchain_core.messages import HumanMessage, ToolMessage
from langgraph.types import Command
from langgraph_sdk import Auth

from app.auth.tokens import Tokens, request_token
from config.errors import AccessDeniedError, DamagedThreadError, InvalidInputError
from config.settings import load_settings
from graph.entry import STATELESS, check_command, check_context, check_input, check_names, owner_of
from memory.control.forget import scrub
from memory.records.conversations import conversations_of, drop_conversation
from memory.records.reading import encode_label
from stores.lifespan import served

CONCIERGE = "concierge"
"""Name of the graph in `langgraph.json`."""

_INTERNAL = "__pregel"

auth = Auth()
_tokens = Tokens(load_settings())


def _refusal(status: int, message: str) -> Exception:
    return cast(Exception, Auth.exceptions.HTTPException(status_code=status, detail=message))


@auth.authenticate
async def authenticate(authorization: str | None, headers: dict[bytes, bytes]) -> Auth.types.MinimalUserDict:
    """Return the user of the token."""
    try:
        return {
            "identity": _tokens.user_of(request_token(authorization, headers.get(b"x-api-key", b"").decode("latin-1")))
        }
    except AccessDeniedError as denied:
        raise _refusal(401, str(denied)) from None


@auth.on
async def refuse(ctx: Auth.types.AuthContext, value: Any) -> None:
    """Refuse every action without a handler of its own."""
    raise _refusal(403, f"Users may not {ctx.action} {ctx.resource} here.")


@auth.on.assistants(actions=["read", "search"])
async def see_assistants(ctx: Auth.types.AuthContext, value: Any) -> bool:
    """Let users see assistants; there is only the concierge's, since nobody may create others."""
    return True


@auth.on.threads(actions=["read", "search"])
async def read_own(ctx: Auth.types.AuthContext, value: Any) -> Auth.types.FilterType:
    """Let users read and list their own threads."""
    return {"owner": ctx.user.identity}


@auth.on.threads.delete
async def delete_own(ctx: Auth.types.AuthContext, value: Any) -> Auth.types.FilterType:
    """Let users delete their own runs and threads; delete the records of a thread with it.

    The server deletes the checkpoints. It sends `run_id` to delete a run, and `thread_ids` to delete several threads.
    """
    if "thread_ids" in value:
        raise _refusal(404, "Threads are deleted one by one: DELETE /threads/{thread_id}.")
    store, thread_id, user_id = served()[0], str(value["thread_id"]), ctx.user.identity
    try:
        is_own = "run_id" not in value and await _is_owner(thread_id, user_id)
    except DamagedThreadError:  # its owner can't be read from the checkpoint
        is_own = thread_id in {conversation.thread_id for conversation in await conversations_of(store, user_id)}
    if is_own:
        await drop_conversation(store, user_id, thread_id)
        await scrub(store)
    return {"owner": user_id}


@auth.on.threads.update
async def change_own(ctx: Auth.types.AuthContext, value: Any) -> Auth.types.FilterType:
    """Let users change the metadata of their own threads, except for the owner and the graph."""
    _check_metadata(value.get("metadata"), ctx.user.identity)
    return {"owner": ctx.user.identity}


@auth.on.threads.create
async def create_own(ctx: Auth.types.AuthContext, value: Any) -> Auth.types.FilterType:
    """Let users create threads, but not copy them: forgotten content would survive in a copy."""
    if "metadata" not in value:  # only the request for a copy has no metadata
        raise _refusal(403, "Threads can't be copied here. Open a new one: POST /threads.")
    await _claim(value, ctx.user.identity)
    return {"owner": ctx.user.identity}


@auth.on.threads.create_run
async def run_own(ctx: Auth.types.AuthContext, value: Any) -> Auth.types.FilterType:
    """Let users run the concierge in their own threads, as themselves."""
    await _claim(value, ctx.user.identity)
    run = value["kwargs"]
    try:
        _check_context(run.get("context") or {}, ctx.user.identity)
        _check_config(run.get("config") or {}, ctx.user.identity)
        _check_input(run.get("input"))
        _check_command(run.get("command") or {})
    except InvalidInputError as error:
        raise _refusal(422, str(error)) from None
    if not value.get("thread_id"):  # a stateless run: its thread is deleted afterwards, so its session must end
        run["input"] = {**(run.get("input") or {}), "end_session": True}
        config = run.setdefault("config", {})
        config["metadata"] = {**(config.get("metadata") or {}), STATELESS: True}
    return {"owner": ctx.user.identity}


async def _claim(value: dict[str, Any], user_id: str) -> None:
    """Make the user the owner of a thread, unless its checkpoints belong to another user.

    A server may lose its record of a thread (`langgraph dev` does when it is killed), but the checkpoints stay.
    """
    thread_id = value.get("thread_id")
    if thread_id and not await _is_owner(str(thread_id), user_id):
        raise _refusal(404, f"There is no thread {thread_id}.")
    metadata = value.setdefault("metadata", {})
    _check_metadata(metadata, user_id)
    metadata["owner"] = user_id


async def _is_owner(thread_id: str, user_id: str) -> bool:
    """Return whether the checkpoints of a thread belong to the user or to nobody."""
    saved = await served()[1].aget_tuple({"configurable": {"thread_id": thread_id, "checkpoint_ns": ""}})
    return saved is None or owner_of(saved.checkpoint["channel_values"], saved.metadata) in ("", encode_label(user_id))


def _check_metadata(metadata: Mapping[str, Any] | None, user_id: str) -> None:
    for name, allowed in (("owner", user_id), ("graph_id", CONCIERGE)):
        if (metadata or {}).get(name, allowed) != allowed:
            raise _refusal(422, f"metadata.{name} can't be {(metadata or {})[name]!r}. Leave it out.")


def _check_context(context: Mapping[str, Any], user_id: str) -> None:
    """Refuse a context that names another user, or has unknown names or values."""
    check_context(context)
    if context.get("user_id") not in (None, "", user_id):
        raise _refusal(403, "context.user_id names another user than your sign-in. Leave it out.")


def _check_config(config: Mapping[str, Any], user_id: str) -> None:
    _check_metadata(config.get("metadata"), user_id)
    for name in config.get("configurable", {}):
        if name.startswith(_INTERNAL):
            raise InvalidInputError(f"config.configurable.{name} is not for callers. Leave it out.")


def _check_command(command: Mapping[str, Any]) -> None:
    check_names("command", command, [field.name for field in fields(Command)])
    check_command(Command(**command))


def _check_input(run_input: Any) -> None:
    messages = check_input(run_input)
    # Some clients answer open tool calls with results of their own; these are dropped.
    accepted = [message for message in messages if not isinstance(message, ToolMessage)]
    if not all(isinstance(message, HumanMessage) for message in accepted):
        raise InvalidInputError("input.messages are the user's; those of another role are not for callers to write.")
    if len(accepted) < len(messages):
        run_input["messages"] = accepted
