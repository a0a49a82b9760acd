"""What holds for a site of any generator, indexed from its folder alone."""

from tests.integration.generators.conftest import GeneratedSite
from tests.integration.indexing import parse_page

_FURNITURE = (
    *("¶", "Quick search", "Table of contents", "Back to top", "Powered by", "On this page", "Skip to content"),
    *(
        "Sidebar",
        "Navbar",
        "Outline of this page",
        "Footer",
        "Edit this",
        "Appearance",
        "Copy",
        "Previous",
        "Next page",
    ),
)


def test_every_target_is_on_its_page_and_every_heading_is_a_target(generated: GeneratedSite) -> None:
    index = generated.index
    for page in index.pages():
        seen = parse_page(generated.folder, page.url, index.info.base_url)
        anchors = {target.anchor for target in index.targets_of_page(page.page_id)} - {""}
        assert anchors
        assert anchors <= seen.ids - seen.outside, page.url
        assert seen.heading_ids <= anchors, page.url


def test_nothing_around_the_content_is_text(generated: GeneratedSite) -> None:
    assert all("¶" not in target.title for target in generated.index.targets())
    text = generated.text()
    assert [furniture for furniture in _FURNITURE if furniture in text] == []


def test_the_site_is_called_by_its_name(generated: GeneratedSite) -> None:
    assert generated.index.info.title == "Lantern"
    assert all(page.title for page in generated.index.pages())


def test_pages_have_no_version_where_the_generator_knows_none(generated: GeneratedSite) -> None:
    assert {(scope.version, scope.is_last) for scope in generated.index.scopes} == {(None, True)}


def test_a_question_cites_the_heading_that_answers_it(generated: GeneratedSite) -> None:
    asked = generated.ask("Which port does the socket listen on?")
    assert asked["type"] == "answer"
    assert "The socket listens on port 4180." in asked["answer"]
    said = next(claim for claim in asked["claims"] if "port 4180" in claim["text"])
    cited = next(citation for citation in asked["citations"] if citation["n"] in said["citations"])
    target = generated.cited_by("The socket listens on port 4180.")
    page = generated.index.page(target.page_id)
    assert (cited["url"], cited["anchor"]) == (f"{page.url}#{target.anchor}", target.anchor)
    assert target.anchor in {"port", "second-opinion", "with-a-socket", "socket"}
