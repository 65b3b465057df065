"""Runs `concierge serve` (the web page), `concierge mcp` (memory for agents) and `concierge token`."""

from __future__ import annotations

import asyncio
import webbrowser
from contextlib import nullcontext
from datetime import timedelta
from html import escape
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.opening import User, resolve_user
from app.cli.screen import Screen
from app.cli.wording import read_settings, say
from config.errors import SettingsError
from config.settings import Settings
from stores.private_files import write_private

if TYPE_CHECKING:
    from socket import socket


_DEFAULT_USER = "me"
"""The user of the page if neither --user nor CONCIERGE_DEFAULT_USER is set."""
_REDIRECT_FILE = "open.html"
_TOKEN_LIFETIME = timedelta(days=7)


def serve(
    port: Annotated[int, typer.Option(min=0, max=65_535, help="Where it listens; 0 takes a free one.")] = 8124,
    host: Annotated[
        str, typer.Option(help="The address it listens on; for others than this machine set a key.")
    ] = "127.0.0.1",
    user: User = None,
    browser: Annotated[bool, typer.Option(help="Open the page in the browser.")] = True,
) -> None:
    """Serve the web page on this machine and open it in the browser; Ctrl-C stops it.

    Without --user and CONCIERGE_DEFAULT_USER it is the page of the user `me`.
    """
    from app.server.serving import listening

    settings = read_settings()
    with listening(host, port) as sock:
        asyncio.run(_serve(settings, sock, user or settings.default_user or _DEFAULT_USER, browser=browser))
    Screen().aside(say("served"))


async def _serve(settings: Settings, sock: socket, user_id: str, *, browser: bool) -> None:
    from app.api.opening import open_concierge
    from app.auth.tokens import Tokens
    from app.server.app import create_app
    from app.server.serving import Server

    host, port = sock.getsockname()[:2]
    tokens = Tokens(settings)
    tokens.check_host(host)
    async with open_concierge(settings) as concierge:
        token = tokens.mint(user_id, lifetime=_TOKEN_LIFETIME)
        address = f"http://{f'[{host}]' if ':' in host else host}:{port}/app#token={token}"
        screen = Screen()
        screen.unwrapped(say("serving", address=address))
        screen.aside(say("stop_serving"))
        if browser:
            _open_browser(address, settings.data_dir / _REDIRECT_FILE)
        try:
            app = create_app(settings, lambda: nullcontext(concierge), tokens=tokens)
            await Server(app, proxy_headers=not tokens.is_development).serve([sock])
        finally:
            (settings.data_dir / _REDIRECT_FILE).unlink(missing_ok=True)


def _open_browser(address: str, file: Path) -> None:
    """Open the page through a private redirect file, because other users can see the arguments of a process."""
    write_private(file, f'<meta http-equiv="refresh" content="0; url={escape(address)}">')
    # In a thread, because a text browser blocks until the user quits it.
    Thread(target=webbrowser.open, args=[file.resolve().as_uri()], daemon=True).start()


def serve_memory(
    user: User = None,
    http: Annotated[bool, typer.Option("--http", help="Serve over HTTP, each user who signs in with a token.")] = False,
    host: Annotated[str, typer.Option(help="Where to listen, with --http.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Where to listen, with --http.")] = 8766,
) -> None:
    """Offer a user's memory to other agents: search, list, save, edit and forget notes, and read the profile."""
    settings = read_settings()
    missing = [package for package in ("fastmcp", "mcp") if find_spec(package) is None]
    if missing:
        raise SettingsError(f"{missing[0]} is not installed. Install it: pip install 'travel-concierge[mcp]'.")
    user_id = "" if http else resolve_user(user, settings)
    from app.mcp.server import serve_http, serve_stdio

    asyncio.run(serve_http(settings, host, port) if http else serve_stdio(settings, user_id))


def mint_token(
    user: User = None, hours: Annotated[int, typer.Option(min=1, max=8760, help="For how long it is good.")] = 12
) -> None:
    """Print a token with which a user signs in at a server of this installation."""
    from app.auth.tokens import Tokens

    settings = read_settings()
    print(Tokens(settings).mint(resolve_user(user, settings), lifetime=timedelta(hours=hours)))
