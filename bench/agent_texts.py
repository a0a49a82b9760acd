"""Compare the Markdown of pages with the text that readers see: python -m bench.agent_texts SITE... [--pages 100]

Chromium shows each page without the site's scripts, with every tab and every `details` open. The bench reads the words
from the screen (`innerText`). It also reads the words of the page's Markdown, with a
separate Markdown parser. Both lists of words must be the same, in the same order. The labels of tabs are expected
above their panels.
"""

import argparse
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import partial
from pathlib import Path

from markdown_it import MarkdownIt
from playwright.sync_api import Browser, Page, Route, sync_playwright

from pincite_indexer.markdown.page_text import PageText, page_text

__all__ = ("Compared", "compare_pages", "pages_of")

_HOST = "http://site.test"
_PATIENCE_MS = 250_000  # the machine may be busy
_FORWARDS = 'http-equiv="refresh"'
_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
_FURNITURE = (
    "button, nav, script, style, svg, iframe, video, input, .hash-link, .headerlink, .header-anchor, .VPBadge, "
    ".theme-doc-version-badge, .theme-doc-version-banner, .theme-doc-toc-mobile, .table-of-contents, .linenos, "
    ".md-source-file, .lang, "
    ".line-numbers-wrapper, .viewcode-link, .theme-edit-this-page, .md-content__button, .tabbed-set > input, math"
)
_CONTENT = [  # the first selector that matches
    *("article .theme-doc-markdown", "article .markdown", ".VPHome", ".vp-doc", "article.md-content__inner"),
    *("[role=main]", "main", ".main-wrapper"),
]
_SHOWN = """([content, furniture]) => {
  const root = content.map((path) => document.querySelector(path)).find(Boolean);
  if (!root) return null;
  for (const list of root.querySelectorAll('[role=tablist], .tabbed-labels, .vp-code-group > .tabs')) {
    const labels = [...list.querySelectorAll('li, label, [role=tab]')].map((label) => label.textContent);
    const beside = ':scope > [role=tabpanel], :scope > div > [role=tabpanel]';
    const isAria = list.matches('[role=tablist]');
    const panels = isAria ? list.parentElement.querySelectorAll(beside) : list.nextElementSibling.children;
    [...panels].forEach((panel, place) => {
      panel.hidden = false;
      panel.style.display = 'block';
      panel.prepend(Object.assign(document.createElement('p'), {textContent: labels[place] ?? ''}));
    });
    list.remove();
  }
  root.querySelectorAll('details').forEach((one) => { one.open = true; });
  root.querySelectorAll('[data-collapsed]').forEach((one) => { one.dataset.collapsed = 'false'; });
  root.querySelectorAll(furniture).forEach((one) => { one.remove(); });
  root.querySelectorAll('*').forEach((one) => { one.style.textTransform = 'none'; });
  return root.innerText;
}"""
_WORD = re.compile(r"\w+|[^\w\s]")
_NOTHING_SHOWN = re.compile(r"[\u200b-\u200d\u2060\ufeff\u00ad]")


@dataclass(frozen=True, slots=True)
class Compared:
    """The comparison of one page: the number of shown words, and the differences as (shown, written)."""

    file: str
    words: int
    differences: tuple[tuple[str, str], ...]


def pages_of(site: Path, most: int) -> list[str]:
    """Return the files of some pages, chosen with a fixed seed."""
    found = (file for file in site.rglob("*.html") if file.is_file())
    pages = (file for file in found if _FORWARDS not in file.read_text(encoding="utf-8").lower())
    files = sorted(file.relative_to(site).as_posix() for file in pages if file.name != "404.html")
    random.Random(14).shuffle(files)
    return files[:most]


def compare_pages(browser: Browser, site: Path, files: Sequence[str]) -> list[Compared]:
    """Compare pages with their Markdown, and leave out pages without content."""
    with browser.new_context() as context:
        context.set_default_timeout(_PATIENCE_MS)
        context.route("**/*", partial(_serve, site))
        found = (_compared(context.new_page(), site, file) for file in files)
        return [one for one in found if one is not None]


def _compared(page: Page, site: Path, file: str) -> Compared | None:
    with page:
        page.goto(f"{_HOST}/{file}")
        shown = page.evaluate(_SHOWN, [_CONTENT, _FURNITURE])
        text = page_text(site, PageText(file, f"/{file}", f"{_HOST}/{file}", ""))
        if not shown or not text:
            return None
        html = MarkdownIt("commonmark").enable("table").enable("strikethrough").render(text)
        page.set_content(f"<main>{html}</main>")
        written = page.evaluate("() => document.body.innerText")
    return Compared(file, *_differences(_words(shown), _words(written)))


def _differences(shown: list[str], written: list[str]) -> tuple[int, tuple[tuple[str, str], ...]]:
    if shown == written:
        return len(shown), ()
    matcher = SequenceMatcher(None, shown, written, autojunk=False)
    codes = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    return len(shown), tuple((" ".join(shown[a:b]), " ".join(written[c:d])) for _, a, b, c, d in codes)


def _words(text: str) -> list[str]:
    words = _WORD.findall(_NOTHING_SHOWN.sub("", text))
    return words[1:] if words[:1] == ["#"] else words


def _serve(site: Path, route: Route) -> None:
    """Answer a request from the site's folder, but serve no scripts."""
    file = site / route.request.url.removeprefix(f"{_HOST}/").partition("?")[0]
    if route.request.resource_type in {"document", "stylesheet"} and file.is_file():
        route.fulfill(path=file)
    else:
        route.abort()


def main() -> None:
    """Compare the pages and print the differences."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("sites", type=Path, nargs="+", metavar="SITE", help="folder of a built site")
    arguments.add_argument("--pages", type=int, default=100, help="most pages a site")
    arguments.add_argument("--chromium", default="/usr/bin/chromium")
    given = arguments.parse_args()
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=given.chromium, args=_FLAGS) as browser,
    ):
        for site in given.sites:
            _tell(site, compare_pages(browser, site, pages_of(site, given.pages)))


def _tell(site: Path, compared: Sequence[Compared]) -> None:
    same = sum(not one.differences for one in compared)
    words = sum(one.words for one in compared)
    others = sum(len(a.split()) + len(b.split()) for one in compared for a, b in one.differences)
    print(f"{site}: {same} of {len(compared)} pages the same, {others:,} words of {words:,} differ")
    for one in compared:
        for a, b in one.differences[:4]:
            print(f"  {one.file}: shown {a[:100]!r}, written {b[:100]!r}")


if __name__ == "__main__":
    main()
