import hashlib
import os
from pathlib import Path

import msgspec
import pytest

from pincite_core.deployed.build_cache import BuildCache, lock_folder
from pincite_core.deployed.build_facts import BuildFacts
from pincite_core.deployed.origin import Deploy, DeployedFile, DeployedIndex
from pincite_core.errors import IndexCorruptError

PLACE = "https://docs.example.com/kit/pincite/"
MONTHS_AGO = 1_600_000_000


def keep(cache: BuildCache, content: bytes) -> Path:
    """Keep a build whose database is `content` and return its folder."""
    facts = BuildFacts(sha256=hashlib.sha256(content).hexdigest(), base_url="/kit/")
    info = msgspec.json.encode(facts)
    with cache.unfinished() as folder:
        (folder / "kit/pincite").mkdir(parents=True)
        (folder / "kit/pincite/index.db").write_bytes(content)
        (folder / "kit/pincite/index.json").write_bytes(info)
        return cache.keep(folder, Deploy((DeployedIndex("kit/pincite", info, facts),))).folder


def contents(cache: BuildCache) -> list[bytes]:
    return [build.databases()[0].read_bytes() for build in cache.builds()]


def test_builds_come_newest_first_and_outlive_their_process(tmp_path: Path) -> None:
    cache = BuildCache(tmp_path, PLACE)
    keep(cache, b"one")
    keep(cache, b"two")
    del cache
    assert contents(BuildCache(tmp_path, PLACE)) == [b"two", b"one"]


def test_the_two_newest_builds_and_builds_in_use_are_kept(tmp_path: Path) -> None:
    cache = BuildCache(tmp_path, PLACE)
    first = keep(cache, b"one")
    for content in (b"two", b"three", b"four"):
        keep(cache, content)
    cache.tidy([first / "kit/pincite/index.db"])
    assert contents(cache) == [b"four", b"three", b"one"]
    cache.tidy()
    assert contents(cache) == [b"four", b"three"]


def test_a_file_in_the_cache_of_another_process_is_found(tmp_path: Path) -> None:
    mine, others = BuildCache(tmp_path, PLACE), BuildCache(tmp_path, PLACE)
    keep(others, b"one")
    found = mine.find(DeployedFile("anywhere", hashlib.sha256(b"one").hexdigest(), 100))
    assert found is not None
    assert found.read_bytes() == b"one"
    assert mine.find(DeployedFile("anywhere", hashlib.sha256(b"two").hexdigest(), 100)) is None


def test_the_unfinished_fetch_of_a_killed_process_is_removed(tmp_path: Path) -> None:
    cache = BuildCache(tmp_path, PLACE)
    kept = keep(cache, b"one")
    leftover = kept.parent.parent / "unfinished-abc"
    leftover.mkdir()
    del cache
    assert contents(BuildCache(tmp_path, PLACE)) == [b"one"]
    assert not leftover.exists()


def test_a_build_without_its_record_is_ignored(tmp_path: Path) -> None:
    cache = BuildCache(tmp_path, PLACE)
    (keep(cache, b"one") / "build.json").unlink()
    assert contents(cache) == []


@pytest.mark.parametrize("damage", [lambda file: file.write_bytes(b"two"), Path.unlink], ids=["changed", "gone"])
def test_a_build_that_was_damaged_on_disk_is_noticed(tmp_path: Path, damage: object) -> None:
    cache = BuildCache(tmp_path, PLACE)
    damage(keep(cache, b"one") / "kit/pincite/index.db")  # type: ignore[operator]
    with pytest.raises(IndexCorruptError, match="is damaged"):
        cache.builds()[0].verify()


def test_two_processes_that_serve_one_site_use_two_folders(tmp_path: Path) -> None:
    first, second = lock_folder(tmp_path, PLACE), lock_folder(tmp_path, PLACE)
    assert first.folder != second.folder
    assert first.folder.parent == second.folder.parent


def test_a_released_folder_is_used_again(tmp_path: Path) -> None:
    first = lock_folder(tmp_path, PLACE)
    first.release()
    assert lock_folder(tmp_path, PLACE).folder == first.folder


def test_similar_places_have_different_folders(tmp_path: Path) -> None:
    assert lock_folder(tmp_path, "/a/b").folder.parent != lock_folder(tmp_path, "/a-b").folder.parent


def test_the_name_of_a_folder_shows_its_site(tmp_path: Path) -> None:
    assert lock_folder(tmp_path, PLACE).folder.parent.name.startswith("https-docs.example.com-kit-pincite-")


def test_a_temporary_folder_is_used_if_the_cache_is_not_writable(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "cache").write_text("no folder")
    locked = lock_folder(tmp_path / "cache", PLACE)
    assert locked.folder.is_dir()
    assert "no build outlives a restart" in caplog.text
    locked.release()
    assert not locked.folder.exists()


def test_sites_unused_for_a_month_are_removed_unless_they_are_in_use(tmp_path: Path) -> None:
    left, served = lock_folder(tmp_path, "/left"), lock_folder(tmp_path, "/served")
    left.release()
    for locked in (left, served):
        locked.folder.mkdir()
        os.utime(locked.folder.parent, (MONTHS_AGO, MONTHS_AGO))
    lock_folder(tmp_path, "/another")
    assert not left.folder.exists()
    assert served.folder.exists()
