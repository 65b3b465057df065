"""Runs `concierge doctor`, which checks an installation part by part, and `concierge reindex`."""

from __future__ import annotations

import asyncio
import os
import shutil
import stat
from dataclasses import dataclass, replace
from datetime import timedelta
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal

from app.cli.exits import FAILED
from app.cli.screen import Output, Screen, text_output
from app.cli.wording import read_settings, say
from config.errors import ConciergeError, SettingsError, StoreLockedError
from config.redact import redact
from config.settings import Settings

if TYPE_CHECKING:
    from stores.chroma import ChromaStore


_MIN_FREE_MB = 200
_TIMEOUT_SECONDS = 5.0
_MAX_CLOCK_SKEW = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Check:
    """The result for one part; `told` is its finding, with advice if it `failed`."""

    what: str
    status: Literal["ok", "failed", "skipped"]
    told: str


def examine() -> Output:
    """Check the installation and all that is kept, and say what to do; exits with 1 where something failed."""
    checks = [replace(check, told=redact(check.told)) for check in _all_checks()]
    failed, skipped = (any(check.status == status for check in checks) for status in ("failed", "skipped"))

    def write(screen: Screen) -> None:
        for check in checks:
            style = "bold" if check.status == "failed" else ""
            screen.line(f"{check.status:8}{check.what}: {check.told}", style=style)
        screen.aside(say("unwell" if failed else "well_so_far" if skipped else "well"))

    return Output(checks, write, code=FAILED if failed else 0)


def rebuild_index() -> Output:
    """Rebuild the search index from what is stored; needed only when a search finds less than there is."""
    count = asyncio.run(_rebuilt(read_settings()))
    return text_output({"indexed": count}, say("indexed", count=count))


async def _rebuilt(settings: Settings) -> int:
    from stores.lifespan import open_store

    async with open_store(settings) as store:
        return await asyncio.to_thread(store.reindex)


def _all_checks() -> list[Check]:
    """Check every part, settings first; damaged records and conversations have a check each."""
    try:
        settings = read_settings()
    except SettingsError as error:
        return [Check("settings", "failed", str(error))]
    parts = _data_directory, _packages, _model, _embedder, _chroma, _sign_in
    readable = Check("settings", "ok", "they can be read")
    return [readable, *(check(settings) for check in parts), *asyncio.run(_stores(settings))]


def _data_directory(settings: Settings) -> Check:
    folder = settings.data_dir.absolute()
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
        return Check("data directory", "failed", f"{existing} can't be written. Allow it, or set CONCIERGE_DATA_DIR.")
    free = shutil.disk_usage(existing).free // 1_000_000
    if free < _MIN_FREE_MB:
        return Check("data directory", "failed", f"Only {free} MB are free at {existing}. Free some space.")
    if existing == folder and stat.S_IMODE(folder.stat().st_mode) & 0o077:
        return Check("data directory", "failed", f"Others may look into {folder}. Run: chmod 700 {folder}")
    return Check("data directory", "ok", f"{folder}, {free} MB free")


def _packages(settings: Settings) -> Check:
    extras = {"postgres": ("psycopg", settings.store_url), "mcp": ("fastmcp", settings.mcp_servers)}
    missing = [extra for extra, (package, used) in extras.items() if used and find_spec(package) is None]
    if missing:
        return Check("packages", "failed", f"Install what is set: pip install 'travel-concierge[{','.join(missing)}]'")
    return Check("packages", "ok", "all that the settings need are installed")


def _model(settings: Settings) -> Check:
    from models import Models

    try:
        asyncio.run(Models(settings).warm())
    except SettingsError as error:
        return Check("model", "failed", str(error))
    if settings.is_offline:
        return Check("model", "ok", "the offline concierge")
    if not settings.uses_openai:
        return Check("model", "skipped", f"{settings.model_of('agent')} is asked for nothing here")
    import httpx

    url = (settings.openai_base_url or "https://api.openai.com/v1").rstrip("/")
    key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else ""
    try:
        response = httpx.get(f"{url}/models", headers={"Authorization": f"Bearer {key}"}, timeout=_TIMEOUT_SECONDS)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        told = f"{url} does not answer ({type(error).__name__}). Start the server, or correct OPENAI_BASE_URL."
        return Check("model", "failed", told)
    if response.status_code in (401, 403):
        return Check("model", "failed", f"{url} refuses the key. Correct OPENAI_API_KEY.")
    return Check("model", "ok", f"{url} answers")


def _embedder(settings: Settings) -> Check:
    from stores.embeddings import open_embedder

    try:
        embedder = open_embedder(settings)
        if embedder is not None:
            embedder.embed(["luggage"])
    except Exception as error:  # endpoints and libraries may raise anything
        return Check("embedder", "failed", f"{error} Correct CONCIERGE_EMBEDDER, or set it to none for keywords only.")
    return Check("embedder", "ok", settings.embedder)


def _chroma(settings: Settings) -> Check:
    from stores.vectors.backends import ServerVectors

    if not settings.chroma_url:
        return Check("chroma", "ok", "embedded")
    try:
        ServerVectors(settings.chroma_url).check()
    except ConciergeError as error:
        return Check("chroma", "failed", str(error))
    return Check("chroma", "ok", f"{settings.chroma_url} answers")


def _sign_in(settings: Settings) -> Check:
    from app.auth.tokens import Tokens

    if not (settings.auth_public_key or settings.auth_key):
        return Check("sign-in", "ok", "tokens of this installation's own")
    try:
        Tokens(settings)
    except SettingsError as error:
        return Check("sign-in", "failed", str(error))
    return Check("sign-in", "ok", "the key of tokens can be read")


async def _stores(settings: Settings) -> list[Check]:
    from app.api.opening import open_concierge
    from stores.lifespan import open_store

    what, place = "memory and conversations", "PostgreSQL" if settings.store_url else "embedded"
    encryption = "encrypted" if settings.encryption_key else "not encrypted (CONCIERGE_ENCRYPTION_KEY is not set)"
    try:
        async with open_store(settings) as store, open_concierge(settings, store=store) as concierge:
            checks = [Check(what, "ok", f"{place}, {encryption}"), await _clock(store), await _index(store)]
            advice = "Restore it from a backup, or delete it."
            return checks + [Check(name, "failed", f"{fault} {advice}") for name, fault in await concierge.damaged()]
    except StoreLockedError as error:
        return [Check(what, "skipped", f"{error} What is in them was not checked.")]
    except ConciergeError as error:
        return [Check(what, "failed", str(error))]


async def _clock(store: ChromaStore) -> Check:
    from stores.chroma import utc_now

    newest = await store.asearch((), limit=1)
    if newest and newest[0].updated_at > utc_now() + _MAX_CLOCK_SKEW:
        advice = "Set the time of this machine."
        return Check("clock", "failed", f"It is behind: something was written at {newest[0].updated_at}. {advice}")
    return Check("clock", "ok", "it is not behind what was written")


async def _index(store: ChromaStore) -> Check:
    unindexed = await asyncio.to_thread(store.unindexed)
    if unindexed:
        told = f"{unindexed} items can't be found by meaning, as the embedder refused them. Run: concierge reindex"
        return Check("search index", "failed", told)
    return Check("search index", "ok", "it lacks nothing that a search would not make")
