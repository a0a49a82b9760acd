"""MkDocs with the theme Material: tabs, attributes, boxes, footnotes, numbered lines."""

from tests.integration.generators.conftest import GeneratedSite

from pincite_core.types import Landing


def test_the_site_is_known_by_its_own_address(mkdocs: GeneratedSite) -> None:
    info = mkdocs.index.info
    assert (info.site_url, info.base_url, info.locales) == ("https://lantern.example", "/handbook/", ("en",))
    assert [page.url for page in mkdocs.index.pages()] == ["/handbook/", "/handbook/guide/"]


def test_a_page_has_the_description_and_the_tags_of_its_front_matter(mkdocs: GeneratedSite) -> None:
    page = mkdocs.index.page_at("/handbook/guide/")
    assert page is not None
    assert (page.title, page.description, page.tags) == ("Guide", "How to install and read.", ("First steps",))


def test_a_tab_is_opened_before_landing_in_it(mkdocs: GeneratedSite) -> None:
    assert mkdocs.target("after-apt").landing == (Landing("tab", "Linux"),)
    assert "What follows holds for both systems." in mkdocs.text_of("first-light")


def test_what_an_author_gave_an_id_is_cited_by_it(mkdocs: GeneratedSite) -> None:
    assert mkdocs.target("first-light").title == "First light"
    row = mkdocs.cited_by("Option: `--follow`; Default: off; Meaning: Wait for new lines")
    assert (row.anchor, row.kind) == ("opt-follow", "row")
    assert mkdocs.cited_by("The socket listens on port 4180.").anchor == "port"


def test_two_headings_of_one_name_are_two_targets(mkdocs: GeneratedSite) -> None:
    second = mkdocs.cited_by("A second section of the same name lists the HTML that Lantern writes.")
    assert (second.anchor, second.title) == ("options_1", "Options")


def test_code_with_numbered_lines_keeps_its_form(mkdocs: GeneratedSite) -> None:
    assert "```\nbrew install lantern\n```" in mkdocs.text_of("first-light")
    assert "**terminal**\n\n```\napt install lantern\n```" in mkdocs.text_of("first-light")


def test_boxes_and_definitions_are_text_where_they_stand(mkdocs: GeneratedSite) -> None:
    light = mkdocs.text_of("first-light")
    assert "> **Old terminals**\n\n> Colours need a terminal with at least 256 of them." in light
    options = mkdocs.text_of("options")
    assert "**Can it read compressed files?**\n\nYes, gzip and zstd." in options
    assert "Beam\n\nThe part of a line that matched." in options
    assert "- Files end in `.log`." in options


def test_footnote_marks_are_no_text_and_no_place_to_cite(mkdocs: GeneratedSite) -> None:
    text = mkdocs.text_of("what-it-is-not")
    assert text.startswith("It is no database, and keeps nothing after it ends.\n")
    assert "↩" not in text
    cited = {mkdocs.index.target(unit.target_id).anchor for unit in mkdocs.index.units()}
    assert not [anchor for anchor in cited if anchor.startswith("fnref")]
    assert mkdocs.cited_by("Except its own configuration.").anchor == "fn:1"
