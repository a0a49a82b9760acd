"""What the manifest tells of the example site is what its HTML tells: the same scopes, kinds, IDs, on every page."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from tests.e2e.conftest import BUILD
from tests.integration.indexing import run_index

from pincite_core.index.read import Index

SITE = BUILD.parent
LOCALES = ("", "fr")  # the folders of the indexes that the plugin wrote, each with a manifest
NOT_FOR_READERS = {"/docs/next/contributing/docs-style", "/fr/docs/next/contributing/docs-style"}  # `pincite: false`

Facts = dict[str, dict[str, object]]


def facts_of(indexes: Iterable[Index]) -> Facts:
    """Return what the indexes say of each page, by URL."""
    found: Facts = {}
    for index in indexes:
        scopes = {scope.scope_id: scope for scope in index.scopes}
        for page in index.pages():
            scope = scopes[page.scope_id]
            found[page.url] = {
                "locale": scope.locale,
                "plugin": (scope.plugin, scope.plugin_id),
                "version": scope.version,
                "label": scope.version_label,
                "is_last": scope.is_last,
                "source_type": page.source_type,
                "breadcrumbs": page.breadcrumbs,
                "tags": page.tags,
                "translated": page.translated,
                "doc_id": page.doc_id,
                "title": page.title,
                "description": page.description,
            }
    return found


def ids_of(indexes: Iterable[Index]) -> dict[tuple[str, str], str]:
    """Return the stable ID of each (page's URL, anchor)."""
    return {
        (page.url, target.anchor): target.stable_id
        for index in indexes
        for page in index.pages()
        for target in index.targets_of_page(page.page_id)
    }


@pytest.fixture(scope="module")
def told() -> list[Index]:
    if not (BUILD / "pincite" / "index.json").is_file():
        pytest.fail("The example site is not built. Run `make site` first.")
    return [Index.open(BUILD / locale / "pincite") for locale in LOCALES]


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """The same build indexed from its HTML alone."""
    return _index(tmp_path_factory.mktemp("read"))


@pytest.fixture(scope="module")
def with_sources(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """The same build indexed from its HTML and its Markdown, without a manifest."""
    return _index(tmp_path_factory.mktemp("with-sources"), "--docs", SITE)


def _index(out: Path, *options: str | Path) -> Index:
    done = run_index(BUILD, "--out", out, "--no-encoder", *options)
    assert done.returncode == 0, done.stderr
    return Index.open(out)


def test_every_fact_of_every_page_is_the_same(told: list[Index], read: Index) -> None:
    by_manifest, by_html = facts_of(told), facts_of([read])
    assert set(by_html) - set(by_manifest) == NOT_FOR_READERS
    assert {url: by_html[url] for url in by_manifest} == by_manifest


def test_the_example_site_has_pages_of_every_kind_to_agree_on(told: list[Index]) -> None:
    facts = list(facts_of(told).values())

    def values(name: str) -> set[object]:
        return {fact[name] for fact in facts}

    assert values("locale") == {"en", "fr"}
    assert values("version") == {None, "2.4", "current"}
    assert values("label") == {None, "2.4", "Next", "À venir"}
    assert {(fact["version"], fact["is_last"]) for fact in facts} == {(None, True), ("2.4", True), ("current", False)}
    assert values("source_type") == {"guide", "api", "example", "blog", "page"}
    assert values("translated") == {True, False}
    assert {fact["translated"] for fact in facts if fact["locale"] == "en"} == {True}
    assert any(fact["breadcrumbs"] for fact in facts)
    assert any(fact["tags"] for fact in facts)


def test_a_version_is_one_scope(told: list[Index], read: Index) -> None:
    for index in (*told, read):
        keys = [(scope.locale, scope.plugin, scope.plugin_id, scope.version) for scope in index.scopes]
        assert len(set(keys)) == len(keys)


def test_sources_give_the_same_pages_and_ids_as_the_manifest(told: list[Index], with_sources: Index) -> None:
    assert facts_of([with_sources]) == facts_of(told)
    assert ids_of([with_sources]) == ids_of(told)
