"""A build that is replaced is closed at once, by itself: no garbage collection is needed, and no reader notices."""

import errno
import gc
import json
import os
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from tests.integration.hosting import deploy
from tests.integration.serving import ask, question, serve_app, until

from pincite_core.errors import IndexFetchError
from pincite_core.index.schema import DATABASE_NAME
from pincite_server.http.app import create_app
from pincite_server.indexes.registry import IndexSet
from pincite_server.indexes.source import IndexSource
from pincite_server.settings import Settings

QUESTION = "Which port does the Lantern image listen on?"
SWAPS = 24
MOST_OPEN = 16  # two builds, each read by some four threads at once
MOST_MEGABYTES = 120  # of garbage that nobody collects, mostly the HTTP client's and server's own


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def open_databases() -> int:
    links = []
    for entry in Path("/proc/self/fd").iterdir():
        try:
            links.append(str(entry.readlink()))
        except OSError:  # closed meanwhile
            continue
    return sum(DATABASE_NAME in link for link in links)


def megabytes() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def serves(client: httpx.Client, port: int) -> Callable[[], bool]:
    return lambda: client.get("/ready").json()["indexes"][0]["build_id"] == f"b-{port}"


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def client(tmp_path: Path, cache: Path) -> Iterator[httpx.Client]:
    deploy(tmp_path / "site", 8000)
    source = IndexSource(tmp_path / "site/kit/pincite", cache=cache)
    settings = Settings(rate_limit=0, address_limit=0, poll_seconds=0.02, threads=2)
    with serve_app(create_app(settings, source.open(), source)) as running:
        yield running


def leave_at_once(client: httpx.Client) -> None:
    """Ask as a reader who closes the page before the answer."""
    body = json.dumps(question(QUESTION)).encode()
    head = (
        f"POST /api/chat HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection((client.base_url.host, client.base_url.port or 80)) as connection:
        connection.sendall(head.encode() + body)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts handles as Linux tells them")
def test_many_swaps_leave_no_file_open_and_no_question_unanswered(client: httpx.Client, tmp_path: Path) -> None:
    stop, statuses, newest = threading.Event(), set[int](), [8000]

    def read_on(behind: int) -> None:
        """Ask from pages of the newest build, or of one that is some builds older."""
        while not stop.is_set():
            statuses.add(ask(client, QUESTION, build_id=f"b-{newest[0] - behind}").status_code)
            leave_at_once(client)
            statuses.add(client.get("/api/search", params={"q": "port"}).status_code)

    with no_garbage_collection(), ThreadPoolExecutor(2) as readers:
        begun = [readers.submit(read_on, behind) for behind in range(2)]
        try:
            memory = megabytes()
            for port in range(8001, 8001 + SWAPS):
                deploy(tmp_path / "site", port)
                until(serves(client, port))
                newest[0] = port
        finally:
            stop.set()
        for reader in begun:
            reader.result()
        assert statuses == {200}
        assert open_databases() <= MOST_OPEN
        assert megabytes() - memory < MOST_MEGABYTES


@pytest.mark.parametrize("of_earlier", [False, True], ids=["newest", "the build before"])
def test_a_request_that_outlives_two_swaps_ends_with_the_index_it_began_with(
    tmp_path: Path, cache: Path, of_earlier: bool
) -> None:
    deploy(tmp_path / "site", 8000)
    source = IndexSource(tmp_path / "site/kit/pincite", cache=cache)
    indexes: IndexSet | None = source.open()
    began_with = indexes.default.answerer.index if indexes and not of_earlier else None
    for port in (8001, 8002, 8003):
        deploy(tmp_path / "site", port)
        indexes = source.refresh()
        if began_with is None and indexes and indexes.earlier:
            began_with = indexes.earlier.default.answerer.index
    assert began_with is not None
    source.refresh()
    before = open_databases()
    assert "8000" in began_with.chunks()[-1].text
    assert open_databases() == before
    folder = began_with.file.parents[2]
    assert folder.is_dir()
    del began_with
    source.refresh()
    assert not folder.is_dir()


def test_an_index_that_a_request_holds_is_closed_when_the_request_ends(tmp_path: Path, cache: Path) -> None:
    deploy(tmp_path / "site", 8000)
    index = IndexSource(tmp_path / "site/kit/pincite", cache=cache).open().default.answerer.index
    before = open_databases()
    with index.held():
        index.retire()
        assert index.chunks()
        assert open_databases() == before
    assert open_databases() < before


def test_a_cache_folder_that_is_removed_is_made_anew_and_later_deploys_are_served(
    client: httpx.Client, tmp_path: Path, cache: Path, caplog: pytest.LogCaptureFixture
) -> None:
    shutil.rmtree(cache.rename(tmp_path / "gone"))  # in one step: the sidecar looks for it all the time
    until(lambda: len(list(cache.glob("sites/*/*/builds/*/kit/pincite/index.db"))) == 1)
    assert "8000" in ask(client, QUESTION).json()["answer"]
    deploy(tmp_path / "site", 8001)
    until(serves(client, 8001))
    assert "8001" in ask(client, QUESTION).json()["answer"]
    assert "It is created again" in caplog.text


def test_a_cache_that_has_become_a_file_is_told_once_and_used_when_it_is_a_folder_again(
    client: httpx.Client, tmp_path: Path, cache: Path, caplog: pytest.LogCaptureFixture
) -> None:
    aside = moved_behind_a_file(cache)
    deploy(tmp_path / "site", 8001)
    until(lambda: "cannot be written" in (client.get("/ready").json()["problem"] or ""))
    problem = client.get("/ready").json()["problem"]
    assert problem.startswith(f"The cache in {cache} cannot be written (")
    assert serves(client, 8000)()
    assert "8000" in ask(client, QUESTION).json()["answer"]
    cache.unlink()
    aside.rename(cache)
    until(serves(client, 8001))
    told = [record.getMessage() for record in caplog.records if "cannot be written" in record.getMessage()]
    assert len(told) == len(set(told))  # for a moment it is neither a file nor a folder, which is another problem
    assert "Traceback" not in caplog.text


def moved_behind_a_file(folder: Path) -> Path:
    """Put a file in the place of a folder that a sidecar makes anew as soon as it is gone; where the folder is now."""
    aside = folder.rename(folder.with_name("aside"))
    while True:
        try:
            folder.write_text("no folder")
        except IsADirectoryError:  # the sidecar was faster
            shutil.rmtree(folder)
        else:
            return aside


def test_a_cache_that_cannot_be_written_is_told_and_tried_again(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deploy(tmp_path / "site", 8000)
    source = IndexSource(tmp_path / "site/kit/pincite", cache=cache)
    source.open()
    deploy(tmp_path / "site", 8001)
    with monkeypatch.context() as patch:
        patch.setattr("pincite_core.deployed.build_cache.tempfile.mkdtemp", read_only)
        with pytest.raises(IndexFetchError, match=r"cannot be written \(Read-only file system\)\. Make it a folder"):
            source.refresh()
    fresh = source.refresh()
    assert fresh is not None
    assert fresh.default.build_id == "b-8001"


def read_only(**_: object) -> str:
    raise OSError(errno.EROFS, os.strerror(errno.EROFS))
