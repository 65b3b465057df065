"""Turns a request into a question of one signed-in user, and what is returned or raised into an answer in JSON."""

import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from inspect import Parameter, signature
from traceback import extract_tb
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from app.api.concierge import Concierge
from app.api.user_memory import OwnMemory
from app.json_records import Own, Record, plain
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

H = TypeVar("H", bound=Callable[..., Awaitable[object]])
Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]

MARK = "X-Concierge"
"""Header of every request that changes something and is signed in by cookie: no form of another page can send it."""

_STATUS: dict[type[ConciergeError], tuple[int, str]] = {
    ConflictError: (409, "conflict"),
    RequestError: (400, "invalid"),
    ModelError: (502, "model"),
    ConciergeError: (503, "unavailable"),
}
_KINDS = {401: "unauthenticated", 403: "forbidden", 404: "not_found", 413: "too_large", 503: "unavailable"}
_log = logging.getLogger(__name__)


ROUTES: list[Route] = []
"""The routes in the order in which they were declared; paths are relative to `/app/api`."""


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

    @property
    def own(self) -> Own:
        """Return who is asking about which conversation, as the methods of `Concierge` take it."""
        return Own(user_id=self.user_id, thread_id=self.key)

    async def shown(self, *notes: Note) -> list[Record]:
        """Return notes with whether they are `live`, and `unused` because their topic is denied."""
        denied = {*(await self.memory.consent()).denied}
        live = {note.id for note in await self.memory.notes()}
        return [{**note.dump(), "live": note.id in live, "unused": bool(note.topics & denied)} for note in notes]

    async def entry(self, since: int, *keys: str) -> str | None:
        """Return the id of the latest journal entry after number `since` that changed one of `keys`, for undo."""
        for entry in reversed(await self.memory.journal()):
            if entry.seq > since and any(change.key in keys for change in entry.changes):
                return entry.id
        return None


def route(method: Method, path: str) -> Callable[[H], H]:
    """Answer such requests with what the handler returns, as JSON; None is an answer without a body.

    What a handler takes besides who asks comes by name from the query and from the object in the body; `file` is the
    body as it is. A name that is not there is an error, so that no slip goes unnoticed.
    """

    def declared(handler: H) -> H:
        taken = _taken(handler)

        @wraps(handler)
        async def answer(request: Request) -> Response:
            headers = request.headers
            if method != "GET" and MARK not in headers and "authorization" not in headers:
                return refusal(403, f"Send the header {MARK} with a request that changes something.")
            try:
                given = await _given(request, taken)
                found = await handler(Asked(request, request.user.identity, request.app.state.concierge), **given)
            except ClientDisconnect:
                raise
            except Exception as error:
                status, told = explained(error)
                return json_response({"error": told}, status)
            if isinstance(found, Response):
                return found
            return json_response(found) if found is not None else Response(status_code=204)

        ROUTES.append(Route(path, answer, methods=[method], name=f"{method} {path}"))
        return handler

    return declared


def _taken(handler: Callable[..., object]) -> type[BaseModel]:
    """Return a model of what a handler takes besides who asks."""
    taken = list(signature(handler, eval_str=True).parameters.values())[1:]
    named = [one for one in taken if one.kind is not Parameter.VAR_KEYWORD]
    fields: dict[str, Any] = {
        one.name: (one.annotation, ... if one.default is Parameter.empty else one.default) for one in named
    }
    return create_model("Given", __config__=ConfigDict(extra="forbid" if named == taken else "allow"), **fields)


async def _given(request: Request, taken: type[BaseModel]) -> dict[str, Any]:
    """Return what a handler is given. Raises InvalidInputError, with the field, for what it does not take."""
    raw = await request.body()
    try:
        body = {"file": raw} if "file" in taken.model_fields else json.loads(raw or b"{}")
        if not isinstance(body, dict):
            raise InvalidInputError("The body must be a JSON object.")
        return dict(taken.model_validate({**request.query_params, **body}))
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise InvalidInputError(f"{field}: {first['msg']}.", field=field) from None
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(f"The body is not JSON: {error}.") from None


def json_response(value: object, status: int = 200) -> Response:
    """Return an answer in JSON."""
    return Response(to_json(value), status, media_type="application/json")


def refusal(status: int, message: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return the answer to a request that is refused before a route has it, in the form of all errors of the routes."""
    answer = json_response({"error": {"kind": _KINDS.get(status, "invalid"), "message": message}}, status)
    answer.headers.update(headers or {})
    return answer


async def no_route(request: Request, error: Exception) -> Response:
    """Answer where no route has the path, or none of the path the method."""
    assert isinstance(error, HTTPException)
    message = f"{error.detail}: {request.method} {request.url.path}. docs/routes.md lists what there is."
    return refusal(error.status_code, message, error.headers)


def to_json(value: object) -> str:
    """Return a value in JSON on one line; records and dataclasses are told by their fields."""
    return json.dumps(value, default=plain, ensure_ascii=False, separators=(",", ":"))


def explained(error: Exception) -> tuple[int, Record]:
    """Return the status of an error, and what is told of it; nothing where it was not raised on purpose."""
    if isinstance(error, AccessDeniedError | NotFoundError):
        # What is somebody else's looks like what is not there. Only what is the user's own has a code.
        code = {"code": error.code} if error.code else {}
        return 404, {"kind": "not_found", "message": str(error) if code else "Nothing of yours has this name.", **code}
    for kind, (status, name) in _STATUS.items():
        if isinstance(error, kind):
            more = {given: value for given in ("field", "code") if (value := getattr(error, given, ""))}
            return status, {"kind": name, "message": str(error), **more}
    # Neither the message nor the values at hand are logged: they may tell what somebody said.
    places = [f"{frame.filename}:{frame.lineno}" for frame in extract_tb(error.__traceback__)[-3:]]
    _log.error("a request failed: %s at %s", type(error).__name__, " < ".join(reversed(places)))
    return 500, {"kind": "internal", "message": "Something went wrong. Nothing that was saved is lost."}
