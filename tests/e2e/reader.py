"""What a reader does with the widget, in the words of a test."""

from urllib.parse import urlsplit, urlunsplit

from playwright.sync_api import Locator, Page, Request, expect

__all__ = (
    "ask",
    "ask_again",
    "button",
    "cited_links",
    "finished",
    "highlighted",
    "open_chat",
    "panel",
    "questions_sent",
    "select_text",
    "send",
    "visit",
)

_AT_WORK = """() => {
  const chat = document.querySelector('pincite-chat');
  const vue = document.querySelector('#app');
  if (vue) return vue.__vue_app__ && chat?.shadowRoot?.querySelector('[part=launcher]');
  return document.documentElement.dataset.hasHydrated && chat?.navigate;
}"""
_ANSWER_MS = 120_000  # a hang; the first question loads nothing, but the machine may be busy


def visit(page: Page, address: str) -> None:
    """Go to a page of Docusaurus or VitePress and wait until its own scripts and the widget are at work."""
    page.goto(address)
    page.wait_for_function(_AT_WORK)
    page.evaluate("() => new Promise((resolve) => requestIdleCallback(resolve))")  # tabs are drawn anew once more


def panel(page: Page) -> Locator:
    """Return the chat's dialog."""
    return page.locator("pincite-chat dialog")


def button(page: Page, name: str) -> Locator:
    """Return the widget's button of a name."""
    return page.locator("pincite-chat").get_by_role("button", name=name, exact=True)


def open_chat(page: Page) -> Locator:
    """Open the chat by its launcher and return its panel."""
    page.locator("pincite-chat [part=launcher]").click()
    dialog = panel(page)
    expect(dialog).to_be_visible()
    return dialog


def ask(page: Page, question: str) -> Locator:
    """Open the chat, ask, wait for the end of the reply, and return the newest turn."""
    open_chat(page)
    return ask_again(page, question)


def ask_again(page: Page, question: str) -> Locator:
    """Ask in the open chat, wait for the end of the reply, and return the newest turn."""
    send(page, question)
    return finished(page)


def send(page: Page, question: str) -> Locator:
    """Ask in the open chat and return the newest turn, whatever has become of it."""
    box = page.locator("pincite-chat textarea")
    box.fill(question)
    box.press("Enter")
    return page.locator("pincite-chat .turn").last


def finished(page: Page) -> Locator:
    """Wait until the newest reply is whole, and kept in the browser, and return its turn."""
    turn = page.locator("pincite-chat .turn").last
    expect(turn.locator(".answer[aria-busy=true]")).to_have_count(0, timeout=_ANSWER_MS)
    expect(turn.locator(".sources, .refusal, .failure").first).to_be_visible(timeout=_ANSWER_MS)
    expect(page.locator("pincite-chat [part=stop]")).to_be_hidden(timeout=_ANSWER_MS)  # as long as it is not stored
    return turn


def questions_sent(page: Page) -> list[Request]:
    """Return a list to which every question that the page sends from now on is added."""
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request) if request.url.endswith("/api/chat") else None)
    return sent


def cited_links(turn: Locator, selector: str = "a.cite") -> list[str]:
    """Return where a turn's citations lead, in order, each once: path and fragment, without the site's origin."""
    addresses = (link.get_attribute("href") or "" for link in turn.locator(selector).all())
    return list(dict.fromkeys(urlunsplit(("", "", *urlsplit(address)[2:])) for address in addresses))


def select_text(page: Page, selector: str, last: str | None = None) -> str:
    """Select an element's text, or all from one element to the end of another, and return it."""
    text: str = page.evaluate(
        """([first, last]) => {
          const element = document.querySelector(first);
          element.scrollIntoView({block: 'center'});
          const range = document.createRange();
          range.selectNodeContents(element);
          if (last) range.setEndAfter(document.querySelector(last));
          const selection = getSelection();
          selection.removeAllRanges();
          selection.addRange(range);
          document.dispatchEvent(new PointerEvent('pointerup', {bubbles: true}));
          return selection.toString();
        }""",
        [selector, last],
    )
    return text


def highlighted(page: Page, name: str) -> str:
    """Return the page's words that are highlighted as `cited` or `selected`."""
    words: str = page.evaluate("(name) => [...(CSS.highlights.get(name) ?? [])].join('|')", f"pincite-{name}")
    return words
