"""Which generator made a page, and what one module about it is enough for."""

from dataclasses import replace

import pytest
from lxml import etree

from pincite_indexer.generators.docusaurus import DOCUSAURUS
from pincite_indexer.generators.generator import PageMarkup
from pincite_indexer.generators.known_generators import GENERATORS, every, generator_named, name_of_generator
from pincite_indexer.generators.mkdocs import MKDOCS
from pincite_indexer.generators.plain import PLAIN
from pincite_indexer.generators.sphinx import SPHINX
from pincite_indexer.generators.vitepress import VITEPRESS
from pincite_indexer.pages.markup import page_markup

NOTHING = PageMarkup((), {}, (), (), (), ())


@pytest.mark.parametrize(
    ("said", "generator"),
    [
        ("Docusaurus v3.9.2", DOCUSAURUS),
        ("VitePress v1.6.4", VITEPRESS),
        ("mkdocs-1.6.1, mkdocs-material-9.6.20", MKDOCS),
        ("Sphinx", SPHINX),
        ("Hugo 0.150.0", PLAIN),
        ("", PLAIN),
    ],
)
def test_a_generator_is_known_by_how_its_name_begins(said: str, generator: object) -> None:
    assert name_of_generator(replace(NOTHING, metas={"generator": said})) == said
    assert generator_named(said) is generator


def test_sphinx_is_known_by_its_script_whatever_a_theme_says() -> None:
    page = page_markup(
        etree.HTML(
            '<html><head><meta name="generator" content="Docutils 0.22"/>'
            '<script src="../_static/documentation_options.js?v=1"></script></head><body></body></html>'
        )
    )
    assert name_of_generator(page) == "Sphinx"


def test_no_two_generators_claim_one_name_or_script() -> None:
    for told in (
        [item.name for item in GENERATORS if item.name],
        [item.script for item in GENERATORS if item.script],
    ):
        assert len(set(told)) == len(told)
    assert [item.name for item in GENERATORS if not item.name] == ["", ""]  # TypeDoc stands within another's site


def test_what_one_generator_calls_furniture_is_furniture_on_every_page() -> None:
    assert every(lambda generator: generator.furniture) >= DOCUSAURUS.furniture | MKDOCS.furniture | PLAIN.furniture


def test_a_page_that_says_nothing_belongs_nowhere() -> None:
    said = [generator.says(NOTHING) for generator in GENERATORS if generator.says]
    assert len(said) > 1
    assert all((item.plugin, item.version, item.doc_id, item.tags) == ("", None, "", ()) for item in said)


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
def test_docusaurus_tells_by_its_folders_which_page_a_source_makes(
    parts: tuple[str, ...], front_matter: dict[str, str], has_docs: bool, key: tuple[str, ...]
) -> None:
    assert DOCUSAURUS.source_key is not None
    assert DOCUSAURUS.source_key(parts, front_matter, has_docs) == key
