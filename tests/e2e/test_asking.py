"""Asking on the real site: its keys and the chat's, answers that grow, stop or break off, and what is asked next."""

import re

import pytest
from playwright.sync_api import Page, expect
from tests.e2e.conftest import NewPage
from tests.e2e.reader import ask, ask_again, button, finished, open_chat, panel, questions_sent, send, visit
from tests.e2e.sites import NAME, Site
from tests.e2e.wire import Wire, wire_to

pytestmark = pytest.mark.browser

PAGE = "/docs/concepts/jobs"
QUESTION = "How long does a lease last by default?"
SEVERAL_SENTENCES = "How do I change how long succeeded jobs are kept?"
CONFIRM = """(box) => box.dispatchEvent(
  new KeyboardEvent('keydown', {key: 'Enter', keyCode: 229, bubbles: true, composed: true}))"""
RECORD_KEYS = """() => {
  window.keys = [];
  const note = ({key}) => window.keys.push(key);
  for (const type of ['keydown', 'keypress', 'keyup']) document.addEventListener(type, note);
}"""


def test_the_shortcut_opens_the_chat_and_closes_it_and_the_focus_goes_back(page: Page, site: Site) -> None:
    visit(page, site.start)
    page.keyboard.press("Control+i")
    expect(page.locator("pincite-chat textarea")).to_be_focused()
    page.keyboard.press("Control+i")
    expect(panel(page)).to_be_hidden()
    page.keyboard.press("Control+i")
    expect(page.locator("pincite-chat textarea")).to_be_focused()
    page.keyboard.press("Escape")
    expect(panel(page)).to_be_hidden()
    expect(page.locator("pincite-chat [part=launcher]")).to_be_focused()


def test_what_is_typed_in_the_chat_reaches_none_of_the_sites_keys(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}{PAGE}")
    page.evaluate(RECORD_KEYS)
    page.keyboard.press("s")
    assert set(page.evaluate("() => keys.splice(0)")) == {"s"}
    open_chat(page)
    page.evaluate("() => keys.splice(0)")
    page.keyboard.type("s / ? k")
    expect(page.locator("pincite-chat textarea")).to_have_value("s / ? k")
    page.keyboard.press("Control+k")
    expect(page.locator("pincite-chat input[role=combobox]")).to_be_focused()
    assert page.evaluate("() => keys") == []


def test_enter_that_confirms_what_an_input_method_offers_sends_nothing(page: Page, site: Site) -> None:
    visit(page, site.start)
    sent = questions_sent(page)
    open_chat(page)
    box = page.locator("pincite-chat textarea")
    box.fill("にほん")
    box.evaluate(CONFIRM)
    expect(box).to_have_value("にほん")
    assert sent == []
    box.press("Enter")
    finished(page)
    assert [request.post_data_json["query"] for request in sent] == ["にほん"]


def test_of_a_pasted_text_that_is_too_long_nothing_is_cut_and_sending_waits(new_page: NewPage, site: Site) -> None:
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    visit(page, site.start)
    open_chat(page)
    box = page.locator("pincite-chat textarea")
    text = f"{site.docs.question} {'é' * 2000}"
    page.evaluate("(text) => navigator.clipboard.writeText(text)", text)
    box.press("ControlOrMeta+v")
    expect(box).to_have_value(text)
    expect(button(page, "Send")).to_be_disabled()
    box.press("Enter")
    expect(page.locator("pincite-chat .turn")).to_have_count(0)
    box.fill(text[:2000])
    box.press("Enter")
    expect(finished(page).locator("[part=question]")).to_contain_text(text[:2000])


def test_over_plain_http_by_a_name_an_answer_is_given_kept_and_copied(page: Page, site: Site) -> None:
    start = site.start.replace("127.0.0.1", NAME)
    visit(page, start)
    assert page.evaluate("() => isSecureContext") is False
    turn = ask(page, site.docs.question)
    expect(turn.locator("[part=answer]")).to_contain_text(site.docs.answer)
    button(page, "Copy answer").click()
    expect(page.locator("pincite-chat [role=status]")).to_have_text("Copied")
    page.locator("pincite-chat textarea").press("ControlOrMeta+v")
    expect(page.locator("pincite-chat textarea")).to_have_value(re.compile(re.escape(site.docs.answer)))
    visit(page, start)
    open_chat(page)
    expect(page.locator("pincite-chat [part=answer]")).to_contain_text(site.docs.answer)


def test_a_page_load_in_the_middle_of_an_answer_loses_neither_the_question_nor_the_answer(
    page: Page, site: Site
) -> None:
    with wire_to(site.address) as wire:
        start = f"{wire.address}{site.docs.page}"
        visit(page, start)
        sent = questions_sent(page)
        open_chat(page)
        wire.hold_before("event: sources")
        turn = send(page, site.docs.question)
        expect(turn.locator(".prose")).to_contain_text(site.docs.answer)
        visit(page, start)
        open_chat(page)
        turn = finished(page)
        expect(turn.locator("[part=question]")).to_contain_text(site.docs.question)
        expect(turn.locator("[part=answer]")).to_contain_text(site.docs.answer)
        expect(page.locator("pincite-chat .turn")).to_have_count(1)
    first, again = (request.post_data_json for request in sent)
    assert first == again, "what was answered is not answered twice"


@pytest.mark.parametrize("earlier", [(), (QUESTION,)], ids=["first question", "later question"])
def test_what_has_arrived_does_not_move_while_the_rest_arrives(
    page: Page, wire: Wire, earlier: tuple[str, ...]
) -> None:
    visit(page, f"{wire.address}{PAGE}")
    open_chat(page)
    for question in earlier:
        ask_again(page, question)
    rest = wire.hold_before("event: answer_delta", occurrence=2)
    turn = send(page, SEVERAL_SENTENCES)
    first = turn.locator(".prose p").first
    expect(first).not_to_be_empty()
    expect(turn.locator(".answer")).to_have_attribute("aria-busy", "true")
    words, place = first.inner_text().split(), first.bounding_box()
    before = first.element_handle()
    assert before
    rest.release()
    finished(page)
    now = before.bounding_box()
    assert now
    assert place
    assert (now["x"], now["y"]) == (place["x"], place["y"])
    assert first.inner_text().split()[: len(words) - 1] == words[:-1]


def test_a_link_stays_under_the_pointer_while_the_sources_arrive(page: Page, wire: Wire) -> None:
    visit(page, f"{wire.address}{PAGE}")
    open_chat(page)
    end = wire.hold_before("event: answer_end")
    turn = send(page, SEVERAL_SENTENCES)
    link = turn.locator("a.cite[href]").first  # a sentence follows it: what may still grow is not drawn yet
    link.hover()
    place, handle = link.bounding_box(), link.element_handle()
    assert handle
    end.release()
    finished(page)
    expect(turn.locator(".actions")).to_be_visible()
    assert handle.bounding_box() == place


def test_an_answer_can_be_stopped_and_asked_for_again(page: Page, wire: Wire) -> None:
    visit(page, f"{wire.address}{PAGE}")
    open_chat(page)
    wire.hold_before("event: sources")
    turn = send(page, QUESTION)
    expect(turn.locator(".prose")).to_contain_text("30 seconds")
    button(page, "Stop").click()
    expect(turn.locator("[part=failure]")).to_contain_text("Stopped.")
    expect(turn.locator(".prose")).to_contain_text("30 seconds")
    wire.reset()
    button(page, "Try again").click()
    expect(finished(page).locator("a.cite[href]").first).to_be_visible()
    expect(page.locator("pincite-chat .turn")).to_have_count(1)


def test_a_connection_cut_half_way_keeps_the_partial_answer_and_trying_again_completes_it(
    page: Page, wire: Wire
) -> None:
    visit(page, f"{wire.address}{PAGE}")
    sent = questions_sent(page)
    open_chat(page)
    rest = wire.hold_before("event: sources")
    turn = send(page, QUESTION)
    expect(turn.locator(".prose")).to_contain_text("30 seconds")
    rest.cut()
    expect(turn.locator("[part=failure]")).to_contain_text("Connection lost. This is what had arrived.")
    expect(turn.locator(".prose")).to_contain_text("30 seconds")
    button(page, "Try again").click()
    expect(turn.locator("a.cite[href]").first).to_be_visible()
    expect(turn.locator("[part=failure]")).to_have_count(0)
    expect(page.locator("pincite-chat .turn")).to_have_count(1)
    first, again = (request.post_data_json for request in sent)
    assert first["message_id"] == again["message_id"], "what was answered is not answered twice"


def test_a_connection_cut_before_the_answer_says_so(page: Page, wire: Wire) -> None:
    visit(page, f"{wire.address}{PAGE}")
    open_chat(page)
    wire.hold_before("event: answer_start").cut()
    turn = send(page, QUESTION)
    expect(turn.locator("[part=failure]")).to_contain_text("Connection lost before an answer arrived.")


def test_a_follow_up_takes_the_visible_conversation_along(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}{PAGE}")
    sent = questions_sent(page)
    answer = ask(page, QUESTION).locator(".prose").inner_text()
    ask_again(page, "What is the shortest lease?")
    first, second = (request.post_data_json for request in sent)
    assert first["turns"] == []
    assert [turn["query"] for turn in second["turns"]] == [QUESTION]
    assert "30 seconds" in second["turns"][0]["answer"]
    assert "30 seconds" in answer
    assert second["session_id"] == first["session_id"]
    assert (first["page_url"], first["scope"]) == (f"{PAGE}/", {"version": "2.4", "locale": "en"})


def test_an_empty_chat_offers_questions_that_the_page_answers(page: Page, sidecar: str) -> None:
    place = "/docs/installation"
    visit(page, f"{sidecar}{place}")
    open_chat(page)
    offered = page.locator("pincite-chat [part=suggestion]")
    expect(offered.first).to_be_visible()
    asked = offered.first.inner_text()
    offered.first.click()
    turn = finished(page)
    expect(turn.locator("[part=question]")).to_contain_text(asked)
    expect(turn.locator(f"a[href*='{place}#']").first).to_be_visible()


def test_an_address_can_hold_a_question_which_the_reader_sends(page: Page, sidecar: str) -> None:
    sent = questions_sent(page)
    visit(page, f"{sidecar}{PAGE}?ask=How%20long%20does%20a%20lease%20last%20by%20default%3F")
    box = page.locator("pincite-chat textarea")
    expect(box).to_have_value(QUESTION)
    assert page.url == f"{sidecar}{PAGE}/"
    assert sent == []
    box.press("Enter")
    expect(finished(page).locator("[part=answer]")).to_contain_text("30 seconds")
    assert len(sent) == 1
    page.reload()
    visit(page, page.url)
    expect(panel(page)).to_be_hidden()
