import hashlib
from pathlib import Path

import msgspec
import pytest

from pincite_core.deployed.build_cache import BuildCache
from pincite_core.deployed.build_facts import BuildFacts
from pincite_core.deployed.origin import Deploy, DeployedFile, DeployedIndex
from pincite_core.errors import IndexCorruptError

PLACE = "https://docs.example.com/kit/pincite/"


def keep(library: BuildCache, content: bytes) -> Path:
    """Keep a build whose database is `content` and return its folder."""
    facts = BuildFacts(sha256=hashlib.sha256(content).hexdigest(), base_url="/kit/")
    info = msgspec.json.encode(facts)
    with library.unfinished() as folder:
        (folder / "kit/pincite").mkdir(parents=True)
        (folder / "kit/pincite/index.db").write_bytes(content)
        (folder / "kit/pincite/index.json").write_bytes(info)
        return library.keep(folder, Deploy((DeployedIndex("kit/pincite", info, facts),))).folder


def contents(library: BuildCache) -> list[bytes]:
    return [build.databases()[0].read_bytes() for build in library.builds()]


def test_builds_come_newest_first_and_outlive_their_library(tmp_path: Path) -> None:
    library = BuildCache(tmp_path, PLACE)
    keep(library, b"one")
    keep(library, b"two")
    del library
    assert contents(BuildCache(tmp_path, PLACE)) == [b"two", b"one"]


def test_two_builds_are_kept_and_those_that_are_still_read(tmp_path: Path) -> None:
    library = BuildCache(tmp_path, PLACE)
    first = keep(library, b"one")
    for content in (b"two", b"three", b"four"):
        keep(library, content)
    library.tidy([first / "kit/pincite/index.db"])
    assert contents(library) == [b"four", b"three", b"one"]
    library.tidy()
    assert contents(library) == [b"four", b"three"]


def test_what_another_process_has_of_the_site_is_found(tmp_path: Path) -> None:
    mine, others = BuildCache(tmp_path, PLACE), BuildCache(tmp_path, PLACE)
    keep(others, b"one")
    found = mine.find(DeployedFile("anywhere", hashlib.sha256(b"one").hexdigest(), 100))
    assert found is not None
    assert found.read_bytes() == b"one"
    assert mine.find(DeployedFile("anywhere", hashlib.sha256(b"two").hexdigest(), 100)) is None


def test_what_a_killed_process_left_unfinished_is_removed(tmp_path: Path) -> None:
    library = BuildCache(tmp_path, PLACE)
    kept = keep(library, b"one")
    leftover = kept.parent.parent / "unfinished-abc"
    leftover.mkdir()
    del library
    assert contents(BuildCache(tmp_path, PLACE)) == [b"one"]
    assert not leftover.exists()


def test_a_build_without_its_record_is_none(tmp_path: Path) -> None:
    library = BuildCache(tmp_path, PLACE)
    (keep(library, b"one") / "build.json").unlink()
    assert contents(library) == []


@pytest.mark.parametrize("damage", [lambda file: file.write_bytes(b"two"), Path.unlink], ids=["changed", "gone"])
def test_a_build_that_was_damaged_on_disk_is_noticed(tmp_path: Path, damage: object) -> None:
    library = BuildCache(tmp_path, PLACE)
    damage(keep(library, b"one") / "kit/pincite/index.db")  # type: ignore[operator]
    with pytest.raises(IndexCorruptError, match="is damaged"):
        library.builds()[0].verify()
