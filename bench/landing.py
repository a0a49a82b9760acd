"""Test in a real browser, on real sites, whether a click on a citation marker opens the words of its claim.

    python -m bench.landing [--data DIR] [--only NAME ...] [--questions FILE] [--count N] [--window NAME] [--show]

DIR holds indexed sites as SITE/build; without --data the bench uses the example site (build it with `make site`). A
sidecar serves each site with the chat (`--widget`). The bench follows every marker of every answer, one after the
other, as a reader would. It compares the highlighted words with the claim that the sidecar sent, without blanks and
backticks. The result is exact, a fragment, other words, or none. An exact result is in view if all its lines are in
the window and nothing is painted over them; if it is taller than the window, its beginning must be. Its heading must be
in view too, unless both do not fit above the open panel.
FILE has one question in each line, as JSON (`question`, and `product` if it is about several sites). Without it, the
questions are titles of sections.
"""

import argparse
import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from bench.running import run_sidecar
from bench.sites import sites_of
from playwright.sync_api import Browser, Error, Page, Response, TimeoutError, sync_playwright

from pincite_core.index.read import Index

COLUMNS = ("site", "window", "questions", "markers", "exact", "fragment", "other", "none", "in view", "with heading")
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
WINDOWS = {"desktop": DESKTOP, "phone": PHONE}
# Block requests to other hosts. Playwright routes would disable the cache.
_AT_HOME = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
_BLANK = re.compile(r"[\s\u00ad\u200b-\u200f\u2060\ufeff`]")
_LANDED_MS = 200_000  # counts as a hang; a real page may be slow, and a shared machine may pause for minutes
_STILL_MS = 500  # a place that has not moved for this time is stable
_MARKERS = "pincite-chat .prose a.cite"
_SECTION_LEVELS = {2, 3}
_FORGET = """() => {
  CSS.highlights.delete('pincite-cited');
  document.querySelector('[data-pincite-target]')?.removeAttribute('data-pincite-target');
}"""
_IS_LANDED = "() => document.querySelector('[data-pincite-target]')"
_STILL = """async (still) => {
  const place = () => {
    const range = [...(CSS.highlights.get('pincite-cited') ?? [])][0];
    return JSON.stringify((range ?? document.querySelector('[data-pincite-target]')).getBoundingClientRect());
  };
  let before = '', since = performance.now();
  const end = since + 10000;
  while (performance.now() - since < still && performance.now() < end) {
    if (place() !== before) { before = place(); since = performance.now(); }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}"""
_SEE = """() => {
  const ranges = [...(CSS.highlights.get('pincite-cited') ?? [])];
  const {offsetTop, height} = visualViewport; // Of a page that is too wide for a phone the window is a part.
  const isPainted = (element) => {
    const {backgroundColor, backgroundImage} = getComputedStyle(element);
    return !/^rgba\\(.*, 0\\)$/u.test(backgroundColor) || backgroundImage !== 'none';
  };
  const isSeen = (part, {left, top, bottom}) => {
    const isWithin = top >= offsetTop - 1 && bottom <= offsetTop + height + 1; // Browsers scroll to whole pixels.
    if (left + 3 >= innerWidth) return isWithin; // Cells of a table that is swiped sideways.
    const there = document.elementsFromPoint(Math.max(left, 0) + 3, (top + bottom) / 2);
    const isOwn = (element) => element.contains(part) || part.contains(element);
    // The blank end of a sidebar's list may lie over the words and covers none; images and the chat do.
    const hit = there.find((element) => isOwn(element) || isPainted(element) || /img|svg|-/iu.test(element.tagName));
    return isWithin && !!hit && isOwn(hit);
  };
  const boxes = ranges.flatMap((range) => {
    const common = range.commonAncestorContainer;
    const part = common.nodeType === 1 ? common : common.parentElement;
    return [...range.getClientRects()].filter(({width, height}) => width > 1 && height > 1).map((box) => [part, box]);
  });
  const isBeside = (one, other) => one.left > other.left && Math.abs(one.top - other.top) < 4;
  const lines = boxes.filter(([, box]) => !boxes.some(([, other]) => isBeside(box, other)));
  const target = document.querySelector('[data-pincite-target]');
  const rows = new Set(ranges.map((range) => range.startContainer.parentElement.closest('tr')).filter(Boolean));
  const head = target.getBoundingClientRect();
  const dialog = document.querySelector('pincite-chat').shadowRoot.querySelector('dialog[open]');
  const panel = dialog?.getBoundingClientRect();
  const bottoms = lines.map(([, box]) => box.bottom);
  return {
    text: ranges.join(''),
    rows: [...rows].map((row) => row.textContent),
    lines: lines.length,
    seen: lines.filter(([part, box]) => isSeen(part, box)).length,
    first: lines.length > 0 && isSeen(...lines[0]),
    height: lines.length ? Math.max(...bottoms) - Math.min(...lines.map(([, box]) => box.top)) : 0,
    top: lines.length ? Math.min(...lines.map(([, box]) => box.top)) : null,
    reach: lines.length ? Math.max(...bottoms) - head.top : 0,
    head: isSeen(target, {left: head.left, top: head.top, bottom: Math.min(head.bottom, head.top + 20)}),
    window: panel && panel.left < head.right && head.left < panel.right ? panel.top : height,
  };
}"""


@dataclass(frozen=True, slots=True)
class Landed:
    """The result of one marker: how its words compare, and whether they and their heading are in view."""

    words: str
    in_view: bool
    with_heading: bool
    detail: str


def main() -> None:
    options = _arguments()
    executable = os.environ.get("PINCITE_CHROMIUM") or shutil.which("chromium")
    print("  ".join(f"{name:>10}" for name in COLUMNS), flush=True)
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", _AT_HOME]
        browser = playwright.chromium.launch(executable_path=executable, args=flags)
        for name, build in sites_of(options.data).items():
            if options.only and name not in options.only:
                continue
            questions = _questions(options.questions, name, build, options.count)
            with run_sidecar("--site", build, "--widget") as sidecar:
                start = urljoin(sidecar.url, Index.open(build / "pincite").info.base_url)
                for window, settings in WINDOWS.items():
                    if options.window and window != options.window:
                        continue
                    landed = [one for question in questions for one in follow_all(browser, settings, start, question)]
                    _show(name, window, len(questions), landed, every=options.show)
        browser.close()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--count", type=int, default=25)
    parser.add_argument("--window", choices=WINDOWS)
    parser.add_argument("--show", action="store_true", help="Print every marker that falls short.")
    return parser.parse_args()


def _questions(file: Path | None, name: str, build: Path, count: int) -> list[str]:
    if file is None:
        return _spread([f"What is {title}?" for title in _titles(build)], count)
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return _spread([row["question"] for row in rows if row.get("product", name) == name], count)


def _titles(build: Path) -> list[str]:
    """Return the titles of all sections of the readers' own version and language, each once."""
    index = Index.open(build / "pincite")
    current = {scope.scope_id for scope in index.scopes if scope.is_last and scope.locale == index.info.default_locale}
    targets = (
        target for page in index.pages() if page.scope_id in current for target in index.targets_of_page(page.page_id)
    )
    return list(dict.fromkeys(target.title for target in targets if target.level in _SECTION_LEVELS and target.title))


def _spread(questions: Sequence[str], count: int) -> list[str]:
    step = max(1.0, len(questions) / count)
    return [questions[int(at * step)] for at in range(min(count, len(questions)))]


def follow_all(browser: Browser, settings: dict[str, Any], start: str, question: str) -> Iterator[Landed]:
    """Ask on a page, then follow one marker after the other, each from the page that the previous marker opened."""
    context = browser.new_context(reduced_motion="reduce", **settings)
    context.set_default_timeout(_LANDED_MS)
    try:
        page = context.new_page()
        claims = _ask(page, start, question)
        for marker in range(page.locator(_MARKERS).count()):
            own = [claim for claim in claims if marker in claim.get("markers", ())]
            yield _follow(page, marker, own, question)
    except TimeoutError:
        print(f"    no answer in time: {question!r}", flush=True)
    finally:
        context.close()


def _ask(page: Page, start: str, question: str) -> list[dict[str, Any]]:
    """Return the claims of the answer; none for a refusal."""
    page.goto(start, wait_until="domcontentloaded")
    _open(page)
    replies: list[Response] = []
    page.on("response", lambda response: replies.append(response) if response.url.endswith("/api/chat") else None)
    box = page.locator("pincite-chat textarea")
    box.fill(question)
    box.press("Enter")
    page.locator("pincite-chat .turn").last.locator(".actions, .refusal, .failure").first.wait_for()
    text = replies[0].text() if replies else ""  # an unreachable sidecar sends no reply
    ends = re.findall(r"^event: answer_end\r?\ndata: (.*?)\r?$", text, re.MULTILINE)
    claims: list[dict[str, Any]] = json.loads(ends[0])["claims"] if ends else []
    return claims


def _open(page: Page) -> None:
    """Open the chat if it is closed; on a phone, a followed citation closes it."""
    launcher = page.locator("pincite-chat [part=launcher]")
    launcher.wait_for(state="attached")
    if launcher.is_visible():
        launcher.dispatch_event("click")  # a real click misses if the page is too wide for a phone
    page.locator("pincite-chat dialog[open]").wait_for()


def _follow(page: Page, marker: int, claims: Sequence[dict[str, Any]], question: str) -> Landed:
    where = f"{question!r} marker {marker}"
    try:
        _open(page)
        page.evaluate(_FORGET)
        page.locator(_MARKERS).nth(marker).click()
        _wait_for_landing(page)
        seen = page.evaluate(_SEE)
    except TimeoutError as error:
        return Landed("none", False, False, f"{where}: {page.url} {str(error).splitlines()[0]}")
    return _judged(seen, claims, f"{where}: {page.url}")


def _wait_for_landing(page: Page) -> None:
    """Wait until the page has a highlight and stops moving; if another page loads, the wait starts again."""
    page.wait_for_function(_IS_LANDED)
    try:
        page.evaluate(_STILL, _STILL_MS)
    except Error:
        page.wait_for_function(_IS_LANDED)
        page.evaluate(_STILL, _STILL_MS)


def _judged(seen: dict[str, Any], claims: Sequence[dict[str, Any]], where: str) -> Landed:
    shown = _bare(seen["text"])
    wanted = "".join(_wanted(claim, seen) for claim in claims)
    if not shown:
        words = "none"
    elif shown == wanted:
        words = "exact"
    else:
        words = "fragment" if shown in wanted or wanted in shown else "other"
    tall = seen["height"] > seen["window"] * 0.8
    in_view = words == "exact" and bool(seen["first"]) and (tall or seen["seen"] == seen["lines"])
    fits = seen["reach"] < seen["window"] * 0.8
    with_heading = in_view and (bool(seen["head"]) or not fits)
    facts = {name: seen[name] for name in ("lines", "seen", "first", "height", "top", "reach", "head")}
    compared = "" if words == "exact" else f"\n      wanted {wanted!r}\n      shown  {shown!r}"
    return Landed(words, in_view, with_heading, f"{where} {facts}{compared}")


def _wanted(claim: dict[str, Any], seen: dict[str, Any]) -> str:
    """Return a claim's words as a page has them; for a row, the words of its cells in order."""
    text = str(claim["text"])
    if text.startswith("```"):
        return _bare("\n".join(text.split("\n")[1:-1]))
    words = _bare(text)
    rows = [row for row in map(_bare, seen["rows"] if "; " in text else ()) if row and _has_in_order(words, row)]
    return max(rows, key=len, default=words)  # for `%T` and `%Tf` the longer match


def _has_in_order(words: str, cells: str) -> bool:
    letters = iter(words)
    return all(letter in letters for letter in cells)


def _bare(text: str) -> str:
    return _BLANK.sub("", text)


def _show(name: str, window: str, questions: int, landed: Sequence[Landed], *, every: bool) -> None:
    words = Counter(one.words for one in landed)
    counts = (questions, len(landed), *(words[kind] for kind in ("exact", "fragment", "other", "none")))
    seen = (sum(one.in_view for one in landed), sum(one.with_heading for one in landed))
    print("  ".join(f"{value:>10}" for value in (name, window, *counts, *seen)), flush=True)
    for one in landed if every else ():
        if not one.with_heading:
            kind = one.words if one.words != "exact" else "heading" if one.in_view else "view"
            print(f"    {kind}: {one.detail}", flush=True)


if __name__ == "__main__":
    main()
