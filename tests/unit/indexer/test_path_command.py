"""`pincite inspect --path`: the way between two places, for people and as JSON lines."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.factories import build_index
from tests.unit.indexer.builds import Builds
from tests.unit.indexer.sites import docs_page

from pincite_core.errors import InputError
from pincite_indexer.command_line import inspect

PAGES = {
    "/install": "# Install\nFirst of all.\n[fill the lamp](/lamp#oil)\n## Docker {#docker}\nRun it.",
    "/lamp": "# Lamp\nIt gives light.\n## Oil {#oil}\nFill it.",
    "/alone": "# Alone\nNothing leads here.",
}


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return str(build_index(tmp_path, PAGES).file)


def test_a_path_is_printed_line_by_line(folder: str) -> None:
    shown = CliRunner().invoke(inspect, [folder, "--path", "default/install#docker", "/lamp#oil"])
    assert shown.exit_code == 0
    assert shown.stdout.splitlines() == [
        "from Install > Docker  /install#docker",
        "up to Install  /install",
        "by the link “fill the lamp” to Lamp > Oil  /lamp#oil",
    ]


def test_a_path_is_printed_as_one_json_object_per_step(folder: str) -> None:
    shown = CliRunner().invoke(inspect, [folder, "--json", "--path", "/install", "/lamp#oil"])
    assert [json.loads(line) for line in shown.stdout.splitlines()][1] == {
        "relation": "link",
        "text": "fill the lamp",
        "stable_id": "default/lamp#oil",
        "heading_path": "Lamp > Oil",
        "url": "/lamp#oil",
    }


def test_a_missing_path_sets_the_exit_code(folder: str) -> None:
    shown = CliRunner().invoke(inspect, [folder, "--path", "/install", "/alone"])
    assert shown.exit_code == 1
    assert shown.stderr == "No links or headings lead from /install to /alone.\n"


def test_a_place_that_is_not_in_the_index_is_bad_input(folder: str) -> None:
    with pytest.raises(InputError, match="/nowhere is neither a stable ID nor a URL of this index"):
        CliRunner().invoke(inspect, [folder, "--path", "/nowhere", "/lamp"], catch_exceptions=False)


def _of_versions(folder: Path) -> str:
    """Return an index whose IDs each name a place in three versions and two languages."""
    prefixes = {("1.0", "en"): "/1.0", ("2.0", "en"): "", ("current", "en"): "/next", ("2.0", "de"): "/de"}
    files = {"index.html": docs_page("<p>Home.", "home", version="2.0")}
    for (version, locale), prefix in prefixes.items():
        link = f'<h1>Install</h1><p>Of {version} {locale}: <a href="{prefix}/lamp.html">lamp</a>.'
        files[f"{prefix}/install.html".strip("/")] = docs_page(link, "install", version=version, locale=locale)
        files[f"{prefix}/lamp.html".strip("/")] = docs_page(
            f"<h1>Lamp</h1><p>{version} {locale}.", "lamp", version=version, locale=locale
        )
    builds = Builds(folder)
    return str(builds.add(files).file)


def test_an_id_of_several_scopes_is_the_target_in_the_default_scope(tmp_path: Path) -> None:
    shown = CliRunner().invoke(inspect, [_of_versions(tmp_path), "--path", "default/install", "default/lamp"])
    assert [line.rpartition("  ")[2] for line in shown.stdout.splitlines()] == ["/install.html", "/lamp.html"]


def test_the_goal_of_an_id_is_in_the_scope_of_the_start(tmp_path: Path) -> None:
    shown = CliRunner().invoke(inspect, [_of_versions(tmp_path), "--path", "/de/install.html", "default/lamp"])
    assert [line.rpartition("  ")[2] for line in shown.stdout.splitlines()] == ["/de/install.html", "/de/lamp.html"]
