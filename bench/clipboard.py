"""Compare the code in the index with the text that each page's own copy buttons give, in a real browser.

    python -m bench.clipboard [--data DIR] [--only NAME ...] [--pages N] [--base PATH] [--show N]

DIR holds built sites as SITE/build; without --data the bench uses the example site (build it with `make site`). PATH is
the base path that the sites were built for. The bench opens every page that has code, or N pages spread over the site,
clicks the copy button of each block of code, and looks for that text among the page's code as the indexer reads it. For
a block without a button it takes the text that a reader can select.

Each block is `equal`, apart from line breaks at its ends, or differs: in `blanks` only; in `prompts` or `callouts`,
which the copy button keeps and no reader types; in lines that the button copies and the page hides, or shows as removed
(`hidden`); in `comments`, which the button leaves out; in its form, as code spans of a table cell (`cell`) or labels of
a `diagram`; or `other`.
"""

import argparse
import mimetypes
import os
import re
import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bench.sites import sites_of
from playwright.sync_api import Browser, BrowserType, Error, Route, sync_playwright

from pincite_core.strip_invisible import strip_invisible
from pincite_indexer.pages.code.diagrams import diagram_labels
from pincite_indexer.pages.read_page import read_page
from pincite_indexer.pages.records import Block

__all__ = ("KINDS", "compared", "copied_texts", "indexed_code", "open_browser")

KINDS = ("equal", "blanks", "prompts", "callouts", "hidden", "comments", "cell", "diagram", "other")
COLUMNS = ("site", "pages", "blocks", "buttons", *KINDS)
_ORIGIN = "http://127.0.0.1:9"  # a secure context, in which pages may use the clipboard; all requests are routed
_FLAGS = ["--no-sandbox", "--disable-gpu"]
_LOADED_MS = 15_000
_CODE = re.compile(r"<pre|class=\"?[^\">]*\bfragment\b", re.IGNORECASE)
_PROMPT = re.compile(r"^\s*(?:[^\s$#>%]*[$#%>]|>>>|\.\.\.|In \[\d+\]:)(?: |$)")
_CALLOUT = re.compile(r"[ \t]*(?:(?:#|//|--|<!--)[ \t]*)?\(\d+\)(?:-->)?[ \t]*$", re.MULTILINE)
_FENCE = re.compile(r"^`{3,}[^\n]*\n|\n`{3,}$")
_IN_PAGE = Path(__file__).with_suffix(".js")


def main() -> None:
    options = _arguments()
    print("  ".join(f"{name:>9}" for name in COLUMNS), flush=True)
    with sync_playwright() as playwright:
        browser = open_browser(playwright.chromium)
        for name, build in sites_of(options.data).items():
            if not options.only or name in options.only:
                _compare_site(browser, name, build, options)
        browser.close()


def _compare_site(browser: Browser, name: str, build: Path, options: argparse.Namespace) -> None:
    files = [str(file.relative_to(build)) for file in sorted(build.rglob("*.html")) if _has_code(file)]
    files = files[:: max(1, len(files) // options.pages)][: options.pages] if options.pages else files
    counts: Counter[str] = Counter()
    for file in files:
        copied = copied_texts(browser, build, options.base, file)
        kinds = compared([text for text, _ in copied], *indexed_code(build, file))
        counts.update([*kinds, *["pages"] * bool(kinds), *["buttons"] * sum(has_button for _, has_button in copied)])
        for kind, (text, _) in zip(kinds, copied, strict=True):
            counts[f"shown {kind}"] += 1
            if kind != "equal" and counts[f"shown {kind}"] <= options.show:
                print(f"    {kind}: {file}: {text[:400]!r}", flush=True)
    counts["blocks"] = sum(counts[kind] for kind in KINDS)
    print("  ".join([f"{name:>9}", *(f"{counts[column]:>9}" for column in COLUMNS[1:])]), flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--pages", type=int, default=0, help="0 for all pages with code")
    parser.add_argument("--base", default="/")
    parser.add_argument("--show", type=int, default=0, help="how many blocks of each differing kind to print")
    return parser.parse_args()


def _has_code(file: Path) -> bool:
    return file.is_file() and _CODE.search(file.read_text(encoding="utf-8", errors="replace")) is not None


def open_browser(chromium: BrowserType) -> Browser:
    """Return a browser, the one that `PINCITE_CHROMIUM` names if it is set."""
    return chromium.launch(executable_path=os.environ.get("PINCITE_CHROMIUM") or shutil.which("chromium"), args=_FLAGS)


def copied_texts(browser: Browser, build: Path, base: str, file: str) -> list[tuple[str, bool]]:
    """Open a page of a built site; return the copied text of each block, and whether the block has a copy button."""
    page = browser.new_page()
    try:
        page.add_init_script(path=_IN_PAGE)
        page.route("**/*", lambda route: _answer(route, build, base))
        page.goto(f"{_ORIGIN}{base}{file}", wait_until="load", timeout=_LOADED_MS)
        page.wait_for_timeout(300)  # scripts add buttons after the page has loaded
        texts = [(str(text), bool(has_button)) for text, has_button in page.evaluate("pinciteCopyAll()")]
    except Error as error:
        print(f"    not read: {file}: {str(error).splitlines()[0]}", flush=True)
        return []
    else:
        return texts
    finally:
        page.close()


def _answer(route: Route, build: Path, base: str) -> None:
    """Answer a request from the site's files; requests to other hosts fail."""
    url = urlsplit(route.request.url)
    path = build / unquote(url.path).removeprefix(base).lstrip("/")
    path = path / "index.html" if path.is_dir() else path
    if f"{url.scheme}://{url.netloc}" != _ORIGIN:
        route.abort()
    elif path.is_file():
        route.fulfill(path=path, content_type=mimetypes.guess_type(path.name)[0] or "application/octet-stream")
    else:
        route.fulfill(status=404)


def indexed_code(build: Path, file: str) -> tuple[list[str], list[str]]:
    """Return the code blocks of a page as the index has them, without fences, and its other texts."""
    blocks = [piece for piece in read_page(build, file).pieces if isinstance(piece, Block)]
    code = [_FENCE.sub("", block.text) for block in blocks if block.kind == "code"]
    return code, [block.text for block in blocks if block.kind != "code"]


def compared(copied: Sequence[str], code: Sequence[str], texts: Sequence[str]) -> list[str]:
    """Return the kind of each copied text, by the code and the other texts of its page."""
    return [_kind(strip_invisible(text).strip("\n"), code, texts) for text in copied]


def _kind(text: str, code: Sequence[str], texts: Sequence[str]) -> str:
    if text in code:
        return "equal"
    lines, bare = text.split("\n"), _bare(text)
    if bare in {_bare(block) for block in code} or not bare:
        return "blanks"
    if diagram_labels(text) in texts:
        return "diagram"
    typed = _filled("\n".join(_PROMPT.sub("", line) for line in lines if _PROMPT.match(line)))
    kept, without_callouts = _filled(text), _filled(_CALLOUT.sub("", text))
    blocks = [_filled(block) for block in code]
    sessions = [sorted([*block, *output]) for block, output in zip(blocks, [*blocks, []][1:], strict=True)]
    if (typed and any(_are_in_order(typed, own) for own in blocks)) or sorted(kept) in sessions:
        return "prompts"
    if without_callouts in blocks:
        return "callouts"
    if any(own and _are_in_order(own, kept) for own in blocks):
        return "hidden"
    if any(len(kept) * 2 >= len(own) and _are_in_order(kept, own) for own in blocks):
        return "comments"
    return "cell" if any(bare in _bare(one) for one in texts) else "other"


def _filled(text: str) -> list[str]:
    return [line.rstrip() for line in text.split("\n") if line.strip()]


def _bare(text: str) -> str:
    return re.sub(r"[\s`]+", "", text)


def _are_in_order(part: Sequence[str], whole: Sequence[str]) -> bool:
    """Return whether all lines of a text are lines of another, in the same order."""
    rest = iter(whole)
    return all(line in rest for line in part)


if __name__ == "__main__":
    main()
