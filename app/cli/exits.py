"""Runs a command and exits: exit codes, error messages, closed pipes.

0: success. 1: a setting, the storage or the model failed. 2: the request was invalid. 130: stopped with Ctrl-C.
"""

import contextlib
import io
import os
import sys
import traceback
from collections.abc import Callable
from typing import NoReturn

from config.errors import ConciergeError, RequestError
from config.redact import redact

FAILED = 1
INVALID = 2
INTERRUPTED = 130


def run(command: Callable[[], object]) -> NoReturn:
    """Call `command` and exit; an exception becomes a message on stderr and an exit code.

    With CONCIERGE_DEBUG set, the traceback is printed too, and logs go to stderr.
    """
    _prepare_streams()
    _prepare_logs()
    code: int | str | None = 0
    try:
        command()
    except SystemExit as done:
        code = done.code
    except BrokenPipeError:
        _discard_stdout()
        code = FAILED
    except KeyboardInterrupt:
        code = INTERRUPTED
    except Exception as error:
        code = INVALID if isinstance(error, RequestError) else FAILED
        _explain(error)
    sys.exit(_flush(code))


def _explain(error: Exception) -> None:
    message = str(error)
    if not isinstance(error, ConciergeError):
        message = redact(
            f"something went wrong that should not have: {type(error).__name__}: {error}. "
            "Nothing that was saved is lost. Set CONCIERGE_DEBUG=1 to see where it happened."
        )
    print(f"concierge: {' '.join(message.split())}", file=sys.stderr)
    if _debugging():
        print(redact("".join(traceback.format_exception(error))), file=sys.stderr, end="")


def _debugging() -> bool:
    return bool(os.environ.get("CONCIERGE_DEBUG"))


def _prepare_streams() -> None:
    """Replace characters that can't be encoded or decoded instead of raising."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _prepare_logs() -> None:
    """Print logs only with CONCIERGE_DEBUG: they are for operators, not for travellers."""
    import logging

    if _debugging():
        logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    else:
        logging.getLogger().addHandler(logging.NullHandler())


def _flush(code: int | str | None) -> int | str | None:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_stdout()
        return FAILED
    return code


def _discard_stdout() -> None:
    """Send buffered output to /dev/null after the pipe was closed, so that the flush at exit does not fail."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
