"""Time how long a sidecar takes from its command to its first answer, process and imports included.

    python -m bench.starting [--index PATH ...] [--runs N] [--questions N]

Without --index: the example site (build it with `make site`). `ready` ends with the line that says so, `answered` with
the first answer after it. Each start is a process of its own. The first start fills the file cache and is not counted.
Times are seconds of wall time. `cpu` is processor time until ready, which other work on the machine changes least. `MB`
is the resident memory and `own` the part without pages of files, first when ready, then after all questions.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import NamedTuple
from uuid import uuid4

import httpx
import numpy as np
from bench.leaks import titles_of
from bench.running import Sidecar, run_sidecar
from bench.sites import EXAMPLE

from pincite_core.index.read import Index

LIMIT = "1.5"  # seconds until ready
COLUMNS = ("site", "chunks", "cpu", "ready", "most", "limit", "answered", "MB", "own", "MB", "own")


class Start(NamedTuple):
    """One start: wall time in seconds until ready and until the first answer, processor time until ready, memory.

    The memory is in megabytes, total and private, when ready and after the questions.
    """

    ready: float
    answered: float
    cpu: float
    ready_all: float
    ready_own: float
    asked_all: float
    asked_own: float


def main() -> None:
    options = _arguments()
    _print_row(COLUMNS)
    for place in options.index:
        index = Index.open(place)
        questions = [f"What is {title}?" for title in titles_of(index, options.questions)]
        starts = [_start(place, questions) for _ in range(options.runs + 1)][1:]
        middle = Start(*np.median(np.array(starts), axis=0))
        most = max(start.ready for start in starts)
        seconds = (f"{value:.2f}" for value in (middle.cpu, middle.ready, most))
        counts = (index.info.title, f"{index.chunk_count:,}")
        memory = (f"{value:.0f}" for value in middle[3:])
        _print_row((*counts, *seconds, LIMIT, f"{middle.answered:.2f}", *memory))


def _start(place: Path, questions: Sequence[str]) -> Start:
    begun = perf_counter()
    with run_sidecar(place) as sidecar:
        ready, cpu = perf_counter() - begun, sidecar.cpu_seconds()
        memory, own = sidecar.megabytes(), sidecar.megabytes("RssAnon")
        _ask(sidecar, questions[0])
        answered = perf_counter() - begun
        for question in questions[1:]:
            _ask(sidecar, question)
        return Start(ready, answered, cpu, memory, own, sidecar.megabytes(), sidecar.megabytes("RssAnon"))


def _ask(sidecar: Sidecar, question: str) -> None:
    body = {"message_id": str(uuid4()), "session_id": "bench", "query": question, "mode": "corpus"}
    httpx.post(f"{sidecar.url}/api/chat", json=body, timeout=30).raise_for_status()


def _print_row(cells: tuple[str, ...]) -> None:
    site, *numbers = cells
    print(f"{site:14}" + "".join(f"{cell:>10}" for cell in numbers), flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--index", type=Path, nargs="+", default=[EXAMPLE])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--questions", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
