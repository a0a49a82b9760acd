"""Run 200 readers and five attackers for two minutes, and measure the readers' waits and the attackers' replies.

    python -m bench.attacked [--index PATH] [--readers 200] [--every 5] [--seconds 120] [--without KIND ...]

Without --index: the example site (build it with `make site`). A real sidecar with its usual limits serves a site and
the index, which it fetches from a host on this machine. Each reader has an address of its own. The attackers send:
long queries; slow bodies and downloads that are never read, 400 connections each from four addresses; requests from
new addresses, real and forged; and bad indexes, which the host deploys among good indexes. The attackers run on the
same machine with the lowest priority. Exits with 1 if a check fails.
"""

import argparse
import asyncio
import hashlib
import multiprocessing
import os
import shutil
import ssl
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from urllib.parse import urlsplit

import apsw
import httpx
import msgspec
import numpy as np
from bench.attackers import KINDS, Attack, attack
from bench.leaks import titles_of
from bench.load import QUESTIONS
from bench.readers import Tally, keep_asking
from bench.running import Sidecar, run_sidecar
from bench.sites import EXAMPLE
from bench.soak import host_folder

from pincite_core.index.database import locate_database
from pincite_core.index.read import Index

BAD_INDEXES = "bad indexes"
MOST_P95_MS = 500
MOST_MB = 350
DEPLOY_EVERY = 2.0  # seconds
_NICE = 19  # real attackers have their own machines; here they get only the spare processor time
FILM_BYTES = 64 * 1024 * 1024
LIMITS = ("--rate-limit", "20", "--address-limit", "300", "--poll-seconds", "0.5")


def main() -> None:
    options = _arguments()
    with tempfile.TemporaryDirectory(prefix="pincite-attacked-") as scratch, host_folder(Path(scratch) / "site") as url:
        site = Path(scratch) / "site"
        index = _prepare(options.index, site)
        place, cache = f"{url}/pincite/", ("--cache-dir", Path(scratch) / "cache")
        with run_sidecar(place, *cache) as first:  # the index holds the site's base path, so it must be in the cache
            _wait_until_ready(first)
        with run_sidecar(place, "--site", site, *cache, *LIMITS) as sidecar:
            _wait_until_ready(sidecar)
            run = Run(sidecar, site, index, options)
            run.measure()
            run.report()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--index", type=Path, default=EXAMPLE)
    parser.add_argument("--readers", type=int, default=200)
    parser.add_argument("--every", type=float, default=5.0, help="seconds between a reader's questions")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--without", nargs="*", default=[], choices=[*KINDS, BAD_INDEXES], metavar="KIND")
    return parser.parse_args()


def _prepare(index: Path, site: Path) -> Index:
    """Write a site with its index, two good indexes of another name to deploy, and a large file to download."""
    database = locate_database(index)
    shutil.copytree(database.parent, site / "pincite")
    for number in range(2):
        copy = Path(shutil.copyfile(database, site.parent / f"good-{number}.db"))
        _change(copy, f"UPDATE meta SET value = json_set(value, '$.index_id', '{number}') WHERE key = 'info'")
    shutil.copyfile(site / "pincite" / "index.json", site.parent / "facts.json")
    (site / "film.mp4").write_bytes(bytes(FILM_BYTES))
    (site / "large.js").write_text("".join(f"export const port{number} = {number};\n" for number in range(100_000)))
    (site / "index.html").write_text("<p>A page of the docs.</p>")
    return Index.open(index)


def _wait_until_ready(sidecar: Sidecar) -> None:
    with httpx.Client(base_url=_origin(sidecar), timeout=30) as client:
        while client.get("/ready").status_code != httpx.codes.OK:
            time.sleep(0.1)


def _origin(sidecar: Sidecar) -> str:
    parts = urlsplit(sidecar.url)
    return f"{parts.scheme}://{parts.netloc}"


@dataclass(slots=True)
class Run:
    """One run and its results."""

    sidecar: Sidecar
    site: Path
    index: Index
    options: argparse.Namespace
    tally: Tally = field(default_factory=Tally)
    got: dict[str, Counter[str]] = field(default_factory=dict)

    def measure(self) -> None:
        """Start the readers and the attackers."""
        titles = titles_of(self.index, QUESTIONS)
        kinds = [kind for kind in KINDS if kind not in self.options.without]
        over = threading.Event()
        deploys = threading.Thread(target=self._deploy_until, args=(over,))
        spawned = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(len(KINDS), spawned, initializer=os.nice, initargs=(_NICE,)) as pool:
            results = {kind: self._start(pool, kind, titles) for kind in kinds}
            if BAD_INDEXES not in self.options.without:
                deploys.start()
            asyncio.run(self._read([f"What is {title}?" for title in titles]))
            over.set()
            self.got |= {kind: result.result() for kind, result in results.items()}
        if deploys.ident is not None:
            deploys.join()

    def _start(self, pool: ProcessPoolExecutor, kind: str, titles: list[str]) -> "Future[Counter[str]]":
        parts, base = urlsplit(self.sidecar.url), self.index.info.base_url
        downloads = [f"{base}{name}" for name in ("film.mp4", "large.js", "pincite/encoder.onnx", "pincite/index.db")]
        words = sorted({word for title in titles for word in title.split()})
        until = time.time() + self.options.seconds
        return pool.submit(attack, kind, Attack((parts.hostname or "", parts.port or 80), words, downloads, until))

    async def _read(self, questions: list[str]) -> None:
        """Ask as readers, each from an address of its own."""
        until = perf_counter() + self.options.seconds
        tls = ssl.create_default_context()  # one context for all: it is slow to make, and no request uses it
        readers = range(self.options.readers)
        await asyncio.gather(*(self._reader(number, questions, until, tls) for number in readers))

    async def _reader(self, number: int, questions: list[str], until: float, tls: ssl.SSLContext) -> None:
        address = f"127.1.{number // 250}.{1 + number % 250}"
        limits = httpx.Limits(
            keepalive_expiry=self.options.every / 2
        )  # avoids the moment at which the sidecar closes the connection
        transport = httpx.AsyncHTTPTransport(local_address=address, verify=tls, limits=limits)
        async with httpx.AsyncClient(base_url=_origin(self.sidecar), timeout=30, transport=transport) as client:
            await keep_asking(client, questions, self.tally, every=self.options.every, until=until)

    def _deploy_until(self, over: threading.Event) -> None:
        """Deploy bad indexes, and a good index after each."""
        got = self.got.setdefault(BAD_INDEXES, Counter())
        for number, damage in enumerate(_damages()):
            for kind in (None, damage):
                _deploy(self.site, number, kind)
                got["good deployed" if kind is None else "bad deployed"] += 1
                if over.wait(DEPLOY_EVERY):
                    return

    def report(self) -> None:
        """Print the readers' waits and the attackers' replies, and judge them."""
        times = np.array(self.tally.first_deltas or [np.nan]) * 1000
        p50, p95, most = np.median(times), np.percentile(times, 95), times.max()
        fresh = np.array(self.tally.anonymous or [np.nan]) * 1000
        memory = self.sidecar.megabytes("VmHWM")
        errors = Counter(self.tally.errors)
        print(f"readers: {self.tally.asked} asked, {len(self.tally.refusals)} refused, {errors.total()} errors")
        print(f"first words: p50 {p50:.0f} ms, p95 {p95:.0f} ms, most {most:.0f} ms")
        print(f"a reader's first question: p50 {np.median(fresh):.0f} ms, p95 {np.percentile(fresh, 95):.0f} ms")
        later = np.array(sorted(set(self.tally.first_deltas) - set(self.tally.anonymous)) or [np.nan]) * 1000
        print(f"later ones: p50 {np.median(later):.0f} ms, p95 {np.percentile(later, 95):.0f} ms")
        print(f"sidecar: at most {memory:.0f} MB, {self.sidecar.handles()} handles at the end")
        for kind, got in self.got.items():
            print(f"{kind}: {', '.join(f'{name} {count}' for name, count in got.most_common())}")
        with httpx.Client(base_url=_origin(self.sidecar), timeout=30) as client:
            ready = client.get("/ready").json()
        print(f"index: {ready['status']}; {ready['problem']}")
        wrong = [
            *([f"errors of readers: {dict(errors)}"] if errors else []),
            *([f"p95 of {p95:.0f} ms"] if not p95 < MOST_P95_MS else []),
            *([f"{memory:.0f} MB"] if memory >= MOST_MB else []),
        ]
        if wrong:
            sys.exit(f"Not as it should be: {'; '.join(wrong)}.")


Damage = Callable[[Path, dict[str, object]], None]
"""Damages a database before its digest is taken, or the info of the index to deploy."""


def _change(database: Path, sql: str) -> None:
    connection = apsw.Connection(str(database))
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute(sql)
    connection.close()


def _sql(sql: str) -> Damage:
    return lambda database, _: _change(database, sql)


def _facts(**changes: object) -> Damage:
    return lambda _, facts: facts.update(changes)


def _truncate(database: Path, _: dict[str, object]) -> None:
    with database.open("r+b") as stream:
        stream.truncate(database.stat().st_size // 2)


def _garble(database: Path, _: dict[str, object]) -> None:
    with database.open("r+b") as stream:
        for place in range(50_000, database.stat().st_size, 100_000):
            stream.seek(place)
            stream.write(b"\xff" * 64)


DAMAGES: dict[str, Damage] = {
    "cut in half": _truncate,
    "garbled": _garble,
    "a cycle of parents": _sql("UPDATE targets SET parent_id = target_id"),
    "a view": _sql("CREATE VIEW more AS SELECT * FROM pages"),
    "no pages": _sql("DELETE FROM pages"),
    "a script as URL": _sql("UPDATE pages SET url = 'javascript:alert(' || page_id || ')'"),
    "another digest": _facts(sha256="0" * 64),
    "another size": _facts(size=2**31 - 1),
    "another format": _facts(format=99),
    "an encoder from elsewhere": _facts(encoder={"file": "../../../../dev/zero", "sha256": "0" * 64, "size": 1}),
}


def _damages() -> Iterator[Damage]:
    while True:
        yield from DAMAGES.values()


def _deploy(site: Path, number: int, damage: Damage | None) -> None:
    """Publish a good index or a damaged copy in the order of a build: the database first."""
    out = site / "pincite"
    staged = Path(shutil.copyfile(site.parent / f"good-{number % 2}.db", out / "index.db.new"))
    facts: dict[str, object] = msgspec.json.decode((site.parent / "facts.json").read_bytes())
    changes: dict[str, object] = {}
    if damage is not None:
        damage(staged, changes)
    with staged.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    facts |= {"index_id": str(number % 2)}
    facts |= {"build_id": f"b-{number}-{damage is None}", "sha256": digest, "size": staged.stat().st_size, **changes}
    (out / "index.json.new").write_bytes(msgspec.json.encode(facts))
    staged.replace(out / "index.db")
    (out / "index.json.new").replace(out / "index.json")


if __name__ == "__main__":
    main()
