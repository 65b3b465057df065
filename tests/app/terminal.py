"""A pseudo-terminal with a command in it: what is typed arrives as keys, what is shown comes back as text."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

CTRL_C = "\x03"
CTRL_D = "\x04"

_TIMEOUT = 60.0
_STYLES = re.compile(r"\x1b\[[0-9;?]*(?:[A-Za-z]|$)|\x1b$|\r")
_PROMPT = re.compile(r"[>?？] \Z")
_HOST = """import os, pty, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)  # a test run in the background ignores it
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"""


class Terminal:
    """Runs `command` in a terminal of its own; use it as a context manager."""

    def __init__(self, command: Sequence[str], *, env: Mapping[str, str], cwd: Path) -> None:
        self._raw = b""
        self._shown = ""
        self._seen = 0
        self._typed = 0
        self._process = subprocess.Popen(
            [sys.executable, "-c", _HOST, *command],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**env, "TERM": "xterm"}, cwd=cwd,
        )  # fmt: skip

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                stream.close()
        self._process.kill()
        self._process.wait(_TIMEOUT)

    def type(self, keys: str) -> None:
        """Press keys once a prompt waits for them; a line ends with a line break. `expect` goes on from here."""
        deadline = time.monotonic() + _TIMEOUT
        while not _PROMPT.search(self._shown, self._typed):
            if not self._read(deadline):
                raise AssertionError(f"no prompt waits for {keys!r}; the terminal shows:\n{self._shown}")
        self._seen = self._typed = len(self._shown)
        self.press(keys)

    def press(self, keys: str) -> None:
        """Press keys whatever is shown, as for a signal."""
        assert self._process.stdin is not None
        self._process.stdin.write(keys.encode())
        self._process.stdin.flush()

    def expect(self, text: str) -> str:
        """Wait until `text` is shown after what was expected before; give all that came up to its end."""
        deadline = time.monotonic() + _TIMEOUT
        while (found := self._shown.find(text, self._seen)) < 0:
            if not self._read(deadline):
                raise AssertionError(f"{text!r} was never shown; the terminal shows:\n{self._shown}")
        start, self._seen = self._seen, found + len(text)
        return self._shown[start : self._seen]

    def press_until(self, keys: str, text: str) -> None:
        """Press keys until `text` is shown: a signal that comes just as a line begins to be read can be lost to it."""
        for _ in range(10):
            self.press(keys)
            deadline = time.monotonic() + _TIMEOUT / 10
            while self._shown.find(text, self._seen) < 0 and self._read(deadline):
                pass
            if self._shown.find(text, self._seen) >= 0:
                break
        self.expect(text)

    def ending(self) -> tuple[int, str]:
        """Wait for the end of the command: its exit code, and what it showed since the last `expect`."""
        deadline = time.monotonic() + _TIMEOUT
        while self._read(deadline):
            pass
        return self._process.wait(_TIMEOUT), self._shown[self._seen :]

    def _read(self, deadline: float) -> bool:
        """Take in what is there; False at the end of the output or of the patience."""
        assert self._process.stdout is not None
        left = max(0.0, deadline - time.monotonic())
        ready, _, _ = select.select([self._process.stdout], [], [], left)
        piece = os.read(self._process.stdout.fileno(), 65536) if ready else b""
        self._raw += piece
        # What came so far, as a whole: a piece may end within a character or a style.
        self._shown = _STYLES.sub("", self._raw.decode("utf-8", "ignore"))
        return bool(piece)


Opened = Callable[..., Terminal]
"""Opens a conversation in a terminal: `open_terminal(*arguments, **environment)`."""
