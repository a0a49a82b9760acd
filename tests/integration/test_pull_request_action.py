"""The action for pull requests, its steps run one by one on a changed site against an index that is really served."""

import os
import shlex
import sys
from pathlib import Path

import pytest
from tests.integration.hosting import Host, host
from tests.integration.indexing import run_index
from tests.recipes import Runner, read_yaml, step_named, steps_with_shell
from tests.unit.indexer.builds import LEASE, RETRY, guide, section

ROOT = Path(__file__).parents[2]
STEPS = steps_with_shell(read_yaml(ROOT / "action.yml")["runs"])
QUESTIONS = f"""- question: "{RETRY}"
  expect: default/retries#when
- question: "{LEASE}"
  expect: default/leases#length
"""
LEASES = "# Leases\n\n## Length\n\n{}\n"
OLD = {
    "docs/leases.html": guide("Leases", section("length", "Length", LEASE)),
    "docs/retries.html": guide("Retries", section("when", "When", RETRY)),
}
DEAD = '<a href="/docs/retries#whenever">when</a>'
NEW = {
    "docs/leases.html": guide("Leases", section("length", "Length", LEASE + DEAD)),
    "docs/retries.html": guide("Retries", section("when", "When", "Nothing is said of this any more, at all.")),
}


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


@pytest.fixture
def deployed(tmp_path: Path) -> Host:
    """The site of before, deployed with its index."""
    with host(tmp_path / "deployed") as running:
        write(running.folder, OLD)
        assert run_index(running.folder, "--site-url", "https://docs.example.com").returncode == 0
        yield running


@pytest.fixture
def runner(tmp_path: Path, deployed: Host) -> Runner:
    """A checked-out pull request whose site is built and indexed, and Pincite installed."""
    workspace = tmp_path / "workspace"
    write(workspace / "build", NEW)
    text = f"{LEASE}[when](retries.md#whenever)"
    write(workspace, {"docs/leases.md": LEASES.format(text), "questions.yml": QUESTIONS})
    assert run_index(workspace / "build", "--site-url", "https://docs.example.com").returncode == 0
    command = tmp_path / "pincite"
    paths = os.pathsep.join(filter(None, [*map(str, (ROOT / "indexer", ROOT / "server"))]))
    command.write_text(f'#!/bin/sh\nPYTHONPATH={shlex.quote(paths)} exec {sys.executable} -m pincite_indexer "$@"\n')
    command.chmod(0o755)
    inputs = {"site": "build", "docs": "docs", "questions": "questions.yml", "on-lost-id": "warn"}
    expressions = {f"inputs.{name}": value for name, value in inputs.items()}
    expressions["inputs.deployed"] = f"{deployed.url}/pincite/"
    own = {"PINCITE": str(command), "PINCITE_CACHE_DIR": str(tmp_path / "cache"), "OMP_NUM_THREADS": "1"}
    return Runner(tmp_path / "runner", workspace, expressions, own)


def test_a_dead_link_stands_at_its_line_and_the_summary_says_what_changed(runner: Runner) -> None:
    done = runner.run(step_named(STEPS, "Check links and IDs"))
    assert done.returncode == 1, done.stderr
    assert "::error file=docs/leases.md,line=5,title=Pincite%3A dead fragment::" in done.stdout
    assert "Dead links and anchors: 1" in runner.summary
    assert "docs/leases.md:5" in runner.summary
    assert "Sections whose text changed: 2" in runner.summary
    assert "IDs that lead nowhere any more: 0" in runner.summary


def test_an_answer_that_is_lost_is_told_at_the_line_of_its_question(runner: Runner) -> None:
    done = runner.run(step_named(STEPS, "Compare answers"))
    assert done.returncode == 0, done.stderr
    assert "::warning file=questions.yml,line=1,title=Pincite%3A answer lost::" in done.stdout
    assert "Answers lost: 1" in runner.summary
    assert "Answers gained: 0" in runner.summary


def test_before_anything_is_deployed_both_steps_say_so(runner: Runner, deployed: Host) -> None:
    (deployed.folder / "pincite/index.json").unlink()
    checked = runner.run(step_named(STEPS, "Check links and IDs"))
    compared = runner.run(step_named(STEPS, "Compare answers"))
    assert (checked.returncode, compared.returncode) == (1, 0), compared.stderr
    assert runner.summary.count("There is no earlier index to compare with.") == 2
