"""What a reader does with the widget, in the words of a test."""

from urllib.parse import urlsplit, urlunsplit

from playwright.sync_api import Locator, Page, expect

__all__ = ("ask", "ask_again", "cited_links", "finished", "open_chat", "select_text")

_ANSWER_MS = 20_000  # the first question loads nothing, but the machine may be busy


def open_chat(page: Page) -> Locator:
    """Open the chat by its launcher and return its panel."""
    page.locator("pincite-chat [part=launcher]").click()
    panel = page.locator("pincite-chat dialog")
    expect(panel).to_be_visible()
    return panel


def ask(page: Page, question: str) -> Locator:
    """Open the chat, ask, wait for the end of the reply, and return the newest turn."""
    open_chat(page)
    return ask_again(page, question)


def ask_again(page: Page, question: str) -> Locator:
    """Ask in the open chat, wait for the end of the reply, and return the newest turn."""
    box = page.locator("pincite-chat textarea")
    box.fill(question)
    box.press("Enter")
    return finished(page)


def finished(page: Page) -> Locator:
    """Wait until the newest reply is whole and return its turn."""
    turn = page.locator("pincite-chat .turn").last
    expect(turn.locator(".answer[aria-busy=true]")).to_have_count(0, timeout=_ANSWER_MS)
    expect(turn.locator(".sources, .refusal, .failure").first).to_be_visible(timeout=_ANSWER_MS)
    return turn


def cited_links(turn: Locator, selector: str = "a.cite") -> list[str]:
    """Return where a turn's citations lead, in order, each once: path and fragment, without the site's origin."""
    addresses = (link.get_attribute("href") or "" for link in turn.locator(selector).all())
    return list(dict.fromkeys(urlunsplit(("", "", *urlsplit(address)[2:])) for address in addresses))


def select_text(page: Page, selector: str) -> str:
    """Select an element's text with the mouse's own events and return it."""
    text: str = page.evaluate(
        """(selector) => {
          const element = document.querySelector(selector);
          element.scrollIntoView({block: 'center'});
          const range = document.createRange();
          range.selectNodeContents(element);
          const selection = getSelection();
          selection.removeAllRanges();
          selection.addRange(range);
          document.dispatchEvent(new PointerEvent('pointerup', {bubbles: true}));
          return selection.toString();
        }""",
        selector,
    )
    return text
