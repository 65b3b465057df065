"""Messages and notes are never rendered as markup. A page of another origin can neither change nor read anything."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import expect
from starlette.responses import PlainTextResponse

from app.page.routes import ROUTES
from tests.app.page.browser.visit import WINDOW, Site, Visit, Visitor
from tests.app.page.conftest import served

pytestmark = pytest.mark.slow


BODIES: dict[str, Any] = {
    "messages": {"message": "I hate window seats"}, "undo": {}, "profile": {"home_city": "Elsewhere"},
    "consent": {"paused": True}, "clear": {"confirm": "hal", "bookings": "delete"}, "import": {},
}  # fmt: skip
"""A valid body for each request, by the end of its path."""

ATTACK = """async (writes) => {
  const passed = [];
  for (const [method, address, body] of writes) {
    const json = { "Content-Type": "application/json", "X-Concierge": "page" };
    for (const how of [
      { method, mode: "cors", headers: json },
      { method, mode: "cors", headers: { "Content-Type": "text/plain" } },
      { method: "POST", mode: "no-cors" },
    ]) {
      const answer = await fetch(address, { ...how, credentials: "include", body }).catch(() => null);
      if (answer && answer.type !== "opaque") passed.push(`${method} ${address}`);
    }
    const frame = Object.assign(document.createElement("iframe"), { name: "into" });
    const form = document.createElement("form");
    Object.assign(form, { method: "POST", action: address, enctype: "text/plain", target: "into" });
    form.append(Object.assign(document.createElement("input"), { name: body.slice(0, -1) + ',"x":"', value: '"}' }));
    document.body.append(frame, form);
    const loaded = new Promise((done) => frame.addEventListener("load", done, { once: true }));
    form.submit();
    await loaded;
    frame.remove();
  }
  return passed;
}"""
READ = """async (addresses) => {
  const read = [];
  for (const address of addresses) {
    const answer = await fetch(address, { credentials: "include" }).catch(() => null);
    if (answer) read.push(address);
  }
  return read;
}"""


def test_script_in_a_message_or_note_is_shown_as_text(visit: Visitor) -> None:
    here = visit("dora")
    attack = "<img src=x onerror=a()> <b>bold</b>"
    here.say(WINDOW)
    here.finish(WINDOW)
    here.button(f"Edit: {WINDOW}").click()
    here.page.get_by_label("What to remember").fill(f"I like {attack} rooms")
    here.button("Add a condition").click()
    here.page.get_by_label("Kind of condition").last.select_option("other")
    here.page.get_by_label("Condition", exact=True).last.fill("<i>rain</i>")
    here.button("Save").click()
    expect(here.card(attack)).to_be_visible()
    here.say(f"{attack} [mine](javascript:alert(1)) What do you remember about me?")
    expect(here.page.locator(".mine").last).to_contain_text(f"{attack} [mine]")
    assert here.page.locator("#log img, #log b, #panel img, #panel b, a[href^='javascript']").count() == 0


def test_page_of_another_origin_changes_and_reads_nothing(visit: Visitor, site: Site) -> None:
    here, url = visit("hal"), site.url
    here.say(WINDOW)
    here.finish(WINDOW)
    notes = here.page.locator("#panel [data-note]")
    expect(notes).to_have_count(1)  # for a moment, the staged note and the stored one may both be shown
    note = notes.get_attribute("data-note")
    keys = {"memory": note, "threads": here.page.url.partition("thread=")[2]}
    writes = [(method, path) for method, path in _routes(keys) if method != "GET"]
    reads = [path for method, path in _routes(keys) if method == "GET"]
    assert len(writes) > 12
    before = _everything(here, url)
    with served(PlainTextResponse("<!doctype html><title>elsewhere</title>", media_type="text/html")) as elsewhere:
        there = here.context.new_page()
        there.goto(elsewhere)  # the same site by its host name, so that the browser sends the cookie
        sent = [
            [method, f"{url}/app/api{path}", json.dumps(BODIES.get(path.rpartition("/")[2], {}))]
            for method, path in writes
        ]
        assert there.evaluate(ATTACK, [*sent, ["POST", f"{url}/app/session", "{}"]]) == []
        assert there.evaluate(READ, [f"{url}/app/api{path}" for path in reads]) == []
        there.set_content(f"<iframe src='{url}/app'></iframe>")
        assert "Travel Concierge" not in there.frames[-1].content()
    assert _everything(here, url) == before


def _routes(keys: dict[str, str | None]) -> list[tuple[str, str]]:
    """Return the method and path of every route of the page, with its key from `keys`."""
    routes = []
    for route in ROUTES:
        key = keys.get(route.path.split("/")[1])
        routes += [
            (method, route.path.replace("{key}", str(key))) for method in (route.methods or ()) if method != "HEAD"
        ]
    return sorted(routes)


def _everything(here: Visit, url: str) -> list[Any]:
    paths = (
        "memory?all=1",
        "memory/journal?all=1",
        "me",
        "threads",
        f"threads/{here.page.url.partition('thread=')[2]}",
    )
    return [here.context.request.get(f"{url}/app/api/{path}").json() for path in paths]
