"""Sites as their generators build them, indexed from their folder alone; each is built once a test run."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from tests.commands import run_command
from tests.integration.indexing import FIXTURES, run_index

from pincite_core.embedders import DEFAULT_MODEL, encoder_from
from pincite_core.embedders.loading import model_folder
from pincite_core.index.read import Index
from pincite_core.types import Scope, Target
from pincite_core.user_cache import cache_folder
from pincite_indexer.vectors.encoder_cache import EncoderCache

__all__ = ("GeneratedSite", "generate_private")

_SOURCES = FIXTURES / "sources"
_PACKAGES = "node_modules"
_EXAMPLE = FIXTURES.parents[1] / "examples" / "site"


@dataclass(frozen=True, slots=True)
class GeneratedSite:
    """A built site and its index."""

    folder: Path
    index: Index

    def target(self, anchor: str) -> Target:
        """Return the first target with an id, in the order of the pages' URLs."""
        return next(target for target in self.index.targets() if target.anchor == anchor)

    def text_of(self, anchor: str) -> str:
        """Return the text of the section with an id."""
        return "\n".join(chunk.text for chunk in self.index.chunks_of_target(self.target(anchor).target_id))

    def cited_by(self, text: str) -> Target:
        """Return the target that a unit, row or code block is cited by."""
        chunks = {chunk.chunk_id: chunk for chunk in self.index.chunks()}
        for unit in self.index.units():
            if chunks[unit.chunk_id].text[unit.start : unit.end] == text:
                return self.index.target(unit.target_id)
        message = f"no unit reads {text!r}"
        raise AssertionError(message)

    def text(self) -> str:
        """Return all text of the index."""
        return "\n".join(chunk.text for chunk in self.index.chunks())

    def scopes(self) -> dict[str, Scope]:
        """Return each page's scope by the page's URL."""
        scopes = {scope.scope_id: scope for scope in self.index.scopes}
        return {page.url: scopes[page.scope_id] for page in self.index.pages()}

    def ask(self, query: str, **scope: str) -> dict[str, Any]:
        """Return the answer object that `pincite ask` prints."""
        given = json.dumps({"id": "1", "query": query, **scope})
        done = run_command("ask", self.folder, "--json", "-", given=given)
        assert done.returncode == 0, done.stderr
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer


Build = Callable[[Path, Path], list[str]]


def _mkdocs(source: Path, site: Path) -> list[str]:
    return [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(site)]


def _sphinx(source: Path, site: Path) -> list[str]:
    return [sys.executable, "-m", "sphinx", "-q", "-b", "html", ".", str(site)]


def _vitepress(source: Path, site: Path) -> list[str]:
    packages = _SOURCES / "vitepress" / _PACKAGES
    if not packages.is_dir():
        pytest.fail(
            "VitePress is not installed. Run `make test-python`, or `npm ci` in tests/fixtures/sources/vitepress."
        )
    (source / _PACKAGES).symlink_to(packages)
    return ["node", str(source / _PACKAGES / "vitepress/bin/vitepress.js"), "build", "--outDir", str(site)]


def _docusaurus(source: Path, site: Path) -> list[str]:
    """Put translated pages over the example site's own of the same names, which are all of it that is built."""
    if not (_EXAMPLE / _PACKAGES).is_dir():
        pytest.fail("Docusaurus is not installed. Run `make site`, or `npm ci` in examples/site.")
    translated = next(source.glob("i18n/*/docusaurus-plugin-content-docs/current"))
    for page in translated.rglob("*.md*"):
        path = page.relative_to(translated)
        (source / "docs" / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(_EXAMPLE / "versioned_docs/version-2.4" / path, source / "docs" / path)
    for folder in ("static", "src/css", "src/theme", "src/components"):
        shutil.copytree(_EXAMPLE / folder, source / folder)
    shutil.copy(_EXAMPLE / "docusaurus.config.js", source / "example.config.js")
    shutil.copy(_EXAMPLE / "package.json", source)
    (source / _PACKAGES).symlink_to(_EXAMPLE / _PACKAGES)
    return ["node", str(source / _PACKAGES / "@docusaurus/core/bin/docusaurus.mjs"), "build", "--out-dir", str(site)]


def _shared(name: str, tmp_path_factory: pytest.TempPathFactory, make: Callable[[Path], Path]) -> GeneratedSite:
    """Return a site that is built and indexed by the first process of the test run that needs it."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / f"generated-{name}"
    with FileLock(f"{folder}.lock"):
        if not folder.is_dir():
            making = folder.with_suffix(".part")
            _index(make(making))
            making.rename(folder)
    site = folder / "site"
    return GeneratedSite(site, Index.open(site))


def generate_private(name: str, folder: Path, pages: Mapping[str, str]) -> tuple[Path, Path]:
    """Build a fixture with further pages (path of the source -> text, `{}` for the text there); return source and site.

    The second folder is the site's.
    """
    builds = {"mkdocs": _mkdocs, "sphinx": _sphinx, "vitepress": _vitepress}
    return folder / "source", _built(name, builds[name], folder, {}, pages)


def _built(name: str, build: Build, folder: Path, environment: Mapping[str, str], pages: Mapping[str, str]) -> Path:
    source = Path(shutil.copytree(_SOURCES / name, folder / "source", ignore=shutil.ignore_patterns(_PACKAGES)))
    site = folder / "site"
    for path, text in pages.items():
        file = source / path
        before = file.read_text(encoding="utf-8") if file.is_file() else ""
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.replace("{}", before), encoding="utf-8")
    command = build(source, site)
    done = subprocess.run(
        command, cwd=source, env=os.environ | environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return site


def _lend_encoder(site: Path) -> None:
    """Spare a build the seconds that exporting the default model takes: the build of another site has done it."""
    encoder, model = encoder_from(site / "pincite"), model_folder(DEFAULT_MODEL)
    if encoder and model:
        EncoderCache(cache_folder(), model).put(encoder)


def _index(site: Path) -> None:
    indexed = run_index(site)
    assert indexed.returncode == 0, indexed.stderr


@pytest.fixture(scope="session")
def mkdocs(tmp_path_factory: pytest.TempPathFactory) -> GeneratedSite:
    return _shared("mkdocs", tmp_path_factory, lambda folder: _built("mkdocs", _mkdocs, folder, {}, {}))


@pytest.fixture(scope="session")
def sphinx(tmp_path_factory: pytest.TempPathFactory) -> GeneratedSite:
    return _shared("sphinx", tmp_path_factory, lambda folder: _built("sphinx", _sphinx, folder, {}, {}))


@pytest.fixture(scope="session")
def vitepress(tmp_path_factory: pytest.TempPathFactory) -> GeneratedSite:
    return _shared("vitepress", tmp_path_factory, lambda folder: _built("vitepress", _vitepress, folder, {}, {}))


@pytest.fixture(scope="session")
def vitepress_clean(tmp_path_factory: pytest.TempPathFactory) -> GeneratedSite:
    """The same site with `cleanUrls`."""
    clean = {"CLEAN_URLS": "1"}
    return _shared("clean", tmp_path_factory, lambda folder: _built("vitepress", _vitepress, folder, clean, {}))


@pytest.fixture(scope="session")
def persian(tmp_path_factory: pytest.TempPathFactory) -> GeneratedSite:
    """Six pages of the example site in Persian, built and indexed by Docusaurus with the plugin and the real model."""
    folder = tmp_path_factory.mktemp("persian")
    _lend_encoder(_EXAMPLE / "build")
    indexer = {"PINCITE_COMMAND": f"'{sys.executable}' -m pincite_indexer"}
    site = _built("harbor-fa", _docusaurus, folder, indexer, {})
    return GeneratedSite(site, Index.open(site))


@pytest.fixture(scope="session")
def plain_html(tmp_path_factory: pytest.TempPathFactory) -> GeneratedSite:
    """Pages that no generator made."""
    return _shared("html", tmp_path_factory, lambda folder: Path(shutil.copytree(_SOURCES / "html", folder / "site")))


@pytest.fixture(params=["mkdocs", "sphinx", "vitepress", "vitepress_clean", "plain_html"])
def generated(request: pytest.FixtureRequest) -> GeneratedSite:
    site: GeneratedSite = request.getfixturevalue(request.param)
    return site
