"""Questions about the parameters of a web API, answered by the sidecar and in the browser."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.integration.browser_engine import Asked, BrowserEngine, build_files, sidecar_reply
from tests.unit.indexer.api_pages import PAGES
from tests.unit.indexer.one_page import document

from pincite_core.index.read import Index

OTHER = "<h1>Moorings</h1><p>A mooring is a place for a boat outside a harbor, held by an anchor.</p>"


@dataclass(frozen=True)
class Site:
    """A site with the API of a marina as one tool shows it, and its index."""

    folder: Path
    index: Index
    browser: BrowserEngine

    def answers(self, query: str) -> list[str]:
        """Return the answers of the sidecar and of the browser."""
        asked = Asked(query)
        embedded, reply = sidecar_reply(self.index, asked)
        replies = [reply, self.browser.reply(self.folder, asked, embedded)[1]]
        return [one["answer"] for one in replies]


@pytest.fixture(scope="module", params=PAGES)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, browser: BrowserEngine) -> Site:
    page = (
        f'<!doctype html><html lang="en"><head><title>Marina</title></head><body>{PAGES[request.param]}</body></html>'
    )
    files = {"api/index.html": page, "moorings/index.html": document(OTHER)}
    folder = build_files(files, tmp_path_factory.mktemp("api"))
    return Site(folder, Index.open(folder), browser)


@pytest.mark.parametrize(
    ("query", "row"),
    [
        ("Is boat_id required?", "boat_id"),
        ("What is the default of nights?", "nights"),
        ("What is the type of owner.street?", "owner.street"),
    ],
)
def test_a_question_about_a_parameter_is_answered_with_its_row(site: Site, query: str, row: str) -> None:
    expected = {"boat_id": "required", "nights": "2", "owner.street": "string"}[row]
    for answer in site.answers(query):
        assert row in answer
        assert expected in answer
        assert "boat_idstring" not in answer


@pytest.mark.parametrize("query", ["POST /berths", "POST /berths/{harbor}", "Reserve a berth"])
def test_an_operation_is_found_by_its_method_path_and_name(site: Site, query: str) -> None:
    for answer in site.answers(query):
        assert "berth" in answer.casefold()
    _, reply = sidecar_reply(site.index, Asked(query))
    titles = [" ".join(citation["heading_path"]) for citation in reply["citations"]]
    assert "POST /berths/{harbor}" in titles[0]
