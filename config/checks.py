"""Checks for single settings. Each returns the value, or raises a ValueError that says what it must be."""

import base64
import re
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, SecretStr
from pydantic_settings import NoDecode

_PLACE = re.compile(r"\{([a-z_]+)\}")
_HOST = re.compile(r"[A-Za-z0-9._-]+(:\d+)?|\[[0-9A-Fa-f:.]+\](:\d+)?|[0-9A-Fa-f:.]+")


def _listed(value: object) -> object:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value


def _key(key: SecretStr) -> SecretStr:
    try:
        length = len(base64.b64decode(key.get_secret_value(), validate=True))
    except ValueError:
        length = 0
    if length != 32:
        raise ValueError("it must be 32 random bytes in base64. Make one: openssl rand -base64 32")
    return key


def _summary_prompt(file: Path) -> Path:
    try:
        places = set(_PLACE.findall(file.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise ValueError(f"it must be a text file that can be read ({error})") from None
    if places != {"previous_summary", "transcript", "words"}:
        raise ValueError("the file must have the places {previous_summary}, {transcript} and {words}, and no other")
    return file


def _postgresql(url: SecretStr) -> SecretStr:
    if not url.get_secret_value().startswith(("postgresql://", "postgres://")):
        raise ValueError("it must look like postgresql://user:password@host:5432/database")
    return url


def _http(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:
        raise ValueError("it must be an http or https address such as http://localhost:8000")
    return url


def _sendable(key: SecretStr) -> SecretStr:
    text = key.get_secret_value()
    if not text.isascii() or not text.isprintable() or " " in text:
        raise ValueError("it holds a space, a line break or a character outside ASCII; copy the key again")
    return key


def _hosts(hosts: tuple[str, ...]) -> tuple[str, ...]:
    if not all(_HOST.fullmatch(host) for host in hosts):
        raise ValueError("they must be plain names, such as concierge.example.com, without https://, path or wildcard")
    return hosts


def without_unused(values: dict[str, Any]) -> dict[str, Any]:
    """Return the raw settings without OPENAI_BASE_URL if it is not used, so that it is not checked either."""
    if values.get("model_provider") != "offline" or values.get("embedder") == "openai":
        return values
    return {name: value for name, value in values.items() if name.upper() != "OPENAI_BASE_URL"}


Listed = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_listed)]
ListedOrNone = Annotated[tuple[str, ...] | None, NoDecode, BeforeValidator(_listed)]
"""Comma-separated words."""
Hosts = Annotated[Listed, AfterValidator(_hosts)]
Key = Annotated[SecretStr, AfterValidator(_key)]
SummaryPrompt = Annotated[Path, AfterValidator(_summary_prompt)]
PostgresUrl = Annotated[SecretStr, AfterValidator(_postgresql)]
HttpUrl = Annotated[str, AfterValidator(_http)]
SentKey = Annotated[SecretStr, AfterValidator(_sendable)]
