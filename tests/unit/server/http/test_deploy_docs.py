"""docs/deploy.md and deploy/ name only existing settings, commands and metrics, and every policy."""

import re
from pathlib import Path

import pytest

from pincite_core.cli import COMMANDS
from pincite_server.cli.doctor_command import doctor
from pincite_server.cli.report_command import report
from pincite_server.cli.serve_command import serve
from pincite_server.doctor.examination import KNOWN_VARIABLES
from pincite_server.observe.metrics import Metrics
from pincite_server.policy import POLICY_VARIABLES

ROOT = Path(__file__).parents[4]
DEPLOY = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
FILES = {
    str(file.relative_to(ROOT / "deploy")): file.read_text(encoding="utf-8")
    for folder in (ROOT / "deploy", ROOT / "deploy/replicas")
    for file in sorted(folder.iterdir())
    if file.is_file()
}
_FLAGS = {flag for command in (serve, doctor, report) for option in command.params for flag in option.opts}
_OF_THE_BUILD = {"PINCITE_REQUIREMENT"}  # what the hosts' files in deploy/ci install
_OF_OTHERS = set(
    "--previous --docs --out --stop-timeout --detach --build --no-cache-dir --system --now "
    "--no-deploy --copy-config --config --dockerfile "
    "--rm --from-literal --filename --save --appendonly --requirepass --username --dbname".split()
)
"""Options of `pincite index`, docker, pip, useradd, systemctl, fly, kubectl, valkey-server and pg_isready."""


@pytest.mark.parametrize("text", [DEPLOY, *FILES.values()], ids=["deploy.md", *FILES])
def test_every_variable_and_flag_that_is_named_exists(text: str):
    named = set(re.findall(r"\b((?:PINCITE|CHAT|ENABLE|VALIDATOR)_[A-Z_]*[A-Z])\b", text))
    assert named - KNOWN_VARIABLES - _OF_THE_BUILD == set()
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text)) - _FLAGS - _OF_OTHERS == set()


def test_every_policy_has_its_row():
    assert set(re.findall(r"^\| `(\w+)` \|", DEPLOY, re.MULTILINE)) == set(POLICY_VARIABLES)


def test_every_command_and_metric_that_is_named_exists():
    assert set(re.findall(r"pincite ([a-z]+)\b(?!:)", DEPLOY)) <= set(COMMANDS)
    metrics = set(re.findall(r"\bpincite_(?!index_|llm_)[a-z_]+", DEPLOY))
    families = {family.name for family in Metrics().registry.collect()}
    assert {name.removesuffix("_total") for name in metrics} <= families


def test_links_to_files_and_sections_lead_somewhere():
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", DEPLOY):
        assert (ROOT / "docs" / target).resolve().exists(), target
    api = (ROOT / "docs" / "http-api.md").read_text(encoding="utf-8")
    headings = {
        re.sub(r"[^\w -]", "", line).strip().lower().replace(" ", "-") for line in re.findall(r"^##+ (.*)$", api, re.M)
    }
    assert set(re.findall(r"\(http-api\.md#([^)]*)\)", DEPLOY)) <= headings


def test_the_image_gets_what_the_wheel_is_built_from():
    kept = {line[1:] for line in FILES["Dockerfile.dockerignore"].splitlines() if line.startswith("!")}
    assert kept == {"indexer", "server", "widget/dist", "pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE"}
    assert all((ROOT / name).exists() for name in kept)
