"""Reading a section in full."""

from itertools import count
from pathlib import Path

import pytest
from tests.factories import build_index
from tests.unit.indexer.builds import Builds, guide

from pincite_core.index.read import Index
from pincite_core.types import Target
from pincite_server.answering.section_reading import SectionText, read_section

PAGE = """# Install
Lantern runs everywhere.
## Docker {#docker}
Run the image.

Mount a volume. The paths are listed here.

[here](/kit/paths#mac)
## npm {#npm}
Install the package.
## Options {#options}
| Option: port; Default: 8080 | {#opt-port}
| Option: host; Default: localhost | {#opt-host}
"""
PATHS = """# Paths
Where files are.
## On a Mac {#mac}
In the library.
"""
_NUMBERS = count(1)
LINES = "\n".join(f"step({number})" for number in range(100))
CODE = f"# Code\nRun it.\n\n```js\n{LINES}\n```\n\nDone."


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder: Path = tmp_path_factory.mktemp("index")
    return build_index(folder, {"/kit/install": PAGE, "/kit/paths": PATHS, "/kit/code": CODE})


def at(index: Index, url: str) -> Target:
    target = index.target_at(url)
    assert target is not None
    return target


def test_a_section_is_read_whole_and_nothing_else(index: Index):
    section = read_section(index, at(index, "/kit/install#docker"))
    assert section.text == "Run the image.\n\nMount a volume. The paths are listed here."
    assert not section.truncated


def test_a_page_is_read_whole_and_in_order(index: Index):
    section = read_section(index, at(index, "/kit/install"))
    text = section.text
    places = [text.index(words) for words in ("everywhere", "## Docker", "Mount", "## npm", "| port | 8080 |")]
    assert places == sorted(places)
    assert [below.title for below in section.subsections] == ["Docker", "npm", "Options"]


def test_a_row_is_read_alone(index: Index):
    assert "8080" in (text := read_section(index, at(index, "/kit/install#opt-port")).text)
    assert "localhost" not in text


def test_links_are_written_with_their_absolute_address(index: Index):
    section = read_section(index, at(index, "/kit/install#docker"), absolute="https://docs.example{}".format)
    assert "The paths are listed [here](https://docs.example/kit/paths#mac)." in section.text


def titles(section: SectionText, name: str) -> list[str]:
    return [target.title for target in getattr(section, name)]


def test_a_section_names_its_parent_its_siblings_and_its_subsections(index: Index):
    section, page = read_section(index, at(index, "/kit/install#npm")), read_section(index, at(index, "/kit/install"))
    assert (section.parent, titles(section, "siblings")) == (page.target, ["Docker", "Options"])
    assert (page.parent, titles(page, "siblings")) == (None, [])
    assert titles(page, "subsections") == ["Docker", "npm", "Options"]
    row = read_section(index, at(index, "/kit/install#opt-port"))
    assert (row.parent and row.parent.title, titles(row, "siblings")) == ("Options", [])


def test_a_long_text_is_cut_between_blocks_and_says_what_is_missing(index: Index):
    section = read_section(index, at(index, "/kit/install"), limit=60)
    assert section.text == "Lantern runs everywhere.\n\n## Docker\n\nRun the image."
    assert section.truncated
    assert section.missing == "The end of “Docker” is left out (1 of 2 blocks). 2 of 4 sections are left out."
    assert titles(section, "left_out") == ["Docker", "npm", "Options"]


def test_no_heading_stands_over_nothing(index: Index):
    section = read_section(index, at(index, "/kit/install"), limit=40)
    assert section.text == "Lantern runs everywhere."
    assert section.missing == "3 of 4 sections are left out."


def test_a_section_that_is_left_out_stands_for_those_below_it(tmp_path: Path):
    pages = {"guide/index.html": guide("Guide", *(section_html(level) for level in "2334"))}
    index = Builds(tmp_path).add(pages)
    page = index.targets_of_page(1)[0]
    section = read_section(index, page, limit=10)
    assert section.missing == "4 of 4 sections are left out."
    assert titles(section, "left_out") == ["Part 2"]


def section_html(level: str) -> str:
    return f'<h{level} id="part{next(_NUMBERS)}">Part {level}</h{level}><p>The text of this part of the guide.</p>'


def test_a_heading_without_text_stands_over_the_sections_below_it(tmp_path: Path):
    html = '<p>Begin.</p><h2 id="all">All</h2><h3 id="one">One</h3><p>The first one.</p><h2 id="none">None</h2>'
    index = Builds(tmp_path).add({"guide/index.html": guide("Guide", html)})
    section = read_section(index, index.targets_of_page(1)[0])
    assert section.text == "Begin.\n\n## All\n\n### One\n\nThe first one."
    assert titles(section, "subsections") == ["All"]


def test_a_block_longer_than_the_limit_is_cut_between_lines(index: Index):
    section = read_section(index, at(index, "/kit/code"), limit=60)
    assert section.text == "Run it.\n\n```js\nstep(0)\nstep(1)\nstep(2)\nstep(3)\nstep(4)\n```"
    assert len(section.text) <= 60
    assert section.missing == "The end of “Code” is left out (2 of 3 blocks)."
    assert section.left_out == ()


@pytest.mark.parametrize("url", ["/kit/code", "/kit/install", "/kit/install#options"])
def test_no_text_is_longer_than_the_limit(index: Index, url: str):
    target = at(index, url)
    for limit in range(0, 1300, 7):
        section = read_section(index, target, limit)
        assert len(section.text) <= limit or not section.truncated
        assert section.text.count("```") % 2 == 0


def test_a_single_line_longer_than_the_limit_is_cut_inside(index: Index):
    assert read_section(index, at(index, "/kit/install#npm"), limit=7).text == "Install"
