"""Conversations kept in the reader's browser, on the real site."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.e2e.reader import ask, ask_again, button, open_chat, questions_sent, visit
from tests.e2e.sites import Site

pytestmark = pytest.mark.browser

PAGE = "/docs/concepts/jobs"
FIRST = "How long does a lease last by default?"
SECOND = "How many times is a job tried before it is given up?"
KEY = "() => Object.keys(localStorage).find((key) => key.endsWith(':history'))"
FULL = """(() => {
  const set = Storage.prototype.setItem;
  Storage.prototype.setItem = function (key, value) {
    if (key.startsWith('pincite')) throw new DOMException('full', 'QuotaExceededError');
    set.call(this, key, value); // the site's own scripts do not expect it to be full
  };
})()"""
STORED = f"() => localStorage.getItem(({KEY})() ?? '')"
CITED = "/docs/concepts/leases-and-visibility#default"


def titles(page: Page) -> list[str]:
    expect(page.locator("pincite-chat .session-title").first).to_be_visible()  # the list is loaded on demand
    return page.locator("pincite-chat .session-title").all_inner_texts()


def hold_two_conversations(page: Page, address: str) -> None:
    visit(page, address)
    ask(page, FIRST)
    button(page, "New conversation").click()
    ask_again(page, SECOND)


def test_conversations_are_listed_newest_first_and_an_old_one_goes_on(page: Page, sidecar: str) -> None:
    hold_two_conversations(page, f"{sidecar}{PAGE}")
    sent = questions_sent(page)
    visit(page, f"{sidecar}/docs/faq")
    open_chat(page)
    button(page, "Conversations").click()
    assert titles(page) == [SECOND, FIRST]
    page.locator("pincite-chat .session-open").nth(1).click()
    expect(page.locator("pincite-chat [part=question]")).to_have_text(f"You asked: {FIRST}")
    expect(page.locator("pincite-chat [part=answer]")).to_contain_text("A lease lasts 30 seconds.")
    ask_again(page, "What is the shortest lease?")
    assert [turn["query"] for turn in sent[0].post_data_json["turns"]] == [FIRST]
    button(page, "Conversations").click()
    assert titles(page) == [FIRST, SECOND], "the one that went on is the newest"


def test_one_conversation_is_deleted_and_then_all_and_nothing_is_left(page: Page, site: Site) -> None:
    hold_two_conversations(page, site.start)
    button(page, "Conversations").click()
    page.on("dialog", lambda dialog: dialog.accept())  # "Delete ...?"
    button(page, f"Delete “{SECOND}”").click()
    expect(page.locator("pincite-chat .session-title")).to_have_text([FIRST])  # once the dialog is answered
    expect(page.locator("pincite-chat .session-open")).to_be_focused()
    assert SECOND not in page.evaluate(STORED)
    button(page, "Delete all").click()
    expect(page.locator("pincite-chat .empty-history")).to_have_text("No conversations yet.")
    expect(button(page, "Back to the conversation")).to_be_focused()
    assert page.evaluate(STORED) is None
    button(page, "Back to the conversation").click()
    expect(page.locator("pincite-chat .turn")).to_have_count(0)


def test_a_conversation_is_saved_as_markdown_with_links_that_lead_back(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}{PAGE}")
    ask(page, FIRST)
    button(page, "Conversations").click()
    with page.expect_download() as saved:
        button(page, f"Save “{FIRST}” as Markdown").click()
    assert saved.value.suggested_filename.endswith(".md")
    text = Path(saved.value.path()).read_text(encoding="utf-8")
    assert FIRST in text
    assert f"]({sidecar}{CITED})" in text


def test_two_tabs_stay_in_step(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}{PAGE}")
    other = page.context.new_page()
    visit(other, f"{sidecar}/docs/faq")
    open_chat(other)
    button(other, "Conversations").click()
    expect(other.locator("pincite-chat .empty-history")).to_be_visible()
    ask(page, FIRST)
    expect(other.locator("pincite-chat .session-title")).to_have_text(FIRST)
    other.on("dialog", lambda dialog: dialog.accept())
    button(other, "Delete all").click()
    button(page, "Conversations").click()
    expect(page.locator("pincite-chat .empty-history")).to_be_visible()


def test_stored_data_that_makes_no_sense_is_set_aside_with_a_notice(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}{PAGE}")
    ask(page, FIRST)
    page.evaluate(f'() => localStorage.setItem(({KEY})(), \'{{"version":1,"sessions":[{{}}]}}\')')
    visit(page, f"{sidecar}{PAGE}")
    panel = open_chat(page)
    expect(panel.locator(".notice")).to_have_text("Stored conversations could not be read and were set aside.")
    turn = ask_again(page, FIRST)
    expect(turn.locator("[part=answer]")).to_contain_text("A lease lasts 30 seconds.")


def test_a_browser_that_keeps_nothing_answers_all_the_same_and_the_reader_is_told(page: Page, site: Site) -> None:
    page.add_init_script(FULL)
    visit(page, site.start)
    turn = ask(page, site.docs.question)
    expect(turn.locator("[part=answer]")).to_contain_text(site.docs.answer)
    button(page, "New conversation").click()
    expect(page.locator("pincite-chat .welcome .notice")).to_contain_text("This browser does not keep data")


def test_after_a_redeploy_the_sidecar_says_where_old_citations_are_now(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}{PAGE}")
    ask(page, FIRST)
    page.evaluate(
        f"""() => {{
          const key = ({KEY})();
          const old = localStorage.getItem(key).replaceAll(/"buildId":"[^"]*"/gu, '"buildId":"an earlier one"');
          localStorage.setItem(key, old.replaceAll('/docs/concepts/leases-and-visibility', '/docs/leases'));
        }}"""
    )
    assert "/docs/leases#default" in json.dumps(page.evaluate(STORED))
    visit(page, f"{sidecar}{PAGE}")
    open_chat(page)
    cited = page.locator("pincite-chat a.cite").first
    expect(cited).to_have_attribute("href", f"{sidecar}{CITED}")
