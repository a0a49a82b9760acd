"""Measure the cost of the chat for a page before the reader acts: python bench/page_cost.py

The bench builds the example site with the plugin and without it, in one language and without an index. The same plain
static server serves both. Chromium loads each page at a quarter of the machine's speed, as Lighthouse does for its
phone, the two builds in turn. Bytes are gzipped, as a static host sends them. Long tasks vary from load to load. A
separate column has the time of the chat's own script within long frames, as the browser reports it.
"""

import argparse
import gzip
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Browser, Page, Response, sync_playwright

SITE = Path(__file__).parents[1] / "examples" / "site"
PAGES = ("/", "/docs/concepts/jobs/", "/docs/reference/error-codes/")
_PLUGINS = re.compile(r"  plugins: \[\n.*?\n  \],\n", re.DOTALL)
_SLOWDOWN = 4  # Lighthouse's value for a mid-range phone
_COLUMNS = ("page", "plugin", "shift", "long tasks", "over, ms", "chat, ms", "requests", "bytes")
_HEADER = "{:30} {:8} {:>7} {:>12} {:>8} {:>8} {:>9} {:>10}".format(*_COLUMNS)
_SETTLED_MS = 1000  # after the network is idle; deferred work counts too
_OBSERVE = """
  window.cost = {shift: 0, longTasks: 0, blocked: 0, own: 0};
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => { window.cost.shift += entry.value; }))
    .observe({type: 'layout-shift', buffered: true});
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
    window.cost.longTasks += 1;
    window.cost.blocked += Math.max(0, entry.duration - 50);
  })).observe({type: 'longtask', buffered: true});
  new PerformanceObserver((list) => list.getEntries().flatMap((frame) => frame.scripts).forEach((script) => {
    if (script.sourceURL.includes('/pincite/')) window.cost.own += script.duration;
  })).observe({type: 'long-animation-frame', buffered: true});
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """One load: layout shifts in total, tasks over 50 ms and the excess, the chat's part, requests, bytes."""

    shift: float
    long_tasks: int
    blocked_ms: float
    own_ms: float
    requests: int
    size: int


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None: ...


def build(folder: Path, *, plugin: bool) -> Path:
    """Build a copy of the example site and return its pages' folder."""
    left = shutil.ignore_patterns("node_modules", "build", ".docusaurus")
    site = Path(shutil.copytree(SITE, folder, ignore=left))
    (site / "node_modules").symlink_to(SITE / "node_modules")
    config = site / "docusaurus.config.js"
    text = config.read_text(encoding="utf-8")
    if not plugin:
        config.write_text(_PLUGINS.sub("", text, count=1), encoding="utf-8")
    command = ["node", "node_modules/@docusaurus/core/bin/docusaurus.mjs", "build", "--locale", "en"]
    subprocess.run(command, cwd=site, env=os.environ | {"PINCITE_SKIP": "1"}, stdout=subprocess.DEVNULL, check=True)
    return site / "build"


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder; yield the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def load(browser: Browser, url: str) -> Cost:
    """Load a page in a new profile and return its cost."""
    context = browser.new_context(viewport={"width": 412, "height": 823})
    page = context.new_page()
    page.add_init_script(_OBSERVE)
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": _SLOWDOWN})
    responses: list[Response] = []
    page.on("response", lambda response: responses.append(response))
    page.goto(url, wait_until="networkidle")
    page.wait_for_timeout(_SETTLED_MS)
    cost = _read(page, responses)
    context.close()
    return cost


def _read(page: Page, responses: list[Response]) -> Cost:
    seen = page.evaluate("() => window.cost")
    size = sum(len(gzip.compress(response.body())) for response in responses if response.ok)
    return Cost(seen["shift"], seen["longTasks"], seen["blocked"], seen["own"], len(responses), size)


def report(path: str, arms: dict[str, list[Cost]]) -> None:
    """Print a page's two rows: medians, and the range of the long tasks, which vary from load to load."""
    for name, costs in arms.items():
        median = {field: statistics.median(getattr(cost, field) for cost in costs) for field in Cost.__slots__}
        tasks = [cost.long_tasks for cost in costs]
        print(
            f"{path:30} {name:8} {median['shift']:7.4f} {median['long_tasks']:6.0f} ({min(tasks)}-{max(tasks)})"
            f" {median['blocked_ms']:8.0f} {median['own_ms']:8.0f} {median['requests']:9.0f} {median['size']:10,.0f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--loads", type=int, default=5)
    loads = parser.parse_args().loads
    executable = os.environ.get("PINCITE_CHROMIUM") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        folders = {name: build(Path(scratch, name), plugin=name == "with") for name in ("without", "with")}
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox", "--disable-gpu"])
        with served(folders["without"]) as without, served(folders["with"]) as with_chat:
            print(_HEADER)
            for path in PAGES:
                arms: dict[str, list[Cost]] = {"without": [], "with": []}
                for _ in range(loads):
                    arms["without"].append(load(browser, without + path))
                    arms["with"].append(load(browser, with_chat + path))
                report(path, arms)
        browser.close()


if __name__ == "__main__":
    main()
