import os
from pathlib import Path

import pytest

from pincite_core.deployed.cache_dir_lock import claim_folder

MONTHS_AGO = 1_600_000_000
URL = "https://docs.example.com/kit/pincite/"


def test_two_processes_that_serve_one_site_get_folders_of_their_own(tmp_path: Path) -> None:
    first, second = claim_folder(tmp_path, URL), claim_folder(tmp_path, URL)
    assert first.folder != second.folder
    assert first.folder.parent == second.folder.parent


def test_a_folder_that_was_released_is_taken_again(tmp_path: Path) -> None:
    first = claim_folder(tmp_path, URL)
    first.release()
    assert claim_folder(tmp_path, URL).folder == first.folder


def test_places_that_read_alike_are_kept_apart(tmp_path: Path) -> None:
    assert claim_folder(tmp_path, "/a/b").folder.parent != claim_folder(tmp_path, "/a-b").folder.parent


def test_people_can_tell_which_site_a_folder_belongs_to(tmp_path: Path) -> None:
    assert claim_folder(tmp_path, URL).folder.parent.name.startswith("https-docs.example.com-kit-pincite-")


def test_without_a_cache_that_can_be_written_a_temporary_folder_does(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "cache").write_text("no folder")
    claim = claim_folder(tmp_path / "cache", URL)
    assert claim.folder.is_dir()
    assert "no build outlives a restart" in caplog.text
    claim.release()
    assert not claim.folder.exists()


def test_sites_that_nobody_has_served_for_a_month_are_forgotten_unless_they_are_served_now(tmp_path: Path) -> None:
    left, served = claim_folder(tmp_path, "/left"), claim_folder(tmp_path, "/served")
    left.release()
    for claim in (left, served):
        claim.folder.mkdir()
        os.utime(claim.folder.parent, (MONTHS_AGO, MONTHS_AGO))
    claim_folder(tmp_path, "/another")
    assert not left.folder.exists()
    assert served.folder.exists()
