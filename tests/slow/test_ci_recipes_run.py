"""The workflow files, run step by step on a machine that has Python, Node and nothing of Pincite.

Only what a file installs is there: fresh folders for home, temporary files and packages, no variable but those that
its host sets. Pincite comes from this checkout in place of the registry, by the one variable that the files document.
"""

import json
import shutil
import sys
from pathlib import Path

import pytest
from tests.integration.hosting import host
from tests.recipes import Runner, read_yaml, steps_with_shell

from pincite_core.deployed.build_facts import facts_beside

ROOT = Path(__file__).parents[2]
RECIPES = ROOT / "deploy/ci"
REQUIREMENT = f"{ROOT}[index-light]"
PAGE = (
    "<!doctype html><html lang=en><head><title>Leases</title></head><body><main><h1>Leases</h1>{}</main></body></html>"
)
LEASE = "<p>A lease lasts thirty seconds unless the worker extends it before the time is up.</p>"
BUILD = "node build.js && pincite index build --model fake --site-url https://docs.example.com"
PACKAGE = {"name": "docs", "version": "1.0.0", "private": True, "scripts": {"build": BUILD}}
LOCK = {"name": "docs", "version": "1.0.0", "lockfileVersion": 3, "requires": True, "packages": {"": PACKAGE}}
SCRIPT = f"""const fs = require('node:fs');
fs.mkdirSync('build/docs', {{recursive: true}});
fs.writeFileSync('build/docs/leases.html', {json.dumps(PAGE.format(LEASE))});
"""


def make_runner(folder: Path, **variables: str) -> Runner:
    """Return a machine with a checked-out site of one page, which a script of its own builds."""
    workspace = folder / "workspace"
    workspace.mkdir(parents=True)
    (workspace / "package.json").write_text(json.dumps(PACKAGE), encoding="utf-8")
    (workspace / "package-lock.json").write_text(json.dumps(LOCK), encoding="utf-8")
    (workspace / "build.js").write_text(SCRIPT, encoding="utf-8")
    tools = folder / "tools"  # of a machine that has been set up: Python and Node, by their own names
    tools.mkdir()
    for name, program in (("python3", sys.executable), *((tool, shutil.which(tool)) for tool in ("node", "npm"))):
        assert program, f"{name} is not installed"
        (tools / name).symlink_to(Path(program).resolve())
    runner = Runner(folder / "runner", workspace, {"github.workspace": str(workspace)}, dict(variables), [str(tools)])
    missing = runner.shell("! command -v pincite")
    assert missing.returncode == 0, "this machine has Pincite already"
    return runner


def require_index(folder: Path, runner: Runner) -> None:
    """Check that an index was built, and what the builds cached."""
    facts = facts_beside(folder / "pincite/index.db")
    assert facts.counts["pages"] == 1
    assert list(runner.workspace.rglob("*pincite*/*")), "nothing is cached"


@pytest.mark.timeout(1200)
def test_the_workflow_for_github_builds_an_index_twice(tmp_path: Path) -> None:
    workflow = read_yaml(RECIPES / "github-pages.yml")
    runner = make_runner(tmp_path, **workflow["env"] | {"PINCITE_REQUIREMENT": REQUIREMENT})
    for step in [*steps_with_shell(workflow["jobs"]["build"]), *steps_with_shell(workflow["jobs"]["build"])[-3:]]:
        done = runner.run(step)
        assert done.returncode == 0, f"{step['name']}: {done.stdout}{done.stderr}"
    require_index(runner.workspace / "build", runner)


@pytest.mark.timeout(1200)
def test_the_job_for_gitlab_builds_an_index_and_publishes_it(tmp_path: Path) -> None:
    job = read_yaml(RECIPES / "gitlab-ci.yml")["pages"]
    runner = make_runner(tmp_path)
    own = {"CI_PROJECT_DIR": str(runner.workspace)}
    own |= {name: value.replace("$CI_PROJECT_DIR", str(runner.workspace)) for name, value in job["variables"].items()}
    own["PINCITE_REQUIREMENT"] = REQUIREMENT
    lines = [line for line in [*job["before_script"], *job["script"]] if not line.startswith("apt-get")]
    assert len(lines) == len(job["before_script"]) + len(job["script"]) - 1, "the image's packages are there already"
    done = runner.shell("\n".join(lines), own)
    assert done.returncode == 0, done.stdout + done.stderr
    require_index(runner.workspace / "public", runner)


@pytest.mark.timeout(1200)
def test_the_script_of_the_other_hosts_builds_an_index_that_can_be_fetched(tmp_path: Path) -> None:
    runner = make_runner(tmp_path, PINCITE_REQUIREMENT=REQUIREMENT, TMPDIR=str(tmp_path))
    (runner.workspace / "ci").mkdir()
    shutil.copy(RECIPES / "build.sh", runner.workspace / "ci")
    done = runner.shell("npm install && bash ci/build.sh")
    assert done.returncode == 0, done.stdout + done.stderr
    require_index(runner.workspace / "build", runner)
    with host(runner.workspace / "build") as deployed:
        read = runner.shell(f'"$(ls -d "$TMPDIR"/tmp.*)/bin/pincite" inspect {deployed.url}/pincite/')
    assert read.returncode == 0, read.stderr


def test_the_script_says_what_to_do_where_there_is_no_python(tmp_path: Path) -> None:
    runner = make_runner(tmp_path)
    (tmp_path / "bin").mkdir()
    done = runner.shell(f'PATH={tmp_path}/bin /bin/bash "{RECIPES}/build.sh"')
    assert done.returncode == 1
    assert "PYTHON_VERSION=3.13" in done.stderr
