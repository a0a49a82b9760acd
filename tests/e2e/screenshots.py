"""Pictures of the chat on the built example site, to be looked at: python tests/e2e/screenshots.py FOLDER [NAME...].

A name is a look and a state, with `*` for any: `phone-*`, `*-encoder-blocked`. Not a test; it asserts nothing.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from fnmatch import fnmatch
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.e2e.reader import ask, finished, open_chat, select_text, send
from tests.e2e.test_embedding import METERED, damage, with_policy, write_embedding_site
from tests.integration.serving import serve

QUESTION = "How long does a lease last by default?"
CODED = "How do I start a server with Docker?"
FOREIGN = "What is the best recipe for sourdough bread?"
START = "/docs/concepts/jobs"
NO_WASM_POLICY = "script-src 'self' 'unsafe-inline'"  # inline, for the scripts of Docusaurus


def opened(page: Page) -> None:
    open_chat(page)


def answered(page: Page) -> None:
    ask(page, QUESTION)


def answering(page: Page) -> None:
    open_chat(page)
    box = page.locator("pincite-chat textarea")
    box.fill(QUESTION)
    page.route("**/api/chat", lambda route: None)
    box.press("Enter")
    page.wait_for_timeout(300)


def coded(page: Page) -> None:
    ask(page, CODED).locator("pre.coloured").first.wait_for()


def wide(page: Page) -> None:
    answered(page)
    if page.locator("pincite-chat .edge.width").is_visible():
        page.locator("pincite-chat .edge.width").focus()
        for _ in range(8):
            page.keyboard.press("ArrowLeft")


def docked(page: Page) -> None:
    coded(page)
    if page.locator("pincite-chat .dock").is_visible():
        page.locator("pincite-chat .dock").click()


def failed(page: Page) -> None:
    page.route("**/api/**", lambda route: route.abort("connectionrefused"))
    answered(page)


def cited(page: Page) -> None:
    ask(page, QUESTION).locator("a.cite").last.click()
    page.wait_for_timeout(1500)


def refused(page: Page) -> None:
    ask(page, FOREIGN)


def selected(page: Page) -> None:
    select_text(page, "article .markdown > p")
    page.locator("pincite-chat [part=ask-this]").click()
    box = page.locator("pincite-chat textarea")
    box.fill("What is a job?")
    box.press("Enter")
    finished(page)


def embedding(page: Page) -> None:
    """Ask a chat that reads the question itself."""
    page.locator("pincite-chat").evaluate("(chat) => chat.setAttribute('embedder', 'browser')")
    open_chat(page)
    send(page, QUESTION)


def told(page: Page, words: str) -> None:
    """Ask such a chat and wait until it says something of its encoder."""
    embedding(page)
    page.locator("pincite-chat").get_by_text(words).first.wait_for()


def private(page: Page) -> None:
    page.locator("pincite-chat").evaluate("(chat) => chat.setAttribute('send', 'embedding')")
    embedding(page)
    finished(page)


def loading(page: Page) -> None:
    page.context.route("**/encoder.onnx", lambda route: None)
    told(page, "of 27 MB")


def timed_out(page: Page) -> None:
    page.context.route("**/encoder.onnx", lambda route: route.abort("internetdisconnected"))
    told(page, "Timed Out")


def metered(page: Page) -> None:
    page.add_init_script(METERED)
    page.reload()
    told(page, "loaded once")


def blocked(page: Page) -> None:
    with_policy(page, NO_WASM_POLICY)
    page.reload()
    told(page, "keep the AI from running")
    finished(page)


def damaged(page: Page) -> None:
    page.context.route("**/encoder.onnx", damage)
    told(page, "missing or damaged")
    finished(page)


def offered(page: Page) -> None:
    select_text(page, "article .markdown > p")
    page.locator("pincite-chat [part=ask-this]").wait_for()


STATES: dict[str, Callable[[Page], None]] = {
    "open": opened,
    "answering": answering,
    "answered": answered,
    "code": coded,
    "wide": wide,
    "docked": docked,
    "failure": failed,
    "citation": cited,
    "refusal": refused,
    "selection-offered": offered,
    "selection": selected,
    "encoder-loading": loading,
    "encoder-timeout": timed_out,
    "encoder-metered": metered,
    "encoder-private": private,
    "encoder-blocked": blocked,
    "encoder-damaged": damaged,
}
NARROW = {"width": 1024, "height": 768}  # the panel and the text do not fit side by side
LOOKS = {
    "light": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "dark"},
    "narrow": {"viewport": NARROW, "color_scheme": "light"},
    "low": {"viewport": {"width": 1100, "height": 620}, "color_scheme": "dark"},
    "landscape": {"viewport": {"width": 844, "height": 390}, "has_touch": True},
    "phone": {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True},
}


def shoot(browser: Browser, folder: Path, address: str, names: list[str]) -> None:
    for look, settings in LOOKS.items():
        for state, act in STATES.items():
            if not any(fnmatch(f"{look}-{state}", name) for name in names):
                continue
            # With motion an answer is there before the panel has faded in.
            context = browser.new_context(**settings, locale="en-GB", reduced_motion="reduce")  # type: ignore[arg-type]
            page = context.new_page()
            page.goto(f"{address}{START}")
            act(page)
            page.screenshot(path=folder / f"{look}-{state}.png")
            page.unroute_all(behavior="ignoreErrors")
            context.unroute_all(behavior="ignoreErrors")
            context.close()


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    executable = os.environ.get("PINCITE_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox", "--disable-gpu"])
        with (
            tempfile.TemporaryDirectory() as site,
            serve("--site", write_embedding_site(Path(site)), PINCITE_RATE_LIMIT="0") as client,
        ):
            shoot(browser, folder, str(client.base_url).rstrip("/"), sys.argv[2:] or ["*"])
        browser.close()


if __name__ == "__main__":
    main()
