"""Drafts to pages: scope, kind, source and what is left out, with a manifest and without."""

import errno
import os
from pathlib import Path

import msgspec
import pytest
from tests.unit.indexer.one_page import document
from tests.unit.indexer.sites import docs_page, make_site, page_at

from pincite_core.errors import ManifestError, SiteError
from pincite_core.types import Redirect, Scope
from pincite_indexer.site.manifest import Manifest, parse_manifest
from pincite_indexer.site.scan import SkippedFile, find_html

CANONICAL = '<link rel="canonical" href="https://x.example/kit/{}">'
VERSIONS = {
    "docs/a/index.html": docs_page("<p>New.", "a", version="2.0", head=CANONICAL.format("docs/a")),
    "docs/1.0/a/index.html": docs_page("<p>Old.", "a", version="1.0", head=CANONICAL.format("docs/1.0/a")),
    "docs/next/a/index.html": docs_page("<p>Next.", "a", head=CANONICAL.format("docs/next/a")),
    "fr/docs/a/index.html": docs_page("<p>Neuf.", "a", version="2.0", locale="fr", head=CANONICAL.format("fr/docs/a")),
}


def manifest_of(pages: list[dict[str, object]], **facts: object) -> Manifest:
    return parse_manifest(msgspec.json.encode({"manifest_version": 1, "pages": pages, **facts}))


def test_the_version_with_the_shortest_urls_is_the_last_one(tmp_path: Path) -> None:
    site = make_site(tmp_path, VERSIONS)
    last = {(page.scope.locale, page.scope.version): page.scope.is_last for page in site.pages}
    assert last == {("en", "2.0"): True, ("en", "1.0"): False, ("en", "current"): False, ("fr", "2.0"): True}
    assert page_at(site, "/kit/docs/next/a").scope.version_label == "Next"


def test_a_versions_badge_labels_all_its_pages(tmp_path: Path) -> None:
    def page(doc_id: str, badge: str, locale: str = "en") -> str:
        return docs_page(f"<p>{doc_id}.", doc_id, locale=locale).replace("<article>", f"<article>{badge}")

    badge = '<span class="theme-doc-version-badge badge">{}</span>'
    files = {
        "docs/a.html": page("a", badge.format("Version: Next: preview")),
        "docs/tags.html": page("tags", ""),
        "zh/docs/a.html": page("a", badge.format("版本：预览"), "zh"),
    }
    labels = {page.url: page.scope.version_label for page in make_site(tmp_path, files).pages}
    assert labels == {"/docs/a.html": "Next: preview", "/docs/tags.html": "Next: preview", "/zh/docs/a.html": "预览"}


def test_a_page_that_repeats_the_default_locales_text_is_no_translation(tmp_path: Path) -> None:
    text = "".join(f"<p>Sentence {number} of this page.</p>" for number in range(10))
    tip = '<div class="admonition tip"><p class="admonition-title">{}</p></div>'
    files = {
        "index.html": docs_page("<p>Home.", "home"),
        "docs/a/index.html": docs_page(text + tip.format("tip"), "a"),
        "docs/b/index.html": docs_page(text, "b"),
        "docs/c/index.html": docs_page("<pre>same</pre>", "c"),
        "fr/docs/a/index.html": docs_page(text + tip.format("astuce"), "a", locale="fr"),
        "fr/docs/b/index.html": docs_page(text.replace("Sentence", "Phrase"), "b", locale="fr"),
        "fr/docs/c/index.html": docs_page("<pre>same</pre>", "c", locale="fr"),
    }
    site = make_site(tmp_path, files)
    assert [page.url for page in site.pages if not page.translated] == ["/fr/docs/a/"]


def test_the_home_pages_locale_is_the_default_one(tmp_path: Path) -> None:
    home = document("<p>Accueil.", '<title>S</title><meta name="docusaurus_locale" content="fr">')
    site = make_site(tmp_path, {**VERSIONS, "index.html": home})
    assert site.default_locale == "fr"
    assert site.locales == ("fr", "en")


def test_a_manifest_and_the_html_agree(tmp_path: Path) -> None:
    files = {name: text for name, text in VERSIONS.items() if not name.startswith("fr")}
    pages = [
        {
            "route": f"/kit/docs/{version_path}a",
            "html": f"docs/{version_path}a/index.html",
            "plugin": "docusaurus-plugin-content-docs",
            "plugin_id": "default",
            "kind": "doc",
            "doc_id": "a",
            "version": version,
            "version_label": {"current": "Next"}.get(version, version),
            "is_last": version == "2.0",
            "title": "T",
        }
        for version, version_path in (("2.0", ""), ("1.0", "1.0/"), ("current", "next/"))
    ]
    told = make_site(
        tmp_path,
        files,
        manifest=manifest_of(
            pages,
            url="https://x.example",
            base_url="/kit/",
            title="S",
            locale="en",
            default_locale="en",
            locales=["en"],
        ),
    )
    read = make_site(tmp_path, files)
    assert (told.urls, told.title, told.locales) == (read.urls, read.title, read.locales)
    for one, other in zip(told.pages, read.pages, strict=True):
        assert (one.url, one.scope, one.title, one.doc_id, one.source_type, one.listing) == (
            (other.url, other.scope, other.title, other.doc_id, other.source_type, other.listing)
        )


def test_a_manifest_brings_front_matter_and_the_authors_ids(tmp_path: Path) -> None:
    (tmp_path / "src/docs").mkdir(parents=True)
    (tmp_path / "src/docs/a.md").write_text("## Own {#own}\n")
    pages = [{"route": "/a", "html": "a.html", "front_matter": {"module_id": "m"}, "source": "@site/docs/a.md"}]
    site = make_site(
        tmp_path / "build",
        {"a.html": docs_page("<h2 id=own>Own</h2><p>x", "a")},
        manifest=manifest_of(pages, site_dir=str(tmp_path / "src")),
    )
    assert site.pages[0].front_matter == {"module_id": "m"}
    assert site.pages[0].explicit_ids == {"own"}
    assert site.pages[0].source == "@site/docs/a.md"


def test_markdown_sources_bring_the_same_without_a_manifest(tmp_path: Path) -> None:
    docs = tmp_path / "src"
    for file, own in (("docs/a.md", "now"), ("versioned_docs/version-1.0/a.md", "then")):
        (docs / file).parent.mkdir(parents=True)
        (docs / file).write_text(f"---\nchapter_id: {own}\n---\n## Own {{#{own}}}\n")
    files = {
        "docs/a.html": docs_page("<p>x", "a"),
        "docs/1.0/a.html": docs_page("<p>y", "a", version="1.0"),
    }
    site = make_site(tmp_path / "build", files, docs=docs)
    assert {page.source: page.explicit_ids for page in site.pages} == {
        "docs/a.md": {"now"},
        "versioned_docs/version-1.0/a.md": {"then"},
    }


def test_a_landing_page_is_called_by_its_title_and_a_doc_by_its_heading(tmp_path: Path) -> None:
    landing = document("<h1>Work that arrives</h1><p>x", "<title>Home | S</title>", 'class="plugin-pages"')
    site = make_site(tmp_path, {"a.html": landing, "b.html": docs_page("<h1>Doc</h1><p>x", "b")})
    assert [page.title for page in site.pages] == ["Home", "Doc"]


def test_a_posts_source_is_found_by_the_end_of_its_url(tmp_path: Path) -> None:
    docs = tmp_path / "src"
    for file in ("docs/a.md", "blog/2024-01-02-b.md"):
        (docs / file).parent.mkdir(parents=True)
        (docs / file).write_text("---\nchapter_id: own\n---\n# Own\n")
    post = document("<p>x", html='class="plugin-blog plugin-id-default blog-post-page"')
    files = {"news/2024/01/02/b.html": post, "news/c.html": post, "docs/tags/a.html": docs_page("<p>x", "")}
    site = make_site(tmp_path / "build", files, docs=docs)
    assert [page.source for page in site.pages] == ["", "blog/2024-01-02-b.md", ""]


@pytest.mark.parametrize(
    ("file", "text", "why"),
    [
        ("google1.html", "google-site-verification: google1.html", "no HTML page"),
        ("empty.html", "", "no HTML page"),
    ],
)
def test_skipped_files_have_a_reason(tmp_path: Path, file: str, text: str, why: str) -> None:
    site = make_site(tmp_path, {"index.html": document("<p>Home."), file: text})
    assert [page.draft.file for page in site.pages] == ["index.html"]
    assert site.skipped == [SkippedFile(file, why)]


def sphinx_page(content: str) -> str:
    return document(content, '<title>T</title><script src="/_static/documentation_options.js"></script>')


SOURCE = '<h1>Source code for {}</h1><div class="highlight"><pre><span></span>import os\n</pre></div>'
MODULES = '<h1>All modules for which code is available</h1><ul><li><a href="{}">kit.io</a></li></ul>'


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("_modules/kit.html", SOURCE.format("kit")),
        ("_modules/kit/io.html", SOURCE.format("kit.io")),
        ("en/2.1/_modules/kit/_modules/io/index.html", SOURCE.format("kit._modules.io")),
        ("_modules/kit.html", SOURCE.replace("Source code for {}", "{}のソースコード").format("kit")),
        ("_modules/kit.html", "<p>See the docs of 2.0.</p>" + SOURCE.format("kit") + "<p>By the authors.</p>"),
        ("_modules/index.html", MODULES.format("kit/io.html")),
        ("_modules/index.html", MODULES.format("kit/io/")),
    ],
    ids=["module", "submodule", "folder", "language", "theme", "modules", "modules-folders"],
)
def test_a_modules_source_code_as_sphinx_shows_it_is_left_out(tmp_path: Path, file: str, content: str) -> None:
    site = make_site(tmp_path, {"index.html": sphinx_page("<p>Home."), file: sphinx_page(content)})
    assert [page.draft.file for page in site.pages] == ["index.html"]
    assert site.skipped == [SkippedFile(file, "source code page")]


@pytest.mark.parametrize(
    ("file", "page"),
    [
        ("_modules/kit.html", document(SOURCE.format("kit"))),
        ("_modules/index.html", document(MODULES.format("kit/io.html"))),
        ("modules/kit.html", sphinx_page(SOURCE.format("kit"))),
        ("_modules/kit.html", sphinx_page(SOURCE.format("lantern"))),
        ("_modules/kit.html", sphinx_page("<h1>kit</h1><pre>import kit</pre>")),
        ("_modules/kit.html", sphinx_page("<h1>kit module</h1><p>Kits.</p><pre>import kit</pre>")),
        ("_modules/kit.html", sphinx_page("<h1>kit module</h1><pre>kit.io()</pre><h2 id=io>io</h2><p>Reads.</p>")),
        ("_modules/kit.html", sphinx_page("<h1>kit module</h1><pre>import kit</pre><p>or</p><pre>kit.io()</pre>")),
        ("_modules/kit.html", sphinx_page("<p>A page about kit without a heading.</p>")),
        ("_modules/index.html", sphinx_page(MODULES.replace("kit.io", "Reading files").format("kit/io.html"))),
        ("_modules/index.html", sphinx_page("<h1>Modules</h1><ul><li>kit.io</li></ul>")),
    ],
    ids=[
        "no-sphinx",
        "no-sphinx-index",
        "another-folder",
        "another-module",
        "named-like-it",
        "prose",
        "members",
        "examples",
        "no-heading",
        "contents",
        "no-links",
    ],
)
def test_a_page_about_a_module_is_indexed_in_any_folder(tmp_path: Path, file: str, page: str) -> None:
    site = make_site(tmp_path, {file: page})
    assert ([page.draft.file for page in site.pages], site.skipped) == ([file], [])


def test_pages_whose_canonical_links_are_broken_have_their_files_urls(tmp_path: Path) -> None:
    broken = '<link rel="canonical" href="{}https://x.example/{}/">'
    files = {f"api/{name}/index.html": document("<p>x", broken.format("../../", f"api/{name}")) for name in "ab"}
    site = make_site(tmp_path, files)
    assert ([page.url for page in site.pages], site.urls.site_url) == (["/api/a/", "/api/b/"], "")


def test_a_page_with_pincite_false_is_skipped(tmp_path: Path) -> None:
    pages = [{"route": "/a", "html": "a.html", "front_matter": {"pincite": False}}, {"route": "/b", "html": "b.html"}]
    site = make_site(
        tmp_path, {"a.html": docs_page("<p>x", "a"), "b.html": docs_page("<p>y", "b")}, manifest=manifest_of(pages)
    )
    assert [page.url for page in site.pages] == ["/b"]
    assert site.skipped == [SkippedFile("a.html", "pincite: false")]


def test_redirect_stubs_are_aliases_and_no_pages(tmp_path: Path) -> None:
    stub = '<!doctype html><html><head><meta http-equiv="refresh" content="0; url={}"></head></html>'
    site = make_site(
        tmp_path,
        {
            "docs/a.html": docs_page("<p>x", "a", head=CANONICAL.format("docs/a")),
            "docs/old.html": stub.format("/kit/docs/a#part"),
            "old.html/index.html": stub.format("https://x.example/kit/docs/a"),
            "café.html": stub.format("/kit/docs/caf%C3%A9"),
            "away.html": stub.format("https://elsewhere.example/"),
            "self.html": stub.format("/kit/self"),
            "host.html": stub.format("/%2Felsewhere.example/"),
            "script.html": stub.format("javascript:alert(1)"),
            "up.html": stub.format("/kit/%2e%2e/admin"),
        },
    )
    assert site.redirects == [
        Redirect("/kit/caf%C3%A9", "/kit/docs/caf%C3%A9"),
        Redirect("/kit/docs/old", "/kit/docs/a#part"),
        Redirect("/kit/old.html", "/kit/docs/a"),
    ]
    assert len(site.pages) == 1


def test_pages_of_other_generators_have_one_scope_a_locale(tmp_path: Path) -> None:
    site = make_site(tmp_path, {"a.html": document("<p>x"), "b.html": document("<p>y")})
    assert {page.scope for page in site.pages} == {Scope(0, "", "", None, None, True, "en")}


@pytest.mark.parametrize(
    ("doc_id", "kind"), [("api/x", "api"), ("reference/cli", "api"), ("examples/x", "example"), ("capital/x", "guide")]
)
def test_folders_decide_the_source_type_of_a_doc(tmp_path: Path, doc_id: str, kind: str) -> None:
    assert make_site(tmp_path, {"x.html": docs_page("<p>x", doc_id)}).pages[0].source_type == kind


def test_a_list_of_posts_is_a_page_without_text_of_its_own(tmp_path: Path) -> None:
    files = {
        "blog.html": document("<p>x", html='class="plugin-blog plugin-id-default blog-list-page"'),
        "post.html": document("<p>x", html='class="plugin-blog plugin-id-default blog-post-page"'),
    }
    assert {page.url: page.listing for page in make_site(tmp_path, files).pages} == {
        "/blog.html": True,
        "/post.html": False,
    }


@pytest.mark.parametrize("file", ["genindex.html", "genindex-A.html", "py-modindex.html", "api/genindex/index.html"])
def test_a_sphinx_index_of_names_is_a_page_without_text_of_its_own(tmp_path: Path, file: str) -> None:
    sphinx = '<title>I</title><script src="_static/documentation_options.js"></script>'
    files = {file: document("<p>x", sphinx), "a.html": document("<p>x", sphinx), "modindex.html": document("<p>x")}
    site = make_site(tmp_path, files)
    assert {page.draft.file: page.listing for page in site.pages} == {
        file: True,
        "a.html": False,
        "modindex.html": False,
    }


def test_html_files_are_found_in_order_and_folders_named_like_them_are_not(tmp_path: Path) -> None:
    for name in ("b.html", "a/index.html", "pincite/c.html", "x.html/d.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    assert find_html(tmp_path) == ["a/index.html", "b.html", "pincite/c.html"]
    with pytest.raises(SiteError, match="is not a folder"):
        find_html(tmp_path / "b.html")


def test_a_folder_that_cannot_be_read_ends_the_build_instead_of_leaving_out_its_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").mkdir()
    scandir = os.scandir

    def refuse(folder: Path) -> object:
        if folder == tmp_path / "a":
            raise PermissionError(errno.EACCES, "Permission denied")
        return scandir(folder)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(SiteError, match=r"a cannot be read \(Permission denied\)\. Change its permissions"):
        find_html(tmp_path)


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b'{"manifest_version": "1"}', b'{"manifest_version": 1, "pages": [{}]}', b"\xff"]
)
def test_a_malformed_manifest_is_one_sentence(data: bytes) -> None:
    with pytest.raises(ManifestError, match="cannot be used") as caught:
        parse_manifest(data)
    assert "\n" not in str(caught.value)


def test_many_files_are_read_in_parallel_with_the_same_result(tmp_path: Path) -> None:
    group = '<div class="tabs-container"><ul role="tablist"><li role="tab">npm</ul><div role="tabpanel">{}</div></div>'
    text = docs_page(group.format("<h3 id=n>N</h3><p>1") + group.format("<p>2"), "x")
    few = make_site(tmp_path / "few", {"p0.html": text})
    many = make_site(tmp_path / "many", {f"p{number}.html": text for number in range(45)})
    assert len(many.pages) == 45
    assert page_at(many, "/p0.html").draft == few.pages[0].draft
