"""Compare PostgreSQL with the index file as sections grow: recall of candidates, search, memory, push, bytes.

    python -m bench.growth --index PATH [--index PATH ...] [--sections 5000 200000 1000000] [--keep DIR]

The sections come from the indexes, which one encoder made, all in one version. When the sections are used up, the
bench adds copies with jittered vectors and every fifth word replaced. Both engines run in one process, in turn. The
questions are headings of all originals.

`recall` compares PostgreSQL's candidates with an exact scan for the number of candidates that search asks for. It is
the share of candidates that are no farther than the farthest result of the scan (PostgreSQL's own scan, of every bit).
Memory is the private memory of real sidecars (without pages of files) when ready, after a hundred and after a thousand
questions, each time after spare memory was given back. For the database it is the proportional memory of all
processes. Times are milliseconds of wall time. --keep makes the larger indexes in DIR, or reuses them.
"""

import argparse
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from time import perf_counter, sleep
from uuid import uuid4

import pincite_core  # noqa: F401 - before numpy, which it keeps on one thread, as the sidecar does

# isort: split
import httpx
import numpy as np
from bench.engines import show_push, show_times
from bench.leaks import titles_of
from bench.running import run_sidecar
from bench.scaled import make_deployable, scaled_copy
from tests.postgres_server import PostgresServer, postgres_server

from pincite_core.deployed.origin import MOST_DATABASE_BYTES
from pincite_core.index.read import Index
from pincite_core.postgres import engine as postgres_engine
from pincite_core.postgres.address import DatabaseAddress
from pincite_core.postgres.catalog import Catalog
from pincite_core.search.engine import SearchEngine
from pincite_server.answerer import Answerer
from pincite_server.answering.pipeline import search_hits

SECTIONS = [5_000, 200_000, 1_000_000]
QUESTIONS = 100
MEMORY_QUESTIONS = (100, 1000)  # caches fill slowly
REST = 35  # seconds, a little longer than the delay after which sidecars release memory
CANDIDATES = 80  # the least number that search asks for in a scope
RESULTS = 10
_ALL_BY_SCAN = 1 << 31


@dataclass(frozen=True, slots=True)
class Engines:
    """The same index in both engines, and the encoder of its questions."""

    of_file: Answerer
    of_database: Answerer
    queries: np.ndarray
    titles: Sequence[str]


def main() -> None:
    options = _arguments()
    originals = [Index.open(place) for place in options.index]
    titles, asked = (_titles(originals, count) for count in (QUESTIONS, MEMORY_QUESTIONS[-1]))
    large = nullcontext(options.keep) if options.keep else tempfile.TemporaryDirectory()
    with large as kept, postgres_server() as server:
        for sections in options.sections:
            folder = Path(kept, str(sections))
            if not (folder / "index.json").is_file():
                folder.mkdir(parents=True, exist_ok=True)
                make_deployable(scaled_copy(originals, sections, folder), options.index[0])
            _measure(folder, titles, asked, server)


def _titles(originals: Sequence[Index], count: int) -> list[str]:
    """Return headings of all originals in turn, as many of each original as it has."""
    of_each = [titles_of(index, -(-count // len(originals))) for index in originals]
    return [title for some in zip_longest(*of_each) for title in some if title is not None]


def _measure(folder: Path, titles: Sequence[str], asked: Sequence[str], server: PostgresServer) -> None:
    address = server.new_site()
    show_push(folder, DatabaseAddress.parse(address))
    of_file = Answerer.open(folder)
    with closing(Catalog(DatabaseAddress.parse(address))) as catalog:
        index = catalog.open(catalog.indexes(catalog.builds()[0])[0])
        of_database = Answerer.with_embedder(index, of_file.embedder, of_file.policy, of_file.build)
        engines = Engines(of_file, of_database, of_file.embedder.encode(titles, "query"), titles)
        for row in ("chunks", "units"):
            _compare_candidates(engines, row)
        _compare_searches(engines)
    fits = of_file.index.file.stat().st_size <= MOST_DATABASE_BYTES  # `pincite serve` refuses larger files
    for name, place in (("file", str(folder)), ("PostgreSQL", address))[not fits :]:
        told = ", ".join(f"{megabytes:.0f} MB after {count}" for count, megabytes in _memory(place, asked))
        print(f"  the sidecar's own memory, {name}, and questions: {told}", flush=True)
    print(f"  the database's memory: {_proportional_mb('postgres'):.0f} MB", flush=True)


def _compare_candidates(engines: Engines, row: str) -> None:
    usual = postgres_engine.LEAST_GRAPH
    near, near_took = _found(engines.of_database.index, row, engines.queries)
    postgres_engine.LEAST_GRAPH = _ALL_BY_SCAN
    scanned, scan_took = _found(engines.of_database.index, row, engines.queries)
    postgres_engine.LEAST_GRAPH = usual
    share = np.mean([np.mean(found <= exact.max()) for found, exact in zip(near, scanned, strict=True)])
    print(f"  {row}: recall {share:.3f}")
    show_times(f"near {row}, PostgreSQL and its scan", (near_took, scan_took))
    _, in_file = _found(engines.of_file.index, row, engines.queries)
    show_times(f"near {row}, file and PostgreSQL's scan", (in_file, scan_took))


def _found(index: Index, row: str, queries: np.ndarray) -> tuple[list[np.ndarray], list[float]]:
    """For each query, return the Hamming distances of its candidates in bits, and the time that it took."""
    engine: SearchEngine = index._engine
    near = engine.near_chunks if row == "chunks" else engine.near_units
    rows, took = [], []
    for query in queries:
        start = perf_counter()
        found = near(query, [1], CANDIDATES)
        took.append(1000 * (perf_counter() - start))
        rows.append(((engine.vectors(found.vector_ids) > 0) != (query > 0)).sum(axis=1))
    return rows, took


def _compare_searches(engines: Engines) -> None:
    same_first, same_ten = 0, 0
    took: tuple[list[float], list[float]] = ([], [])
    for title in engines.titles:
        found = []
        for answerer, times in zip((engines.of_file, engines.of_database), took, strict=True):
            start = perf_counter()
            found.append([hit.url for hit in search_hits(answerer, title, RESULTS)])
            times.append(1000 * (perf_counter() - start))
        same_first += found[0][:1] == found[1][:1]
        same_ten += found[0] == found[1]
    n = len(engines.titles)
    print(f"  {n} searches: same first section {same_first / n:.3f}, same ten {same_ten / n:.3f}")
    show_times("search, file and PostgreSQL", took)


def _memory(place: str, titles: Sequence[str]) -> Iterator[tuple[int, float]]:
    """Yield the number of asked questions and the sidecar's private megabytes, first when it is ready."""
    with run_sidecar(place) as sidecar:
        yield 0, sidecar.megabytes("RssAnon")
        for count, title in enumerate(titles, start=1):
            body = {"message_id": str(uuid4()), "session_id": "bench", "query": f"What is {title}?", "mode": "corpus"}
            httpx.post(f"{sidecar.url}/api/chat", json=body, timeout=120).raise_for_status()
            if count in (*MEMORY_QUESTIONS[:-1], len(titles)):
                sleep(REST)
                yield count, sidecar.megabytes("RssAnon")


def _proportional_mb(name: str) -> float:
    """Return the memory of all processes of a name; memory that several processes share is counted once."""
    total = 0
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and (process / "comm").read_text().strip() == name:
                total += int(re.findall(r"Pss:\s+(\d+)", (process / "smaps_rollup").read_text())[0])
        except OSError:  # the process has ended
            continue
    return total / 1024


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--index", type=Path, action="append", required=True)
    parser.add_argument("--sections", type=int, nargs="+", default=SECTIONS)
    parser.add_argument("--keep", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    main()
