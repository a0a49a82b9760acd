"""Measure the encoder in a reader's browser: python -m bench.encoder_in_browser SITE --eval DIR

SITE is a built site with an index that `pincite index --browser-encoder` wrote. Chromium and the index's encoder both
embed the questions of DIR (`questions.jsonl`, then the questions of `languages/`). The bench prints the cosines, how
often the search's first section and the refusal are the same, and the times, cold and warm. It measures on this
machine and as on a phone: nine megabits a second with a delay of 80 ms, and the browser's processes stopped for three
quarters of the time. Memory is the private memory of all browser processes, before and after the first question.
"""

import argparse
import json
import os
import re
import signal
import statistics
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain, count
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt
from playwright.sync_api import BrowserContext, Page, sync_playwright

from pincite_core.embedders import encoder_from
from pincite_core.search.query import parse_query
from pincite_core.search.ranking import search
from pincite_server.answerer import Answerer
from pincite_server.answering.pipeline import answer
from pincite_server.question.question import Question
from pincite_server.question.scope import choose_scope

_PHONE_BITS = 9_000_000
_PHONE_DELAY = 0.08
_AT_WORK, _STOPPED = 0.005, 0.015  # seconds: a quarter of this machine's speed
_LOOKED_EVERY = 10  # turns between two searches for new processes
_PIECE = 16 * 1024
_BAR = 0.999
_OF_A_LANGUAGE = 60  # questions
_OPEN = """async () => {
  const { createEncoder } = await import('/pincite/pincite-encoder.js');
  window.encoder = createEncoder({ folder: '/pincite/', agreed: true });
  return window.encoder.cost();
}"""
_EMBED = """async (texts) => {
  const made = [];
  for (const text of texts) {
    const started = performance.now();
    const { vector, tokens } = await window.encoder.embed(text);
    made.push({ ms: performance.now() - started, vector: [...vector], tokens: [...tokens] });
  }
  return made;
}"""

Vectors = npt.NDArray[np.float32]


class _Files(SimpleHTTPRequestHandler):
    """A file server with the network of a phone: all connections share `bits` a second, and each request is delayed."""

    bits = 0
    line = threading.Lock()

    def log_message(self, *_: object) -> None: ...

    def do_GET(self) -> None:
        time.sleep(_PHONE_DELAY if type(self).bits else 0)
        super().do_GET()

    def copyfile(self, source: BinaryIO, outputfile: BinaryIO) -> None:  # type: ignore[override]
        while piece := source.read(_PIECE):
            if type(self).bits:
                with type(self).line:
                    time.sleep(len(piece) * 8 / type(self).bits)
            outputfile.write(piece)


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site", type=Path)
    parser.add_argument("--eval", type=Path, required=True)
    parser.add_argument("--questions", type=int, default=500)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    options = parser.parse_args()
    questions = list(_questions(options.eval))[: options.questions]
    with sync_playwright() as playwright, _served(options.site) as address:
        browser = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
        context = browser.new_context()
        made = _first_and_later("this machine", context, address, questions)
        context.close()
        _Files.bits = _PHONE_BITS
        context = browser.new_context()
        with _slowed():
            _first_and_later("as a phone", context, address, questions[:20])
        browser.close()
    _compare(options.site, questions, made)


def _questions(folder: Path) -> Iterator[str]:
    files = chain([folder / "questions.jsonl"], sorted((folder / "languages").glob("*.jsonl")))
    for row in chain.from_iterable(map(_rows, files)):
        yield row["question"]


def _rows(file: Path) -> list[dict[str, Any]]:
    rows = [row for row in map(json.loads, file.read_text("utf-8").splitlines()) if row.get("question")]
    return rows[:_OF_A_LANGUAGE] if file.parent.name == "languages" else rows


def _first_and_later(
    name: str, context: BrowserContext, address: str, questions: Sequence[str]
) -> list[dict[str, Any]]:
    """Print the cost of a first question with empty and full caches and of later ones; return the results."""
    made: list[dict[str, Any]] = []
    for state in ("cold", "warm"):
        page = context.new_page()
        page.goto(f"{address}/404.html")
        before = _memory()
        size = page.evaluate(_OPEN)
        first = page.evaluate(_EMBED, questions[:1])[0]["ms"] / 1000
        grown = _memory() - before
        made = _embedded(page, questions)
        later = statistics.median(row["ms"] for row in made)
        print(
            f"{name}, {state}: {size / 1e6:.1f} MB, first {first:.1f} s, later {later:.0f} ms, {grown:.0f} MB more",
            flush=True,
        )
        page.close()
    return made


def _embedded(page: Page, questions: Sequence[str]) -> list[dict[str, Any]]:
    return [
        row for start in range(0, len(questions), 50) for row in page.evaluate(_EMBED, questions[start : start + 50])
    ]


def _compare(site: Path, questions: Sequence[str], made: Sequence[dict[str, Any]]) -> None:
    """Print how similar the vectors of the browser and of the local encoder are, and their search results."""
    encoder = encoder_from(site / "pincite")
    assert encoder is not None
    own = encoder.load().encode_with_tokens(questions, "query")
    cosines = np.array([np.dot(row["vector"], ours.vector) for row, ours in zip(made, own, strict=True)])
    same = np.mean(cosines >= _BAR)
    print(
        f"{len(questions)} questions: cosine {cosines.mean():.5f} mean, {cosines.min():.4f} least, {same:.3f} >= {_BAR}"
    )
    answerer = Answerer.open(site / "pincite")
    scope, _ = choose_scope(answerer.index, None, None)
    alike, ruled, alone = [], [], []
    for text, row, ours in zip(questions, made, own, strict=True):
        vector = np.asarray(row["vector"], dtype=np.float32)
        tokens = np.asarray(row["tokens"], dtype=np.float32).reshape(-1, 64)
        query = parse_query(text, answerer.index.language_of(scope.scope_ids))
        found = [
            search(answerer.index, one, query, scope.scope_ids, 1, query_tokens=each).sections[0].target_id
            for one, each in ((vector, tokens), (ours.vector, ours.tokens))
        ]
        alike.append(found[0] == found[1])
        sent = tuple(row["vector"])
        asked = (
            Question(text),
            Question(text, embedding=sent, embedding_tokens=tuple(map(tuple, tokens.tolist()))),
            Question("", embedding=sent),
        )
        kinds = [type(answer(answerer, question)) for question in asked]
        ruled.append(kinds[0] is kinds[1])
        alone.append(kinds[0] is kinds[2])
    print(f"same first section {np.mean(alike):.3f}, same kind of reply {np.mean(ruled):.3f}")
    print(f"without words: same kind of reply {np.mean(alone):.3f}")


def _processes() -> list[int]:
    """Return the ids of the browser's processes: descendants of this process, without Playwright's own driver."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text()
        except OSError:
            continue
        found = re.match(r"(\d+) \((.*)\) \S (\d+)", text)
        if found:
            parents[int(found[1])] = (int(found[3]), found[2])
    ours = {os.getpid()}
    for _ in range(6):
        ours |= {process for process, (parent, _) in parents.items() if parent in ours}
    return [process for process in ours if parents.get(process, (0, ""))[1].startswith("chrom")]


def _memory() -> float:
    """Return the private memory of the browser's processes, in MB."""
    total = 0
    for process in _processes():
        text = Path(f"/proc/{process}/smaps_rollup").read_text()
        total += sum(int(kilobytes) for kilobytes in re.findall(r"Private_\w+:\s+(\d+)", text))
    return total / 1000


@contextmanager
def _slowed() -> Iterator[None]:
    """Stop the browser's processes for most of the time, because the browser's own throttling omits the worker."""
    ended = threading.Event()

    def throttle() -> None:
        processes: list[int] = []
        for turn in count():
            if ended.is_set():
                return
            if turn % _LOOKED_EVERY == 0:  # a page has a process of its own
                processes = _processes()
            for pause, order in ((_AT_WORK, signal.SIGSTOP), (_STOPPED, signal.SIGCONT)):
                time.sleep(pause)
                for process in processes:
                    try:
                        os.kill(process, order)
                    except ProcessLookupError:
                        continue

    thread = threading.Thread(target=throttle)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


if __name__ == "__main__":
    main()
