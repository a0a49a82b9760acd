"""The workflow files that maintainers copy: each is read by its host's schema, and its shell is sound."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.recipes import read_yaml, steps_with_shell
from tests.shell import SHELLCHECK

ROOT = Path(__file__).parents[2]
RECIPES = ROOT / "deploy/ci"
GITHUB = read_yaml(RECIPES / "github-pages.yml")["jobs"]
GITLAB = read_yaml(RECIPES / "gitlab-ci.yml")["pages"]
ACTION = read_yaml(ROOT / "action.yml")["runs"]
SCHEMAS = {
    "deploy/ci/github-pages.yml": "vendor.github-workflows",
    "deploy/ci/gitlab-ci.yml": "vendor.gitlab-ci",
    "action.yml": "vendor.github-actions",
}
SHELL = {
    "build.sh": (RECIPES / "build.sh").read_text(encoding="utf-8"),
    "gitlab": "\n".join([*GITLAB["before_script"], *GITLAB["script"]]),
    **{f"github {step['name']}": step["run"] for step in steps_with_shell(GITHUB["build"])},
    **{f"action {step['name']}": step["run"] for step in steps_with_shell(ACTION)},
}


@pytest.mark.parametrize(("name", "schema"), SCHEMAS.items())
def test_a_hosts_schema_accepts_the_file(name: str, schema: str) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(ROOT / name)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", SHELL)
def test_the_shell_is_sound_and_pastes_in_nothing(name: str, tmp_path: Path) -> None:
    assert "${{" not in SHELL[name], "hand it over as a variable: pasted, a title can be a command"
    (tmp_path / "step.sh").write_text(SHELL[name], encoding="utf-8")
    command = [SHELLCHECK, "--shell=bash", str(tmp_path / "step.sh")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def built_by(name: str) -> tuple[Any, Any]:
    """Return the command and the folder of what it builds, of a host that runs one command."""
    text = (RECIPES / name).read_text(encoding="utf-8")
    if name == "vercel.json":
        read = json.loads(text)
        return read["buildCommand"], read["outputDirectory"]
    read = tomllib.loads(text)
    if name == "netlify.toml":
        return read["build"]["command"], read["build"]["publish"]
    return "bash ci/build.sh" if "`bash ci/build.sh`" in text else "", read["pages_build_output_dir"]


@pytest.mark.parametrize("name", ["netlify.toml", "vercel.json", "wrangler.toml"])
def test_a_host_that_runs_one_command_runs_the_script_and_publishes_what_it_builds(name: str) -> None:
    assert built_by(name) == ("bash ci/build.sh", "build")
    assert "pincite inspect build/pincite" in SHELL["build.sh"]


def test_every_recipe_installs_before_it_builds_and_by_the_one_variable() -> None:
    for shell in (
        "\n".join(step["run"] for step in steps_with_shell(GITHUB["build"])),
        SHELL["gitlab"],
        SHELL["build.sh"],
    ):
        assert shell.index("pip") < shell.index("PINCITE_REQUIREMENT") < shell.index("npm run build")


def test_every_recipe_keeps_the_caches_from_build_to_build() -> None:
    assert any(step.get("uses", "").startswith("actions/cache@") for step in GITHUB["build"]["steps"])
    assert GITLAB["cache"]["paths"] == [".cache"]
    assert "node_modules/.cache" in SHELL["build.sh"]


def test_the_page_on_deploying_names_every_recipe() -> None:
    page = (ROOT / "docs/deploy.md").read_text(encoding="utf-8")
    assert [file.name for file in RECIPES.iterdir() if f"deploy/ci/{file.name}" not in page] == []
