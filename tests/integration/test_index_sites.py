"""`pincite index` over small sites of every kind, checked by a parser other than the one that made the index."""

import json
from pathlib import Path

import pytest
from tests.integration.indexing import FIXTURES, SITES, copy_site, parse_page, run_index

from pincite_core.index.read import Index
from pincite_core.urls import split_fragment


@pytest.fixture(scope="module", params=SITES)
def indexed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Index]:
    out = tmp_path_factory.mktemp(request.param)
    result = run_index(FIXTURES / request.param, "--out", out)
    assert result.returncode == 0, result.stderr
    return FIXTURES / request.param, Index.open(out)


@pytest.fixture(scope="module")
def harbor(tmp_path_factory: pytest.TempPathFactory) -> Index:
    out = tmp_path_factory.mktemp("harbor")
    assert run_index(FIXTURES / "harbor", "--out", out).returncode == 0
    return Index.open(out)


def test_every_targets_id_is_on_its_page(indexed: tuple[Path, Index]) -> None:
    site, index = indexed
    targets = index.targets()
    assert any(target.anchor for target in targets)
    for target in targets:
        page = index.page(target.page_id)
        assert target.anchor in parse_page(site, page.url, index.info.base_url).ids | {""}, (
            f"{page.url}#{target.anchor}"
        )


def test_every_heading_with_an_id_is_a_target(indexed: tuple[Path, Index]) -> None:
    site, index = indexed
    for page in index.pages():
        headings = parse_page(site, page.url, index.info.base_url).heading_ids
        assert headings <= {target.anchor for target in index.targets_of_page(page.page_id)}, page.url


def test_every_sentence_stands_in_its_chunk_and_lands_on_its_own_page(indexed: tuple[Path, Index]) -> None:
    _, index = indexed
    chunks = {chunk.chunk_id: chunk for chunk in index.chunks()}
    targets = {target.target_id: target for target in index.targets()}
    for unit in index.units():
        chunk = chunks[unit.chunk_id]
        assert chunk.text[unit.start : unit.end].strip()
        assert targets[unit.target_id].page_id == targets[chunk.target_id].page_id == chunk.page_id


def test_every_url_of_the_public_list_of_ids_lands(indexed: tuple[Path, Index]) -> None:
    site, index = indexed
    ids = json.loads((index.file.parent / "ids.json").read_text())["ids"]
    assert len(ids) == len(index.targets())
    for item in ids:
        url, anchor = split_fragment(item["url"])
        assert anchor in parse_page(site, url, index.info.base_url).ids | {""}
    assert len({(item["id"], item["locale"], item["version"]) for item in ids}) == len(ids)


def test_pages_are_those_that_readers_can_find(harbor: Index) -> None:
    assert [page.url for page in harbor.pages()] == [
        "/kit/",
        "/kit/blog/hello",
        "/kit/docs/1.0/install",
        "/kit/docs/api",
        "/kit/docs/install",
        "/kit/fr/docs/install",
    ]


def test_pages_know_their_scope_kind_and_place(harbor: Index) -> None:
    scopes = {scope.scope_id: scope for scope in harbor.scopes}
    facts = {
        page.url: (scopes[page.scope_id].locale, scopes[page.scope_id].version, page.source_type)
        for page in harbor.pages()
    }
    assert facts == {
        "/kit/": ("en", None, "page"),
        "/kit/blog/hello": ("en", None, "blog"),
        "/kit/docs/1.0/install": ("en", "1.0", "guide"),
        "/kit/docs/api": ("en", "2.0", "api"),
        "/kit/docs/install": ("en", "2.0", "guide"),
        "/kit/fr/docs/install": ("fr", "2.0", "guide"),
    }
    assert {scope.version for scope in harbor.scopes if scope.is_last} == {None, "2.0"}
    assert harbor.page_at("/kit/docs/api").breadcrumbs == ("Guides",)
    assert harbor.info.locales == ("en", "fr")
    assert (harbor.info.site_url, harbor.info.base_url) == ("https://harbor.example", "/kit/")
    assert harbor.info.title == "Harbor"


def test_redirects_lead_to_the_place_they_forward_to(harbor: Index) -> None:
    assert {redirect.url for redirect in harbor.redirects()} == {"/kit/docs/old", "/kit/legacy.html"}
    assert harbor.page_at("/kit/docs/old").url == "/kit/docs/install"
    assert harbor.page_at("/kit/legacy.html").url == "/kit/docs/install"


def test_links_join_sections_to_rows(harbor: Index) -> None:
    links = harbor.links_to([harbor.target_at("/kit/docs/api#opt-retries").target_id])
    assert [(link.text, link.to_anchor_found) for link in links] == [("the number of retries", True)]
    assert harbor.target(links[0].from_target_id).anchor == "log"


def test_a_link_to_a_fragment_that_does_not_exist_is_counted(tmp_path: Path) -> None:
    result = run_index(FIXTURES / "plain", "--out", tmp_path, "--json")
    assert json.loads(result.stdout)["report"]["dead_fragments"] == 1


def test_the_text_of_a_hidden_page_is_nowhere(harbor: Index) -> None:
    text = "\n".join(chunk.text for chunk in harbor.chunks())
    for gone in ("Nobody may find this", "Page not found", "Copyright", "google-site-verification", "Menu"):
        assert gone not in text


def test_noindex_pages_can_be_asked_for(tmp_path: Path) -> None:
    run_index(FIXTURES / "harbor", "--out", tmp_path, "--noindex", "include")
    assert Index.open(tmp_path).page_at("/kit/hidden") is not None


def test_the_same_build_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert run_index(FIXTURES / "harbor", "--out", tmp_path / name).returncode == 0
    for name in ("index.db", "ids.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_a_build_without_the_cache_gives_the_same_bytes(tmp_path: Path) -> None:
    assert run_index(FIXTURES / "harbor", "--out", tmp_path / "one").returncode == 0
    assert run_index(FIXTURES / "harbor", "--out", tmp_path / "two", "--no-cache").returncode == 0
    assert (tmp_path / "one/index.db").read_bytes() == (tmp_path / "two/index.db").read_bytes()


def test_the_second_build_embeds_nothing(tmp_path: Path) -> None:
    run_index(FIXTURES / "sphinx", "--out", tmp_path)
    report = json.loads(run_index(FIXTURES / "sphinx", "--out", tmp_path, "--json").stdout)["report"]
    assert report["vectors_embedded"] == 0
    assert report["vectors_reused"] > 0


def test_an_index_inside_the_site_is_no_page_of_the_next_one(tmp_path: Path) -> None:
    site = copy_site("harbor", tmp_path)
    assert run_index(site).returncode == 0
    first = (site / "pincite/index.db").read_bytes()
    assert run_index(site).returncode == 0
    assert (site / "pincite/index.db").read_bytes() == first
    assert (site / "pincite/pincite.js").is_file()


def test_a_docs_folder_named_like_the_index_is_indexed(tmp_path: Path) -> None:
    site = copy_site("plain", tmp_path)
    (site / "guide").rename(site / "pincite")
    assert run_index(site, "--out", tmp_path / "out").returncode == 0
    assert Index.open(tmp_path / "out").page_at("/pincite/page") is not None


def test_what_a_build_prints_is_json_when_asked_and_readable_when_not(tmp_path: Path) -> None:
    facts = json.loads(run_index(FIXTURES / "harbor", "--out", tmp_path, "--json").stdout)
    assert facts["counts"]["pages"] == 6
    left_out = {"noindex": 1, "not-found page": 1, "search page": 1, "no HTML page": 1, "redirect": 2}
    assert facts["report"]["left_out"] == left_out
    shown = run_index(FIXTURES / "harbor", "--out", tmp_path).stdout
    assert "Pages" in shown
    assert "6  (" in shown
