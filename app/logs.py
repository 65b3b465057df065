"""Structured logs: one JSON object a line, in which nothing that a person said, and no id of anybody, can stand.

A record is written from the text of its call in the code and from numbers. Other values are given as a keyed hash; an
error, as its class and where it was raised. Packages that put values into the text itself are told by place only.
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
_QUIET = ("uvicorn", "uvicorn.access", "uvicorn.error", "fastmcp")
_log = logging.getLogger(__name__)


class JsonLines(logging.Formatter):
    """Formats a record as one line of JSON; `key` makes hashes of names that say nothing to who lacks it."""

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
        line |= {name: self._safe(value) for name, value in getattr(record, "named", {}).items()}
        line |= getattr(record, "counted", {})
        if record.exc_info and record.exc_info[1]:
            line["error"] = _raised(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False)

    def _event(self, record: logging.LogRecord) -> str:
        is_ours = record.name.split(".")[0] in _ROOMS
        if not isinstance(record.msg, str) or not (is_ours or record.args):
            return ""
        args = record.args or ()
        try:
            safe = {name: self._safe(one) for name, one in args.items()} if isinstance(args, dict) else None
            return record.msg % (safe or tuple(self._safe(one) for one in args))
        except (TypeError, ValueError):
            return record.msg

    def _safe(self, value: object) -> object:
        if value is None or isinstance(value, int | float):
            return value
        if isinstance(value, BaseException):
            return type(value).__name__
        return "#" + hmac.new(self._key, str(value).encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:12]


def configure_logs(settings: Settings, stream: TextIO | None = None) -> None:
    """Write all logs of this process as JSON to `stream`, by default stderr, where the settings say so."""
    if settings.log_format != "json":
        return
    key = settings.encryption_key.get_secret_value() if settings.encryption_key else "travel-concierge"
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines(key.encode()))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    for name in _QUIET:  # which brings handlers of its own
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).propagate = True


def log_run(reply: Reply, thread_id: str) -> None:
    """Log what one run took and why it stopped."""
    if not _log.isEnabledFor(logging.INFO):
        return
    counted = {
        "run_id": reply.run_id,
        "stop_reason": str(reply.stop_reason),
        "outcome": reply.outcome,
        "milliseconds": sum(step.milliseconds for step in reply.trace),
        "steps": [asdict(step) for step in reply.trace],
        "tools": [f"{use.name} {use.outcome}" for use in reply.tools],
        "notes_written": len(reply.memory.written),
        "notes_blocked": len(reply.memory.blocked),
    }
    _log.info("run", extra={"counted": counted, "named": {"thread": thread_id}})


def _raised(error: BaseException) -> dict[str, Any]:
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{'/'.join(Path(one.filename).parts[-3:])}:{one.lineno} {one.name}" for one in frames]
    return {"class": type(error).__name__, "raised_at": places}
