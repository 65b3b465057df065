"""Asks the person in front of a client, by the client's own form: what they answer passes no model."""

from __future__ import annotations

import hashlib
from typing import Any

from fastmcp import Context
from mcp_types import ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

_ANSWER = "agree"
_FORM: dict[str, Any] = {
    "type": "object",
    "properties": {_ANSWER: {"type": "boolean", "title": "Yes"}},
    "required": [_ANSWER],
}

Answer = bool | InputRequiredResult | None
"""What the person said; the result to return so that they are asked; or None where the client can't ask anybody."""


async def asked(ctx: Context, question: str) -> Answer:
    """Return what the person answers to `question`.

    A client of the protocol's newer form is told to ask, and calls again with the answer, which is tied to the very
    words of the question.
    """
    capabilities = ctx.session.client_capabilities
    if capabilities is None or capabilities.elicitation is None:
        return None
    if ctx.session.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        return _agrees(await ctx.session.elicit(question, _FORM, ctx.request_id))
    key = hashlib.sha256(question.encode("utf-8")).hexdigest()[:16]
    given = (ctx.input_responses or {}).get(key)
    if isinstance(given, ElicitResult):
        return _agrees(given)
    form = ElicitRequestFormParams(message=question, requested_schema=_FORM)
    return InputRequiredResult(input_requests={key: ElicitRequest(params=form)})


def _agrees(answer: ElicitResult) -> bool:
    return answer.action == "accept" and (answer.content or {}).get(_ANSWER) is True
