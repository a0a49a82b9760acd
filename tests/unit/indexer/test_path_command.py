"""`pincite inspect --path`: the way between two places, for people and as JSON lines."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.factories import build_index

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


def test_the_way_is_shown_line_by_line(folder: str) -> None:
    shown = CliRunner().invoke(inspect, [folder, "--path", "default/install#docker", "/lamp#oil"])
    assert shown.exit_code == 0
    assert shown.stdout.splitlines() == [
        "from Install > Docker  /install#docker",
        "up to Install  /install",
        "by the link “fill the lamp” to Lamp > Oil  /lamp#oil",
    ]


def test_the_way_is_a_json_object_a_step(folder: str) -> None:
    shown = CliRunner().invoke(inspect, [folder, "--json", "--path", "/install", "/lamp#oil"])
    assert [json.loads(line) for line in shown.stdout.splitlines()][1] == {
        "relation": "link",
        "text": "fill the lamp",
        "stable_id": "default/lamp#oil",
        "heading_path": "Lamp > Oil",
        "url": "/lamp#oil",
    }


def test_where_nothing_leads_is_said_with_an_exit_code_for_scripts(folder: str) -> None:
    shown = CliRunner().invoke(inspect, [folder, "--path", "/install", "/alone"])
    assert shown.exit_code == 1
    assert shown.stderr == "No links or headings lead from /install to /alone.\n"


def test_a_place_that_is_not_in_the_index_is_bad_input(folder: str) -> None:
    with pytest.raises(InputError, match="/nowhere is neither a stable ID nor a URL of this index"):
        CliRunner().invoke(inspect, [folder, "--path", "/nowhere", "/lamp"], catch_exceptions=False)
