"""Runs a real PostgreSQL for tests: a temporary cluster that listens on a Unix socket."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from urllib.parse import quote

ABSENT = "PostgreSQL is not installed: run `sh tests/programs.sh` as root, or install Debian's `postgresql`"


def programs() -> Path | None:
    """Return the folder of `initdb` and `pg_ctl`: that on the path, else of the newest installed version, else None."""
    initdb = shutil.which("initdb")
    if initdb:
        return Path(initdb).parent
    return max((path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")), default=None)


class Server:
    """A PostgreSQL server. `url` names its default database."""

    def __init__(self, folder: Path, bin_folder: Path) -> None:
        self._folder = folder
        self._bin = bin_folder
        # The server refuses to run as root.
        self._user = "postgres" if os.geteuid() == 0 else None
        self.url = f"postgresql://postgres@/postgres?host={quote(str(folder), safe='')}"

    def create(self) -> None:
        self._run("initdb", "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync")
        self.start()

    def start(self) -> None:
        """Start the server and wait until it answers."""
        options = f"-c listen_addresses= -c unix_socket_directories={self._folder} -c fsync=off -c max_connections=200"
        self._run("pg_ctl", "start", "--wait", "--silent", "--log", str(self._folder / "log"), "--options", options)

    def stop(self) -> None:
        """Stop the server at once, as a crash would."""
        self._run("pg_ctl", "stop", "--mode=immediate", "--silent")

    def url_of(self, schema: str) -> str:
        """Create a schema and return a URL whose tables are in it."""
        import psycopg

        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f'CREATE SCHEMA IF NOT EXISTS "{schema}"'.encode())
        return f"{self.url}&options=" + quote(f"-csearch_path={schema}")

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._bin / program), "--pgdata", str(self._folder / "data"), *arguments]
        subprocess.run(command, check=True, user=self._user, cwd=self._folder, stdout=subprocess.DEVNULL)


@contextmanager
def running_server(bin_folder: Path) -> Iterator[Server]:
    """Run a server until the end of the block."""
    # Not in pytest's folder, which the server's user may not read.
    folder = Path(mkdtemp(prefix="concierge-pg-"))
    try:
        if os.geteuid() == 0:
            owner = pwd.getpwnam("postgres")
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        server = Server(folder, bin_folder)
        server.create()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
