"""The architecture page is true of the tree."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
PATHS = sorted(set(re.findall(r"`((?:indexer|server|widget|tests|docs|bench)/[^`]+)`", PAGE)))
FILES = [path for path in PATHS if "NAME" not in path and "TAG" not in path]
NAMES_IN_FILES = re.findall(
    r"`(_?[A-Za-z]\w+)`[^`]{0,40}\(?(?:in|of|\()\s*`((?:indexer|server|tests)/[^`]+\.py)`", PAGE
)
PACKAGES = ("indexer/pincite_core", "indexer/pincite_indexer", "server/pincite_server")


@pytest.mark.parametrize("path", FILES)
def test_every_file_that_the_page_names_is_there(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize(("name", "path"), NAMES_IN_FILES)
def test_every_name_stands_in_the_file_that_the_page_says(name: str, path: str) -> None:
    assert re.search(rf"\b{name}\b", (ROOT / path).read_text(encoding="utf-8")), f"{name} is not in {path}"


def test_the_patterns_above_find_what_the_page_names() -> None:
    assert len(FILES) > 30
    assert {"DEFAULT_MODEL", "_signals", "LANGUAGES", "_api", "SearchEngine"} <= {name for name, _ in NAMES_IN_FILES}


@pytest.mark.parametrize("package", PACKAGES)
def test_every_room_of_a_package_is_told_of_somewhere(package: str) -> None:
    told = PAGE + (ROOT / "README.md").read_text(encoding="utf-8")
    rooms = [room for room in (ROOT / package).iterdir() if (room / "__init__.py").is_file()]
    assert [room.name for room in rooms if f"{room.name}/" not in told] == []


def test_a_new_file_goes_where_the_page_says() -> None:
    for path in PATHS:
        if "NAME" in path or "TAG" in path:
            siblings = list((ROOT / path).parent.glob(f"*{Path(path).suffix}"))
            assert len(siblings) > 1, path
