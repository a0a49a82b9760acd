"""The real command over the fixture sites, and a second opinion on their pages."""

import shutil
import subprocess
from pathlib import Path

from bench.second_opinion import SeenPage, see_page
from tests.commands import run_command

from pincite_core.urls import candidate_files

__all__ = ("FIXTURES", "SITES", "copy_site", "parse_page", "run_index", "run_pincite")

FIXTURES = Path(__file__).parents[1] / "fixtures"
SITES = ("harbor", "sphinx", "mkdocs", "vitepress", "plain", "broken")


def run_pincite(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own."""
    return run_command(*arguments)


def run_index(site: Path, *options: str | Path, model: str = "fake") -> subprocess.CompletedProcess[str]:
    """Run `pincite index` in a process of its own."""
    return run_pincite("index", site, "--model", model, *options)


def copy_site(name: str, folder: Path) -> Path:
    """Return a copy of a fixture site that a test may change."""
    return Path(shutil.copytree(FIXTURES / name, folder / name))


def assert_refused(result: subprocess.CompletedProcess[str], *parts: str, code: int | None = None) -> None:
    """Check that a command ended with one sentence for people, after its progress."""
    assert result.returncode != 0
    assert code is None or result.returncode == code
    assert "Traceback" not in result.stderr
    said = [line for line in result.stderr.splitlines() if line.startswith("pincite: ")]
    assert len(said) == 1, result.stderr
    assert result.stderr.rstrip().endswith(said[0])
    for part in parts:
        assert part in said[0]


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder, by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def parse_page(site: Path, url: str, base_url: str) -> SeenPage:
    """Parse the file behind a page's URL with html5lib."""
    return see_page(next(site / name for name in candidate_files(url, base_url) if (site / name).is_file()))
