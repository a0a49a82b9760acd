"""Time a reader's wait: search with its encoder, a whole answer, reference validation, selection validation.

    python -m bench.latency [--index PATH ...] [--scale CHUNKS] [--queries N]

Without --index: the example site (build it with `make site`). The bench searches every index in its default version
and language. If the index has more of them, it also searches all of them at once. No reader does that, but a site with
as many chunks in one version would be as slow. --scale adds a copy of the last index, repeated with jittered vectors
up to this number of chunks in one version. Queries are headings of the index, each asked once. The first queries warm
up and are not counted. Times are milliseconds of wall time. `cpu` is the median of processor time, which other work on
the machine changes least.
"""

import argparse
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time

import pincite_core  # noqa: F401 - before numpy, which it keeps on one thread, as the sidecar does

# isort: split
import numpy as np
from bench.leaks import titles_of
from bench.scaled import scaled_copy
from bench.sites import EXAMPLE

from pincite_core.search.query import parse_query
from pincite_core.search.ranking import search
from pincite_server.answerer import Answerer
from pincite_server.answering.pipeline import answer
from pincite_server.grounding.verdict import validate_grounding
from pincite_server.guards.release import references_hold
from pincite_server.question.question import Question
from pincite_server.question.scope import choose_scope
from pincite_server.reply.records import Answer

RESULTS = 10
WARM_UP = 10  # the first queries load the encoder's kernels and SQLite's pages
SELECTIONS = {"selection validated (a chunk)": 1_000, "selection validated (longest)": 10_000}  # characters
COLUMNS = ("site", "chunks", "measured", "cpu", "p50", "p95", "most", "limit")
LIMITS = {"reference validation": "5"} | dict.fromkeys(SELECTIONS, "100")


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds of each piece of work, in wall time and in processor time."""

    wall: list[float]
    cpu: list[float]


def main() -> None:
    options = _arguments()
    _print_row(COLUMNS)
    answerers = [Answerer.open(place) for place in options.index]
    for answerer in answerers:
        _measure(answerer, options.queries)
    if options.scale:
        with tempfile.TemporaryDirectory() as folder:
            index = scaled_copy([answerers[-1].index], options.scale, Path(folder))
            scaled = Answerer.with_embedder(index, answerers[-1].embedder)
            _measure_search(scaled, titles_of(index, options.queries))


def _measure(answerer: Answerer, count: int) -> None:
    queries = titles_of(answerer.index, count)
    _measure_search(answerer, queries)
    name, chunks = answerer.corpus_name, _chunks(answerer, choose_scope(answerer.index)[0].scope_ids)
    _print_times(name, chunks, "whole answer", _timed(lambda query: answer(answerer, Question(query)), queries))
    replies = (answer(answerer, Question(query)) for query in queries)
    answers = [reply for reply in replies if isinstance(reply, Answer)]
    checked = _timed(lambda reply: references_hold(answerer.index, reply.citations), answers)
    _print_times(name, chunks, "reference validation", checked)
    for what, length in SELECTIONS.items():
        _print_times(name, chunks, what, _timed(_validation(answerer, length), range(len(answers))))


def _measure_search(answerer: Answerer, queries: Sequence[str]) -> None:
    """Time searches of the default scope, and of all scopes if there are more."""
    default = choose_scope(answerer.index)[0].scope_ids
    every = tuple(scope.scope_id for scope in answerer.index.scopes)
    _print_times(answerer.corpus_name, 0, "encoder alone", _timed(answerer.encode, queries))
    for scope_ids in dict.fromkeys((default, every)):
        chunks = _chunks(answerer, scope_ids)
        limit = "30" if chunks <= 5_000 else "100"

        def find(query: str, scope_ids: tuple[int, ...] = scope_ids) -> object:
            asked = answerer.encode(query)
            return search(
                answerer.index, asked.vector, parse_query(query), scope_ids, RESULTS, query_tokens=asked.tokens
            )

        _print_times(answerer.corpus_name, chunks, "search", _timed(find, queries), limit)


def _validation(answerer: Answerer, length: int) -> Callable[[int], object]:
    """Return a function that validates a true answer to its question against passages of about this many characters."""
    texts = [chunk.text for chunk in answerer.index.chunks() if len(chunk.text) > 200]

    def validate(number: int) -> object:
        start = number * 7 % len(texts)
        passage = "\n\n".join((texts[start:] + texts)[: max(1, length // 400)])[:length]
        said = " ".join(passage.split(". ")[:3])
        return validate_grounding(passage, said[:60], said, answerer.embedder.encode)

    return validate


def _timed(work: Callable[..., object], given: Iterable[object]) -> Times:
    wall, cpu = [], []
    for item in given:
        begun, spent = perf_counter(), process_time()
        work(item)
        wall.append((perf_counter() - begun) * 1000)
        cpu.append((process_time() - spent) * 1000)
    return Times(wall[WARM_UP:] or wall, cpu[WARM_UP:] or cpu)


def _chunks(answerer: Answerer, scope_ids: Sequence[int]) -> int:
    return sum(chunk.scope_id in set(scope_ids) for chunk in answerer.index.chunks())


def _print_times(site: str, chunks: int, what: str, times: Times, limit: str = "") -> None:
    numbers = (np.median(times.cpu), *np.percentile(times.wall, (50, 95, 100)))
    shown = tuple(f"{number:.1f}" for number in numbers)
    _print_row((site, f"{chunks:,}" if chunks else "", what, *shown, limit or LIMITS.get(what, "")))


def _print_row(cells: Sequence[str]) -> None:
    site, chunks, what, *numbers = cells
    print(f"{site:14}{chunks:>8}  {what:30}" + "".join(f"{cell:>9}" for cell in numbers), flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--index", type=Path, nargs="+", default=[EXAMPLE])
    parser.add_argument("--scale", type=int, default=0, metavar="CHUNKS")
    parser.add_argument("--queries", type=int, default=200)
    return parser.parse_args()


if __name__ == "__main__":
    main()
