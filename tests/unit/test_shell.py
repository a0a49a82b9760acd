"""Every line of shell that the repository hands out is sound, and every workflow is one that its host accepts."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.shell import SHELLCHECK, blocks_of, scripts, steps_of

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    *ROOT.glob("*.md"),
    *ROOT.joinpath("docs").rglob("*.md"),
    *(ROOT / name / "README.md" for name in ("docusaurus-plugin", "widget")),
]
WORKFLOWS = sorted(ROOT.joinpath(".github/workflows").glob("*.yml"))
_TYPED = "SC2154,SC2034,SC2164"  # people set variables, use them later, and see when a folder is not there


def check(texts: list[str], folder: Path, *options: str) -> None:
    """Run shellcheck over pieces of shell, and show what it says of which."""
    for number, text in enumerate(texts):
        (folder / f"{number}.sh").write_text(text)
    names = [f"{number}.sh" for number in range(len(texts))]
    done = subprocess.run([SHELLCHECK, "--shell=bash", *options, *names], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_scripts_are_sound():
    names = [str(path) for path in scripts(ROOT / ".ci")]
    assert names
    done = subprocess.run([SHELLCHECK, *names], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_shell_of_the_documents_is_sound(tmp_path: Path):
    found = [block for path in sorted(DOCUMENTS) for block in blocks_of(path.read_text(encoding="utf-8"))]
    assert len(found) > 10
    check(found, tmp_path, f"--exclude={_TYPED}")


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_the_steps_of_a_workflow_are_sound_and_paste_no_expression_into_shell(workflow: Path, tmp_path: Path):
    steps = steps_of(workflow.read_text(encoding="utf-8"))
    assert not [step for step in steps if "${{" in step], "hand it over as a variable: pasted, a title can be a command"
    check(steps, tmp_path)


@pytest.mark.parametrize("schema", ["vendor.github-workflows", "custom.github-workflows-require-timeout"])
def test_the_workflows_are_such_as_their_host_accepts_and_every_job_ends(schema: str):
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *map(str, WORKFLOWS)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_faulty_shell_is_noticed(tmp_path: Path):
    with pytest.raises(AssertionError, match="SC2086"):
        check(blocks_of("```sh\nrm -r $1\n```\n"), tmp_path)
