"""Where the caches are, on every platform and as the user says."""

import sys
from pathlib import Path

import pytest
from platformdirs.macos import MacOS
from platformdirs.windows import Windows

from pincite_core import user_cache
from pincite_core.user_cache import cache_folder

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the folder of Linux")


@pytest.fixture(autouse=True)
def nothing_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("PINCITE_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))


def test_given_prompts_come_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "chosen"))
    assert cache_folder() == tmp_path / "chosen"


@LINUX
def test_on_linux_it_is_in_the_home_folder(tmp_path: Path) -> None:
    assert cache_folder() == tmp_path / ".cache/pincite"


@LINUX
def test_on_linux_xdg_moves_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder() == tmp_path / "xdg/pincite"


@LINUX
@pytest.mark.parametrize("name", ["PINCITE_CACHE_DIR", "XDG_CACHE_HOME"])
def test_an_empty_variable_says_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    monkeypatch.setenv(name, "")
    assert cache_folder() == tmp_path / ".cache/pincite"


def test_asking_makes_no_folder(tmp_path: Path) -> None:
    cache_folder()
    assert list(tmp_path.iterdir()) == []


def test_on_macos_it_is_in_the_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(user_cache, "user_cache_path", lambda *names, **how: MacOS(*names, **how).user_cache_path)
    assert cache_folder() == tmp_path / "Library/Caches/pincite"


def test_on_windows_it_is_in_the_local_application_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platformdirs.windows.get_win_folder", lambda _name: "LOCAL")
    monkeypatch.setattr(user_cache, "user_cache_path", lambda *names, **how: Windows(*names, **how).user_cache_path)
    assert cache_folder().name == "pincite"
    assert cache_folder().parent.name == "LOCAL"
