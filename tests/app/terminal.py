"""Runs a command in a pseudo-terminal: sends it keys, and reads its output as text."""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

CTRL_C = "\x03"
CTRL_D = "\x04"

_TIMEOUT = 60.0
_STYLES = re.compile(r"\x1b\[[0-9;?]*(?:[A-Za-z]|$)|\x1b$|\r")
_ERASED = re.compile(r"\x1b\[2K")
_PROMPT = re.compile(r"[>?？] \Z")
_HOST = """
import json, os, pty, select, signal, socket, sys
import app.api.opening, app.cli.chat.interactive, app.cli.markdown, graph.builder, models.offline.model, rich.live
import langchain_openai
from app.cli.main import main

def copy(master):
    sources = {0: master, master: 1}
    while master in sources:
        for source in select.select(list(sources), [], [])[0]:
            try:
                piece = os.read(source, 65536)
            except OSError:
                piece = b""
            if piece:
                os.write(sources[source], piece)
            else:
                del sources[source]

signal.signal(signal.SIGINT, signal.SIG_DFL)  # a test run in the background ignores it
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
connection = socket.socket(fileno=int(sys.argv[1]))
while True:
    message, ends, _, _ = socket.recv_fds(connection, 1 << 20, 3)
    if not message:
        sys.exit()
    if os.fork():
        for end in ends:
            os.close(end)
        continue
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    connection.close()
    request = json.loads(message)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    os.write(ends[2], b"%d " % os.getpid())
    child, master = pty.fork()
    if not child:
        for end in ends:
            os.close(end)
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.argv = request["command"]
        main()
    for place in (0, 1):
        os.dup2(ends[place], place)
        os.close(ends[place])
    copy(master)
    os.write(ends[2], b"%d" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    os._exit(0)
"""
"""A process that has loaded the command and, at each request, forks one that runs it in a new terminal."""


@contextlib.contextmanager
def terminal_host() -> Iterator[socket.socket]:
    """Start the process that forks terminals; yield the socket for requests."""
    here, there = socket.socketpair()
    with subprocess.Popen([sys.executable, "-c", _HOST, str(there.fileno())], pass_fds=[there.fileno()]):
        there.close()
        with here:
            yield here


class Terminal:
    """Runs `command`, which is `concierge` with arguments, in a new terminal. Use it as a context manager."""

    def __init__(self, host: socket.socket, command: Sequence[str], *, env: Mapping[str, str], cwd: Path) -> None:
        self._raw = b""
        self._shown = ""
        self._seen = 0
        self._typed = 0
        keys, self._keys = os.pipe()
        self._screen, screen = os.pipe()
        self._status, status = os.pipe()
        request = json.dumps({"command": list(command), "env": {**env, "TERM": "xterm"}, "cwd": str(cwd)})
        socket.send_fds(host, [request.encode()], [keys, screen, status])
        for end in (keys, screen, status):
            os.close(end)
        self._process = int(os.read(self._status, 64))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGKILL)
        for end in (self._keys, self._screen, self._status):
            os.close(end)

    def type(self, keys: str) -> None:
        """Press keys once a prompt is shown; a line ends with a line break. `expect` continues from here."""
        deadline = time.monotonic() + _TIMEOUT
        while not _PROMPT.search(self._shown, self._typed):
            if not self._read(deadline):
                raise AssertionError(f"no prompt waits for {keys!r}; the terminal shows:\n{self._shown}")
        self._seen = self._typed = len(self._shown)
        self.press(keys)

    def press(self, keys: str) -> None:
        """Press keys without waiting for a prompt, as for a signal."""
        os.write(self._keys, keys.encode())

    def expect(self, text: str) -> str:
        """Wait until `text` is shown after the last expected text; return the output up to its end."""
        deadline = time.monotonic() + _TIMEOUT
        while (start_of_text := self._shown.find(text, self._seen)) < 0:
            if not self._read(deadline):
                raise AssertionError(f"{text!r} was never shown; the terminal shows:\n{self._shown}")
        start, self._seen = self._seen, start_of_text + len(text)
        return self._shown[start : self._seen]

    def press_until(self, keys: str, text: str) -> None:
        """Press keys until `text` is shown: a signal can be lost if it arrives just as a read of a line begins."""
        for _ in range(10):
            self.press(keys)
            deadline = time.monotonic() + _TIMEOUT / 10
            while self._shown.find(text, self._seen) < 0 and self._read(deadline):
                pass
            if self._shown.find(text, self._seen) >= 0:
                break
        self.expect(text)

    def ending(self) -> tuple[int, str]:
        """Wait for the end of the command; return its exit code and its output since the last `expect`."""
        deadline = time.monotonic() + _TIMEOUT
        while self._read(deadline):
            pass
        return int(os.read(self._status, 64)), self._shown[self._seen :]

    def _read(self, deadline: float) -> bool:
        """Read the available output; return False at the end of the output or after the deadline."""
        ready, _, _ = select.select([self._screen], [], [], max(0.0, deadline - time.monotonic()))
        piece = os.read(self._screen, 65536) if ready else b""
        self._raw += piece
        # Decodes all output so far, as a piece may end within a character or a style.
        # A line that is redrawn counts as a new line each time.
        self._shown = _STYLES.sub("", _ERASED.sub("\n", self._raw.decode("utf-8", "ignore")))
        return bool(piece)


Opened = Callable[..., Terminal]
"""Opens a conversation in a terminal: `open_terminal(*arguments, **environment)`."""
