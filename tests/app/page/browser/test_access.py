"""Accessibility of the page: keyboard only, screen readers, light and dark mode, and narrow screens."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.app.page.browser.visit import FLIGHTS, WINDOW, Visitor

pytestmark = pytest.mark.slow


def test_page_works_with_the_keyboard_only(visit: Visitor) -> None:
    here = visit("eva")
    page = here.page
    page.reload()
    expect(page.locator("#message")).to_be_focused()
    page.keyboard.type(WINDOW)
    page.keyboard.press("Enter")
    here.answered()
    expect(page.locator("#message")).to_be_focused()
    page.locator(".skip").last.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("tab", name="Memory")).to_be_focused()
    for name in ("Trips", "Conversations", "Settings"):
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("tab", name=name)).to_be_focused()
    switch = page.get_by_label("Learn from conversations")
    expect(switch).to_be_checked()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(switch).to_be_focused()
    page.keyboard.press("Space")
    expect(switch).not_to_be_checked()
    expect(switch).to_be_focused()
    page.get_by_role("tab", name="Memory").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Edit profile").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Home city").fill("Porto")
    page.keyboard.press("Enter")
    expect(here.card("Porto")).to_be_visible()
    expect(page.get_by_role("button", name="Edit profile")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="Edit profile")).to_be_focused()


def test_axe_finds_no_violations_in_light_dark_and_narrow_views(visit: Visitor) -> None:
    here = visit("fay")
    assert here.violations() == []
    here.say(WINDOW)
    here.say(FLIGHTS)
    here.say("Book number 1")
    thread = here.page.url.partition("#")[2]
    assert here.violations() == []
    narrow = visit("fay", viewport={"width": 360, "height": 740}, at=thread)
    assert narrow.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    narrow.button("Memory").click()
    assert narrow.violations() == []
    narrow.tab("Conversations")
    narrow.page.locator("#panel").get_by_role("button", name="New conversation").click()
    expect(narrow.page.locator("#message")).to_be_focused()
    for one in (here, visit("fay", color_scheme="dark", at=thread)):
        for tab, there in (("Trips", "No trips yet"), ("Conversations", "open now"), ("Settings", "Learn from")):
            one.tab(tab)
            expect(one.page.locator("#panel")).to_contain_text(there)
            assert one.violations() == [], tab
        one.tab("Memory")
        for form in ("Edit profile", f"Edit: {WINDOW}"):
            one.button(form).click()
            assert one.violations() == [], form
            one.page.keyboard.press("Escape")
