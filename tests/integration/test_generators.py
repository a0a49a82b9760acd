"""Sites built by the generators themselves, and indexed from their folder alone."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.integration.indexing import FIXTURES, parse_page, run_index

from pincite_core.read import Index
from pincite_core.types import Landing

SOURCES = FIXTURES / "sources"
BUILDS = {
    "mkdocs": ["mkdocs", "build", "--quiet", "--site-dir"],
    "sphinx": ["sphinx", "-q", "-b", "html", "."],
}


@pytest.fixture(scope="module", params=BUILDS)
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path, Index]:
    """Build a site with its real generator, index it, and return (generator, site, index)."""
    name = request.param
    source = Path(shutil.copytree(SOURCES / name, tmp_path_factory.mktemp(name) / "source"))
    site = source.parent / "site"
    done = subprocess.run(
        [sys.executable, "-m", *BUILDS[name], str(site)], cwd=source, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    indexed = run_index(site)
    assert indexed.returncode == 0, indexed.stderr
    return name, site, Index.open(site)


def _place(index: Index, anchor: str) -> tuple[str, str]:
    """Return (title, text) of the section with an id."""
    target = next(target for target in index.targets() if target.anchor == anchor)
    return target.title, "\n".join(chunk.text for chunk in index.chunks_of_target(target.target_id))


def test_every_target_is_on_its_page_and_every_heading_is_a_target(built: tuple[str, Path, Index]) -> None:
    _, site, index = built
    for page in index.pages():
        parsed = parse_page(site, page.url, index.info.base_url)
        anchors = {target.anchor for target in index.targets_of_page(page.page_id)} - {""}
        assert anchors
        assert anchors <= parsed.ids, page.url
        assert parsed.heading_ids <= anchors, page.url


def test_the_site_is_known_by_its_own_address(built: tuple[str, Path, Index]) -> None:
    name, _, index = built
    base = {"mkdocs": "/handbook/", "sphinx": "/api/"}[name]
    assert (index.info.site_url, index.info.base_url) == ("https://lantern.example", base)
    assert all(page.url.startswith(base) for page in index.pages())


def test_permalinks_search_boxes_and_contents_are_no_text(built: tuple[str, Path, Index]) -> None:
    _, _, index = built
    assert all("¶" not in target.title for target in index.targets())
    text = "\n".join(chunk.text for chunk in index.chunks())
    for furniture in ("¶", "Quick search", "Table of contents", "Back to top", "Powered by"):
        assert furniture not in text


def test_rows_and_code_keep_their_form(built: tuple[str, Path, Index]) -> None:
    name, _, index = built
    text = "\n".join(chunk.text for chunk in index.chunks())
    if name == "mkdocs":
        assert "Option: `--follow`; Default: off; Meaning: Wait for new lines" in text
        assert "```\nbrew install lantern\n```" in text
    else:
        assert "Level: `error`; Number: 40" in text
        assert '```python\nimport lantern\n\nlantern.light("app.log")  # C++ logs too\n```' in text


def test_footnote_marks_are_no_text_and_no_place_to_cite(built: tuple[str, Path, Index]) -> None:
    name, _, index = built
    if name != "mkdocs":
        pytest.skip("the footnotes are in the MkDocs site")
    _, text = _place(index, "what-it-is-not")
    assert text.startswith("It is no database, and keeps nothing after it ends.\n")
    assert "↩" not in text
    cited = {index.targets_by_id([sentence.target_id])[sentence.target_id].anchor for sentence in index.sentences()}
    assert not [anchor for anchor in cited if anchor.startswith("fnref")]


def test_a_mkdocs_tab_is_opened_before_landing_in_it(built: tuple[str, Path, Index]) -> None:
    name, _, index = built
    if name != "mkdocs":
        pytest.skip("tabs are MkDocs Material's")
    target = next(target for target in index.targets() if target.anchor == "after-apt")
    assert target.landing == (Landing("tab", "Linux"),)
    assert "What follows holds for both systems." in _place(index, "first-light")[1]


def test_a_sphinx_member_is_cited_by_its_own_id(built: tuple[str, Path, Index]) -> None:
    name, _, index = built
    if name != "sphinx":
        pytest.skip("API members are Sphinx's")
    anchors = {target.anchor: target.kind for target in index.targets()}
    assert {"lantern.light", "lantern.Lamp", "lantern.Lamp.dim"} <= set(anchors)
    sentences = {
        index.chunk(sentence.chunk_id).text[sentence.start : sentence.end]: sentence.target_id
        for sentence in index.sentences()
    }
    raised = index.targets_by_id([sentences["Raise the least level that is shown."]])
    assert [target.anchor for target in raised.values()] == ["lantern.Lamp.dim"]
