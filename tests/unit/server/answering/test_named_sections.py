"""Reading a section in full."""

from pathlib import Path

import pytest
from tests.factories import build_index

from pincite_core.index.read import Index
from pincite_core.types import Target
from pincite_server.answering.named_sections import read_section

PAGE = """# Install
Lantern runs everywhere.
## Docker {#docker}
Run the image.

Mount a volume.
## npm {#npm}
Install the package.
## Options {#options}
| Option: port; Default: 8080 | {#opt-port}
| Option: host; Default: localhost | {#opt-host}
"""


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder: Path = tmp_path_factory.mktemp("index")
    return build_index(folder, {"/kit/install": PAGE})


def at(index: Index, url: str) -> Target:
    target = index.target_at(url)
    assert target is not None
    return target


def test_a_section_is_read_whole_and_nothing_else(index: Index):
    section = read_section(index, at(index, "/kit/install#docker"))
    assert section.text == "Run the image.\n\nMount a volume."
    assert not section.truncated


def test_a_page_is_read_whole_and_in_order(index: Index):
    section = read_section(index, at(index, "/kit/install"))
    text = section.text
    places = [text.index(words) for words in ("everywhere", "## Docker", "Mount", "## npm", "port; Default")]
    assert places == sorted(places)
    assert [below.title for below in section.subsections] == ["Docker", "npm", "Options"]


def test_a_row_is_read_alone(index: Index):
    assert "8080" in (text := read_section(index, at(index, "/kit/install#opt-port")).text)
    assert "localhost" not in text


def test_a_long_text_is_cut_between_blocks_and_says_so(index: Index):
    section = read_section(index, at(index, "/kit/install"), limit=60)
    assert section.truncated
    assert len(section.text) <= 60
    assert section.text.endswith(("everywhere.", "image.", "Docker"))


def test_a_first_block_longer_than_the_limit_is_cut_inside(index: Index):
    assert read_section(index, at(index, "/kit/install#npm"), limit=7).text == "Install"
