"""Structured logs: one JSON object per line, without user text or ids of users.

A line contains the message template from the code and numbers. Other values are replaced by a keyed hash, and errors by
their class and traceback locations. Messages of other packages without arguments may contain values, so only their
location is logged.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import sys
import traceback
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from config.settings import Settings

if TYPE_CHECKING:
    from app.api.reply import Reply

_ROOMS = {path.name for path in Path(__file__).parents[1].iterdir() if path.is_dir()}
_WITH_HANDLERS = ("uvicorn", "uvicorn.access", "uvicorn.error", "fastmcp")
"""Loggers of other packages that install handlers of their own."""
_log = logging.getLogger(__name__)


class JsonLines(logging.Formatter):
    """Formats a record as one line of JSON; values are hashed with `key`, so that only its holder can match them."""

    def __init__(self, key: bytes) -> None:
        super().__init__()
        self._key = key

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": self._event(record),
            "at": f"{'/'.join(Path(record.pathname).parts[-3:])}:{record.lineno}",
        }
        line |= {name: self._safe(value) for name, value in getattr(record, "hashed", {}).items()}
        line |= getattr(record, "verbatim", {})
        if record.exc_info and record.exc_info[1]:
            line["error"] = _describe_error(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False)

    def _event(self, record: logging.LogRecord) -> str:
        is_ours = record.name.split(".")[0] in _ROOMS
        if not isinstance(record.msg, str) or not (is_ours or record.args):
            return ""
        args = record.args or ()
        try:
            safe = {name: self._safe(value) for name, value in args.items()} if isinstance(args, dict) else None
            return record.msg % (safe or tuple(self._safe(value) for value in args))
        except (TypeError, ValueError):
            return record.msg

    def _safe(self, value: object) -> object:
        if value is None or isinstance(value, int | float):
            return value
        if isinstance(value, BaseException):
            return type(value).__name__
        return "#" + hmac.new(self._key, str(value).encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:12]


def configure_logs(settings: Settings, stream: TextIO | None = None) -> None:
    """Write all logs of this process as JSON to `stream`, by default stderr, if `log_format` is `json`."""
    if settings.log_format != "json":
        return
    key = settings.encryption_key.get_secret_value() if settings.encryption_key else "travel-concierge"
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines(key.encode()))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    for name in _WITH_HANDLERS:
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).propagate = True


def log_run(reply: Reply, thread_id: str) -> None:
    """Log the duration, steps, tools and stop reason of one run."""
    if not _log.isEnabledFor(logging.INFO):
        return
    fields = {
        "run_id": reply.run_id,
        "stop_reason": str(reply.stop_reason),
        "outcome": reply.outcome,
        "milliseconds": sum(step.milliseconds for step in reply.trace),
        "steps": [asdict(step) for step in reply.trace],
        "tools": [f"{use.name} {use.outcome}" for use in reply.tools],
        "notes_written": len(reply.memory.written),
        "notes_blocked": len(reply.memory.blocked),
    }
    _log.info("run", extra={"verbatim": fields, "hashed": {"thread": thread_id}})


def _describe_error(error: BaseException) -> dict[str, Any]:
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{'/'.join(Path(frame.filename).parts[-3:])}:{frame.lineno} {frame.name}" for frame in frames]
    return {"class": type(error).__name__, "raised_at": places}
