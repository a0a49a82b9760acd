"""A build that is killed anywhere leaves the earlier index or the new one, and nothing in the next one's way."""

import hashlib
import json
import shutil
import signal
import sys
from pathlib import Path

import pytest
from tests.integration.indexing import copy_site, run_index
from tests.integration.interrupting import kill_at, kill_everywhere
from tests.unit.indexer.builds import Silence

from pincite_core.embedders import FakeEmbedder
from pincite_core.index.read import Index
from pincite_core.search.query import parse_query
from pincite_core.search.ranking import search
from pincite_indexer.build import BuildOptions, build_index

QUESTION = "files"
PHASES = {
    "scan": "pincite_indexer.pages.read_page:read_page!",
    "resolve": "pincite_indexer.site.resolved_site:resolve_site",
    "assemble": "pincite_indexer.rows.assemble:assemble",
    "link graph": "pincite_indexer.rows.link_graph:links_of",
    "full text": "pincite_indexer.rows.search_terms:chunk_terms!",
    "compare": "pincite_indexer.moves.moved_ids:changed_ids",
    "load model": "pincite_indexer.vectors.encoder_choice:choose_encoder",
    "embed": "pincite_core.embedders.base:FakeEmbedder.encode!",
    "keep vectors": "pincite_indexer.vectors.vector_cache:VectorCache.put!",
    "write, first rows": "pincite_core.index.schema:schema_sql",
    "write, half the rows": "pincite_core.index.quantise:to_bits",
    "write, all rows": "pincite_core.index.write:write_index!",
    "publish": "pincite_indexer.publish:ids_json",
    "report": "pincite_indexer.build_report:fill_report",
}


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A site before and after a change, each with its index."""
    sites = {name: copy_site("plain", tmp_path_factory.mktemp(name)) for name in ("before", "after")}
    change(sites["after"])
    for site in sites.values():
        assert run_index(site).returncode == 0
    return sites


@pytest.fixture
def site(sites: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A site that has changed since its index was built, and a cache that knows nothing of the change."""
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))
    site = Path(shutil.copytree(sites["before"], tmp_path / "site"))
    change(site)
    return site


def change(site: Path) -> None:
    page = site / "index.html"
    page.write_text(page.read_text().replace("</body>", "<h2 id=new>New</h2><p>A queue of new files.</p></body>"))


def published(site: Path) -> dict[str, bytes]:
    """Return all files of the index folder, without the time that stands in one of them."""
    folder = site / "pincite"
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    if "index.json" in files:
        facts = json.loads(files["index.json"])
        files["index.json"] = json.dumps({key: facts[key] for key in sorted(facts) if key != "built_at"}).encode()
    return files


def assert_whole(site: Path) -> None:
    """Check that an index belongs together and answers."""
    folder = site / "pincite"
    facts = json.loads((folder / "index.json").read_bytes())
    index = Index.open(folder)
    assert facts["sha256"] == hashlib.sha256((folder / "index.db").read_bytes()).hexdigest()
    assert facts["index_id"] == index.info.index_id
    ids = [entry["id"] for entry in json.loads((folder / "ids.json").read_bytes())["ids"]]
    assert ids == [target.stable_id for target in index.targets()]
    vector = FakeEmbedder().encode([QUESTION])[0]
    assert search(index, vector, parse_query(QUESTION), [scope.scope_id for scope in index.scopes], 3).sections


def assert_recovers(site: Path, goal: Path) -> None:
    """Check that the next build ends well and leaves nothing of the killed one."""
    build_index(BuildOptions(site, model="fake"), None, Silence())
    assert published(site) == published(goal)
    assert not [path for path in site.rglob("*") if path.name.endswith(".tmp")]


@pytest.mark.parametrize("phase", PHASES)
def test_a_build_killed_in_any_phase_leaves_the_index_that_was_there(
    site: Path, sites: dict[str, Path], phase: str
) -> None:
    killed = kill_at(PHASES[phase], site, "--model", "fake", "--previous", site)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert published(site) == published(sites["after" if phase == "report" else "before"])
    assert_whole(site)
    assert_recovers(site, sites["after"])


def test_a_first_build_that_is_killed_leaves_no_index(tmp_path: Path, sites: dict[str, Path]) -> None:
    site = copy_site("plain", tmp_path)
    assert kill_at(PHASES["publish"], site, "--model", "fake").returncode == -signal.SIGKILL
    assert not published(site)
    assert_recovers(site, sites["before"])


@pytest.mark.skipif(sys.platform != "linux", reason="other systems move the files one by one")
def test_killed_before_any_change_to_the_files_a_build_leaves_the_earlier_index_or_the_new_one(
    site: Path, tmp_path: Path, sites: dict[str, Path]
) -> None:
    before, after = published(sites["before"]), published(sites["after"])
    *killed, whole = kill_everywhere(site, tmp_path / "copies", "--model", "fake")
    found = [published(copy) for copy in killed]
    assert all(files in (before, after) for files in found)
    assert found[0] == before
    assert found[-1] == published(whole) == after
    for copy in killed[:: len(killed) // 5]:
        assert_whole(copy)
        assert_recovers(copy, sites["after"])


@pytest.mark.parametrize("where", ["pincite_indexer.site.scan:_is_search", "pincite_core.search.ranking:search"])
def test_a_large_sites_build_killed_leaves_neither_half_an_index_nor_a_process(tmp_path: Path, where: str) -> None:
    site = many_pages(tmp_path / "site")
    killed = kill_at(where, site, "--model", "fake")  # comes back when the last of the build's processes has ended
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert not published(site)
    assert run_index(site).returncode == 0
    assert_whole(site)


def many_pages(folder: Path) -> Path:
    """Return a site that is read by several processes and calibrated."""
    folder.mkdir()
    for number in range(50):
        name = f"{chr(97 + number // 7)}{chr(97 + number % 7)}"  # letters, since numbers make no question of their own
        text = f"Worker{name} leases{name} waiting{name} jobs{name} of files{name}, then processes{name} them{name}."
        (folder / f"{number}.html").write_text(f"<html><title>P{number}</title><body><h1 id=a>A</h1><p>{text}</body>")
    return folder
