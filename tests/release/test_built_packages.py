"""What a release publishes is complete, of one version, and works where nothing else is installed."""

import json
import tarfile
import zipfile
from pathlib import Path

import pytest
from tests.release.conftest import ROOT, Packages, run

from pincite_core.version import __version__

pytestmark = pytest.mark.timeout(1200)  # dependencies are downloaded

WIDGET = {file.relative_to(ROOT / "widget/dist").as_posix() for file in (ROOT / "widget/dist").rglob("*.js")}
PAGE = """<!doctype html><html lang="en"><title>Leases</title><main><h1>Leases</h1>
<h2 id="length">How long a lease is</h2><p>A lease of Lantern lasts 30 seconds unless the worker renews it.</p>
<h2 id="losing">Losing a lease</h2><p>A worker that does not renew its lease in time loses the job to another.</p>
</main></html>"""


def test_the_three_files_have_one_version(packages: Packages):
    names = {file.name for file in (packages.wheel, packages.source, packages.tarball)}
    assert names == {
        f"pincite-{__version__}-py3-none-any.whl",
        f"pincite-{__version__}.tar.gz",
        f"docusaurus-plugin-pincite-{__version__}.tgz",
    }


def test_both_packages_bring_the_widget_as_it_was_built(packages: Packages):
    with zipfile.ZipFile(packages.wheel) as wheel, tarfile.open(packages.tarball) as tarball:
        for name in WIDGET:
            built = (ROOT / "widget/dist" / name).read_bytes()
            assert wheel.read(f"pincite_indexer/widget/{name}") == built
            if name.startswith("encoder/"):  # which the indexer writes
                continue
            packed = tarball.extractfile(f"package/widget/{name}")
            assert packed is not None
            assert packed.read() == built


def test_the_source_archive_holds_what_the_wheel_is_built_from_and_no_tests(packages: Packages):
    with tarfile.open(packages.source) as source:
        names = {name.partition("/")[2] for name in source.getnames()}
    assert {"pyproject.toml", "LICENSE", "README.md", "widget/dist/pincite.js"} <= names
    assert not [name for name in names if name.startswith(("tests", "bench", "docs")) or "node_modules" in name]


def test_the_command_says_its_version_in_a_clean_environment(environment: Path, tmp_path: Path):
    assert run(environment / "pincite", "--version", cwd=tmp_path) == f"pincite, version {__version__}\n"


def test_a_site_is_indexed_and_a_question_answered_in_a_clean_environment(environment: Path, tmp_path: Path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "leases.html").write_text(PAGE)
    run(environment / "pincite", "index", "site", "--site-url", "https://docs.example.com", cwd=tmp_path)
    assert (tmp_path / "site" / "pincite" / "pincite.js").is_file(), "the index brings the widget"
    reply = json.loads(run(environment / "pincite", "ask", "site", "How long is a lease?", "--json", cwd=tmp_path))
    assert "30 seconds" in reply["answer"]
    assert any(place["url"].endswith("/leases#length") or "#length" in place["url"] for place in reply["citations"])


def test_the_plugin_loads_in_a_clean_project(project: Path):
    show = "import('docusaurus-plugin-pincite').then((plugin) => console.log(Object.keys(plugin).sort().join()))"
    assert run("node", "--input-type=module", "--eval", show, cwd=project) == "default,validateOptions\n"


def test_the_plugin_needs_the_indexer_of_this_release(project: Path):
    module = "node_modules/docusaurus-plugin-pincite/src/indexer.js"
    show = f"import('./{module}').then(({{REQUIREMENT}}) => console.log(REQUIREMENT))"
    minor = __version__.rpartition(".")[0]
    assert run("node", "--input-type=module", "--eval", show, cwd=project) == f"pincite[index]~={minor}.0\n"
