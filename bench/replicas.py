"""Run three sidecars behind nginx under load, while a new build is pushed and one sidecar is killed.

    python -m bench.replicas [--site DIR] [--readers 200] [--every 5] [--seconds 120] [--poll 15]

Without --site the bench uses the example site (build it with `make site`). It indexes the site twice; in the second
build every heading and paragraph says so. It pushes both to a PostgreSQL that is started as in the tests. The sidecars
share a Redis or Valkey. Questions are headings. One sidecar answers all questions of each build beforehand, so any
other reply is wrong, also a mixture of two builds. Every fifth question is sent twice at once, and both replies must be
the same to the last byte. A reader without a complete reply asks again under the same number, as the widget does.
Greedy readers ask without a pause, to test whether limits hold across the three. Everything runs on this machine.

Exits with 1 if a question was lost or answered wrongly, or a limit missed by more than 2 %.
"""

import argparse
import asyncio
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import pincite_core  # noqa: F401 - before numpy, which it keeps on one thread

# isort: split
import httpx
from bench.crowd import GREEDY_LIMIT, Crowd, Expected, ask_all, greedy, patient
from bench.leaks import titles_of
from bench.sites import EXAMPLE
from tests.integration.proxies import behind_nginx, free_port
from tests.integration.several import documented, in_front_of, started
from tests.postgres_server import PostgresServer, postgres_server
from tests.state_server import StateServer, state_server

from pincite_core.index.read import Index

SIDECARS = 3
GREEDY = 10
QUESTIONS = 150
DEPLOY_AT, KILL_AT = 0.3, 0.65  # as shares of the run time
TOLERANCE = 0.02  # as a share of a limit
_SECOND = " It is the second build."
_ENDS = re.compile(r"</(?:p|h1|h2|h3|li)>")
_MAIN = [sys.executable, "-c", "from pincite_core.cli import main; main()"]


@dataclass(frozen=True, slots=True)
class Stage:
    """The services that the readers use during the run."""

    url: str
    site: str
    second: Path
    processes: Sequence["subprocess.Popen[str]"]


def main() -> None:
    options = _arguments()
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pincite-replicas-")))
        postgres = stack.enter_context(postgres_server())
        builds = [_built(options.site, scratch / name, name) for name in ("first", "second")]
        questions = [f"What is {title}?" for title in titles_of(Index.open(builds[0]), QUESTIONS)]
        expected = _expected(postgres, builds, questions)
        state = stack.enter_context(state_server())
        stage = stack.enter_context(_staged(postgres, state, builds, scratch, options.poll))
        crowd = asyncio.run(_minutes(stage, expected, options))
    _report(crowd, options)
    if crowd.lost or crowd.wrong or crowd.unlike or crowd.off_limit() > TOLERANCE:
        sys.exit(1)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--site", type=Path, default=EXAMPLE, help="a built site")
    parser.add_argument("--readers", type=int, default=200)
    parser.add_argument("--every", type=float, default=5.0, help="seconds between a reader's questions")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--poll", type=float, default=15.0, help="seconds between a sidecar's looks for a new build")
    return parser.parse_args()


def _built(site: Path, folder: Path, name: str) -> Path:
    """Index a copy of a site; the text of the second build says that it is the second."""
    shutil.copytree(site, folder, ignore=shutil.ignore_patterns("pincite"))
    for file in filter(Path.is_file, folder.rglob("*.html") if name == "second" else ()):
        file.write_text(_ENDS.sub(rf"{_SECOND}\g<0>", file.read_text(encoding="utf-8")), encoding="utf-8")
    subprocess.run([*_MAIN, "index", folder, "--no-search"], check=True, stdout=subprocess.DEVNULL)
    return folder / "pincite"


def _expected(postgres: PostgresServer, builds: Sequence[Path], questions: Sequence[str]) -> Expected:
    """Return the reply of each build, by its index, to each question."""
    expected: Expected = {query: {} for query in questions}
    with _environment(PINCITE_RATE_LIMIT="0", PINCITE_ADDRESS_LIMIT="0"):
        for build in builds:
            port = free_port()
            with started(postgres.push(build)[0], [port]):
                asyncio.run(ask_all(f"http://127.0.0.1:{port}", expected))
    same = [query for query, says in expected.items() if len(set(says.values())) < len(builds)]
    if same:
        sys.exit(
            f"Both builds say the same to {len(same)} questions, such as {same[0]!r}: nothing could be told apart."
        )
    return expected


@contextmanager
def _staged(
    postgres: PostgresServer, state: StateServer, builds: Sequence[Path], scratch: Path, poll: float
) -> Iterator[Stage]:
    site, ports = postgres.push(builds[0])[0], [free_port() for _ in range(SIDECARS)]
    shared = {"PINCITE_STATE": state.url, "PINCITE_READER_SECRET": "a secret of this bench"}
    with (
        _environment(**shared, PINCITE_HOST_NAMES="*", PINCITE_RATE_LIMIT=str(GREEDY_LIMIT)),
        started(site, ports, "--poll-seconds", str(poll)) as processes,
        behind_nginx(scratch, in_front_of(ports, documented())) as client,
    ):
        yield Stage(str(client.base_url), site, builds[1], processes)


@contextmanager
def _environment(**variables: str) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


async def _minutes(stage: Stage, expected: Expected, options: argparse.Namespace) -> Crowd:
    """Let all readers ask until the time is over, while the builds and sidecars change."""
    crowd = Crowd(expected, until=perf_counter() + options.seconds)
    async with asyncio.TaskGroup() as group:
        group.create_task(_deploy(stage, crowd, options.seconds * DEPLOY_AT))
        group.create_task(_kill(stage, crowd, options.seconds * KILL_AT))
        for number in range(options.readers + GREEDY):
            client = _client(stage.url, number)
            reader = greedy(client, crowd) if number < GREEDY else patient(client, crowd, options.every)
            group.create_task(reader)
    return crowd


def _client(url: str, number: int) -> httpx.AsyncClient:
    """Return a client with an address of its own on this machine, because limits of an address are not measured."""
    address = f"127.0.{1 + number // 250}.{1 + number % 250}"
    return httpx.AsyncClient(
        base_url=url, timeout=30, transport=httpx.AsyncHTTPTransport(local_address=address, verify=False)
    )


async def _deploy(stage: Stage, crowd: Crowd, after: float) -> None:
    await asyncio.sleep(after)
    push = await asyncio.create_subprocess_exec(
        *_MAIN, "push", str(stage.second), stage.site, stdout=subprocess.DEVNULL
    )
    if await push.wait():
        sys.exit("`pincite push` failed.")
    crowd.pushed = perf_counter()


async def _kill(stage: Stage, crowd: Crowd, after: float) -> None:
    await asyncio.sleep(after)
    stage.processes[random.randrange(SIDECARS)].kill()
    crowd.killed = perf_counter()


def _report(crowd: Crowd, options: argparse.Namespace) -> None:
    print(f"{options.readers} readers, a question each every {options.every:g} s, {options.seconds:g} s")
    for name, value in crowd.rows():
        print(f"{name:>34}  {value}")


if __name__ == "__main__":
    random.seed(0)
    main()
