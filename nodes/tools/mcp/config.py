"""Reads the file that `CONCIERGE_MCP_SERVERS` names: the servers, and which of their tools may be called.

{"weather": {"command": ["weather-mcp", "--metric"], "env": {"REGION": "eu"}, "allow": ["forecast"]},
 "hotels": {"url": "https://mcp.example.com/mcp", "headers": {"Authorization": "Bearer …"}, "allow": ["reserve"]}}
"""

import re
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, field_validator, model_validator

from config.checks import HttpUrl
from config.errors import SettingsError

_NAME = re.compile(r"[A-Za-z0-9-]{1,24}")
_SETTING = "CONCIERGE_MCP_SERVERS"


class McpServer(BaseModel):
    """The configuration of one server.

    Attributes:
        command: Program and arguments of a local server, which is started here and uses stdio.
        env: Environment variables of that program, in addition to a few harmless ones such as PATH and HOME.
        url: Address of a remote server, which uses streamable HTTP.
        headers: Headers of every request to it.
        allow: Names of the server's tools that may be called; no others are ever offered or called.
        timeout: Seconds that one call may take.
        start_timeout: Seconds that starting and connecting may take.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    command: Annotated[tuple[str, ...], Field(min_length=1)] | None = None
    env: dict[str, str] = Field({}, repr=False)
    url: HttpUrl | None = Field(None, repr=False)
    headers: dict[str, str] = Field({}, repr=False)
    allow: Annotated[tuple[str, ...], Field(min_length=1)]
    timeout: float = Field(30.0, gt=0, le=300)
    start_timeout: float = Field(20.0, gt=0, le=300)

    @field_validator("allow")
    @classmethod
    def _without_duplicates(cls, allow: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(allow))

    @model_validator(mode="after")
    def _has_command_or_url(self) -> Self:
        if (self.command is None) == (self.url is None):
            raise ValueError('it needs either "command" or "url"')
        if (self.env and self.url) or (self.headers and self.command):
            raise ValueError('"env" goes with "command", and "headers" with "url"')
        return self


def read_servers(path: Path) -> dict[str, McpServer]:
    """Return the servers of the file by name, in its order.

    Raises:
        SettingsError: the file can't be read or is invalid, or the extra `mcp` is not installed.
    """
    try:
        servers = TypeAdapter(dict[str, McpServer]).validate_json(path.read_bytes())
    except OSError as error:
        raise SettingsError(f"{_SETTING} is {str(path)!r}: it can't be read ({error.strerror}).") from error
    except ValidationError as error:
        # The values are not shown: headers and variables contain secrets.
        faults = "; ".join(f"{'.'.join(map(str, one['loc'])) or 'the file'}: {one['msg']}" for one in error.errors())
        raise SettingsError(f"{_SETTING} is {str(path)!r}: {faults.replace('Value error, ', '')}.") from None
    for name in servers:
        if not _NAME.fullmatch(name):
            raise SettingsError(
                f"{_SETTING} is {str(path)!r}: {name!r} can't name a server; use up to 24 letters, digits and hyphens."
            )
    if servers and find_spec("fastmcp") is None:
        raise SettingsError(
            f"{_SETTING} is set, but fastmcp is not installed. Install it: pip install 'travel-concierge[mcp]'."
        )
    return servers
