"""The shell of workflow files, run step by step as their hosts run it: in bash, with nothing but their variables."""

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

__all__ = ("Runner", "read_yaml", "step_named", "steps_with_shell")

_EXPRESSION = re.compile(r"\$\{\{\s*(.+?)\s*\}\}")
_REACH = (
    "PIP_",
    "npm_config_",
    "NODE_",
    "SSL_",
    "HTTP",
    "http",
    "NO_PROXY",
    "no_proxy",
)  # how packages are reached here


def steps_with_shell(job: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the steps of a job, or of a composite action, that are shell."""
    return [step for step in job["steps"] if "run" in step]


@dataclass(slots=True)
class Runner:
    """A machine with a folder of its own: steps hand variables and the path on by files, as GitHub's do."""

    folder: Path
    workspace: Path
    expressions: Mapping[str, str]
    variables: dict[str, str] = field(default_factory=dict)
    path: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        for name in ("home", "temp"):
            (self.folder / name).mkdir(parents=True)

    @property
    def summary(self) -> str:
        """What was written into the run's summary."""
        file = self.folder / "summary"
        return file.read_text(encoding="utf-8") if file.is_file() else ""

    def run(self, step: Mapping[str, Any]) -> subprocess.CompletedProcess[str]:
        """Run a step in bash as GitHub does, and take over what it hands on."""
        own = {name: self._filled(str(value)) for name, value in step.get("env", {}).items()}
        done = self.shell(step["run"], own)
        for line in self._handed_on("env"):
            name, _, value = line.partition("=")
            self.variables[name] = value
        self.path[:0] = self._handed_on("path")
        return done

    def shell(self, script: str, own: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        """Run a script with the variables that there are and no others."""
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
        return subprocess.run(
            command, cwd=self.workspace, env=self._environment() | (own or {}), capture_output=True, text=True
        )

    def _environment(self) -> dict[str, str]:
        files = {f"GITHUB_{name.upper()}": str(self.folder / name) for name in ("env", "path")}
        reach = {name: value for name, value in os.environ.items() if name.startswith(_REACH)}
        return {
            **reach,
            **files,
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
            "RUNNER_TEMP": str(self.folder / "temp"),
            "HOME": str(self.folder / "home"),
            "LANG": "C.UTF-8",
            "PATH": os.pathsep.join([*self.path, "/usr/local/bin", "/usr/bin", "/bin"]),
            **{name: self._filled(value) for name, value in self.variables.items()},
        }

    def _filled(self, text: str) -> str:
        return _EXPRESSION.sub(lambda found: self.expressions[found[1]], text)

    def _handed_on(self, name: str) -> list[str]:
        file = self.folder / name
        lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
        file.unlink(missing_ok=True)
        return lines


def step_named(steps: list[dict[str, Any]], name: str) -> dict[str, Any]:
    """Return the step of a name."""
    return next(step for step in steps if step.get("name") == name)


def read_yaml(file: Path) -> Any:
    """Return a workflow file's content."""
    return yaml.safe_load(file.read_text(encoding="utf-8"))
