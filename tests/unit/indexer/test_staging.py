"""A folder is replaced whole or not at all, and what else lies in it stays."""

import os
import sys
from pathlib import Path

import pytest

from pincite_indexer import staging
from pincite_indexer.staging import exchange, staged_folder


def write(goal: Path, files: dict[str, str], optional: frozenset[str] = frozenset(), last: str = "") -> None:
    with staged_folder(goal, optional=optional, last=last) as folder:
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)


def files_in(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def goal(tmp_path: Path) -> Path:
    write(tmp_path / "out", {"a": "1", "sub/b": "1", "maybe": "1"})
    return tmp_path / "out"


@pytest.fixture(params=["at once", "one by one"])
def either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With and without a system that lets folders change places."""
    if request.param == "one by one":
        monkeypatch.setattr(staging, "exchange", lambda *_: False)


@pytest.mark.usefixtures("either_way")
def test_the_new_files_replace_the_earlier_ones(goal: Path, tmp_path: Path) -> None:
    write(goal, {"a": "2", "sub/b": "2"}, optional=frozenset({"maybe"}))
    assert files_in(tmp_path) == {"out/a": "2", "out/sub/b": "2"}


@pytest.mark.usefixtures("either_way")
def test_a_failed_block_leaves_the_folder_unchanged(goal: Path, tmp_path: Path) -> None:
    before = files_in(tmp_path)
    with pytest.raises(FileExistsError):
        write(goal, {"a": "2", "a/b": "cannot be"})
    assert files_in(tmp_path) == before


@pytest.mark.skipif(sys.platform != "linux", reason="other systems move the files one by one")
def test_a_reader_in_the_folder_sees_all_files_change_at_once(goal: Path) -> None:
    earlier = os.open(goal, os.O_RDONLY)
    write(goal, {"a": "2", "sub/b": "2", "maybe": "2"})
    assert set(files_in(goal).values()) == {"2"}
    assert os.fstat(earlier).st_ino != goal.stat().st_ino
    os.close(earlier)


def test_a_file_of_another_program_stays_with_its_folder(goal: Path, tmp_path: Path) -> None:
    (goal / "notes.txt").write_text("mine")
    folder = goal.stat().st_ino
    write(goal, {"a": "2", "sub/b": "2"}, optional=frozenset({"maybe"}))
    assert files_in(tmp_path) == {"out/a": "2", "out/sub/b": "2", "out/notes.txt": "mine"}
    assert goal.stat().st_ino == folder


def test_the_working_directory_is_not_taken_away(goal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(goal)
    write(Path(), {"a": "2", "sub/b": "2", "maybe": "2"})
    assert files_in(Path()) == {"a": "2", "sub/b": "2", "maybe": "2"}


def test_files_moved_one_by_one_end_with_the_named_last_file(goal: Path) -> None:
    (goal / "notes.txt").write_text("mine")
    (goal / "sub/b").unlink()
    (goal / "sub/b").mkdir()  # is in the way
    with pytest.raises(OSError, match="sub/b"):
        write(goal, {"a": "2", "sub/b": "2"}, last="a")
    assert (goal / "a").read_text() == "1"


def test_a_link_to_the_folder_stays_a_link(goal: Path, tmp_path: Path) -> None:
    (tmp_path / "current").symlink_to(goal)
    write(tmp_path / "current", {"a": "2", "sub/b": "2", "maybe": "2"})
    assert (tmp_path / "current").is_symlink()
    assert (goal / "a").read_text() == "2"


def test_the_folder_keeps_its_permissions(goal: Path) -> None:
    goal.chmod(0o751)
    write(goal, {"a": "2", "sub/b": "2", "maybe": "2"})
    assert goal.stat().st_mode & 0o777 == 0o751


def test_the_staging_folder_of_a_killed_build_is_removed_and_that_of_a_running_build_stays(
    goal: Path, tmp_path: Path
) -> None:
    (tmp_path / ".out.killed.tmp").mkdir()
    (goal / ".out.killed.tmp").mkdir()
    (tmp_path / ".other.killed.tmp").mkdir()
    with staged_folder(goal) as held:
        write(goal, {"a": "2", "sub/b": "2", "maybe": "2"})
        assert held.is_dir()
    assert {path.name for path in tmp_path.iterdir()} == {"out", ".other.killed.tmp"}
    assert {path.name for path in goal.iterdir()} <= {"a", "sub", "maybe"}


def test_folders_that_cannot_be_swapped_are_unchanged(goal: Path, tmp_path: Path) -> None:
    assert not exchange(goal, tmp_path / "missing")
    assert files_in(goal) == {"a": "1", "sub/b": "1", "maybe": "1"}
