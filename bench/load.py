"""Put load on a real sidecar with many readers at once, and with one reader: errors, time to first words, memory.

    python -m bench.load [--index PATH] [--readers 200] [--every 5] [--seconds 120] [--alone 200]

Without --index: the example site (build it with `make site`). Questions are headings of the index. The readers run on
the same machine and take their share of it. Exits with 1 if a question failed.
"""

import argparse
import asyncio
import sys
from collections.abc import Coroutine
from pathlib import Path
from time import perf_counter
from typing import Any

import httpx
import numpy as np
from bench.leaks import titles_of
from bench.readers import Tally, ask, keep_asking
from bench.running import Sidecar, run_sidecar
from bench.sites import EXAMPLE

from pincite_core.index.read import Index

QUESTIONS = 1000
WARM_UP = 20  # the first questions load the encoder's kernels and SQLite's pages
COLUMNS = ("readers", "asked", "errors", "refused", "p50 ms", "p95 ms", "most ms", "MB before", "MB after", "CPU ms")


def main() -> None:
    options = _arguments()
    questions = [f"What is {title}?" for title in titles_of(Index.open(options.index), QUESTIONS)]
    with run_sidecar(options.index) as sidecar:
        print("  ".join(f"{name:>9}" for name in COLUMNS))
        asyncio.run(_alone(sidecar, questions, WARM_UP))
        tallies = [
            _measured(sidecar, "1", _alone(sidecar, questions, options.alone)),
            _measured(sidecar, str(options.readers), _together(sidecar, questions, options)),
        ]
    errors = [error for tally in tallies for error in tally.errors]
    if errors:
        sys.exit(f"Went wrong: {', '.join(sorted(set(errors)))}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--index", type=Path, default=EXAMPLE)
    parser.add_argument("--readers", type=int, default=200)
    parser.add_argument("--every", type=float, default=5.0, help="seconds between a reader's questions")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--alone", type=int, default=200, help="questions of the single reader")
    return parser.parse_args()


async def _alone(sidecar: Sidecar, questions: list[str], count: int) -> Tally:
    tally = Tally()
    async with httpx.AsyncClient(base_url=sidecar.url, timeout=30) as client:
        for number in range(count):
            await ask(client, questions[number % len(questions)], tally)
    return tally


async def _together(sidecar: Sidecar, questions: list[str], options: argparse.Namespace) -> Tally:
    tally, until = Tally(), perf_counter() + options.seconds
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=options.readers)
    async with httpx.AsyncClient(base_url=sidecar.url, timeout=30, limits=limits) as client:
        readers = (
            keep_asking(client, questions, tally, every=options.every, until=until) for _ in range(options.readers)
        )
        await asyncio.gather(*readers)
    return tally


def _measured(sidecar: Sidecar, readers: str, work: Coroutine[Any, Any, Tally]) -> Tally:
    memory, cpu = sidecar.megabytes(), sidecar.cpu_seconds()
    tally = asyncio.run(work)
    times = np.array(tally.first_deltas or [np.nan]) * 1000
    milliseconds = [f"{value:.0f}" for value in (np.median(times), np.percentile(times, 95), times.max())]
    spent = (sidecar.cpu_seconds() - cpu) / max(1, tally.asked) * 1000
    counts = [str(tally.asked), str(len(tally.errors)), str(len(tally.refusals))]
    row = [readers, *counts, *milliseconds, f"{memory:.0f}", f"{sidecar.megabytes():.0f}", f"{spent:.0f}"]
    print("  ".join(f"{value:>9}" for value in row), flush=True)
    return tally


if __name__ == "__main__":
    main()
