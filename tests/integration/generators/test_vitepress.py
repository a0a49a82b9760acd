"""VitePress: no canonical links, two languages, code groups, boxes, badges, both forms of its URLs."""

import pytest
from tests.integration.generators.conftest import GeneratedSite

from pincite_core.types import Landing
from pincite_core.urls import split_fragment

_PAGES = ["/handbook/", "/handbook/fr/", "/handbook/fr/guide", "/handbook/guide", "/handbook/reference/options"]


def test_addresses_are_those_of_its_own_menus(vitepress: GeneratedSite) -> None:
    assert (vitepress.index.info.base_url, vitepress.index.info.generator) == ("/handbook/", "VitePress v1.6.4")
    urls = [page.url.removesuffix(".html") for page in vitepress.index.pages()]
    assert urls == _PAGES
    assert vitepress.index.page_at("/handbook/guide").url == "/handbook/guide.html"


def test_clean_addresses_stay_clean(vitepress_clean: GeneratedSite) -> None:
    assert [page.url for page in vitepress_clean.index.pages()] == _PAGES


def test_both_forms_of_addresses_hold_the_same(vitepress: GeneratedSite, vitepress_clean: GeneratedSite) -> None:
    def content(site: GeneratedSite) -> list[tuple[object, ...]]:
        return [(target.anchor, target.title, target.kind, target.stable_id) for target in site.index.targets()]

    assert content(vitepress) == content(vitepress_clean)
    assert vitepress.text() == vitepress_clean.text()


def test_each_language_is_a_locale_of_its_own(vitepress: GeneratedSite) -> None:
    assert vitepress.index.info.default_locale == "en-US"
    locales = {url: scope.locale for url, scope in vitepress.scopes().items()}
    assert {url for url, locale in locales.items() if locale == "fr-FR"} == {"/handbook/fr/", "/handbook/fr/guide.html"}
    asked = vitepress.ask("Sur quel port le service écoute-t-il ?", locale="fr-FR")
    assert split_fragment(asked["citations"][0]["url"]) == ("/handbook/fr/guide.html", "acces-reseau")


def test_a_page_has_its_title_and_description(vitepress: GeneratedSite) -> None:
    guide = vitepress.index.page_at("/handbook/guide")
    assert (guide.title, guide.description) == ("Guide", "How to install and read.")


def test_the_home_page_is_its_hero_its_features_and_its_text(vitepress: GeneratedSite) -> None:
    home = vitepress.index.page_at("/handbook/")
    assert home.title == "Lantern Light for log files"
    text = "\n".join(chunk.text for chunk in vitepress.index.chunks() if chunk.page_id == home.page_id)
    for part in ("Shows the newest lines first.", "Reads a gigabyte in two seconds.", "Logs grow at the end"):
        assert part in text
    assert vitepress.target("why").title == "Why Lantern"


def test_headings_nest_under_the_ids_their_author_gave(vitepress: GeneratedSite) -> None:
    socket = vitepress.cited_by("The socket listens on port 4180.")
    assert socket.heading_path == ("Guide", "First light", "After installing", "With a socket")
    assert vitepress.index.target(socket.parent_id).anchor == "after"
    assert vitepress.target("api-light").title == "lantern.light()"


def test_every_variant_of_a_code_group_is_text_and_its_tabs_and_line_numbers_are_not(vitepress: GeneratedSite) -> None:
    variants = ("```sh\napt install lantern\n```", "```sh\nbrew install lantern\n```")
    assert [vitepress.cited_by(code).anchor for code in variants] == ["first-light", "first-light"]
    assert vitepress.cited_by("```js\nexport default {\n  level: 'info', \n}\n```").anchor == "api-light"
    assert not {"Linux", "macOS", "sh", "1"} & set(vitepress.text().split("\n"))


def test_a_heading_in_a_details_box_is_opened_before_landing_in_it(vitepress: GeneratedSite) -> None:
    assert vitepress.target("xz-files").landing == (Landing("details", "Which compressions are slow?"),)


@pytest.mark.parametrize(
    "box",
    [
        "**Which compressions are slow?**\n\nReading xz takes ten times as long as zstd.",
        "> **Old terminals**\n\n> Colours need a terminal with at least 256 of them.",
        "> **NOTE**\n\n> Notes in GitHub's form are boxes too.",
    ],
    ids=["details", "warning", "github-alert"],
)
def test_boxes_are_text_with_their_title_as_a_label(vitepress: GeneratedSite, box: str) -> None:
    assert box in vitepress.text_of("reading-compressed-files")


def test_rows_terms_and_namesakes_are_cited_by_their_own_ids(vitepress: GeneratedSite) -> None:
    row = vitepress.cited_by("Option: `--follow`; Default: off; Meaning: Wait for new lines")
    assert (row.anchor, row.kind, row.title) == ("opt-follow", "row", "--follow")
    assert vitepress.cited_by("The configuration of one project.").anchor == "lantern-toml"
    second = vitepress.cited_by("A second section of the same name lists the log files themselves.")
    assert (second.anchor, second.title) == ("files-1", "Files")


def test_links_between_pages_are_known(vitepress: GeneratedSite) -> None:
    links = vitepress.index.links_to([vitepress.target("opt-follow").target_id])
    assert [(link.text, link.to_anchor_found) for link in links] == [("table", True)]
