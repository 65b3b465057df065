"""Runs the memory server: over stdio for one named user, or over HTTP for whoever signs in with a token."""

from __future__ import annotations

from fastmcp.server.auth import AccessToken, TokenVerifier
from fastmcp.server.dependencies import get_access_token

from app.api.concierge import Concierge
from app.api.opening import open_concierge
from app.api.user_memory import OwnMemory
from app.auth.tokens import Tokens
from app.logs import configure_logs
from app.mcp.server import memory_server
from config.errors import AccessDeniedError, SettingsError
from config.settings import Settings
from memory.policy import deployed_gate

PATH = "/mcp"
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


async def serve_stdio(settings: Settings, user_id: str) -> None:
    """Serve one user's memory over standard input and output, until the client leaves."""
    configure_logs(settings)  # again, as what was imported since has handlers of its own
    async with open_concierge(settings) as concierge:
        memory = concierge.memory(user_id)
        server = memory_server(lambda: memory, topics=deployed_gate(settings).topics)
        await server.run_stdio_async(show_banner=False, log_level="ERROR")


async def serve_http(settings: Settings, host: str, port: int) -> None:
    """Serve at `http://host:port/mcp`, to each user the memory that their bearer token names, until it is stopped.

    Raises:
        SettingsError: without a key of the settings there are only development's tokens, for this machine alone.
    """
    tokens = Tokens.of(settings)
    if tokens.is_development and host not in _LOOPBACK:
        raise SettingsError(
            f"{host} can be reached from other machines, and no key is set. Set CONCIERGE_AUTH_KEY or "
            "CONCIERGE_AUTH_PUBLIC_KEY, or serve on 127.0.0.1."
        )
    configure_logs(settings)
    async with open_concierge(settings) as concierge:
        topics = deployed_gate(settings).topics
        server = memory_server(lambda: _signed_in(concierge), topics=topics, auth=_Bearer(tokens))
        await server.run_http_async(
            show_banner=False,
            host=host,
            port=port,
            path=PATH,
            log_level="warning",
            host_origin_protection=True,
            allowed_hosts=list(settings.allowed_hosts),
            allowed_origins=list(settings.allowed_origins),
        )


def _signed_in(concierge: Concierge) -> OwnMemory:
    token = get_access_token()
    if token is None or not token.subject:
        raise AccessDeniedError("Sign in first.")
    return concierge.memory(token.subject)


class _Bearer(TokenVerifier):
    """Lets in whoever holds a token of this installation."""

    def __init__(self, tokens: Tokens) -> None:
        super().__init__()
        self._tokens = tokens

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return whom the token names; None where it is not valid here."""
        try:
            user = self._tokens.user_of(token)
        except AccessDeniedError:
            return None
        return AccessToken(token=token, client_id=user, scopes=[], subject=user)
