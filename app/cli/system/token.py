"""Runs `concierge token`: lets somebody in at a server of this installation."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

import typer

from app.cli.opening import speaker
from app.cli.options import User
from app.cli.wording import read_settings


def mint_token(
    user: User = None, hours: Annotated[int, typer.Option(min=1, max=8760, help="For how long it is good.")] = 12
) -> None:
    """Print a token with which a user signs in at a server of this installation."""
    from app.auth.tokens import Tokens

    settings = read_settings()
    print(Tokens.of(settings).mint(speaker(user, settings), lifetime=timedelta(hours=hours)))
