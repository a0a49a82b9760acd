"""A generator that another package registers."""

import os
import subprocess
from pathlib import Path

import pytest
from tests.commands import run_command
from tests.integration.indexing import assert_refused
from tests.plugin_packages import install_plugin

from pincite_core.index.read import Index
from pincite_indexer.generators.known_generators import GROUP

PAGE = """<!doctype html><html lang="en"><head><title>Install</title>
<meta name="generator" content="Acme Docs 3"></head>
<body><main><div class="acme-ad">Buy the hosted version today.</div>
<div class="acme-body"><h1 id="install">Install</h1><p>Run the installer. It takes a minute.</p>
<p class="acme-vote">Was this page helpful to you?</p></div></main></body></html>
"""
GENERATOR = """
from pincite_indexer.generators.generator import Generator

ACME = Generator(
    name="Acme Docs",
    content=('.//div[@class="acme-body"]',),
    furniture=frozenset({"acme-vote"}),
)
"""


def indexed(folder: Path, source: str) -> subprocess.CompletedProcess[str]:
    """Index a site of one page with a plugin installed."""
    install_plugin(folder / "packages", GROUP, "acme = acme_docs:ACME", source)
    (folder / "site").mkdir()
    (folder / "site/index.html").write_text(PAGE, encoding="utf-8")
    paths = os.pathsep.join(filter(None, (str(folder / "packages"), os.environ.get("PYTHONPATH"))))
    environment = os.environ | {"PYTHONPATH": paths}
    return run_command("index", folder / "site", "--model", "fake", environment=environment)


def test_a_plugin_s_generator_tells_content_from_furniture(tmp_path: Path) -> None:
    done = indexed(tmp_path, GENERATOR)
    assert done.returncode == 0, done.stderr
    texts = [chunk.text for chunk in Index.open(tmp_path / "site/pincite").chunks()]
    assert texts == ["Run the installer. It takes a minute."]


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("import acme_missing\n", "cannot be loaded: ModuleNotFoundError: No module named 'acme_missing'"),
        ("ACME = {}\n", "is not a pincite_indexer.generators.generator.Generator"),
    ],
)
def test_a_broken_plugin_is_named_in_one_sentence(tmp_path: Path, source: str, why: str) -> None:
    assert_refused(indexed(tmp_path, source), "The plugin 'acme'", "of the package acme-docs 1.2", why, code=1)
