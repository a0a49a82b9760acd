"""Pictures of the chat on the built example site, to be looked at: python tests/e2e/screenshots.py FOLDER.

Not a test; it asserts nothing.
"""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.e2e.conftest import BUILD
from tests.e2e.reader import ask, finished, open_chat, select_text
from tests.integration.serving import serve

QUESTION = "How long does a lease last by default?"
CODED = "How do I start a server with Docker?"
FOREIGN = "What is the best recipe for sourdough bread?"
START = "/docs/concepts/jobs"


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


def shoot(browser: Browser, folder: Path, address: str) -> None:
    for look, settings in LOOKS.items():
        for state, act in STATES.items():
            # With motion an answer is there before the panel has faded in.
            context = browser.new_context(**settings, locale="en-GB", reduced_motion="reduce")  # type: ignore[arg-type]
            page = context.new_page()
            page.goto(f"{address}{START}")
            act(page)
            page.screenshot(path=folder / f"{look}-{state}.png")
            page.unroute_all(behavior="ignoreErrors")
            context.close()


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    executable = os.environ.get("PINCITE_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox", "--disable-gpu"])
        with serve("--site", BUILD) as client:
            shoot(browser, folder, str(client.base_url).rstrip("/"))
        browser.close()


if __name__ == "__main__":
    main()
