"""Pages written by hand, with no generator, no canonical links and no classes to go by."""

from tests.integration.generators.conftest import GeneratedSite

from pincite_core.types import Landing


def test_addresses_and_languages_are_told_by_the_pages(plain_html: GeneratedSite) -> None:
    assert plain_html.index.info.base_url == "/lamps/"
    locales = {url: scope.locale for url, scope in plain_html.scopes().items()}
    assert locales == {"/lamps/": "en", "/lamps/guide.html": "en", "/lamps/de/guide.html": "de"}


def test_a_page_has_its_title_and_description(plain_html: GeneratedSite) -> None:
    guide = plain_html.index.page_at("/lamps/guide.html")
    assert guide is not None
    assert (guide.title, guide.description) == ("Guide", "How to install and read.")


def test_an_anchor_in_a_heading_is_the_headings(plain_html: GeneratedSite) -> None:
    target = plain_html.cited_by("The socket listens on port 4180.")
    assert (target.anchor, target.title, target.kind) == ("socket", "With a socket", "heading")
    assert target.heading_path == ("Guide", "First light", "With a socket")


def test_rows_terms_items_and_details_are_cited_by_their_own_ids(plain_html: GeneratedSite) -> None:
    cited = {
        "Level: `error`; Number: 40": ("level-error", "row"),
        "The part of a line that matched.": ("beam", "term"),
        "Files end in `.log`.": ("log-files", "item"),
        "Yes, gzip and zstd.": ("compressed", "details"),
    }
    found = {text: plain_html.cited_by(text) for text in cited}
    assert {text: (target.anchor, target.kind) for text, target in found.items()} == cited
    assert plain_html.target("compressed").landing == (Landing("details", "Can it read compressed files?"),)


def test_a_heading_without_an_id_ends_the_section_before_it(plain_html: GeneratedSite) -> None:
    assert plain_html.cited_by("Level: `error`; Number: 40").heading_path[:2] == ("Guide", "error")


def test_an_id_that_is_used_twice_names_its_first_element_alone(plain_html: GeneratedSite) -> None:
    assert [target.title for target in plain_html.index.targets() if target.anchor == "words"] == ["Words"]
    assert plain_html.cited_by("A second section with the same id cannot be reached by it.").anchor == ""


def test_code_keeps_its_lines_and_its_language(plain_html: GeneratedSite) -> None:
    assert plain_html.cited_by("```sh\napt install lantern\nlantern show app.log\n```").anchor == "first-light"


def test_an_id_of_any_letters_is_cited_as_browsers_write_it(plain_html: GeneratedSite) -> None:
    asked = plain_html.ask("Wie groß dürfen Dateien sein?", locale="de")
    assert asked["citations"][0]["url"] == "/lamps/de/guide.html#gr%C3%B6%C3%9Fe"
    assert asked["citations"][0]["anchor"] == "größe"
