"""Classifies errors of model calls by status code and class name, so that no client library is imported.

The messages are our own, since the text of an exception may repeat the key or the conversation.
"""

from __future__ import annotations

import re

from config.errors import ModelError, ModelFault

_ADVICE: dict[ModelFault, str] = {
    "timeout": "The model did not answer in time. Try again, or raise CONCIERGE_MODEL_TIMEOUT",
    "unreachable": "The model's endpoint cannot be reached. Check the network, and OPENAI_BASE_URL where you set it",
    "auth": "The endpoint refused the key. Check OPENAI_API_KEY, or the key of your provider",
    "rate_limited": "The endpoint takes no more requests now. Wait a little, or check the account's limits and credit",
    "server": "The model failed on its side. Try again in a moment",
    "empty": "The model returned an empty answer. Try again",
    "cut": "The model's answer was cut off by its length limit. Raise CONCIERGE_MAX_OUTPUT_TOKENS",
    "invalid": (
        "The model's answer, or the request to it, is malformed. "
        "Try again; if it stays so, check the model's name and OPENAI_BASE_URL"
    ),
    "refused": "The model declined to answer. Say it in other words",
    "unsupported": (
        "The model can't call tools or give structured answers. "
        "Use a LangChain chat model with `bind_tools` and `with_structured_output`"
    ),
}

_BY_CLASS: dict[str, ModelFault] = {
    "TimeoutError": "timeout",
    "TimeoutException": "timeout",
    "ModelTimeoutError": "timeout",
    "ConnectionError": "unreachable",
    "TransportError": "unreachable",
    "ModelConnectionError": "unreachable",
    "ModelAuthenticationError": "auth",
    "ModelPermissionDeniedError": "auth",
    "ModelRateLimitError": "rate_limited",
    "ModelInvalidRequestError": "invalid",
    "ModelNotFoundError": "invalid",
    "ContextOverflowError": "invalid",
    "LengthFinishReasonError": "cut",
    "ValueError": "invalid",
    "TypeError": "invalid",
    "LookupError": "invalid",
    "AttributeError": "invalid",
    "ContentFilterFinishReasonError": "refused",
    "NotImplementedError": "unsupported",
}
"""Faults by exception class (built-in, langchain-core, httpx and openai); the most derived class counts."""

_BY_STATUS: dict[int, ModelFault] = {401: "auth", 403: "auth", 408: "timeout", 429: "rate_limited", 504: "timeout"}

_BY_CODE: dict[str, ModelFault] = {
    "invalid_api_key": "auth",
    "insufficient_quota": "rate_limited",
    "rate_limit_exceeded": "rate_limited",
    "content_filter": "refused",
    "content_policy_violation": "refused",
}
"""Faults by the error code in a response body, which is more precise than the status."""

_CODE = re.compile(r"[a-z]+(_[a-z]+){0,5}")


def model_error(fault: ModelFault, *, detail: str = "") -> ModelError:
    """Return the error of a fault: what happened, the detail in brackets, and what to do."""
    problem, _, advice = _ADVICE[fault].partition(". ")
    return ModelError(f"{problem}{f' ({detail})' if detail else ''}. {advice}.", fault=fault)


def classify(error: Exception) -> ModelError:
    """Return the `ModelError` for an exception of a chat model; an unknown one counts as a failure of the server."""
    if isinstance(error, ModelError):
        return error
    status, code = _status(error), _code(error)
    classes = [class_.__name__ for class_ in type(error).__mro__]
    by_class: ModelFault = next((_BY_CLASS[name] for name in classes if name in _BY_CLASS), "server")
    by_status: ModelFault = _BY_STATUS.get(status, "invalid" if status < 500 else "server")
    fault = _BY_CODE.get(code) or (by_status if status else by_class)
    details = [f"HTTP {status}" if status else type(error).__name__, code]
    details += [_host(error)] if fault == "unreachable" else []
    return model_error(fault, detail=", ".join(filter(None, details)))


def _status(error: Exception) -> int:
    # An error within a stream has HTTP status 200; some endpoints put the real status into its code.
    for name in ("status_code", "code"):
        value = str(getattr(error, name, ""))
        if value.isascii() and value.isdigit() and 400 <= int(value) <= 599:
            return int(value)
    return 0


def _code(error: Exception) -> str:
    # Only an identifier is repeated: free text may contain a part of the key or of the conversation.
    for name in ("code", "type"):
        value = getattr(error, name, None)
        if isinstance(value, str) and len(value) <= 60 and _CODE.fullmatch(value):
            return value
    return ""


def _host(error: Exception) -> str:
    try:
        url = getattr(getattr(error, "request", None), "url", None)
    except RuntimeError:  # httpx raises it if the error has no request
        return ""
    return str(getattr(url, "host", "") or "")
