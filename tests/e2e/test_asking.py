"""Asking on the real site: its keys and the chat's, answers that grow, stop or break off, and what is asked next."""

import pytest
from playwright.sync_api import Page, expect
from tests.e2e.reader import ask, ask_again, button, finished, open_chat, panel, questions_sent, send, visit
from tests.e2e.wire import Wire

pytestmark = pytest.mark.browser

PAGE = "/docs/concepts/jobs"
QUESTION = "How long does a lease last by default?"
SEVERAL_SENTENCES = "How do I change how long succeeded jobs are kept?"
RECORD_KEYS = """() => {
  window.keys = [];
  const note = ({key}) => window.keys.push(key);
  for (const type of ['keydown', 'keypress', 'keyup']) document.addEventListener(type, note);
}"""


def test_the_shortcut_opens_the_chat_and_closes_it_and_the_focus_goes_back(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}{PAGE}")
    page.keyboard.press("Control+i")
    expect(page.locator("pincite-chat textarea")).to_be_focused()
    page.keyboard.press("Control+i")
    expect(panel(page)).to_be_hidden()
    page.keyboard.press("Control+i")
    expect(page.locator("pincite-chat textarea")).to_be_focused()
    page.keyboard.press("Escape")
    expect(panel(page)).to_be_hidden()
    expect(page.locator("pincite-chat [part=launcher]")).to_be_focused()


def test_the_keys_of_search_stay_the_sites_and_what_is_typed_in_the_chat_reaches_none_of_its_keys(
    page: Page, sidecar: str
) -> None:
    visit(page, f"{sidecar}{PAGE}")
    page.evaluate(RECORD_KEYS)
    page.keyboard.press("/")
    page.keyboard.press("Control+k")
    assert set(page.evaluate("() => keys.splice(0)")) == {"/", "Control", "k"}
    expect(panel(page)).to_be_hidden()
    open_chat(page)
    page.evaluate("() => keys.splice(0)")
    page.keyboard.type("s / ? k")
    page.keyboard.press("Control+k")
    expect(page.locator("pincite-chat textarea")).to_have_value("s / ? k")
    assert page.evaluate("() => keys") == []


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


def test_an_address_can_hold_a_question_which_a_reload_does_not_ask_again(page: Page, sidecar: str) -> None:
    sent = questions_sent(page)
    visit(page, f"{sidecar}{PAGE}?ask=How%20long%20does%20a%20lease%20last%20by%20default%3F")
    expect(finished(page).locator("[part=answer]")).to_contain_text("30 seconds")
    assert page.url == f"{sidecar}{PAGE}/"
    page.reload()
    visit(page, page.url)
    expect(panel(page)).to_be_hidden()
    assert len(sent) == 1
