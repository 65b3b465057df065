"""Chat, approval and memory control in the browser, in two languages."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.app.page.browser.visit import FLIGHTS, WINDOW, Visitor

pytestmark = pytest.mark.slow


def test_conversation_from_the_first_message_to_the_calendar(visit: Visitor) -> None:
    here = visit("ana")
    here.say(WINDOW)
    expect(here.page.locator(".mark.saved")).to_contain_text(f"Noted: {WINDOW}")
    here.say("Please remember my card number 4111 1111 1111 1111")
    expect(here.page.locator(".mark.blocked")).to_contain_text("a card number is never kept")
    expect(here.page.locator(".mine").last).to_contain_text("[card number removed]")
    expect(here.page.get_by_text("4111")).to_have_count(0)
    here.say(FLIGHTS)
    expect(here.page.get_by_role("table").get_by_role("row")).to_have_count(4)
    here.say("Book number 2")
    here.button("Reject").click()
    here.page.get_by_label("Why not?").fill("too dear")
    here.button("Reject").last.click()
    here.answered()
    here.tab("Trips")
    expect(here.page.locator("#panel")).to_contain_text("No trips yet")
    here.say("Book number 1")
    here.button("Approve").click()
    here.answered()
    expect(here.page.locator("#panel .card .badge")).to_have_text("booked")
    with here.page.expect_download() as download:
        here.page.get_by_role("link", name="Calendar file", exact=True).click()
    assert "BEGIN:VEVENT" in download.value.path().read_text(encoding="utf8")
    here.button("Finish").click()
    here.answered()
    here.button("New conversation").first.click()
    here.say(FLIGHTS.replace("Lisbon", "Rome"))
    expect(here.page.locator(".mark.used")).to_contain_text("Used 1 note")
    here.tab("Conversations")
    here.button(f"Open: {WINDOW}").click()
    expect(here.page.locator("#log")).to_contain_text("The flight is booked")


def test_memory_is_edited_retired_restored_and_forgotten(visit: Visitor) -> None:
    here = visit("ben")
    here.say(WINDOW)
    here.say("I am vegetarian, please remember that")
    here.button("Do not remember: I am vegetarian").first.click()
    expect(here.card("I am vegetarian")).to_have_count(0)
    here.button(f"Edit: {WINDOW}").click()
    form = here.page.get_by_role("dialog")
    form.get_by_label("Until").fill("2020-01-01")
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_role("alert").first).to_have_text("This day is over already.")
    form.get_by_label("Until").fill("")
    form.get_by_label("What to remember").fill(f"{WINDOW}, alone")
    form.get_by_label("Holds").select_option("trip")
    form.get_by_role("button", name="Save").click()
    expect(here.page.locator(".mark.saved").first).to_contain_text("alone")
    here.page.get_by_label("Memory in this conversation").select_option("paused")
    here.say("Thank you")
    here.page.reload()
    expect(here.page.locator(".mark.saved")).to_contain_text(f"Noted: {WINDOW}, alone")
    expect(here.page.get_by_label("Memory in this conversation")).to_have_value("paused")
    expect(here.card("alone")).to_contain_text("this trip only")
    here.button(f"Edit: {WINDOW}, alone").click()
    form.get_by_label("What to remember").fill(WINDOW)
    form.get_by_label("Holds").select_option("user")
    form.get_by_role("button", name="Save").click()
    here.finish(WINDOW)
    here.card(WINDOW).locator("summary").click()
    expect(here.card(WINDOW)).to_contain_text(f"“{WINDOW}")
    here.button(f"Edit: {WINDOW}").click()
    here.page.get_by_label("What to remember").fill("I take an aisle seat on long flights")
    here.page.get_by_label("Value").select_option("aisle")
    here.button("Save").click()
    note = here.card("I take an aisle seat on long flights")
    expect(note).to_contain_text("prefers aisle")
    note.get_by_role("button", name="Delete").click()
    expect(note).to_have_count(0)
    here.button("Undo").click()
    note.get_by_role("button", name="History").click()
    here.button("Use this version").last.click()
    expect(here.card(WINDOW)).to_be_visible()
    here.page.get_by_label("Search memory").fill("nothing like this")
    expect(here.page.locator("#panel")).to_contain_text("Nothing like that is remembered")
    here.page.get_by_label("Search memory").fill("window")
    here.card(WINDOW).get_by_role("button", name="Delete").click()
    here.button("Forget for good").click()
    here.page.get_by_role("dialog").get_by_role("button", name="Forget for good").click()
    here.page.get_by_label("Show what is no longer used").check()
    expect(here.page.locator("#panel [data-note]")).to_have_count(0)


def test_click_survives_an_update_of_the_panel(visit: Visitor) -> None:
    here, elsewhere = visit("joy"), visit("joy")
    here.say(WINDOW)
    here.button(f"Edit: {WINDOW}").hover()
    here.page.mouse.down()
    with here.page.expect_response(lambda answer: "/app/api/memory" in answer.url):
        elsewhere.say("I am vegetarian, please remember that")
    here.page.mouse.up()
    expect(here.page.get_by_role("dialog")).to_be_visible()
    here.page.keyboard.press("Escape")
    here.say("I am left-handed, please remember that")
    expect(here.card("I am left-handed")).to_be_visible()


def test_user_controls_what_may_be_remembered(visit: Visitor) -> None:
    here = visit("cem")
    here.tab("Settings")
    here.page.get_by_label("Food and diet").uncheck()
    here.say("I am vegetarian, please remember that")
    expect(here.page.locator(".mark.blocked")).to_contain_text("you asked for this topic not to be remembered")
    here.page.get_by_label("Learn from conversations").uncheck()
    here.say(WINDOW)
    expect(here.page.locator(".mark.saved")).to_have_count(0)
    here.button("Forget everything").click()
    here.page.get_by_label("Type “cem” to go on").fill("Cem?")
    here.page.get_by_role("dialog").get_by_role("button", name="Forget everything").click()
    expect(here.page.get_by_role("alert")).not_to_be_empty()
    here.page.get_by_label("Type “cem” to go on").fill("cem")
    here.page.get_by_role("dialog").get_by_role("button", name="Forget everything").click()
    expect(here.page.locator("#toasts")).to_contain_text("Everything is forgotten")
    here.tab("Conversations")
    expect(here.page.locator("#panel")).to_contain_text("No conversations yet")


def test_stopped_message_returns_to_the_input(visit: Visitor) -> None:
    here = visit("ida")
    here.page.route("**/messages", lambda _: None)  # the server never receives it
    here.page.locator("#message").fill(FLIGHTS)
    here.page.keyboard.press("Enter")
    expect(here.page.locator(".doing")).to_have_text("thinking")
    here.button("Stop").click()
    expect(here.page.locator("#message")).to_have_value(FLIGHTS)
    expect(here.page.locator(".welcome")).to_be_visible()


def test_page_is_entirely_in_japanese(visit: Visitor) -> None:
    here = visit("gen", locale="ja-JP")
    assert here.page.locator("html").get_attribute("lang") == "ja"
    here.say("私はベジタリアンです。覚えておいてください")
    expect(here.page.locator(".mark.saved")).to_contain_text("メモ：私はベジタリアンです")
    here.say("12月10日から14日まで、東京から福岡への航空券を大人2名で")
    here.say("1番を予約してください")
    here.button("承認").click()
    here.answered()
    here.tab("旅行")
    expect(here.page.locator("#panel .badge")).to_have_text("予約済み")
    here.page.get_by_label("言語").select_option("en")
    expect(here.page.get_by_role("tab", name="Trips")).to_be_visible()
    assert here.page.locator("html").get_attribute("lang") == "en"


def test_several_actions_are_decided_separately_and_edited(visit: Visitor) -> None:
    here = visit("kim")
    here.say("Flights from Berlin to Rome and a hotel in Rome from 10 to 14 December, 2 adults")
    here.say("Book flight 1 and hotel 1")
    send = here.button("Send decisions")
    expect(send).to_be_disabled()
    for name, decision in (("Action 1", "Approve"), ("Action 2", "Reject")):
        here.page.get_by_role("group", name=name).get_by_label(decision).check()
    send.click()
    here.answered()
    here.tab("Trips")
    expect(here.page.locator("#panel .card .badge")).to_have_text("booked")
    here.button("New conversation").first.click()
    here.say(FLIGHTS)
    here.say("Book number 1")
    here.button("Change…").click()
    here.page.get_by_label("Extra checked bags").fill("1")
    here.button("Show it with these").click()
    expect(here.page.locator(".approval")).to_contain_text("bag")
    here.button("Approve").click()
    here.answered()
    expect(here.page.locator("#panel .card .badge")).to_have_text(["booked", "booked"])
    expect(here.page.locator("#panel .card", has_text="Added bags")).to_have_count(1)
    # Both were paid, with the prices that the cards showed.
    expect(here.page.locator("#panel .card", has_text="Paid")).to_have_count(2)


def test_errors_are_shown_and_unsent_text_returns_to_the_input(visit: Visitor) -> None:
    here = visit("lea", locale="ja-JP")
    here.button("プロフィールを編集").click()
    form = here.page.get_by_role("dialog")
    form.get_by_label("通貨").fill("euro")
    form.get_by_role("button", name="保存").click()
    expect(form.get_by_role("alert").first).to_have_text("この内容は受け付けられませんでした。ご確認ください。")
    expect(form.get_by_label("通貨")).to_be_focused()
    here.page.keyboard.press("Escape")
    expect(form).to_be_hidden()
    here.page.route("**/messages", lambda route: route.abort())
    here.page.locator("#message").fill("こんにちは")
    here.page.locator("#message").press("Enter")
    expect(here.page.locator("#message")).to_have_value("こんにちは")
    expect(here.page.locator("#toasts")).to_contain_text("サーバーに接続できません")


def test_bound_is_shown_and_edited_as_stated(visit: Visitor) -> None:
    here, early = visit("pia"), "I'd rather not fly before 9 in the morning"
    here.say(early)
    here.finish(early)
    for bound in (">=9", ">=10"):
        here.button(f"Edit: {early}").click()
        form = here.page.get_by_role("dialog")
        expect(form.get_by_label("Value")).to_have_value(bound)
        form.get_by_label("Value").fill(">=10")
        form.get_by_role("button", name="Save").click()
        expect(form).to_be_hidden()


def test_conflict_is_settled_and_memory_moves_to_another_user(visit: Visitor) -> None:
    here, aisle = visit("moe"), "I always take an aisle seat on long flights"
    here.say(WINDOW)
    here.say("I am vegetarian, please remember that")
    here.finish("I am vegetarian")
    here.button("Edit: I am vegetarian").click()
    form = here.page.get_by_role("dialog")
    form.get_by_label("What to remember").fill(aisle)
    form.get_by_label("Topic").select_option("seat")
    form.get_by_role("group", name="Detail").get_by_label("What").select_option("seat_side")
    form.get_by_label("How").select_option("prefers")
    form.get_by_label("Value").select_option("aisle")
    form.get_by_role("button", name="Add a condition").click()
    form.get_by_label("Kind of condition").select_option("flight_length")
    form.get_by_label("Condition", exact=True).select_option("long-haul")
    form.get_by_role("button", name="Save").click()
    conflict = here.page.locator(".conflict")
    conflict.get_by_role("button", name=f"This one holds: {aisle}").click()
    expect(conflict).to_have_count(0)
    here.button("Undo").click()
    conflict.get_by_role("button", name=f"This one holds: {aisle}").click()
    expect(conflict).to_have_count(0)
    here.tab("Settings")
    with here.page.expect_download() as download:
        here.page.get_by_role("link", name="Export").click()
    there = visit("ned")
    there.tab("Settings")
    there.page.locator("input[type=file]").set_input_files(download.value.path())
    expect(there.page.locator("#toasts")).to_contain_text("Imported")
    there.tab("Memory")
    expect(there.card(aisle)).to_be_visible()
