"""Pages that say `pincite: false` in their sources, as real generators build them."""

from pathlib import Path

import pytest
from tests.integration.generators.conftest import generate_private
from tests.integration.indexing import assert_refused, run_index

from pincite_core.index.read import Index

_MARKDOWN = "---\npincite: false\n---\n\n# Zeppelin\n\nThe zeppelin leaves at noon.\n\n## Zeppelin crew\n\nFew.\n"
_LISTED = "{}\n\n## More\n\n- [Zeppelin](%s)\n"
_OPTION = ".. option:: --zeppelin\n\n   Fly by zeppelin.\n"
_RESTRUCTURED = f":pincite: false\n\nZeppelin\n========\n\nThe zeppelin leaves at noon.\n\n{_OPTION}"
_TREE = "{}\n\n.. toctree::\n   :maxdepth: 3\n\n   plans/zeppelin\n"
_EDIT = "{}\nedit_uri: edit/main/docs/\n"

SITES = {
    "mkdocs": {"docs/plans/zeppelin.md": _MARKDOWN, "docs/index.md": _LISTED % "plans/zeppelin.md"},
    "mkdocs-edit-links": {
        "docs/plans/zeppelin.md": _MARKDOWN,
        "docs/index.md": _LISTED % "plans/zeppelin.md",
        "mkdocs.yml": _EDIT,
    },
    "sphinx": {"plans/zeppelin.rst": _RESTRUCTURED, "index.rst": _TREE},
    "vitepress": {"plans/zeppelin.md": _MARKDOWN, "index.md": _LISTED % "./plans/zeppelin.md"},
}


def _words(index: Path) -> str:
    """Return all that stands in the files that tell of the site."""
    names = ("index.db", "ids.json", "index.json")
    return b"".join((index / name).read_bytes() for name in names).decode("utf-8", "replace").lower()


@pytest.mark.parametrize("name", SITES)
def test_a_private_page_is_built_and_nowhere_in_the_index(name: str, tmp_path: Path) -> None:
    source, site = generate_private(name.partition("-")[0], tmp_path, SITES[name])
    without = run_index(site, "--out", tmp_path / "without")
    assert without.returncode == 0, without.stderr
    assert "zeppelin" in _words(tmp_path / "without")
    indexed = run_index(site, "--docs", source, "--out", tmp_path / "index", "--previous", tmp_path / "without")
    assert indexed.returncode == 0, indexed.stderr
    assert "zeppelin" not in _words(tmp_path / "index")
    assert len(Index.open(tmp_path / "index").pages()) == len(Index.open(tmp_path / "without").pages()) - 1


def test_a_source_that_no_page_is_made_from_ends_the_command_with_what_to_do(tmp_path: Path) -> None:
    source, site = generate_private("mkdocs", tmp_path, {"notes/zeppelin.md": _MARKDOWN})
    refused = run_index(site, "--docs", source, "--out", tmp_path / "index")
    assert_refused(refused, "(1): notes/zeppelin.md.", "draft: true", '<meta name="pincite" content="false">', code=1)
    assert not (tmp_path / "index").exists()
