"""Read the words of built pages in Chromium, several pages at once, from a server that sends no images and no fonts."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from bench.rendered_text.compare import SeenWord
from bench.rendered_text.tokens import cleaned, tokens_of
from playwright.async_api import Browser, Page, ViewportSize, async_playwright

from pincite_indexer.pages.read_page import content_element

__all__ = ("for_each_page", "open_browser", "read_context", "read_words", "serve_site")

_CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
_FLAGS += ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]  # what a build lacks, readers may lack too
_NOT_SENT = frozenset(".png .jpg .jpeg .gif .webp .avif .svg .ico .woff .woff2 .ttf .otf .eot .mp4 .webm .map".split())
_WINDOW = ViewportSize(width=1280, height=900)
_TIMEOUT_MS = 30_000
_SCRIPTS = (
    *("panels.js", "kinds.js", "layout.js", "generated.js", "markers.js"),
    *("alternatives.js", "page_text.js", "context.js"),
)
_SOFT = "\u200a"  # before a run that the index may join to the one before
_CONTEXT = 60  # characters of markup on each side of a difference


class _Files(SimpleHTTPRequestHandler):
    """Send a site's files; the start of a path that is no folder of the site is its base path."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if Path(urlsplit(self.path).path).suffix.lower() in _NOT_SENT:
            self.send_error(404)
        else:
            super().do_GET()

    def translate_path(self, path: str) -> str:
        parts = [part for part in unquote(urlsplit(path).path).split("/") if part and part != ".."]
        for start in range(len(parts)):
            file = Path(self.directory, *parts[start:])
            if file.exists():
                return str(file) + ("/" if file.is_dir() and path.endswith("/") else "")
        return str(Path(self.directory, *parts)) + ("/" if path.endswith("/") else "")

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "max-age=3600")
        super().end_headers()

    def log_message(self, *_: Any) -> None:
        """Write nothing."""


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_: Any) -> None:
        """Write nothing if the browser closes a connection."""


@contextmanager
def serve_site(site: Path) -> Iterator[str]:
    """Serve a folder; yield the server's address without a slash at the end."""
    server = _Server(("127.0.0.1", 0), partial(_Files, directory=str(site)))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@asynccontextmanager
async def open_browser() -> AsyncIterator[Browser]:
    """Start the Chromium of PINCITE_CHROMIUM, or one on the path."""
    executable = os.environ.get("PINCITE_CHROMIUM") or next(filter(None, map(shutil.which, _CHROMIUMS)), None)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=executable, args=_FLAGS)
        yield browser
        await browser.close()


async def for_each_page(
    browser: Browser, files: Sequence[str], read: Callable[[Page, str], Any], *, scripts: bool, tabs: int
) -> None:
    """Call `read` for each file, with several tabs in contexts of their own, so that each has a process."""
    queue = iter(files)

    async def work() -> None:
        context = await browser.new_context(java_script_enabled=scripts, viewport=_WINDOW, reduced_motion="reduce")
        context.set_default_timeout(_TIMEOUT_MS)
        page = await context.new_page()
        for file in queue:
            await read(page, file)
        await context.close()

    await asyncio.gather(*(work() for _ in range(tabs)))


async def read_words(page: Page, site: Path, address: str, file: str) -> list[SeenWord] | None:
    """Return the words that a reader sees in a page's content; None if the page or its content is not found."""
    place = _content_place(site, file)
    if place is None:
        return None
    path = file.removesuffix("index.html") if file.endswith("/index.html") or file == "index.html" else file
    await page.goto(f"{address}/{quote(path)}", wait_until="load")
    runs = await page.evaluate(_script("readPage"), place)
    return None if runs is None else _words(runs)


async def read_context(page: Page, word: SeenWord) -> str:
    """Return the markup around a word on the page that was read last."""
    markup: str = await page.evaluate(_script("readContext"), [word.run, word.offset, _CONTEXT])
    return " ".join(markup.split())


def _content_place(site: Path, file: str) -> dict[str, Any] | None:
    """Return how a browser finds a page's content: its tag, its classes, and its number among equal elements."""
    root = content_element(site, file)
    if root is None:
        return None
    tag, classes = str(root.tag), root.get("class") or ""
    equal = [one for one in root.getroottree().iter(tag) if (one.get("class") or "") == classes]
    return {"tag": tag, "classes": classes, "nth": equal.index(root)}


@cache
def _script(function: str) -> str:
    """Return a call of a function in the scripts of `in_page`, which share one scope."""
    folder = Path(__file__).with_name("in_page")
    sources = "\n".join((folder / name).read_text(encoding="utf-8") for name in _SCRIPTS)
    return f"(argument) => {{\n{sources}\nreturn {function}(argument);\n}}"


def _words(runs: Sequence[tuple[str, str, str, bool]]) -> list[SeenWord]:
    texts = [before + cleaned(text) for before, text, _, _ in runs]
    starts = [0]
    for text in texts:
        starts.append(starts[-1] + len(text))
    words, run = [], 0
    for token in tokens_of("".join(texts)):
        while starts[run + 1] <= token.start:
            run += 1
        before, _, kind, repeated = runs[run]
        offset = token.start - starts[run] - len(before)
        words.append(SeenWord(token.text, run, offset, kind, repeated, soft=before == _SOFT and offset == 0))
    return words
