"""A sidecar that is killed while it takes over a deploy can start again, whatever it was doing."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.integration.hosting import Host, Reply, deploy, host
from tests.integration.serving import serve, serve_command
from tests.patience import PATIENCE

from pincite_server.indexes.source import IndexSource

_CHANGES = frozenset({"os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link"})


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Host]:
    deploy(tmp_path / "site", 8080)
    with host(tmp_path / "site") as running:
        yield running


@pytest.mark.parametrize("place", ["url", "folder"])
def test_killed_before_any_change_to_the_cache_the_next_start_has_the_earlier_build_or_the_new_one(
    site: Host, tmp_path: Path, place: str
):
    where = f"{site.url}/kit/" if place == "url" else str(site.folder / "kit/pincite")
    IndexSource(where, cache=tmp_path / "cache").open()
    deploy(site.folder, 9090)
    copies = tmp_path / "copies"
    copies.mkdir()
    command = [sys.executable, __file__, where, str(tmp_path / "cache"), str(copies)]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0, done.stderr
    caches = sorted(copies.iterdir())
    assert len(caches) > 10
    for cache in caches:
        stored = IndexSource(where, cache=cache).open_stored()
        assert stored is not None
        assert stored.default.build_id in {"b-8080", "b-9090"}
        del stored
        assert IndexSource(where, cache=cache).open().default.build_id == "b-9090"
        assert not list(cache.glob("sites/*/0/unfinished-*"))


@pytest.mark.parametrize(("number", "code"), [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGTERM, 0)])
def test_stopped_during_a_download_it_ends_and_downloads_again_at_the_next_start(
    site: Host, tmp_path: Path, number: signal.Signals, code: int
):
    site.instead["/kit/pincite/index.db"] = Reply(seconds_a_block=10)
    command = serve_command(f"{site.url}/kit/", "--port", "0", "--cache-dir", tmp_path / "cache")
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while not list(tmp_path.glob("cache/sites/*/0/unfinished-*/kit/pincite/index.db")):
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(number)
        assert process.wait(PATIENCE) == code
    site.instead.clear()
    with serve(f"{site.url}/kit/", "--cache-dir", tmp_path / "cache", "--poll-seconds", "0.1") as client:
        while client.get("/ready").status_code == 503:
            time.sleep(0.05)
        assert client.get("/ready").json()["indexes"][0]["build_id"] == "b-8080"
    assert not list(tmp_path.glob("cache/sites/*/0/unfinished-*"))


# -- in the process that is killed ----------------------------------------------------------------------------------


def _die_before_change(number: int, below: Path) -> None:
    seen = count(1)

    def watch(event: str, values: tuple[Any, ...]) -> None:
        opened = event == "open" and isinstance(values[0], str | Path) and Path(values[0]).is_relative_to(below)
        if ((opened and values[2] & (os.O_WRONLY | os.O_RDWR)) or event in _CHANGES) and next(seen) == number:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)


def _kill_everywhere(place: str, cache: Path, copies: Path) -> None:
    for number in count(1):
        copy = Path(shutil.copytree(cache, copies / f"{number:04d}"))
        child = os.fork()
        if not child:
            _die_before_change(number, copy)
            source = IndexSource(place, cache=copy)
            source.open()
            source.refresh()
            os._exit(0)
        if os.waitpid(child, 0)[1] != signal.SIGKILL:
            return


if __name__ == "__main__":
    _kill_everywhere(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
