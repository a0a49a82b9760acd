"""Replace the index of a real sidecar every few seconds while readers ask, and check for lost questions and leaks.

    python -m bench.soak [--index PATH] [--readers 20] [--swap-every 3] [--seconds 60] [--folder] [--no-collection]

Without --index: the example site (build it with `make site`). Two indexes of the same content but another `index_id`
take turns on a host on this machine. With --folder the sidecar reads the files instead. A quarter of the questions
comes from pages of the build before, and every fifth reader leaves before the answer. At the end the bench prints the
cost of a swap in memory and in open index files. With --no-collection the sidecar collects no garbage, so only
resources that are closed explicitly are released. Memory then also grows by the garbage of requests; it is printed but
not judged. Exits with 1 if a question was lost, or files or memory grew.
"""

import argparse
import asyncio
import hashlib
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import perf_counter
from typing import Any

import apsw
import httpx
import msgspec
from bench.leaks import titles_of
from bench.readers import Tally, ask
from bench.running import Sidecar, run_sidecar
from bench.sites import EXAMPLE

from pincite_core.index.database import locate_database
from pincite_core.index.read import Index
from pincite_core.index.schema import DATABASE_NAME

__all__ = ("host_folder",)

COLUMNS = ("seconds", "swaps", "asked", "errors", "handles", "of indexes", "MB", "builds kept")
QUESTIONS = 1000
MOST_HANDLES = 10  # more than halfway through the run: connections of readers come and go
LEAVING_SECONDS = 0.02
LEAVERS = 5  # one of this many readers leaves before the answer
MOST_GROWTH = (
    1.08  # of the memory at half time: the cache of repeated messages still fills, and the allocator varies a little
)


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None: ...


@dataclass(slots=True)
class Soak:
    """The state of a run: the number of deploys, and the readers' results."""

    sidecar: Sidecar
    site: Path
    cache: Path
    questions: list[str]
    swaps: int = 0
    tally: Tally = field(default_factory=Tally)
    rows: list[tuple[int, int, int, float]] = field(default_factory=list)  # swaps, handles, index handles, MB

    def deploy(self) -> None:
        """Publish the other index as a new build, in the order of a build: the database first."""
        self.swaps += 1
        out = self.site / "pincite"
        staged = Path(shutil.copyfile(self.site / f"index-{self.swaps % 2}.db", out / "index.db.new"))
        with staged.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        facts = msgspec.json.decode((out / "index.json").read_bytes())
        facts |= {"build_id": f"b-{self.swaps}", "sha256": digest, "size": staged.stat().st_size}
        (out / "index.json.new").write_bytes(msgspec.json.encode(facts))
        staged.replace(out / "index.db")
        (out / "index.json.new").replace(out / "index.json")

    def row(self, started: float) -> None:
        """Print the current state."""
        kept = len(list(self.cache.glob("sites/*/*/builds/*")))
        handles, indexes = self.sidecar.handles(), self.sidecar.handles(DATABASE_NAME)
        memory = self.sidecar.megabytes()
        self.rows.append((self.swaps, handles, indexes, memory))
        values = (f"{perf_counter() - started:.0f}", self.swaps, self.tally.asked, len(self.tally.errors))
        print("  ".join(f"{value!s:>11}" for value in (*values, handles, indexes, f"{memory:.0f}", kept)), flush=True)


def main() -> None:
    options = _arguments()
    with tempfile.TemporaryDirectory(prefix="pincite-soak-") as scratch:
        site, cache = Path(scratch) / "site", Path(scratch) / "cache"
        _prepare(options.index, site)
        questions = [f"What is {title}?" for title in titles_of(Index.open(options.index), QUESTIONS)]
        with host_folder(site) as url:
            place = site / "pincite" if options.folder else f"{url}/pincite/"
            arguments = (place, "--cache-dir", cache, "--poll-seconds", "0.5")
            with run_sidecar(*arguments, collects_garbage=not options.no_collection) as sidecar:
                soak = Soak(sidecar, site, cache, questions)
                asyncio.run(_run(soak, options))
    _judge(soak, judges_memory=not options.no_collection)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--index", type=Path, default=EXAMPLE)
    parser.add_argument("--readers", type=int, default=20)
    parser.add_argument("--swap-every", type=float, default=3.0, help="seconds")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--folder", action="store_true", help="serve the folder, not the URL")
    parser.add_argument("--no-collection", action="store_true", help="the sidecar collects no garbage")
    return parser.parse_args()


def _prepare(index: Path, site: Path) -> None:
    """Write a site with two indexes that differ in their names."""
    database = locate_database(index)
    shutil.copytree(database.parent, site / "pincite")
    for number in range(2):
        copy = Path(shutil.copyfile(database, site / f"index-{number}.db"))
        connection = apsw.Connection(str(copy))
        connection.execute(
            "UPDATE meta SET value = json_set(value, '$.index_id', ?) WHERE key = 'info'", (str(number),)
        )
        connection.close()


@contextmanager
def host_folder(folder: Path) -> Iterator[str]:
    """Serve a folder as a static host does; yield its URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


async def _run(soak: Soak, options: argparse.Namespace) -> None:
    print("  ".join(f"{name:>11}" for name in COLUMNS))
    async with httpx.AsyncClient(base_url=soak.sidecar.url, timeout=30) as client:
        while (await client.get("/ready")).status_code != httpx.codes.OK:
            await asyncio.sleep(0.1)
        started = perf_counter()
        until = started + options.seconds
        readers = [asyncio.create_task(_read_on(client, soak, number, until)) for number in range(options.readers)]
        while perf_counter() < until:
            await asyncio.to_thread(soak.deploy)
            await asyncio.sleep(options.swap_every)
            soak.row(started)
        await asyncio.gather(*readers)


async def _read_on(client: httpx.AsyncClient, soak: Soak, number: int, until: float) -> None:
    """Ask without a pause, every fourth reader from a page of the build before."""
    asked = number
    while perf_counter() < until:
        build = f"b-{soak.swaps - 1 if number % 4 == 0 else soak.swaps}"
        question = soak.questions[asked % len(soak.questions)]
        if number % LEAVERS == LEAVERS - 1:
            await _leave(client, question, build)
        else:
            await ask(client, question, soak.tally, build_id=build)
        asked += len(soak.questions) // 3 + 1


async def _leave(client: httpx.AsyncClient, question: str, build: str) -> None:
    """Ask, and disconnect as soon as the question is running."""
    with suppress(TimeoutError):
        await asyncio.wait_for(ask(client, question, Tally(), build_id=build), LEAVING_SECONDS)


def _judge(soak: Soak, *, judges_memory: bool) -> None:
    wrong = []
    if soak.tally.errors:
        wrong.append(f"{len(soak.tally.errors)} questions were lost ({', '.join(sorted(set(soak.tally.errors)))})")
    swaps, handles, indexes, memory = soak.rows[len(soak.rows) // 2]
    last_swaps, last_handles, last_indexes, last_memory = soak.rows[-1]
    count = max(1, last_swaps - swaps)
    print(
        f"Since half-way, a swap: {(last_memory - memory) / count:+.2f} MB, "
        f"{(last_indexes - indexes) / count:+.2f} open index files, {(last_handles - handles) / count:+.2f} handles."
    )
    if last_indexes > indexes + MOST_HANDLES:
        wrong.append(f"open index files grew from {indexes} to {last_indexes}")
    if last_handles > handles + MOST_HANDLES:
        wrong.append(f"file handles grew from {handles} to {last_handles}")
    if judges_memory and last_memory > memory * MOST_GROWTH:
        wrong.append(f"memory grew from {memory:.0f} to {last_memory:.0f} MB")
    if wrong:
        sys.exit(f"Not as it should be: {'; '.join(wrong)}.")


if __name__ == "__main__":
    main()
