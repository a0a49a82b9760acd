"""The chat on the real site for readers with a screen reader or a keyboard alone."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.e2e.reader import ask, ask_again, button, finished, highlighted, open_chat, select_text, send, visit
from tests.e2e.wire import Wire

pytestmark = pytest.mark.browser

AXE = Path(__file__).parents[2] / "widget" / "node_modules" / "axe-core" / "axe.min.js"
PAGE = "/docs/concepts/jobs"
QUESTION = "How long does a lease last by default?"
HOW_TO = "How do I start a server with Docker?"
FOREIGN = "What is the best recipe for sourdough bread?"
# axe cannot tell the colour behind a gradient. The panel's is of one colour, laid over an opaque one since a site's may
# be translucent; this site's are opaque.
FLATTEN = """() => {
  const flat = new CSSStyleSheet();
  flat.replaceSync('pincite-chat::part(panel) { background: var(--ifm-background-surface-color); }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, flat];
}"""
# What the site does by itself is its own affair.
FINDINGS = """async (rules) => {
  const {violations, incomplete} = await axe.run('pincite-chat', rules ? {runOnly: {type: 'rule', values: rules}} : {});
  const told = (rules) => rules.flatMap(({id, nodes}) => (
    nodes.map(({html, any}) => [id, html, ...any.map(({message}) => message)])));
  return {violations: told(violations), incomplete: told(incomplete)};
}"""
COLOURS = ["color-contrast", "link-in-text-block"]  # all that differs in the dark
FOCUS = """() => {
  const inner = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement;
  return inner?.getAttribute('aria-label') ?? inner?.id ?? '';
}"""


def closed(page: Page, wire: Wire) -> None:
    expect(page.locator("pincite-chat [part=launcher]")).to_be_visible()


def opened(page: Page, wire: Wire) -> None:
    open_chat(page)


def offered(page: Page, wire: Wire) -> None:
    select_text(page, "article .markdown > p")
    expect(page.locator("pincite-chat [part=ask-this]")).to_be_visible()


def waiting(page: Page, wire: Wire) -> None:
    open_chat(page)
    wire.hold_before("event: answer_start")
    expect(send(page, QUESTION).locator(".waiting")).to_be_visible()


def answering(page: Page, wire: Wire) -> None:
    open_chat(page)
    wire.hold_before("event: sources")
    expect(send(page, QUESTION).locator(".prose")).to_contain_text("30 seconds")


def answered(page: Page, wire: Wire) -> None:
    turn = ask(page, HOW_TO)
    turn.locator(".sources > .link-button").click()
    for unfold in turn.locator(".expand").all():
        unfold.click()


def explained(page: Page, wire: Wire) -> None:
    turn = ask(page, QUESTION)
    turn.locator("summary").click()
    expect(turn.locator(".meta dl")).to_be_visible()


def refused(page: Page, wire: Wire) -> None:
    ask(page, FOREIGN)


def unreachable(page: Page, wire: Wire) -> None:
    page.route("**/api/**", lambda route: route.abort("connectionrefused"))
    page.locator("pincite-chat").evaluate("(chat) => chat.setAttribute('search-url', '/search')")
    ask(page, QUESTION)


def cut_off(page: Page, wire: Wire) -> None:
    open_chat(page)
    rest = wire.hold_before("event: sources")
    turn = send(page, QUESTION)
    expect(turn.locator(".prose")).to_contain_text("30 seconds")
    rest.cut()
    expect(turn.locator("[part=failure]")).to_be_visible()


def passage(page: Page, wire: Wire) -> None:
    offered(page, wire)
    page.locator("pincite-chat [part=ask-this]").click()
    ask_again(page, "What is a job?")


def listed(page: Page, wire: Wire) -> None:
    ask(page, QUESTION)
    button(page, "Conversations").click()
    expect(page.locator("pincite-chat .session")).to_be_visible()


def landed(page: Page, wire: Wire) -> None:
    ask(page, QUESTION).locator("a.cite").first.click()
    page.wait_for_function("() => document.activeElement?.id === 'default'")


STATES: tuple[Callable[[Page, Wire], None], ...] = (
    closed,
    opened,
    offered,
    waiting,
    answering,
    answered,
    explained,
    refused,
    unreachable,
    cut_off,
    passage,
    listed,
    landed,
)


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_axe_finds_nothing_in_light_or_dark(page: Page, wire: Wire, state: Callable[[Page, Wire], None]) -> None:
    visit(page, f"{wire.address}{PAGE}")
    state(page, wire)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    page.evaluate(FLATTEN)
    for theme, rules in (("light", None), ("dark", COLOURS)):
        page.emulate_media(color_scheme=theme)
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        assert page.evaluate(FINDINGS, rules) == {"violations": [], "incomplete": []}, theme


def press_until(page: Page, key: str, name: re.Pattern[str]) -> None:
    """Press a key until the focus is on something of a name."""
    for _ in range(40):
        if name.search(page.evaluate(FOCUS)):
            return
        page.keyboard.press(key)
    pytest.fail(f"{key} never led to {name.pattern}")


def test_with_the_keyboard_alone_a_reader_gets_from_the_page_to_the_cited_words(page: Page, wire: Wire) -> None:
    visit(page, f"{wire.address}{PAGE}")
    page.keyboard.press("Control+i")
    expect(page.locator("pincite-chat textarea")).to_be_focused()
    page.keyboard.type(QUESTION)
    page.keyboard.press("Enter")
    finished(page)
    press_until(page, "Shift+Tab", re.compile("^Source 1: "))
    page.keyboard.press("Enter")
    page.wait_for_url("**/docs/concepts/leases-and-visibility#default")
    page.wait_for_function("() => document.activeElement?.id === 'default'")
    assert highlighted(page, "cited").startswith("A lease lasts 30 seconds.")
    page.keyboard.press("Control+i")  # the chat is still open: this closes it
    expect(page.locator("pincite-chat dialog")).to_be_hidden()


def test_the_accessibility_tree_reads_as_a_conversation(page: Page, wire: Wire) -> None:
    visit(page, f"{wire.address}{PAGE}")
    ask(page, QUESTION)
    expect(conversation(page)).to_match_aria_snapshot(
        """
        - dialog "Ask Harbor Queue":
          - banner:
            - heading "Ask Harbor Queue" [level=2]
            - paragraph: "Version: 2.4 · English"
            - button "New conversation"
            - button "Conversations"
            - button "Dock beside the page"
            - button "Close"
          - log "Ask Harbor Queue":
            - article:
              - text: /You asked/
              - paragraph: /Based on Harbor Queue/
              - heading "Leases and the visibility timeout › The default" [level=3]
              - paragraph: /A lease lasts 30 seconds\\./
              - group: /confidence/
              - button "Copy answer"
              - button "Copy link to this question"
              - button "Helpful"
              - button "Not helpful"
              - heading "Sources" [level=3]
              - list:
                - listitem:
                  - link "The default"
                  - 'button "Show the passage: The default"'
              - button /Show \\d more sources?/
          - textbox "Your question"
          - button "Send"
          - status: /Answer/
        """
    )


def conversation(page: Page) -> Locator:
    return page.locator("pincite-chat dialog")


def test_a_screen_reader_is_told_once_that_it_is_searched_and_once_what_was_found(page: Page, wire: Wire) -> None:
    visit(page, f"{wire.address}{PAGE}")
    open_chat(page)
    page.locator("pincite-chat [role=status]").evaluate(
        """(status) => {
          window.said = [];
          new MutationObserver(() => window.said.push(status.textContent)).observe(status, {childList: true});
        }"""
    )
    ask_again(page, QUESTION)
    page.wait_for_function("() => window.said.length > 1")
    searching, found = page.evaluate("() => window.said")
    assert searching == "Searching Harbor Queue…"
    assert re.search(r"^Answer: .*A lease lasts 30 seconds\..*\d sources?\.$", found, re.DOTALL)
