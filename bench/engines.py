"""Compare PostgreSQL with the index file: the answers, search times, push times and sizes.

    python -m bench.engines --index PATH [--index PATH ...] [--questions FILE] [--database ADDRESS]

Both engines run in one process and take questions in turn. Questions are lines of JSON with `question` and, if it is
known, `gold_url`; without a FILE, they are headings of the index. Without --database the bench starts a server as the
tests do. Times are milliseconds of wall time. `bench.growth` measures how both engines scale with sections.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

import pincite_core  # noqa: F401 - before numpy, which it keeps on one thread, as the sidecar does

# isort: split
import numpy as np
import psycopg
from bench.leaks import titles_of
from tests.postgres_server import PostgresServer, postgres_server

from pincite_core.index.read import Index
from pincite_core.postgres.address import DatabaseAddress
from pincite_core.postgres.catalog import Catalog
from pincite_core.postgres.push import push
from pincite_core.urls import lookup_key
from pincite_server.answerer import Answerer
from pincite_server.answering.pipeline import answer, search_hits
from pincite_server.question.question import Question
from pincite_server.reply.records import Refusal, SearchHit

__all__ = ("show_push", "show_times")

WARM_UP = 10
RESULTS = 10
TITLES = 200


@dataclass(slots=True)
class Compared:
    """The replies of two engines to the same questions, and the milliseconds of searches, the file's first."""

    questions: int = 0
    same_first: int = 0
    same_ten: int = 0
    same_refusal: int = 0
    judged: int = 0
    right: list[int] = field(default_factory=lambda: [0, 0])  # page among the first five
    took: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))


def main() -> None:
    options = _arguments()
    with ExitStack() as stack:
        server = None if options.database else stack.enter_context(postgres_server())
        for place in options.index:
            _measure(place, options.questions, _address(server, options.database, place))


def _address(server: PostgresServer | None, database: str, place: Path) -> DatabaseAddress:
    if server is not None:
        return DatabaseAddress.parse(server.new_site())
    site = place.resolve().parent.name.lower()
    head, mark, parameters = database.partition("?")
    return DatabaseAddress.parse(f"{head.rstrip('/')}/bench-{site}{mark}{parameters}")


def _measure(place: Path, file: Path | None, address: DatabaseAddress) -> None:
    show_push(place, address)
    of_file = Answerer.open(place)
    with closing(Catalog(address)) as catalog:
        index = catalog.open(catalog.indexes(catalog.builds()[0])[0])
        of_database = Answerer.with_embedder(index, of_file.embedder, of_file.policy, of_file.build)
        compared = Compared()
        for question, gold in _questions(file, of_file.index):
            _compare(compared, (of_file, of_database), question, gold)
    n = compared.questions
    shares = [f"{count / n:.3f}" for count in (compared.same_first, compared.same_ten, compared.same_refusal)]
    print(f"  {n} questions: same first section {shares[0]}, same ten {shares[1]}, refused alike {shares[2]}")
    if compared.judged:
        shares = [f"{right / compared.judged:.3f}" for right in compared.right]
        print(f"  page@5 of {compared.judged}: file {shares[0]}, PostgreSQL {shares[1]}")
    show_times("search", compared.took)


def _compare(compared: Compared, engines: Sequence[Answerer], question: str, gold: str) -> None:
    found: list[list[SearchHit]] = []
    for engine, took in zip(engines, compared.took, strict=True):
        start = perf_counter()
        found.append(search_hits(engine, question, RESULTS, None, None))
        took.append(1000 * (perf_counter() - start))
    places = [[hit.url for hit in hits] for hits in found]
    compared.questions += 1
    compared.same_first += places[0][:1] == places[1][:1]
    compared.same_ten += places[0] == places[1]
    replies = [answer(engine, Question(question)) for engine in engines]
    compared.same_refusal += isinstance(replies[0], Refusal) == isinstance(replies[1], Refusal)
    key = lookup_key(gold)
    if gold and engines[0].index.page_at(gold):
        compared.judged += 1
        for number, urls in enumerate(places):
            compared.right[number] += key in {lookup_key(url) for url in urls[:5]}


def show_push(place: Path, address: DatabaseAddress) -> None:
    start = perf_counter()
    pushed = push(place, address)
    seconds = perf_counter() - start
    with psycopg.connect(address.conninfo) as connection:
        rows = connection.execute(
            "SELECT sum(pg_total_relation_size(c.oid)) FROM pincite.sites JOIN pincite.indexes ON build_id = current "
            "JOIN pg_class c ON relname ~ ('_' || index_no || '$') AND relkind = 'r' WHERE site = %s",
            (pushed.site,),
        ).fetchone()
    size = Index.open(place).file.stat().st_size
    assert rows is not None
    print(f"{place}: {pushed.counts['chunks']:,} chunks, {pushed.counts['units']:,} units")
    print(f"  pushed in {seconds:.1f} s; file {size / 1e6:.0f} MB, PostgreSQL {int(rows[0]) / 1e6:.0f} MB")


def show_times(what: str, took: Sequence[Sequence[float]]) -> None:
    told = (np.percentile(times[min(WARM_UP, len(times) // 2) :], (50, 95)) for times in took)
    first, second = (f"{p50:.1f} ms (95th percentile {p95:.1f})" for p50, p95 in told)
    print(f"  {what}: {first}; {second}")


def _questions(file: Path | None, index: Index) -> Iterator[tuple[str, str]]:
    if file is None:
        yield from ((title, "") for title in titles_of(index, TITLES))
        return
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        gold = str(row.get("gold_url_current") or row.get("gold_url") or "")
        yield row["question"], gold.removeprefix(index.info.site_url) if gold.startswith(index.info.site_url) else ""


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--index", type=Path, action="append", required=True)
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--database", default="")
    return parser.parse_args()


if __name__ == "__main__":
    main()
