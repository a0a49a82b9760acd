"""Markdown sources: which ids are the author's own, and which page a file is."""

from pathlib import Path

import pytest

from pincite_indexer.site.sources import read_source, read_sources


def explicit_ids(folder: Path, text: str) -> frozenset[str]:
    (folder / "page.mdx").write_text(text, encoding="utf-8")
    return read_source(folder / "page.mdx").explicit_ids


@pytest.mark.parametrize(
    "heading",
    [
        "## Install {#own}",
        "## Install {/* #own */}",
        "## Install {/*#own*/}",
        "## Install <!-- #own -->",
        "Install {#own}\n---",
        '<h2 id="own">Install</h2>',
        "<h2 id='own'>Install</h2>",
        "<h2 id={'own'}>Install</h2>",
        'Text <a id="own"></a> more',
        '<a name="own"></a>',
        '<Tabs>\n<TabItem value="a">\n\n### Install {#own}\n\n</TabItem>\n</Tabs>',
        "- item\n\n  ### Install {#own}",
        "> ### Install {#own}",
        '| a |\n|---|\n| <span id="own">x</span> |',
    ],
)
def test_an_id_written_by_hand_is_found_in_every_syntax(tmp_path: Path, heading: str) -> None:
    assert explicit_ids(tmp_path, f"Intro.\n\n{heading}\n\nText.\n") == {"own"}


@pytest.mark.parametrize(
    "text",
    [
        "```md\n## Install {#own}\n```",
        '```html\n<h2 id="own">x</h2>\n```',
        "    ## Install {#own}",
        "## Install",
        "Text that says {#own} somewhere.",
        "## Not at {#own} the end",
    ],
)
def test_what_only_looks_like_an_id_is_none(tmp_path: Path, text: str) -> None:
    assert explicit_ids(tmp_path, f"Intro.\n\n{text}\n") == frozenset()


@pytest.mark.parametrize("name", ["./_part.mdx", "@site/docs/_part.mdx"])
def test_an_imported_partial_brings_its_ids(tmp_path: Path, name: str) -> None:
    docs = tmp_path / "docs" / "deep"
    docs.mkdir(parents=True)
    for folder in (docs, docs.parent):
        (folder / "_part.mdx").write_text(f"import Me from '{name}';\n\n## Shared {{#shared}}\n")
    page = docs / "page.mdx"
    page.write_text(f"import Part from '{name}';\n\n## Own {{#own}}\n\n<Part />\n")
    assert read_source(page).explicit_ids == {"own", "shared"}


def test_a_partial_that_does_not_exist_is_no_error(tmp_path: Path) -> None:
    assert explicit_ids(tmp_path, "import Part from './_none.mdx';\n\n## Own {#own}\n") == {"own"}


def test_front_matter_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("\ufeff---\nid: x\nmodule_id: kit\npincite: false\n---\n# A\n", encoding="utf-8")
    assert read_source(tmp_path / "a.md").front_matter == {"id": "x", "module_id": "kit", "pincite": False}


@pytest.mark.parametrize("matter", ["a: [1", "date: 2024-02-30", "- list", "\t"])
def test_broken_front_matter_counts_as_none(tmp_path: Path, matter: str) -> None:
    (tmp_path / "a.md").write_text(f"---\n{matter}\n---\n\n## Own {{#own}}\n")
    source = read_source(tmp_path / "a.md")
    assert dict(source.front_matter) == {}
    assert "own" in source.explicit_ids


@pytest.mark.parametrize(
    ("file", "key"),
    [
        ("docs/guides/install.md", ("", "default", "current", "guides/install")),
        ("docs/01-guides/02_install.mdx", ("", "default", "current", "guides/install")),
        ("docs/2024-plan.md", ("", "default", "current", "plan")),
        ("docs/3-d.md", ("", "default", "current", "d")),
        ("versioned_docs/version-1.0/intro.md", ("", "default", "1.0", "intro")),
        ("sdk_versioned_docs/version-2.x/intro.md", ("", "sdk", "2.x", "intro")),
        ("i18n/fr/docusaurus-plugin-content-docs/current/intro.md", ("fr", "default", "current", "intro")),
        ("i18n/fr/docusaurus-plugin-content-docs/version-1.0/a/intro.md", ("fr", "default", "1.0", "a/intro")),
        ("i18n/fr/docusaurus-plugin-content-docs-sdk/current/intro.md", ("fr", "sdk", "current", "intro")),
        ("sdk/intro.md", ("", "sdk", "current", "intro")),
        ("blog/2024-01-02-post.md", ("", "blog", None, "2024/01/02/post")),
        ("blog/2024/01/02/post/index.md", ("", "blog", None, "2024/01/02/post")),
        ("blog/undated.md", ("", "blog", None, "undated")),
        ("i18n/fr/docusaurus-plugin-content-blog/2024-01-02-post.md", ("fr", "blog", None, "2024/01/02/post")),
    ],
)
def test_a_file_is_known_by_locale_plugin_version_and_doc_id(
    tmp_path: Path, file: str, key: tuple[str, str, str | None, str]
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text("# Page\n")
    (source,) = read_sources(tmp_path)
    assert source.keys == (key,)
    assert source.path == file


def test_the_front_matters_id_replaces_the_files_name(tmp_path: Path) -> None:
    (tmp_path / "guides").mkdir()
    (tmp_path / "guides" / "moved.md").write_text("---\nid: install\n---\n# Install\n")
    assert [source.keys for source in read_sources(tmp_path)] == [(("", "default", "current", "guides/install"),)]


def test_a_posts_slug_replaces_its_date_and_name(tmp_path: Path) -> None:
    for folder in ("docs", "blog"):
        (tmp_path / folder).mkdir()
    (tmp_path / "blog" / "2024-01-02-post.md").write_text("---\nslug: /hello\n---\n# Post\n")
    assert [source.keys for source in read_sources(tmp_path)] == [(("", "blog", None, "hello"),)]


def test_partials_and_other_peoples_packages_are_no_pages(tmp_path: Path) -> None:
    for name in ("_partial.md", "node_modules/x/readme.md", "notes.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("# X\n")
    assert read_sources(tmp_path) == ()
