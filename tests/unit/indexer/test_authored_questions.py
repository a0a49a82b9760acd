from pathlib import Path

import pytest
from tests.unit.indexer.sites import docs_page, make_site

from pincite_core.errors import FrontMatterError
from pincite_indexer.page_questions import authored_questions
from pincite_indexer.site.resolved_site import Site


def site_with(folder: Path, front_matter: str) -> Site:
    """Return a site of one page, whose source begins with this."""
    sources = folder / "docs"
    sources.mkdir()
    (sources / "a.md").write_text(f"---\n{front_matter}\n---\n\n# A\n", encoding="utf-8")
    return make_site(folder / "build", {"docs/a/index.html": docs_page("<p>Text.", "a")}, docs=sources)


def test_a_page_offers_the_questions_of_its_front_matter(tmp_path: Path) -> None:
    site = site_with(tmp_path, 'pincite_questions: ["Which port?", " How do I start? "]')
    assert authored_questions(site.pages) == {"/docs/a/": ("Which port?", "How do I start?")}


def test_an_empty_list_offers_no_questions_and_a_missing_list_uses_the_headings(tmp_path: Path) -> None:
    assert authored_questions(site_with(tmp_path, "pincite_questions: []").pages) == {"/docs/a/": ()}
    assert authored_questions(make_site(tmp_path / "b", {"docs/a/index.html": docs_page("<p>Text.", "a")}).pages) == {}


@pytest.mark.parametrize("value", ["Which port?", "[1]", '[""]', "[a, b, c, d]", "{a: b}", f"[{'a' * 201}]"])
def test_an_invalid_value_is_refused_with_its_page_and_the_expected_form(tmp_path: Path, value: str) -> None:
    site = site_with(tmp_path, f"pincite_questions: {value}")
    with pytest.raises(FrontMatterError, match=r"a\.md: pincite_questions must be a list of at most 3 questions"):
        authored_questions(site.pages)
