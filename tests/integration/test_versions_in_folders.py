"""Sites whose versions are folders: each answer comes from one version and names it, with a sidecar and without."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.integration.browser_engine import Asked, BrowserEngine, build_files, sidecar_reply
from tests.integration.indexing import assert_refused, run_index
from tests.unit.indexer.one_page import document

from pincite_core.index.read import Index

QUESTION = "How often is a message retried?"
STUB = '<!doctype html><html><head><title>R</title><meta http-equiv="refresh" content="1; url={}"></head></html>'


def version(retries: int, canonical: str = "") -> dict[str, str]:
    """Return the pages of one version; only the number of retries differs."""
    head = "<title>Kit</title>" + (f'<link rel="canonical" href="{canonical}{{}}">' if canonical else "")
    limits = f'<h1>Limits</h1><h2 id="retries">Retries</h2><p>A message is retried at most {retries} times.</p>'
    ports = '<h1>Ports</h1><h2 id="open">Open a port</h2><p>Run the command open to open a port.</p>'
    return {
        "index.html": document("<h1>Kit</h1><p>The kit moves messages between ports.</p>", head.format("")),
        "limits/index.html": document(limits, head.format("limits/")),
        "ports/index.html": document(ports, head.format("ports/")),
    }


def below(folder: str, pages: Mapping[str, str]) -> dict[str, str]:
    return {f"{folder}/{path}": text for path, text in pages.items()}


@dataclass(frozen=True)
class Kind:
    """Kind of site: its files, the symbolic links in it, and the version and number that a page's readers get.

    `expected` is the folder of the citation, the label and the number of retries, by the reader's page.
    """

    files: dict[str, str]
    expected: dict[str | None, tuple[str, str, int]]
    links: tuple[tuple[str, str], ...] = ()


MIKE = json.dumps(
    [
        {"version": "dev", "title": "dev", "aliases": []},
        {"version": "2.0", "title": "2.0.1", "aliases": ["latest"]},
        {"version": "1.0", "title": "1.0.4", "aliases": []},
    ]
)
SWITCHER = json.dumps(
    [
        {"name": "2.1 (stable)", "version": "2.1", "url": "https://kit.example/stable/", "preferred": True},
        {"version": "1.0", "url": "https://kit.example/1.0/"},
    ]
)
DEPLOYED = {"versions.json": MIKE, "index.html": STUB.format("latest/")}
OF_MIKE: dict[str | None, tuple[str, str, int]] = {
    "/kit/1.0/ports/": ("/kit/1.0/", "1.0.4", 3),
    "/kit/2.0/ports/": ("/kit/2.0/", "2.0.1", 5),
    "/kit/latest/ports/": ("/kit/2.0/", "2.0.1", 5),
    "/kit/dev/": ("/kit/dev/", "dev", 8),
    "/kit/1.0/search.html": ("/kit/1.0/", "1.0.4", 3),
    None: ("/kit/2.0/", "2.0.1", 5),
}
CANONICAL = "https://kit.example/kit/latest/"
FOLDERS = {
    **below("1.0", version(3, CANONICAL)),
    **below("2.0", version(5, CANONICAL)),
    **below("dev", version(8, CANONICAL)),
}
KINDS = {
    "mike-copies": Kind(FOLDERS | below("latest", version(5, CANONICAL)) | DEPLOYED, OF_MIKE),
    "mike-links": Kind(FOLDERS | DEPLOYED, OF_MIKE, (("latest", "2.0"),)),
    "switcher": Kind(
        below("stable", version(5)) | below("1.0", version(3)) | {"stable/_static/switcher.json": SWITCHER},
        {
            "/1.0/ports/": ("/1.0/", "1.0", 3),
            "/stable/ports/": ("/stable/", "2.1 (stable)", 5),
            None: ("/stable/", "2.1 (stable)", 5),
        },
    ),
    "languages": Kind(
        below("en/latest", version(8)) | below("en/stable", version(5)) | below("en/v1.2", version(3)),
        {
            "/en/v1.2/ports/": ("/en/v1.2/", "v1.2", 3),
            "/en/latest/": ("/en/latest/", "latest", 8),
            None: ("/en/stable/", "stable", 5),
        },
    ),
    "plain": Kind(
        below("v1", version(3)) | below("v2", version(5)) | {"index.html": document("<h1>Home</h1><p>Welcome.</p>")},
        {"/v1/ports/": ("/v1/", "v1", 3), "/v2/": ("/v2/", "v2", 5), "/": ("/v2/", "v2", 5), None: ("/v2/", "v2", 5)},
    ),
    "around": Kind(
        version(5) | below("v1", version(3)),
        {"/v1/ports/": ("/v1/", "v1", 3), "/ports/": ("/", "latest", 5), None: ("/", "latest", 5)},
    ),
}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return the index folder of each kind of site."""
    found = {}
    for name, kind in KINDS.items():
        site = tmp_path_factory.mktemp(name)
        for link, goal in kind.links:
            (site / link).symlink_to(goal)
        found[name] = build_files(kind.files, site)
    return found


@pytest.mark.parametrize(("name", "page"), [(name, page) for name, kind in KINDS.items() for page in kind.expected])
def test_an_answer_comes_from_the_version_of_the_readers_page_and_names_it(
    browser: BrowserEngine, folders: dict[str, Path], name: str, page: str | None
) -> None:
    asked = Asked(QUESTION, page_url=page)
    text, reply = sidecar_reply(Index.open(folders[name]), asked)
    assert told(reply) == KINDS[name].expected[page]
    _, in_browser = browser.reply(folders[name], asked, text)
    assert told(in_browser) == KINDS[name].expected[page]


def told(reply: dict[str, Any]) -> tuple[str, str, int]:
    """Return the folder that all citations lead to, the version's label, and the only number of the answer."""
    assert reply["type"] == "answer", reply
    pages = [cited["url"].partition("#")[0] for cited in reply["citations"]]
    folders = {page.removesuffix("limits/").removesuffix("ports/") for page in pages}
    (folder,) = folders - {"/"} or folders  # a home page that has no version may be cited with any
    (retries,) = {number for number in (3, 5, 8) if f"at most {number} times" in reply["answer"]}
    return folder, reply["scope"]["version_label"], retries


def test_the_command_tells_which_versions_it_found_and_how(tmp_path: Path) -> None:
    build_files(KINDS["mike-copies"].files, tmp_path)
    done = run_index(tmp_path, "--json")
    report = json.loads(done.stdout)["report"]
    assert report["versions"] == ["2.0.1 (current; also latest)", "1.0.4", "dev"]
    assert report["versions_by"] == "versions.json"
    assert report["left_out"]["copy in another folder of its version"] == 3
    assert "found by versions.json" in run_index(tmp_path).stdout


def test_a_pattern_names_the_folders_of_versions(tmp_path: Path) -> None:
    build_files(below("api/v1", version(3)) | below("api/v2", version(5)), tmp_path)
    assert json.loads(run_index(tmp_path, "--json").stdout)["report"]["versions"] == []
    report = json.loads(run_index(tmp_path, "--json", "--versions", "api/{version}/").stdout)["report"]
    assert report["versions"] == ["api/v2 (current)", "api/v1"]


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("docs/{version}/", "matches no folder"),
        ("docs/", "needs {version} once"),
        ("{release}/{version}", "needs {version} once"),
        ("/{version}/", "is not a path inside the site"),
        ("../{version}/", "is not a path inside the site"),
    ],
)
def test_a_wrong_pattern_is_one_clear_error(tmp_path: Path, pattern: str, said: str) -> None:
    (tmp_path / "index.html").write_text(document("<h1>Kit</h1><p>The kit moves messages.</p>"))
    assert_refused(run_index(tmp_path, "--versions", pattern), said, pattern)


def test_a_malformed_list_of_versions_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(document("<h1>Kit</h1><p>The kit moves messages.</p>"))
    (tmp_path / "versions.json").write_text('[{"version":')
    done = run_index(tmp_path)
    assert done.returncode == 0
    assert "versions.json is not used, because it is not a list of versions" in " ".join(done.stdout.split())
