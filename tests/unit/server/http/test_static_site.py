from pathlib import Path

import pytest

from pincite_server.http.static_site import SiteFile, SiteRedirect, StaticSite


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = [
        "index.html",
        "404.html",
        "about.html",
        "docs/index.html",
        "docs/intro/index.html",
        "both.html",
        "both/index.html",
        "trap.html/index.html",
        "empty/asset.js",
        "café/index.html",
        "spa ce.html",
    ]
    site = tmp_path / "build"
    for name in files:
        file = site / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name)
    (tmp_path / "secret.html").write_text("not for you")
    (site / "way-out.html").symlink_to(tmp_path / "secret.html")
    return site


@pytest.mark.parametrize(
    ("path", "file"),
    [
        ("/kit/", "index.html"),
        ("/kit/index.html", "index.html"),
        ("/kit/about", "about.html"),
        ("/kit/about.html", "about.html"),
        ("/kit/docs/", "docs/index.html"),
        ("/kit/docs/intro/", "docs/intro/index.html"),
        ("/kit/both", "both.html"),
        ("/kit/both/", "both/index.html"),
        ("/kit/trap.html/", "trap.html/index.html"),
        ("/kit/empty/asset.js", "empty/asset.js"),
        ("/kit/caf%C3%A9/", "café/index.html"),
        ("/kit/spa%20ce", "spa ce.html"),
    ],
)
def test_a_path_is_served_as_a_static_host_would(folder: Path, path: str, file: str):
    assert StaticSite(folder, "/kit/").find(path) == SiteFile(folder / file)


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("/", "/kit/"),
        ("/kit", "/kit/"),
        ("/kit/docs", "/kit/docs/"),
        ("/kit/trap.html", "/kit/trap.html/"),
        ("/kit/trap", None),
        ("/kit/caf%C3%A9", "/kit/caf%C3%A9/"),
    ],
)
def test_a_folder_without_its_slash_is_redirected(folder: Path, path: str, location: str | None):
    found = StaticSite(folder, "/kit/").find(path)
    assert found == (SiteRedirect(location) if location else SiteFile(folder / "404.html", status=404))


@pytest.mark.parametrize(
    "path",
    [
        "/kit/../secret.html",
        "/kit/docs/../../secret.html",
        "/kit/%2e%2e/secret.html",
        "/kit/..%2fsecret.html",
        "/kit/..%5csecret.html",
        "/kit//etc/passwd",
        "/kit/%2fetc/passwd",
        "/kit/./index.html",
        "/kit/way-out",
        "/kit/way-out.html",
        "/kit/index.html%00.js",
        "/kit/" + "x" * 5000,
        "/kit/about/",
        "/kit/empty/",
        "/kit/nothing",
        "/other/index.html",
        "/kitchen/",
    ],
)
def test_everything_else_is_the_sites_own_page_for_what_is_not_there(folder: Path, path: str):
    assert StaticSite(folder, "/kit/").find(path) == SiteFile(folder / "404.html", status=404)


def test_a_site_at_the_root_has_no_redirect_at_its_start(folder: Path):
    assert StaticSite(folder, "/").find("/") == SiteFile(folder / "index.html")


def test_a_site_without_a_page_for_it_finds_nothing(folder: Path):
    (folder / "404.html").unlink()
    assert StaticSite(folder, "/").find("/nothing") is None
