"""A browser tab that is signed in on the page, with the steps that several tests share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, expect

from app.auth.tokens import Tokens

WINDOW = "I always take a window seat on long flights"
FLIGHTS = "Flights from Berlin to Lisbon, 10 to 14 December, 2 adults"
PATIENCE = 30_000
"""The timeout in milliseconds for an element to appear."""


class Site(NamedTuple):
    """The URL of the page, and the issuer of its tokens."""

    url: str
    tokens: Tokens


class Visit:
    """A tab on the page. `complaints` collects the errors that the browser logs."""

    def __init__(self, browser: Browser, site: Site, user: str, *, at: str = "", **more: Any) -> None:
        options = {"viewport": {"width": 1280, "height": 860}, "locale": "en-GB", "reduced_motion": "reduce", **more}
        self.context = browser.new_context(**options)
        self.context.set_default_timeout(PATIENCE)
        self.complaints: list[str] = []
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda said: self._take(said.text) if said.type == "error" else None)
        self.page.goto(f"{site.url}/app#token={site.tokens.mint(user)}")
        expect(self.page.locator(".welcome")).to_be_visible()
        if at:
            self.page.goto(f"{site.url}/app#{at}")
            self.page.reload()
            expect(self.page.locator(".mine").first).to_be_visible()

    def _take(self, complaint: str) -> None:
        if not complaint.startswith("Failed to load resource"):  # errors of the server, which the page shows itself
            self.complaints.append(complaint)

    def say(self, message: str) -> None:
        """Type a message, send it with Enter, and wait until it is answered."""
        field = self.page.locator("#message")
        field.fill(message)
        field.press("Enter")
        self.answered()

    def answered(self) -> None:
        expect(self.page.locator("#composer button[type=submit]")).to_be_visible()

    def finish(self, kept: str) -> None:
        """End the session, and wait until the panel shows a note of it as stored.

        Only a stored note has a history.
        """
        self.button("Finish").click()
        expect(self.button(f"History: {kept}")).to_be_visible()
        expect(self.button(f"Edit: {kept}")).to_have_count(1)

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def card(self, text: str) -> Locator:
        """Return the card of the panel with this text."""
        return self.page.locator("#panel .card", has_text=text)

    def tab(self, name: str) -> None:
        """Open a tab of the panel."""
        self.page.get_by_role("tab", name=name).click()

    def violations(self) -> list[str]:
        """Return the violations that axe-core finds in the current page, one line per element."""
        violations = Axe().run(self.page, options={"resultTypes": ["violations"]}).response["violations"]
        return [f"{one['id']}: {node['html'][:160]}" for one in violations for node in one["nodes"]]


Visitor = Callable[..., Visit]
"""Opens the page for a user, with options of the browser."""
