"""Fuzz the HTTP interface of a real sidecar, and every way of opening an index.

    python -m bench.fuzz [--minutes 10] [--seed 0] [--only http|indexes] [--findings DIR]
    python -m bench.fuzz --replay FILE ...

Requests are generated from the sidecar's own OpenAPI schema and then broken. Index files are damaged in bytes, rows and
info, and opened under a memory limit. A fault is: a status of 500, a reply after more than 2 seconds (an index: 10),
300 MB more than at the start, a traceback in the log or from a command, or a process that ends. The fuzzer shrinks each
finding, prints it, and stores it as a file that `--replay` sends again. Exits with 1 if there was a finding. Needs
Linux.
"""

import argparse
import pickle
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.fuzz.damage import damages
from bench.fuzz.opened import WAYS, index_opener
from bench.fuzz.requests import HttpRequest, requests_of
from bench.fuzz.watched import watch
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky

__all__ = ("Finding", "Judge", "fuzz_http", "fuzz_indexes", "look_for")

_SECONDS = {"http": 2.0, "indexes": 10.0}  # for a reply; for a command, which may start other processes
_ROUND = 400  # examples; after each round the seed changes and the clock is checked
_FINDINGS = Path("build/fuzz")

Judge = Callable[[Any], str | None]
"""Tries one example; returns the fault, with the same text for the same fault."""


class Finding(Exception):  # noqa: N818  # not an error of this program
    """The fault of one example."""


def main() -> None:
    options = _options()
    found = 0
    for kind, opened in (("http", fuzz_http), ("indexes", fuzz_indexes)):
        if options.replay:
            found += _replayed(kind, opened, options.replay)
        elif options.only in (None, kind):
            share = options.minutes if options.only else options.minutes / 2
            with (
                tempfile.TemporaryDirectory(prefix="pincite-fuzz-") as folder,
                opened(Path(folder), _SECONDS[kind]) as (examples, judge),
            ):
                found += _fuzzed(kind, examples, judge, share, options)
    sys.exit(1 if found else 0)


@contextmanager
def fuzz_http(folder: Path, seconds: float) -> Iterator[tuple[st.SearchStrategy[HttpRequest], Judge]]:
    """Start a sidecar; return the strategy for requests and the judge of a request."""
    with watch(folder, seconds) as sidecar:
        yield requests_of(sidecar.openapi, sidecar.tools), sidecar.wrong_with


@contextmanager
def fuzz_indexes(folder: Path, seconds: float) -> Iterator[tuple[st.SearchStrategy[Any], Judge]]:
    """Write an index; return the strategy for opening it with damages, and the judge."""
    with index_opener(folder, seconds) as opener:
        yield st.tuples(st.sampled_from(WAYS), damages(opener.folder)), lambda drawn: opener.wrong_with(*drawn)


def look_for(examples: st.SearchStrategy[Any], judge: Judge, count: int, number: int) -> tuple[str, Any] | None:
    """Try the given number of examples; return the fault of the smallest failing example, and this example."""
    last: list[tuple[str, Any]] = []

    @seed(number)
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        print_blob=False,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    @given(examples)
    def tried(example: Any) -> None:
        if (wrong := judge(example)) is not None:
            last.append((wrong, example))
            raise Finding(wrong)

    try:
        tried()
    except (Finding, Flaky):
        return last[-1]
    return None


@contextmanager
def _scratch() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="pincite-fuzz-") as folder:
        yield Path(folder)


def _fuzzed(kind: str, examples: st.SearchStrategy[Any], judge: Judge, minutes: float, options: Any) -> int:
    """Search for faults until the time is up; a known fault is ignored from then on."""
    known: set[str] = set()
    until, number, tried = time.monotonic() + minutes * 60, options.seed, 0

    def unknown(example: Any) -> str | None:
        nonlocal tried
        if time.monotonic() > until + 60:  # stop, even if the example is not yet minimal
            return None
        tried += 1
        wrong = judge(example)
        return None if wrong in known else wrong

    while time.monotonic() < until:
        found = look_for(examples, unknown, _ROUND, number)
        if found is not None:
            known.add(found[0])
            _tell(kind, number, *found, folder=options.findings)
        number += 1
    print(f"{kind}: {tried:,} examples, {len(known)} findings", flush=True)
    return len(known)


def _tell(kind: str, number: int, wrong: str, example: Any, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{kind}-{number}.pickle"
    file.write_bytes(pickle.dumps(example))
    print(f"{kind}, seed {number}: {wrong}\n  {example!r}\n  --replay {file}", flush=True)


def _replayed(kind: str, opened: Any, files: list[Path]) -> int:
    """Try stored examples again; only files that this machine wrote may be named, because pickles run code."""
    files = [file for file in files if file.name.startswith(f"{kind}-")]
    if not files:
        return 0
    found = 0
    with (
        tempfile.TemporaryDirectory(prefix="pincite-fuzz-") as folder,
        opened(Path(folder), _SECONDS[kind]) as (_, judge),
    ):
        for file in files:
            wrong = judge(pickle.loads(file.read_bytes()))
            print(f"{file}: {wrong or 'nothing wrong'}", flush=True)
            found += wrong is not None
    return found


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0, help="that of the first round; findings name theirs")
    parser.add_argument("--only", choices=("http", "indexes"))
    parser.add_argument("--findings", type=Path, default=_FINDINGS, metavar="DIR")
    parser.add_argument("--replay", type=Path, nargs="+", metavar="FILE")
    return parser.parse_args()


if __name__ == "__main__":
    main()
