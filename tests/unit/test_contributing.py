"""What contributors and the hosts of the repository are told fits the repository."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
URL = "https://github.com/pincite/pincite"
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *(ROOT / name / "README.md" for name in ("docusaurus-plugin", "widget")),
]
_CODE = re.compile(r"```.*?```", re.DOTALL)
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


def anchors_of(page: Path) -> set[str]:
    """Return the anchors of a page: its headings' as GitHub makes them, and those it sets itself."""
    text = _CODE.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    plain = (re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower() for heading in headings)
    slugs = {re.sub(r"[^\w -]", "", heading).strip().replace(" ", "-") for heading in plain}
    return slugs | set(re.findall(r'<a id="([^"]+)"', text))


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: page.name)
def test_every_link_within_the_repository_leads_somewhere(page: Path) -> None:
    for link in _LINK.findall(_CODE.sub("", page.read_text(encoding="utf-8"))):
        path, _, anchor = link.partition("#")
        if "://" in link or link.startswith("mailto:"):
            continue
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert not anchor or target.suffix != ".md" or anchor in anchors_of(target), link


def test_the_list_of_decisions_has_each_by_its_title() -> None:
    folder = ROOT / "docs/decisions"
    listed = re.findall(
        r"^- \[(\d+)\]\((.+)\): (.+)$", (folder / "README.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    files = sorted(folder.glob("[0-9]*.md"))
    titles = [file.read_text(encoding="utf-8").splitlines()[0] for file in files]
    assert [(name, f"# {number}: {title}") for number, name, title in listed] == [
        (file.name, title) for file, title in zip(files, titles, strict=True)
    ]


def test_both_manifests_name_the_repository() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    plugin = json.loads((ROOT / "docusaurus-plugin/package.json").read_text(encoding="utf-8"))
    assert project["urls"]["Repository"] == URL
    assert plugin["repository"] == {"type": "git", "url": f"git+{URL}.git", "directory": "docusaurus-plugin"}
    assert plugin["bugs"] == project["urls"]["Issues"] == f"{URL}/issues"
    assert project["urls"]["Changelog"] == f"{URL}/blob/main/CHANGELOG.md"


def parsed(file: Path) -> Any:
    return yaml.safe_load(file.read_text(encoding="utf-8"))


def lane(name: str) -> tuple[list[str], set[tuple[str, str]]]:
    """Return the commands of a job of the public CI, and the versions of Python and Node that it runs them with."""
    job = parsed(ROOT / ".github/workflows/ci.yml")["jobs"][name]
    matrix = job["strategy"]["matrix"]
    pairs = matrix.get("include") or [
        {"python": python, "node": node} for python in matrix["python"] for node in matrix["node"]
    ]
    return [step.get("run", "") for step in job["steps"]], {(pair["python"], pair["node"]) for pair in pairs}


def test_the_fast_lane_of_the_public_ci_checks_oldest_and_newest_versions() -> None:
    commands, versions = lane("fast")
    assert [command for command in commands if command.startswith("make ") and command.endswith(" fast")]
    assert versions == {(python, node) for python in ("3.11", "3.14") for node in ("20", "24")}


def test_the_full_lane_of_the_public_ci_runs_what_must_hold_before_a_change_lands() -> None:
    commands, versions = lane("full")
    assert ".ci/run" in commands
    assert (ROOT / ".ci/run").stat().st_mode & 0o100
    assert versions >= {("3.11", "20"), ("3.14", "24")}


def test_updates_are_looked_for_wherever_there_is_a_manifest() -> None:
    updates = parsed(ROOT / ".github/dependabot.yml")["updates"]
    folders = {each for update in updates for each in update.get("directories", [update.get("directory")])}
    assert all((ROOT / folder.strip("/")).is_dir() for folder in folders)
    places = ("*", "examples/*", "tests/fixtures/sources/*")
    locks = [lock for place in places for lock in ROOT.glob(f"{place}/package-lock.json")]
    assert len(locks) >= 4
    assert {f"/{lock.parent.relative_to(ROOT)}" for lock in locks} <= folders


def test_the_forms_of_issues_have_what_their_host_asks_for() -> None:
    forms = [file for file in (ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml") if file.name != "config.yml"]
    assert len(forms) == 3
    for form in map(parsed, forms):
        assert {"name", "description", "body"} <= form.keys()
        ids = [field["id"] for field in form["body"] if field["type"] != "markdown"]
        assert len(ids) == len(set(ids)) >= 1


def test_hooks_before_a_commit_run_the_tools_of_lint() -> None:
    (local,) = parsed(ROOT / ".pre-commit-config.yaml")["repos"]
    lint = (ROOT / "Makefile").read_text(encoding="utf-8")
    for hook in local["hooks"]:
        tool = hook["entry"].split()[0].rpartition("/")[2]
        assert f"/{tool} " in lint
