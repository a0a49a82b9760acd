"""Versions in folders: which folders are versions, what they are called, and which one readers get first."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.unit.indexer.one_page import document
from tests.unit.indexer.sites import make_site, page_at

from pincite_core.errors import InputError
from pincite_core.types import Redirect
from pincite_indexer.rows.assemble import assemble
from pincite_indexer.site.resolved_site import Site

STUB = '<!doctype html><html><head><title>R</title><meta http-equiv="refresh" content="1; url={}"></head></html>'
MIKE = [
    {"version": "dev", "title": "dev", "aliases": []},
    {"version": "2.0", "title": "2.0.1", "aliases": ["latest"]},
    {"version": "1.0", "title": "1.0.4", "aliases": []},
]


def version(retries: int, head: str = "", lang: str = 'lang="en"') -> dict[str, str]:
    """Return the pages of one version of a kit's docs, by their paths below its folder."""
    head = f"<title>Kit</title>{head}"
    return {
        "index.html": document("<h1>Kit</h1><p>The kit moves messages between ports.</p>", head, lang),
        "install/index.html": document("<h1>Install</h1><p>Run the installer of the kit.</p>", head, lang),
        "limits/index.html": document(
            f"<h1>Limits</h1><p>A message is retried at most {retries} times.</p>", head, lang
        ),
    }


def below(folder: str, pages: Mapping[str, str]) -> dict[str, str]:
    return {f"{folder}/{path}": text for path, text in pages.items()}


def versions_of(site: Site) -> dict[str, tuple[str | None, bool]]:
    """Return the version of each page about limits, and whether it is the current one."""
    return {page.url: (page.scope.version, page.scope.is_last) for page in site.pages if "limits" in page.url}


THREE = below("1.0", version(3)) | below("2.0", version(5)) | below("dev", version(8))


def test_a_list_of_mike_names_labels_and_the_current_version(tmp_path: Path) -> None:
    site = make_site(tmp_path, {**THREE, "versions.json": json.dumps(MIKE), "index.html": STUB.format("latest/")})
    assert versions_of(site) == {
        "/1.0/limits/": ("1.0", False),
        "/2.0/limits/": ("2.0", True),
        "/dev/limits/": ("dev", False),
    }
    assert page_at(site, "/2.0/limits/").scope.version_label == "2.0.1"
    assert site.folders.described() == ["2.0.1 (current; also latest)", "1.0.4", "dev"]
    assert site.folders.how == "versions.json"


@pytest.mark.parametrize("kind", ["copy", "symlink", "redirect"])
def test_an_alias_of_a_version_is_indexed_once_and_its_urls_lead_to_the_version(tmp_path: Path, kind: str) -> None:
    files = {**THREE, "versions.json": json.dumps(MIKE), "index.html": STUB.format("latest/")}
    if kind == "copy":
        files |= below("latest", version(5))
    if kind == "redirect":
        files |= {f"latest/{path}": STUB.format(f"../{'../' * path.count('/')}2.0/{path}") for path in version(5)}
    if kind == "symlink":
        (tmp_path / "latest").symlink_to("2.0")
    site = make_site(tmp_path, files)
    assert len(site.pages) == 9
    goals = {redirect.url: redirect.to_url.removesuffix("index.html") for redirect in site.redirects}
    assert goals["/latest/limits/"] == "/2.0/limits/"
    assert goals["/"] == "/2.0/"
    assert {version.copies for version in site.folders.versions if version.name == "2.0"} == {("latest/",)}


def test_a_page_has_one_stable_id_in_all_versions(tmp_path: Path) -> None:
    site = make_site(tmp_path, THREE)
    rows = assemble(site)
    assert {target.stable_id for target in rows.targets} == {"pages/index", "pages/install", "pages/limits"}


def test_canonical_links_to_the_current_version_tell_the_base_path_and_drop_no_page(tmp_path: Path) -> None:
    def pages(retries: int) -> dict[str, str]:
        link = '<link rel="canonical" href="https://kit.example/docs/latest/{}">'
        own = version(retries)
        return {
            path: text.replace("</title>", "</title>" + link.format(path.removesuffix("index.html")))
            for path, text in own.items()
        }

    (tmp_path / "latest").symlink_to("2.0")
    files = below("1.0", pages(3)) | below("2.0", pages(5)) | {"versions.json": json.dumps(MIKE)}
    site = make_site(tmp_path, files)
    assert (site.urls.site_url, site.urls.base_url) == ("https://kit.example", "/docs/")
    assert versions_of(site) == {"/docs/1.0/limits/": ("1.0", False), "/docs/2.0/limits/": ("2.0", True)}
    assert Redirect("/docs/latest/limits/", "/docs/2.0/limits/") in site.redirects


def test_canonical_links_of_other_versions_name_the_current_one(tmp_path: Path) -> None:
    link = '<link rel="canonical" href="https://kit.example/2.0/">'
    files = below("1.0", version(3, link)) | below("2.0", version(5, link)) | below("3.0", version(9, link))
    assert versions_of(make_site(tmp_path, files))["/2.0/limits/"] == ("2.0", True)


def test_a_switcher_of_sphinx_names_labels_and_the_preferred_version(tmp_path: Path) -> None:
    switcher = [
        {"name": "dev (3.0)", "version": "dev", "url": "https://kit.example/doc/en/dev/"},
        {"name": "2.1 (stable)", "version": "2.1", "url": "https://kit.example/doc/en/stable/", "preferred": True},
        {"version": "2.0", "url": "https://kit.example/doc/en/2.0/"},
        {"version": "1.0", "url": "https://kit.example/doc/en/1.0/"},
    ]
    files = below("en/dev", version(9)) | below("en/stable", version(5)) | below("en/2.0", version(4))
    site = make_site(tmp_path, {**files, "en/dev/_static/switcher.json": json.dumps(switcher)})
    assert versions_of(site) == {
        "/en/dev/limits/": ("dev", False),
        "/en/stable/limits/": ("2.1", True),
        "/en/2.0/limits/": ("2.0", False),
    }
    assert page_at(site, "/en/stable/limits/").scope.version_label == "2.1 (stable)"
    assert site.folders.how == "en/dev/_static/switcher.json"


def test_a_list_may_have_another_name_and_a_file_of_that_name_may_be_no_list(tmp_path: Path) -> None:
    switcher = [{"version": "dev", "url": "/dev/"}, {"version": "2.1", "url": "/2.0/", "preferred": True}]
    files = {**THREE, "_static/kit-doc_versions.json": json.dumps(switcher), "dependency-versions.json": '{"lamp": 3}'}
    site = make_site(tmp_path, files)
    assert versions_of(site)["/2.0/limits/"] == ("2.1", True)
    assert (site.folders.how, site.folders.warnings) == ("_static/kit-doc_versions.json", ())


def test_a_switcher_may_name_the_sites_own_folder(tmp_path: Path) -> None:
    switcher = [
        {"name": "2.1 (stable)", "version": "2.1", "url": "https://kit.example/"},
        {"version": "1.0", "url": "https://kit.example/v1.0/"},
    ]
    site = make_site(
        tmp_path, {**version(5), **below("v1.0", version(3)), "_static/switcher.json": json.dumps(switcher)}
    )
    assert versions_of(site) == {"/limits/": ("2.1", True), "/v1.0/limits/": ("1.0", False)}


def test_folders_of_read_the_docs_are_versions_in_each_language(tmp_path: Path) -> None:
    french = {path: text.replace('lang="en"', 'lang="fr"') for path, text in version(5).items()}
    files = below("en/stable", version(5)) | below("en/latest", version(8)) | below("en/v1.2", version(3))
    site = make_site(tmp_path, files | below("fr/latest", french))
    assert {page.scope.locale for page in site.pages if "/fr/" in page.url} == {"fr"}
    assert versions_of(site) == {
        "/en/stable/limits/": ("stable", True),
        "/en/latest/limits/": ("latest", False),
        "/en/v1.2/limits/": ("v1.2", False),
        "/fr/latest/limits/": ("latest", True),
    }
    assert {target.stable_id for target in assemble(site).targets} == {"pages/index", "pages/install", "pages/limits"}


@pytest.mark.parametrize(
    "head",
    [
        '<meta name="readthedocs-version-slug" content="{}">',
        '<script type="application/json" id="READTHEDOCS_DATA">{{"language": "en", "version": "{}"}}</script>',
        '<meta name="docsearch:version" content="{}">',
    ],
    ids=["addons", "flyout", "docsearch"],
)
def test_folders_whose_pages_declare_their_versions_need_not_share_paths(tmp_path: Path, head: str) -> None:
    def pages(name: str, *paths: str) -> dict[str, str]:
        text = document("<h1>Limits</h1><p>The kit has limits.</p>", f"<title>Kit</title>{head.format(name)}")
        return {f"en/{name}/{path}/index.html": text for path in (*paths, ".")}

    site = make_site(tmp_path, pages("stable", "a", "b", "limits") | pages("2.0", "c", "d", "limits"))
    assert versions_of(site) == {"/en/stable/limits/": ("stable", True), "/en/2.0/limits/": ("2.0", False)}


def test_a_version_that_all_pages_of_a_folder_declare_is_its_label(tmp_path: Path) -> None:
    head = '<meta name="docsearch:version" content="2.4.1">'
    site = make_site(tmp_path, below("v1", version(3)) | below("v2", version(5, head)))
    assert page_at(site, "/v2/limits/").scope.version_label == "2.4.1"


def test_pages_around_version_folders_are_the_current_version(tmp_path: Path) -> None:
    site = make_site(tmp_path, {**version(5), **below("v1", version(3)), "blog.html": document("<p>News of today.")})
    assert versions_of(site) == {"/limits/": ("latest", True), "/v1/limits/": ("v1", False)}


def test_a_landing_page_beside_version_folders_belongs_to_no_version(tmp_path: Path) -> None:
    site = make_site(tmp_path, {**THREE, "index.html": document("<h1>Home</h1><p>Welcome to the kit.</p>")})
    assert (page_at(site, "/").scope.version, page_at(site, "/").scope.is_last) == (None, True)
    assert versions_of(site)["/2.0/limits/"] == ("2.0", True)


def test_parts_of_the_docs_have_versions_of_their_own(tmp_path: Path) -> None:
    files = below("kit/1.0", version(3)) | below("kit/2.0", version(5))
    files |= below("lantern/5.0", version(1)) | below("lantern/6.0", version(2))
    site = make_site(tmp_path, files)
    assert {(page.scope.plugin_id, page.scope.version) for page in site.pages if page.scope.is_last} == {
        ("kit", "2.0"),
        ("lantern", "6.0"),
    }
    shown = {target.stable_id for target in assemble(site).targets if "limits" in target.stable_id}
    assert shown == {"kit/limits", "lantern/limits"}


def test_a_copy_of_a_version_under_the_name_of_an_alias_is_found_without_a_list(tmp_path: Path) -> None:
    files = below("1.0", version(3)) | below("2.0", version(5)) | below("stable", version(5))
    site = make_site(tmp_path, files)
    assert versions_of(site) == {"/1.0/limits/": ("1.0", False), "/2.0/limits/": ("2.0", True)}
    assert Redirect("/stable/limits/", "/2.0/limits/") in site.redirects


def test_a_copy_of_a_version_around_the_folders_is_found(tmp_path: Path) -> None:
    site = make_site(tmp_path, {**version(5), **below("1.0", version(3)), **below("2.0", version(5))})
    assert versions_of(site) == {"/1.0/limits/": ("1.0", False), "/2.0/limits/": ("2.0", True)}
    assert Redirect("/limits/", "/2.0/limits/") in site.redirects


def test_a_deploy_in_a_folder_has_its_list_and_versions_there(tmp_path: Path) -> None:
    files = below("docs", {**THREE, "versions.json": json.dumps(MIKE), "index.html": STUB.format("latest/")})
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/latest").symlink_to("2.0")
    site = make_site(tmp_path, {**files, "index.html": document("<h1>Home</h1><p>Welcome to the kit.")})
    assert versions_of(site)["/docs/2.0/limits/"] == ("2.0", True)
    assert page_at(site, "/").scope.version is None
    assert Redirect("/docs/latest/limits/", "/docs/2.0/limits/") in site.redirects


def test_older_versions_beside_languages_are_found_in_each_language(tmp_path: Path) -> None:
    french = {path: text.replace('lang="en"', 'lang="fr"') for path, text in version(5).items()}
    old = {path: text.replace('lang="en"', 'lang="fr"') for path, text in version(3).items()}
    files = {**version(5), **below("1.0", version(3)), **below("fr", french), **below("fr/1.0", old)}
    site = make_site(tmp_path, files)
    assert {(page.url, page.scope.locale, page.scope.version) for page in site.pages if "limits" in page.url} == {
        ("/limits/", "en", "latest"),
        ("/1.0/limits/", "en", "1.0"),
        ("/fr/limits/", "fr", "latest"),
        ("/fr/1.0/limits/", "fr", "1.0"),
    }
    assert len({target.stable_id for target in assemble(site).targets}) == 3


def test_the_not_found_page_of_a_version_is_left_out(tmp_path: Path) -> None:
    missing = document("<h1>404</h1><p>This page of the kit does not exist.</p>")
    files = {f"{name}/{page}": missing for name in ("1.0", "2.0") for page in ("404.html", "fr/404.html")}
    site = make_site(tmp_path, {**THREE, **files, "2.0/errors/limits.html": document("<p>Error 404.")})
    assert len(site.pages) == 10
    assert sorted(item.file for item in site.skipped) == sorted(files)


def test_a_private_page_stays_private_in_all_copies(tmp_path: Path) -> None:
    secret = {"secret/index.html": document("<h1>Secret</h1>", '<title>S</title><meta name="pincite" content="false">')}
    files = below("1.0", version(3)) | below("2.0", version(5) | secret) | below("latest", version(5) | secret)
    site = make_site(tmp_path, {**files, "versions.json": json.dumps(MIKE)})
    assert not [page.url for page in site.pages if "secret" in page.url]
    assert not [redirect for redirect in site.redirects if "secret" in redirect.to_url]


def test_the_newest_release_is_current_if_nothing_else_tells(tmp_path: Path) -> None:
    files: dict[str, str] = {}
    for name in ("1.9", "1.10", "2.0rc1", "main"):
        files |= below(name, version(len(name)))
    assert versions_of(make_site(tmp_path, files))["/1.10/limits/"] == ("1.10", True)


@pytest.mark.parametrize(
    "files",
    [
        below("blog/2023", {"01/index.html": document("<p>a")})
        | below("blog/2024", {"01/index.html": document("<p>b")}),
        {f"page/{number}/index.html": document(f"<p>{number}") for number in (2, 3, 4)},
        {f"releases/1.{number}/index.html": document(f"<p>Fixes {number}.") for number in range(4)},
        {f"releases/1.{n}/{page}.html": document(f"<p>{n}") for n in range(4) for page in ("index", "fixes")},
        below("api/v1", version(3)) | below("api/v2", version(5)),
        {f"issues/{n}/{page}.html": document(f"<p>{n}") for n in range(300) for page in ("index", "files")},
        below("1.0", version(3)) | {f"2.0/{name}.html": document(f"<p>{name}") for name in ("index", "team", "jobs")},
    ],
    ids=["archives", "pages-of-a-list", "release-notes", "pages-of-release-notes", "apis", "issues", "other-paths"],
)
def test_folders_that_only_look_like_versions_are_no_versions(tmp_path: Path, files: dict[str, str]) -> None:
    site = make_site(tmp_path, {"index.html": document("<p>Home"), **files})
    assert {page.scope.version for page in site.pages} == {None}


def test_a_pattern_names_folders_that_are_not_certain(tmp_path: Path) -> None:
    files = below("api/v1", version(3)) | below("api/v2", version(5))
    site = make_site(tmp_path, files, versions="api/{version}/")
    assert versions_of(site) == {"/api/v1/limits/": ("v1", False), "/api/v2/limits/": ("v2", True)}
    assert site.folders.how == "--versions api/{version}/"


def test_a_pattern_with_a_language_sets_the_language_of_the_pages(tmp_path: Path) -> None:
    files = below("en/1.0", version(3)) | below("fr/1.0", version(3)) | below("fr/2.0", version(5))
    site = make_site(tmp_path, files, versions="{locale}/{version}/")
    assert {(page.scope.locale, page.scope.version) for page in site.pages if page.scope.is_last} == {
        ("en", "1.0"),
        ("fr", "2.0"),
    }


def test_a_pattern_finds_code_names_that_share_their_paths(tmp_path: Path) -> None:
    files = below("focal", version(3)) | below("jammy", version(5)) | {"team/index.html": document("<p>We.")}
    site = make_site(tmp_path, files, versions="{version}/")
    assert versions_of(site) == {"/focal/limits/": ("focal", False), "/jammy/limits/": ("jammy", True)}
    assert page_at(site, "/team/").scope.version is None


def test_a_pattern_that_matches_nothing_is_an_error_that_names_the_folders(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"'docs/\{version\}/' matches no folder.*1\.0/, 2\.0/, dev/"):
        make_site(tmp_path, THREE, versions="docs/{version}/")


@pytest.mark.parametrize(
    "text",
    [
        '[{"version": "1", "x": ' + "[" * 100_000,
        '{"a": 1}',
        "[1, 2",
        '["1.0"]',
        '[{"title": "1.0"}]',
        '[{"version": "1.0", "aliases": 3}]',
        "\udcff",
    ],
    ids=["deep", "object", "cut", "texts", "no-version", "no-aliases", "no-utf-8"],
)
def test_a_malformed_list_of_versions_is_named_and_the_build_goes_on(tmp_path: Path, text: str) -> None:
    (tmp_path / "versions.json").write_bytes(text.encode(errors="surrogateescape"))
    site = make_site(tmp_path, {"index.html": document("<p>Home"), "1.0/index.html": document("<p>One")})
    assert {page.scope.version for page in site.pages} == {None}
    assert len(site.folders.warnings) == 1
    assert site.folders.warnings[0].startswith("versions.json is not used")


def test_a_list_may_name_versions_that_are_not_deployed(tmp_path: Path) -> None:
    entries = [*MIKE, {"version": "../../etc", "title": "x", "aliases": ["/"]}, {"version": 0.5}]
    site = make_site(tmp_path, {**THREE, "versions.json": json.dumps(entries)})
    assert {page.scope.version for page in site.pages} == {"1.0", "2.0", "dev"}
