"""Declares the JSON routes: parses and validates requests, calls handlers, and turns results and errors into JSON."""

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
from app.json_records import Record, ThreadIds, to_json_value
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
"""Header that requests signed in by cookie must send to change something: a form of another page can't send it."""

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
class RequestContext:
    """A request and its user, who comes only from the sign-in."""

    request: Request
    user_id: str
    concierge: Concierge

    @property
    def memory(self) -> OwnMemory:
        """Return the memory of the user."""
        return self.concierge.memory(self.user_id)

    @property
    def key(self) -> str:
        """Return the id in the path."""
        return str(self.request.path_params["key"])

    @property
    def ids(self) -> ThreadIds:
        """Return the user id and the thread id in the path, as keyword arguments for methods of `Concierge`."""
        return ThreadIds(user_id=self.user_id, thread_id=self.key)

    async def shown(self, *notes: Note) -> list[Record]:
        """Return records of notes, with `live` and with `unused`: whether their topic is denied."""
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
    """Register a handler in `ROUTES`; its result is sent as JSON, None as status 204 without a body.

    Its parameters after the context are filled by name from the query and the JSON object in the body; `file` is the
    raw body. Unknown names are an error.
    """

    def register(handler: H) -> H:
        model = _parameters_model(handler)

        @wraps(handler)
        async def answer(request: Request) -> Response:
            if method != "GET" and not any(name in request.headers for name in (MARK, "Authorization", "X-Api-Key")):
                return refusal(403, f"Send the header {MARK} with a request that changes something.")
            try:
                arguments = await _parse_arguments(request, model)
                ctx = RequestContext(request, request.user.identity, request.app.state.concierge)
                result = await handler(ctx, **arguments)
            except ClientDisconnect:
                raise
            except Exception as error:
                status, description = describe_error(error)
                return json_response({"error": description}, status)
            if isinstance(result, Response):
                return result
            return json_response(result) if result is not None else Response(status_code=204)

        ROUTES.append(Route(path, answer, methods=[method], name=f"{method} {path}"))
        return handler

    return register


def _parameters_model(handler: Callable[..., object]) -> type[BaseModel]:
    """Return a model of the parameters that a handler takes after its context."""
    parameters = list(signature(handler, eval_str=True).parameters.values())[1:]
    named = [parameter for parameter in parameters if parameter.kind is not Parameter.VAR_KEYWORD]
    fields: dict[str, Any] = {
        parameter.name: (parameter.annotation, ... if parameter.default is Parameter.empty else parameter.default)
        for parameter in named
    }
    return create_model("Given", __config__=ConfigDict(extra="forbid" if named == parameters else "allow"), **fields)


async def _parse_arguments(request: Request, model: type[BaseModel]) -> dict[str, Any]:
    """Return the validated arguments for a handler. Raises InvalidInputError, naming the field."""
    raw = await request.body()
    try:
        body = {"file": raw} if "file" in model.model_fields else json.loads(raw or b"{}")
        if not isinstance(body, dict):
            raise InvalidInputError("The body must be a JSON object.")
        return dict(model.model_validate({**request.query_params, **body}))
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise InvalidInputError(f"{field}: {first['msg']}.", field=field) from None
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(f"The body is not JSON: {error}.") from None


def json_response(value: object, status: int = 200) -> Response:
    """Return a JSON response."""
    return Response(to_json(value), status, media_type="application/json")


def refusal(status: int, message: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return the response to a request that is refused before it reaches a route, in the format of route errors."""
    response = json_response({"error": {"kind": _KINDS.get(status, "invalid"), "message": message}}, status)
    response.headers.update(headers or {})
    return response


async def route_not_found(request: Request, error: Exception) -> Response:
    """Answer a request whose path has no route, or whose method the route does not support."""
    assert isinstance(error, HTTPException)
    message = f"{error.detail}: {request.method} {request.url.path}. docs/routes.md lists what there is."
    return refusal(error.status_code, message, error.headers)


def to_json(value: object) -> str:
    """Return a value as JSON on one line; records and dataclasses become objects."""
    return json.dumps(value, default=to_json_value, ensure_ascii=False, separators=(",", ":"))


def describe_error(error: Exception) -> tuple[int, Record]:
    """Return the HTTP status and the public description of an error; unexpected errors are logged without details."""
    if isinstance(error, AccessDeniedError | NotFoundError):
        # Records of other users look as if they did not exist. Only errors about the user's own records have a code.
        code = {"code": error.code} if error.code else {}
        return 404, {"kind": "not_found", "message": str(error) if code else "Nothing of yours has this name.", **code}
    for kind, (status, name) in _STATUS.items():
        if isinstance(error, kind):
            more = {attribute: value for attribute in ("field", "code") if (value := getattr(error, attribute, ""))}
            return status, {"kind": name, "message": str(error), **more}
    # Do not log the message or local values: they may contain user text.
    places = [f"{frame.filename}:{frame.lineno}" for frame in extract_tb(error.__traceback__)[-3:]]
    _log.error("a request failed: %s at %s", type(error).__name__, " < ".join(reversed(places)))
    return 500, {"kind": "internal", "message": "Something went wrong. Nothing that was saved is lost."}
