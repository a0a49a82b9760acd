"""Sphinx: labels, docstrings of a real module, options, glossaries, footnotes, its lists of names, source code."""

import pytest
from tests.integration.generators.conftest import GeneratedSite


def test_the_site_is_known_by_the_address_of_its_own_version(sphinx: GeneratedSite) -> None:
    info = sphinx.index.info
    assert (info.site_url, info.base_url, info.locales) == ("https://lantern.example", "/en/2.1/", ("en",))
    urls = {page.url for page in sphinx.index.pages()}
    assert {"/en/2.1/api.html", "/en/2.1/cli.html", "/en/2.1/index.html"} <= urls
    assert "/en/2.1/search.html" not in urls
    assert info.generator == "Sphinx"


@pytest.mark.parametrize(
    ("sentence", "anchor"),
    [
        ("Show a log file from its newest line.", "lantern.light"),
        ("A file that is being shown.", "lantern.Lamp"),
        ("Raise the least level that is shown.", "lantern.Lamp.dim"),
        ("The level that is shown when none is named.", "lantern.DEFAULT_LEVEL"),
        ("Shows log files from their newest line.", "module-lantern"),
    ],
)
def test_a_docstring_is_cited_by_the_id_of_its_member(sphinx: GeneratedSite, sentence: str, anchor: str) -> None:
    assert sphinx.cited_by(sentence).anchor == anchor


def test_a_member_is_a_section_and_an_option_is_not(sphinx: GeneratedSite) -> None:
    kinds = {target.anchor: target.kind for target in sphinx.index.targets()}
    begun = {chunk.target_id for chunk in sphinx.index.chunks()}
    sections = {target.anchor for target in sphinx.index.targets() if target.target_id in begun}
    assert kinds["lantern.Lamp"] == kinds["lantern.Lamp.dim"] == "member"
    assert {"lantern.Lamp", "lantern.Lamp.dim"} <= sections
    assert "cmdoption-lantern-show-level" not in sections


@pytest.mark.parametrize(
    ("sentence", "anchor", "title"),
    [
        ("Wait for new lines after the last one.", "cmdoption-lantern-show-follow", "--follow, -f"),
        ("Hide lines of a lesser level.", "cmdoption-lantern-show-level", "--level <name>"),
        ("The address that readers elsewhere connect to.", "envvar-LANTERN_PORT", "LANTERN_PORT"),
        ("How many colours the terminal has.", "confval-lantern_colours", "lantern_colours"),
        ("The process that writes the log.", "term-wick", "wick"),
    ],
)
def test_an_option_and_a_term_are_cited_by_their_own_ids(
    sphinx: GeneratedSite, sentence: str, anchor: str, title: str
) -> None:
    target = sphinx.cited_by(sentence)
    assert (target.anchor, target.kind, target.title) == (anchor, "term", title)


def test_every_other_name_of_an_option_is_a_target_too(sphinx: GeneratedSite) -> None:
    anchors = {target.anchor for target in sphinx.index.targets()}
    assert {"cmdoption-lantern-show-f", "term-fuse", "levels", "second-opinion"} <= anchors


def test_sections_nest_and_boxes_stand_where_they_were(sphinx: GeneratedSite) -> None:
    assert sphinx.target("strange-files").heading_path == ("Lantern", "Second opinion", "Strange files")
    section = sphinx.text_of("second-opinion")
    assert "> **Old terminals**\n\n> Colours need a terminal with at least 256 of them." in section
    assert "Added in version 2.1: The socket." in section


def test_rows_and_code_keep_their_form(sphinx: GeneratedSite) -> None:
    levels = sphinx.text_of("levels")
    assert "Level: `error`; Number: 40" in levels
    assert '**run.py**\n\n```python\nimport lantern\n\nlantern.light("app.log")  # C++ logs too\n```' in levels


def test_a_footnotes_number_is_no_text(sphinx: GeneratedSite) -> None:
    assert sphinx.cited_by("Unless another is set.").anchor == "port"
    assert "[1]" not in sphinx.text()


def test_its_lists_of_names_are_pages_without_text_of_their_own(sphinx: GeneratedSite) -> None:
    for url in ("/en/2.1/genindex.html", "/en/2.1/py-modindex.html"):
        page = sphinx.index.page_at(url)
        assert page is not None
        assert sphinx.index.targets_of_page(page.page_id)
        assert page.page_id not in {chunk.page_id for chunk in sphinx.index.chunks()}


def test_the_source_code_of_modules_is_not_indexed(sphinx: GeneratedSite) -> None:
    assert (sphinx.folder / "_modules/lantern.html").is_file()
    assert [page.url for page in sphinx.index.pages() if "_modules" in page.url] == []
