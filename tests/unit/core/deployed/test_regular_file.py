"""Files of an index are plain files of their folder, and read up to a size."""

import os
from pathlib import Path

import pytest

from pincite_core.deployed.regular_file import blocks_of, read_file


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "index").mkdir()
    (tmp_path / "index/file").write_bytes(b"content")
    return tmp_path / "index/file"


def test_a_plain_file_is_read_up_to_its_size(file: Path) -> None:
    assert read_file(file, 7) == b"content"
    with pytest.raises(OSError, match="it has more than 6 bytes"):
        read_file(file, 6)


def test_a_large_file_comes_in_blocks(file: Path) -> None:
    os.truncate(file, 3 << 20)
    assert [len(block) for block in blocks_of(file, 3 << 20)] == [1 << 20] * 3


def test_a_link_within_the_folder_is_followed_and_one_out_of_it_is_not(file: Path) -> None:
    inside, outside = file.with_name("inside"), file.parents[1] / "outside"
    inside.symlink_to("file")
    assert read_file(inside, 7) == b"content"
    outside.write_bytes(b"secret")
    inside.unlink()
    inside.symlink_to(outside)
    with pytest.raises(OSError, match="it is a link out of its folder"):
        read_file(inside, 7)
    assert b"".join(blocks_of(inside, 7, anywhere=True)) == b"secret"


def test_a_folder_that_is_itself_reached_by_a_link_is_as_good(file: Path, tmp_path: Path) -> None:
    (tmp_path / "current").symlink_to(file.parent)
    assert read_file(tmp_path / "current/file", 7) == b"content"


def test_pipes_devices_and_folders_are_not_read(file: Path) -> None:
    os.mkfifo(file.with_name("pipe"))
    for place in (file.with_name("pipe"), file.parent, Path("/dev/zero")):
        with pytest.raises(OSError, match="it is not a regular file"):
            read_file(place, 7)


def test_a_missing_file_raises_file_not_found(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_file(tmp_path / "nowhere", 7)
