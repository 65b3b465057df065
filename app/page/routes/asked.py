"""Turns a request into a question of one signed-in user, and what is returned or raised into an answer in JSON."""

import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from traceback import extract_tb
from typing import Literal, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from typing_extensions import TypedDict

from app.api.concierge import Concierge
from app.api.history import Standing
from app.api.user_memory import OwnMemory
from app.json_records import Record, plain
from config.errors import (
    AccessDeniedError,
    ConciergeError,
    ConflictError,
    InvalidInputError,
    ModelError,
    NotFoundError,
    RequestError,
)
from memory.records.notes import Note

B = TypeVar("B", bound=BaseModel)
Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]

MARK = "X-Concierge"
"""Header of every request that changes something and is signed in by cookie: no form of another page can send it."""

NO_CONVERSATION = "There is no such conversation."

_STATUS: dict[type[ConciergeError], tuple[int, str]] = {
    NotFoundError: (404, "not_found"),
    ConflictError: (409, "conflict"),
    RequestError: (400, "invalid"),
    ModelError: (502, "model"),
    ConciergeError: (503, "unavailable"),
}
_log = logging.getLogger(__name__)


class Body(BaseModel):
    """Base of what a request may say. A name that is not there is an error, so that no slip goes unnoticed."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Own(TypedDict):
    """Who is asking, about which conversation."""

    user_id: str
    thread_id: str


@dataclass(frozen=True, slots=True)
class Asked:
    """One request, by one user. Who that is comes from the sign-in and from nowhere else."""

    request: Request
    user_id: str
    concierge: Concierge

    @property
    def memory(self) -> OwnMemory:
        """Return the memory of who is asking."""
        return self.concierge.memory(self.user_id)

    @property
    def key(self) -> str:
        """Return the id in the path."""
        return str(self.request.path_params["key"])

    async def standing(self, thread_id: str = "") -> Standing:
        """Return how the conversation in the path, or another, stands. Raises NotFoundError, for another's too."""
        try:
            return await self.concierge.standing(user_id=self.user_id, thread_id=thread_id or self.key)
        except (NotFoundError, AccessDeniedError):
            raise NotFoundError(NO_CONVERSATION) from None

    @property
    def own(self) -> Own:
        """Return who is asking about which conversation, as the methods of `Concierge` take it."""
        return Own(user_id=self.user_id, thread_id=self.key)

    def has(self, name: str) -> bool:
        """Return whether a flag of the query is set."""
        return self.request.query_params.get(name, "0").lower() in ("1", "true")

    def text(self, name: str) -> str:
        """Return a value of the query; empty where it is missing."""
        return self.request.query_params.get(name, "")

    def number(self, name: str, default: int, *, most: int) -> int:
        """Return a number of the query, from 1 to `most`. Raises InvalidInputError for anything else."""
        given = self.text(name) or str(default)
        if not (given.isascii() and given.isdecimal() and len(given) < 10 and 1 <= int(given) <= most):
            raise InvalidInputError(f"{name} must be a number from 1 to {most}.", field=name)
        return int(given)

    async def body(self, kind: type[B]) -> B:
        """Return the body. Raises InvalidInputError, with the field, where it is not of this kind."""
        raw = await self.request.body()
        try:
            return kind.model_validate_json(raw or b"{}")
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(map(str, first["loc"]))
            raise InvalidInputError(f"{field or 'The body'}: {first['msg']}.", field=field) from None

    async def shown(self, *notes: Note) -> list[Record]:
        """Return notes with whether they are `live`, and `unused` because their topic is denied."""
        denied = (await self.memory.consent()).denied
        live = {note.id for note in await self.memory.notes()}
        return [{**note.dump(), "live": note.id in live, "unused": note.topic in denied} for note in notes]

    async def entry(self, since: int, *keys: str) -> str | None:
        """Return the id of the latest journal entry after number `since` that changed one of `keys`, for undo."""
        for entry in reversed(await self.memory.journal()):
            if entry.seq > since and any(change.key in keys for change in entry.changes):
                return entry.id
        return None


Handler = Callable[[Asked], Awaitable[object]]


def route(method: Method, path: str, handler: Handler) -> Route:
    """Return a route whose handler's value is answered as JSON; None is an answer without a body."""

    async def answer(request: Request) -> Response:
        if not _is_marked(request):
            message = f"Send the header {MARK} with a request that changes something."
            return json_response({"error": {"kind": "forbidden", "message": message}}, 403)
        try:
            asked = Asked(request, request.user.identity, request.app.state.concierge)
            found = await handler(asked)
        except ClientDisconnect:
            raise
        except Exception as error:
            return refusal(error)
        if isinstance(found, Response):
            return found
        return json_response(found) if found is not None else Response(status_code=204)

    return Route(path, answer, methods=[method], name=f"{method} {path}")


def json_response(value: object, status: int = 200) -> Response:
    """Return an answer in JSON."""
    return Response(to_json(value), status, media_type="application/json")


def to_json(value: object) -> str:
    """Return a value in JSON on one line; records and dataclasses are told by their fields."""
    return json.dumps(value, default=plain, ensure_ascii=False, separators=(",", ":"))


def refusal(error: Exception) -> Response:
    """Return the answer to a request that failed."""
    status, told = explained(error)
    return json_response({"error": told}, status)


def explained(error: Exception) -> tuple[int, Record]:
    """Return the status of an error, and what is told of it; nothing where it was not raised on purpose."""
    if isinstance(error, AccessDeniedError):
        # What is somebody else's looks like what is not there.
        return 404, {"kind": "not_found", "message": NO_CONVERSATION}
    for kind, (status, name) in _STATUS.items():
        if isinstance(error, kind):
            more = {given: value for given in ("field", "code") if (value := getattr(error, given, ""))}
            return status, {"kind": name, "message": str(error), **more}
    # Neither the message nor the values at hand are logged: they may tell what somebody said.
    places = [f"{frame.filename}:{frame.lineno}" for frame in extract_tb(error.__traceback__)[-3:]]
    _log.error("a request failed: %s at %s", type(error).__name__, " < ".join(reversed(places)))
    return 500, {"kind": "internal", "message": "Something went wrong. Nothing that was saved is lost."}


def _is_marked(request: Request) -> bool:
    return request.method in ("GET", "HEAD") or "authorization" in request.headers or MARK in request.headers
