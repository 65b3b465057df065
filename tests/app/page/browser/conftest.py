"""Serves the page as `concierge serve` does, and opens it in a real browser: Debian's Chromium, one per session."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from app.api.opening import open_concierge
from app.auth.tokens import Tokens
from app.server.app import create_app
from config.settings import load_settings
from tests.app.page.browser.visit import PATIENCE, Site, Visit, Visitor
from tests.app.page.conftest import served

CHROMIUM = shutil.which("chromium")


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    settings = load_settings(data_dir=tmp_path_factory.mktemp("site"), model_provider="offline")
    tokens = Tokens(settings)
    with served(create_app(settings, partial(open_concierge, settings), tokens=tokens)) as url:
        yield Site(url, tokens)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no chromium; `sh tests/programs.sh` installs Debian's")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def visit(site: Site, browser: Browser) -> Iterator[Visitor]:
    """Return a function that opens the page for a user. At the end, no script error or policy violation may be left."""
    visits: list[Visit] = []

    def opened(user: str, **options: Any) -> Visit:
        visits.append(Visit(browser, site, user, **options))
        return visits[-1]

    yield opened
    for one in visits:
        one.context.close()
    assert [said for one in visits for said in one.complaints] == []
