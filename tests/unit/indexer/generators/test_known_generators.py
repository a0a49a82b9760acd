"""Recognition of a page's generator, and the markup of the built-in generators."""

from dataclasses import replace

import pytest
from lxml import etree

from pincite_indexer.generators.docusaurus import DOCUSAURUS
from pincite_indexer.generators.generator import PageMarkup
from pincite_indexer.generators.known_generators import (
    GENERATORS,
    MERGED,
    MKDOCS,
    PLAIN,
    SPHINX,
    VITEPRESS,
    generator_named,
    name_of_generator,
)
from pincite_indexer.pages.markup import page_markup

NOTHING = PageMarkup((), {}, (), (), (), ())


@pytest.mark.parametrize(
    ("name", "generator"),
    [
        ("Docusaurus v3.9.2", DOCUSAURUS),
        ("VitePress v1.6.4", VITEPRESS),
        ("mkdocs-1.6.1, mkdocs-material-9.6.20", MKDOCS),
        ("Sphinx", SPHINX),
        ("Zola 0.19.0", PLAIN),
        ("", PLAIN),
    ],
)
def test_a_generator_is_recognised_by_the_start_of_its_name(name: str, generator: object) -> None:
    assert name_of_generator(replace(NOTHING, metas={"generator": name})) == name
    assert generator_named(name) is generator


def test_sphinx_is_recognised_by_its_script_even_if_a_theme_names_another_generator() -> None:
    page = page_markup(
        etree.HTML(
            '<html><head><meta name="generator" content="Docutils 0.22"/>'
            '<script src="../_static/documentation_options.js?v=1"></script></head><body></body></html>'
        )
    )
    assert name_of_generator(page) == "Sphinx"


def test_no_two_generators_claim_one_name_or_script() -> None:
    for values in (
        [item.name for item in GENERATORS if item.name],
        [item.script for item in GENERATORS if item.script],
    ):
        assert len(set(values)) == len(values)
    assert all(item.name for item in (DOCUSAURUS, VITEPRESS, MKDOCS, SPHINX))


def test_furniture_of_one_generator_is_furniture_on_every_page() -> None:
    assert MERGED.furniture >= DOCUSAURUS.furniture | MKDOCS.furniture | PLAIN.furniture


def test_a_page_without_metadata_has_no_place_in_a_site() -> None:
    found = [generator.read_metadata(NOTHING) for generator in GENERATORS if generator.read_metadata]
    assert len(found) > 1
    assert all((item.plugin, item.version, item.doc_id, item.tags) == ("", None, "", ()) for item in found)


@pytest.mark.parametrize(
    ("parts", "front_matter", "has_docs", "key"),
    [
        (("docs", "01-guides", "02-install.md"), {}, True, ("", "default", "current", "guides/install")),
        (("docs", "guides", "install.md"), {"id": "setup"}, True, ("", "default", "current", "guides/setup")),
        (("versioned_docs", "version-1.0", "a.md"), {}, True, ("", "default", "1.0", "a")),
        (("api_versioned_docs", "version-2.x", "a.md"), {}, False, ("", "api", "2.x", "a")),
        (("blog", "2026-01-20-name.md"), {}, True, ("", "blog", None, "2026/01/20/name")),
        (("blog", "2026-01-20-name.md"), {"slug": "/hello/"}, True, ("", "blog", None, "hello")),
        (
            ("i18n", "fr", "docusaurus-plugin-content-docs-api", "version-1.0", "a.md"),
            {},
            False,
            ("fr", "api", "1.0", "a"),
        ),
        (("guides", "install.md"), {}, False, ("", "default", "current", "guides/install")),
    ],
)
def test_docusaurus_finds_the_page_of_a_source_by_its_folders(
    parts: tuple[str, ...], front_matter: dict[str, str], has_docs: bool, key: tuple[str, ...]
) -> None:
    assert DOCUSAURUS.source_key is not None
    assert DOCUSAURUS.source_key(parts, front_matter, has_docs) == key
