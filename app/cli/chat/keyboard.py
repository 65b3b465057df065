"""Reads what is typed, a line at a time, with a prompt for a person and without one for a program."""

from __future__ import annotations

import contextlib
import sys

from app.cli.screen import Screen

_BOLD, _PLAIN = "\x01\x1b[1m\x02", "\x01\x1b[0m\x02"
"""Between \\x01 and \\x02 stands what takes no room, so that the line editor counts columns right."""


def is_person(screen: Screen) -> bool:
    """Return True in a terminal; a program at the other end is never asked to approve."""
    return sys.stdin.isatty() and screen.console is not None


def read_line(screen: Screen, prompt: str) -> str | None:
    """Return the next line, None at the end of the input. Raises KeyboardInterrupt."""
    if not is_person(screen):
        line = sys.stdin.readline()
        return line.rstrip("\r\n") if line else None
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  (its import gives `input` a line editor and a history)

        prompt = f"{_BOLD}{prompt}{_PLAIN}"
    try:
        return input(prompt)
    except EOFError:
        return None
