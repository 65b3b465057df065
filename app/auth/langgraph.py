"""What a signed-in user may do at a LangGraph server: talk in threads of their own, and nothing else.

Whatever has no rule here is refused: crons, the raw store (it would go around the policy of memory), and changes of
assistants, whose contexts would speak for whoever runs them.
"""

from collections.abc import Mapping
from typing import Any, cast

from langchain_core.messages import HumanMessage, ToolMessage
from langgraph.types import Command
from langgraph_sdk import Auth

from app.auth.tokens import Tokens, token_in
from config.errors import AccessDeniedError, DamagedThreadError, InvalidInputError
from config.settings import load_settings
from graph.entry import STATELESS, check_command, check_context, check_input, owner_of
from memory.control.forget import scrub
from memory.records.conversations import conversations_of, drop_conversation
from memory.records.reading import encode_label
from stores.lifespan import served

CONCIERGE = "concierge"
"""The graph in `langgraph.json`."""

_INTERNAL = "__pregel"

auth = Auth()
_tokens = Tokens(load_settings())


def _refusal(status: int, message: str) -> Exception:
    return cast(Exception, Auth.exceptions.HTTPException(status_code=status, detail=message))


@auth.authenticate
async def authenticate(authorization: str | None, headers: dict[bytes, bytes]) -> Auth.types.MinimalUserDict:
    """Return the user whom the token names."""
    try:
        return {"identity": _tokens.user_of(token_in(authorization, headers.get(b"x-api-key", b"").decode("latin-1")))}
    except AccessDeniedError as denied:
        raise _refusal(401, str(denied)) from None


@auth.on
async def refuse(ctx: Auth.types.AuthContext, value: Any) -> None:
    """Refuse whatever has no rule of its own."""
    raise _refusal(403, f"Users may not {ctx.action} {ctx.resource} here.")


@auth.on.assistants(actions=["read", "search"])
async def see_assistants(ctx: Auth.types.AuthContext, value: Any) -> bool:
    """Show the concierge's, the only one: nobody may make others."""
    return True


@auth.on.threads(actions=["read", "search"])
async def use_own(ctx: Auth.types.AuthContext, value: Any) -> Auth.types.FilterType:
    """Let users read and list threads of their own."""
    return {"owner": ctx.user.identity}


@auth.on.threads.delete
async def delete_own(ctx: Auth.types.AuthContext, value: Any) -> Auth.types.FilterType:
    """Let users delete runs and threads of their own; with a thread goes all that was said in it.

    The server deletes the checkpoints, and asks with `run_id` for a run, with `thread_ids` for many threads.
    """
    if "thread_ids" in value:
        raise _refusal(404, "Threads are deleted one by one: DELETE /threads/{thread_id}.")
    store, thread_id, user_id = served()[0], str(value["thread_id"]), ctx.user.identity
    try:
        is_own = "run_id" not in value and await _is_owner(thread_id, user_id)
    except DamagedThreadError:  # whose it is can't be read there any more
        is_own = thread_id in {one.thread_id for one in await conversations_of(store, user_id)}
    if is_own:
        await drop_conversation(store, user_id, thread_id)
        await scrub(store)
    return {"owner": user_id}


@auth.on.threads.update
async def change_own(ctx: Auth.types.AuthContext, value: Any) -> Auth.types.FilterType:
    """Let users change metadata of their threads, but for whose they are."""
    _check_metadata(value.get("metadata"), ctx.user.identity)
    return {"owner": ctx.user.identity}


@auth.on.threads.create
async def create_own(ctx: Auth.types.AuthContext, value: Any) -> Auth.types.FilterType:
    """Let users open threads, which are theirs from then on, but copy none: a copy would outlive what is forgotten."""
    if "metadata" not in value:  # the server asks so for a copy alone
        raise _refusal(403, "Threads can't be copied here. Open a new one: POST /threads.")
    await _claim(value, ctx.user.identity)
    return {"owner": ctx.user.identity}


@auth.on.threads.create_run
async def run_own(ctx: Auth.types.AuthContext, value: Any) -> Auth.types.FilterType:
    """Let users talk to the concierge in their threads, as themselves."""
    await _claim(value, ctx.user.identity)
    given = value["kwargs"]
    try:
        _check_context(given.get("context") or {}, ctx.user.identity)
        _check_config(given.get("config") or {}, ctx.user.identity)
        _check_input(given.get("input"))
        check_command(Command(**(given.get("command") or {})))
    except InvalidInputError as error:
        raise _refusal(422, str(error)) from None
    if not value.get("thread_id"):  # the thread of such a run is deleted behind it, so that its session ends with it
        given["input"] = {**(given.get("input") or {}), "end_session": True}
        config = given.setdefault("config", {})
        config["metadata"] = {**(config.get("metadata") or {}), STATELESS: True}
    return {"owner": ctx.user.identity}


async def _claim(value: dict[str, Any], user_id: str) -> None:
    """Make a thread the user's, unless its checkpoints are somebody else's.

    A server may lose its record of a thread (that of `langgraph dev` does when it is killed); the checkpoints stay.
    """
    thread_id = value.get("thread_id")
    if thread_id and not await _is_owner(str(thread_id), user_id):
        raise _refusal(404, f"There is no thread {thread_id}.")
    metadata = value.setdefault("metadata", {})
    _check_metadata(metadata, user_id)
    metadata["owner"] = user_id


async def _is_owner(thread_id: str, user_id: str) -> bool:
    """Return whether the checkpoints of a thread are nobody else's."""
    kept = await served()[1].aget_tuple({"configurable": {"thread_id": thread_id, "checkpoint_ns": ""}})
    return kept is None or owner_of(kept.checkpoint["channel_values"], kept.metadata) in ("", encode_label(user_id))


def _check_metadata(metadata: Mapping[str, Any] | None, user_id: str) -> None:
    for name, only in (("owner", user_id), ("graph_id", CONCIERGE)):
        if (metadata or {}).get(name, only) != only:
            raise _refusal(422, f"metadata.{name} can't be {(metadata or {})[name]!r}. Leave it out.")


def _check_context(context: Mapping[str, Any], user_id: str) -> None:
    """Refuse a context of another user, or of names and values that there are not."""
    check_context(context)
    if context.get("user_id") not in (None, "", user_id):
        raise _refusal(403, "context.user_id names another user than your sign-in. Leave it out.")


def _check_config(config: Mapping[str, Any], user_id: str) -> None:
    _check_metadata(config.get("metadata"), user_id)
    for name in config.get("configurable", {}):
        if name.startswith(_INTERNAL):
            raise InvalidInputError(f"config.configurable.{name} is not for callers. Leave it out.")


def _check_input(given: Any) -> None:
    messages = check_input(given)
    # Clients answer calls that are open with made-up results of their own; what happens to these is decided here.
    spoken = [message for message in messages if not isinstance(message, ToolMessage)]
    if not all(isinstance(message, HumanMessage) for message in spoken):
        raise InvalidInputError("input.messages are the user's; those of another role are not for callers to write.")
    if len(spoken) < len(messages):
        given["messages"] = spoken
