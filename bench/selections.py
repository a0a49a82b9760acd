"""Measure how many of readers' selections are proved to be on their page: python -m bench.selections --data DIR

DIR holds built sites with their indexes (SITE/build/pincite). Chromium opens the pages. The bench selects text with the
mouse and with the browser's own Selection, as readers do, passes it through the widget's code and sends it to a
sidecar. The kinds of `selections.js` take turns. If four pages cannot offer a kind, or its text is too short for a
question, the next kind follows.
"""

import argparse
import json
import os
import random
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import httpx
from bench.running import run_sidecar
from bench.sites import sites_of
from playwright.sync_api import Page, Route, sync_playwright

from pincite_core.index.read import Index

_WIDGET = Path(__file__).parents[1] / "widget" / "src"
_KINDS = Path(__file__).with_name("selections.js")
_MODULES = "/widget-under-test/"
_PATIENCE_MS = 180_000  # long, because the machine may be busy
_TRIES, _PAGES = 20, 4  # most pages to open for one selection, and for one selection of one kind
_TAKE = """async ([modules, url]) => {
  const {cleanSelectionText, isLongEnough} = await import(`${modules}core/selection-text.js`);
  const {selectionForRequest} = await import(`${modules}chat/selection-mode.js`);
  const text = cleanSelectionText(getSelection().toString());
  const captured = {text, page_url: url, captured_at: new Date().toISOString()};
  return isLongEnough(text) ? selectionForRequest(captured).selection.text : '';
}"""
_MAKE = "([kind, seed]) => selections.kinds[kind](() => (seed = (seed * 16807) % 2147483647) / 2147483647)"
_DRAG = "(seed) => selections.drag(() => (seed = (seed * 16807) % 2147483647) / 2147483647)"


@dataclass(frozen=True, slots=True)
class Made:
    """A selection that was made on a page, and whether it was proved."""

    url: str
    kind: str
    text: str
    proved: bool


def selections_of(site: Path, count: int, page: Page, seed: int) -> Iterator[Made]:
    """Yield the given number of selections on a site's pages, drawn at random."""
    chance = random.Random(seed)
    index = Index.open(site / "pincite")
    urls = sorted({index.page(chunk.page_id).url for chunk in index.chunks()})
    with (
        run_sidecar("--site", site) as sidecar,
        httpx.Client(base_url=sidecar.url, timeout=_PATIENCE_MS / 1000) as client,
    ):
        page.set_default_timeout(_PATIENCE_MS)
        page.route(lambda address: not address.startswith(sidecar.url), lambda route: route.abort())
        page.route(f"**{_MODULES}**", _serve_widget)
        for number in range(count):
            for attempt in range(_TRIES):
                url = chance.choice(urls)
                if found := _select(page, sidecar.url, url, number + attempt // _PAGES, chance.randrange(1, 2**31 - 1)):
                    kind, text = found
                    yield Made(url, kind, text, _is_proved(client, url, text))
                    break


def _select(page: Page, sidecar: str, url: str, turn: int, seed: int) -> tuple[str, str] | None:
    page.goto(sidecar + url, wait_until="domcontentloaded")
    page.evaluate(_KINDS.read_text(encoding="utf-8"))
    names: list[str] = page.evaluate("() => selections.names")
    kind = names[turn % len(names)]
    made = _drag(page, seed) if kind == "drag" else page.evaluate(_MAKE, [kind, seed])
    text = page.evaluate(_TAKE, [_MODULES, url]) if made else ""
    return (kind, text) if text else None


def _drag(page: Page, seed: int) -> bool:
    way = page.evaluate(_DRAG, seed)
    if not way:
        return False
    page.mouse.move(*way["from"])
    page.mouse.down()
    page.mouse.move(*way["to"], steps=6)
    page.mouse.up()
    return True


def _serve_widget(route: Route) -> None:
    route.fulfill(path=_WIDGET / route.request.url.partition(_MODULES)[2], content_type="text/javascript")


def _is_proved(client: httpx.Client, url: str, text: str) -> bool:
    body = {"query": "What does this say?", "selected_text": text, "page_url": url}
    reply = client.post("/query-selected-text", json=body)
    return bool(reply.raise_for_status().json()["provenance"] == "proved")


def report(name: str, found: list[Made]) -> None:
    """Print how many selections are proved, in total and for each kind."""
    kinds: dict[str, Counter[bool]] = defaultdict(Counter)
    for one in found:
        kinds[one.kind][one.proved] += 1
    by_kind = ", ".join(f"{kind} {counts[True]}/{counts.total()}" for kind, counts in sorted(kinds.items()))
    print(f"{name:16} {sum(one.proved for one in found):4} of {len(found):4}   {by_kind}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="a folder of built and indexed sites; the example site by default")
    parser.add_argument("--only", nargs="*", help="sites of it")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--unproved", type=Path, help="where those that are not proved are written, a JSON line each")
    options = parser.parse_args()
    executable = os.environ.get("PINCITE_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox", "--disable-gpu"])
        for name, site in sites_of(options.data).items():
            if options.only and name not in options.only:
                continue
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            found = list(selections_of(site, options.count, page, options.seed))
            report(name, found)
            page.close()
            if options.unproved:
                lines = [json.dumps({"site": name, **asdict(one)}) for one in found if not one.proved]
                with options.unproved.open("a", encoding="utf-8") as file:
                    file.writelines(f"{line}\n" for line in lines)
        browser.close()


if __name__ == "__main__":
    main()
