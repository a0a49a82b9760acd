"""Asking about a highlighted passage of the real site: how it is taken, kept, let go, and what it answers."""

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect
from tests.e2e.conftest import NewPage
from tests.e2e.reader import (
    ask,
    ask_again,
    button,
    cited_links,
    highlighted,
    open_chat,
    questions_sent,
    select_text,
    visit,
)

pytestmark = pytest.mark.browser

PAGE = "/docs/concepts/jobs"
PASSAGE = "article .markdown > p"
SELECTION_MODE = "pincite-chat input[value=selection]"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def ask_this(page: Page) -> Locator:
    return page.locator("pincite-chat [part=ask-this]")


def take(page: Page, selector: str = PASSAGE, last: str | None = None) -> str:
    """Highlight a passage and press the button beside it."""
    passage = select_text(page, selector, last)
    ask_this(page).click()
    expect(page.locator(SELECTION_MODE)).to_be_checked()
    return passage


def box_of(locator: Locator) -> FloatRect:
    box = locator.bounding_box()
    assert box
    return box


def test_a_passage_taken_with_the_mouse_is_offered_beside_it_and_can_still_be_copied(
    new_page: NewPage, sidecar: str
) -> None:
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    visit(page, f"{sidecar}{PAGE}")
    passage = box_of(page.locator(PASSAGE).first)
    page.mouse.move(passage["x"] + 1, passage["y"] + 5)
    page.mouse.down()
    page.mouse.move(passage["x"] + passage["width"] - 30, passage["y"] + passage["height"] - 5, steps=5)
    page.mouse.up()
    expect(ask_this(page)).to_be_visible()
    selected = page.evaluate("() => getSelection().toString()")
    assert len(selected) >= 50
    lines = page.evaluate("() => getSelection().getRangeAt(0).getBoundingClientRect().bottom")
    assert box_of(ask_this(page))["y"] >= lines, "it covers nothing that is selected"
    page.keyboard.press("Control+c")
    assert page.evaluate("() => navigator.clipboard.readText()") == selected
    ask_this(page).click()
    expect(page.locator(SELECTION_MODE)).to_be_checked()
    assert highlighted(page, "selected").split() == selected.split()


def test_a_passage_taken_with_the_keyboard_comes_along_with_the_shortcut(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}{PAGE}")
    page.locator(PASSAGE).first.dblclick(position={"x": 5, "y": 8})
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Shift+End")
    assert len(page.evaluate("() => getSelection().toString()")) >= 50
    expect(ask_this(page)).to_be_visible()
    page.keyboard.press("Control+i")
    expect(page.locator(SELECTION_MODE)).to_be_checked()
    turn = ask_again(page, "What is a job?")
    expect(turn.locator("[part=badge]")).to_contain_text("Based on your selected text")


def test_on_a_phone_the_passage_is_taken_with_a_tap(new_page: NewPage, sidecar: str) -> None:
    page = new_page(**PHONE)
    visit(page, f"{sidecar}{PAGE}")
    select_text(page, PASSAGE)
    ask_this(page).tap()
    turn = ask_again(page, "What is a job?")
    expect(turn.locator("[part=answer]")).to_contain_text("A job is one unit of work")


@pytest.mark.parametrize(
    ("path", "first", "last", "question", "kept", "said"),
    [
        (PAGE, "article table", None, "What is the default priority?", "priority\tinteger\t5", "5"),
        (
            "/docs/concepts/retries-and-backoff",
            "article pre code",
            None,
            "Which base does the backoff have?",
            "hq queue set webhooks --backoff fixed",
            "--backoff-base 30s",
        ),
        (
            "/docs/installation",
            "[role=tabpanel]:not([hidden])",
            None,
            "Which user does the image run as?",
            "\ndocker run -d --name harbor",
            "7420",
        ),
        (PAGE, "#retention + p", "#ordering + p", "When are dead jobs deleted?", "Ordering", "dead ones after 14 days"),
    ],
    ids=["table", "code", "tab", "paragraphs"],
)
def test_a_passage_keeps_its_structure_and_answers(
    page: Page, sidecar: str, path: str, first: str, last: str | None, question: str, kept: str, said: str
) -> None:
    visit(page, f"{sidecar}{path}")
    sent = questions_sent(page)
    take(page, first, last)
    turn = ask_again(page, question)
    assert kept in sent[0].post_data_json["selection"]["text"]
    expect(turn.locator("[part=answer]")).to_contain_text(said)
    expect(turn.locator("[part=badge]")).to_contain_text("Based on your selected text")
    expect(turn.locator("[part=notice]")).to_have_count(0)  # the passage was found on its page
    assert all(link.startswith(path) for link in cited_links(turn))


def test_the_mode_stays_until_the_reader_switches_and_each_answer_says_what_it_is_from(
    page: Page, sidecar: str
) -> None:
    visit(page, f"{sidecar}{PAGE}")
    sent = questions_sent(page)
    take(page)
    ask_again(page, "What is a job?")
    ask_again(page, "What does the server do with the payload?")
    page.locator("pincite-chat label", has_text="This site").click()
    assert highlighted(page, "selected") == ""
    ask_again(page, "How long does a lease last by default?")
    page.locator("pincite-chat label", has_text="Selected text").click()
    assert highlighted(page, "selected")
    badges = page.locator("pincite-chat [part=badge]")
    assert [text.partition(" · ")[0] for text in badges.all_inner_texts()] == [
        "Based on your selected text",
        "Based on your selected text",
        "Based on Harbor Queue",
    ]
    assert [request.post_data_json["mode"] for request in sent] == ["selection", "selection", "corpus"]


def test_a_passage_does_not_survive_a_change_of_page(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}{PAGE}")
    take(page)
    page.locator("article a", has_text="queue").first.click()
    page.wait_for_url("**/docs/concepts/queues")
    expect(panel_hint(page)).to_have_text("The page has changed; the selected text was removed.")
    expect(page.locator(SELECTION_MODE)).not_to_be_checked()
    assert highlighted(page, "selected") == ""


def test_too_short_a_passage_falls_back_to_the_whole_site_and_says_so(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}{PAGE}")
    select_text(page, "#retention")
    open_chat(page)
    page.locator("pincite-chat label", has_text="Selected text").click()
    turn = ask_again(page, "How long does a lease last by default?")
    expect(turn.locator("[part=notice]")).to_contain_text("too short to answer from (50 characters at least)")
    expect(turn.locator("[part=badge]")).to_contain_text("Based on Harbor Queue")


def test_too_old_a_passage_falls_back_to_the_whole_site_and_says_so(page: Page, sidecar: str) -> None:
    page.clock.install()
    visit(page, f"{sidecar}{PAGE}")
    take(page)
    page.clock.fast_forward("05:01")
    turn = ask_again(page, "How long does a lease last by default?")
    expect(turn.locator("[part=notice]")).to_contain_text("more than five minutes ago")
    expect(turn.locator("[part=badge]")).to_contain_text("Based on Harbor Queue")


def test_a_long_passage_is_cut_and_the_reader_is_told(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}/docs/reference/configuration")
    page.locator("article .markdown").evaluate(
        "(text) => { for (let n = 0; n < 2; n += 1) text.append(text.cloneNode(true)); }"
    )
    assert len(take(page, "article .markdown")) > 10_000
    turn = ask_again(page, "What is this page about?")
    expect(turn.locator("[part=notice]").first).to_have_text("The selected text is long; only its beginning was used.")


def test_what_the_passage_does_not_hold_can_be_looked_for_in_the_whole_site(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}{PAGE}")
    take(page)
    question = "How long does a lease last by default?"
    turn = ask_again(page, question)
    expect(turn.locator("[part=refusal]")).to_contain_text("The selected text does not contain the answer.")
    button(page, "Search the whole site").click()
    answered = page.locator("pincite-chat .turn").nth(1)
    expect(answered.locator("[part=question]")).to_contain_text(question)
    expect(answered.locator("[part=answer]")).to_contain_text("A lease lasts 30 seconds.")


def test_selected_text_is_a_choice_once_there_is_some_and_letting_go_goes_back(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}{PAGE}")
    open_chat(page)
    expect(page.locator("pincite-chat .modes")).to_be_hidden()
    button(page, "Close").click()
    take(page)
    button(page, "Remove the selected text").click()
    expect(page.locator(SELECTION_MODE)).not_to_be_checked()
    assert highlighted(page, "selected") == ""


def test_a_word_or_two_bring_up_no_button(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}{PAGE}")
    select_text(page, PASSAGE)
    expect(ask_this(page)).to_be_visible()
    select_text(page, "#retention")
    expect(ask_this(page)).to_be_hidden()
    turn = ask(page, "How long does a lease last by default?")
    expect(turn.locator("[part=badge]")).to_contain_text("Based on Harbor Queue")


def panel_hint(page: Page) -> Locator:
    return page.locator("pincite-chat .composer .hint")
