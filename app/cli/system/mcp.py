"""Runs `concierge mcp`: one user's memory for other agents, over the Model Context Protocol."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec
from typing import Annotated

import typer

from app.cli.opening import speaker
from app.cli.options import User
from app.cli.wording import read_settings
from config.errors import SettingsError


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
    user_id = "" if http else speaker(user, settings)
    from app.mcp.serving import serve_http, serve_stdio

    asyncio.run(serve_http(settings, host, port) if http else serve_stdio(settings, user_id))
