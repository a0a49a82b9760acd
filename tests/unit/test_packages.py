"""The two packages are released together, under one version."""

import json
import re
import shutil
import subprocess
from pathlib import Path

from pincite_core.version import __version__

ROOT = Path(__file__).parents[2]
PLUGIN = ROOT / "docusaurus-plugin"


def test_the_plugin_has_the_version_of_the_indexer():
    manifest = json.loads((PLUGIN / "package.json").read_text(encoding="utf-8"))
    lock = json.loads((PLUGIN / "package-lock.json").read_text(encoding="utf-8"))
    assert manifest["version"] == lock["version"] == lock["packages"][""]["version"] == __version__


def test_the_version_is_written_alike_by_pip_and_npm():
    assert re.fullmatch(r"\d+\.\d+\.\d+", __version__), "pre-releases are spelled differently by the two"


def test_both_packages_carry_the_licence():
    assert (PLUGIN / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_the_page_on_installing_names_the_files_of_this_version():
    page = (ROOT / "docs/install.md").read_text(encoding="utf-8")
    named = set(re.findall(r"pincite-(\d[\w.]*?)(?:-py3-none-any\.whl|\.tgz)|/download/v([\d.]+)", page))
    assert {one or other for one, other in named} == {__version__}


def test_the_changelog_has_short_notes_of_this_version_below_the_unreleased_ones():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert text.count("\n## Unreleased\n") == 1
    below = text.partition("\n## Unreleased\n")[2]
    assert re.findall(r"^## (\S+)", below, re.MULTILINE)[0] == __version__
    notes = subprocess.run([ROOT / ".ci/release-notes", __version__], capture_output=True, text=True, check=True).stdout
    assert 0 < len(notes.strip().splitlines()) <= 40


def test_the_notes_of_a_release_are_the_changelogs_section(tmp_path: Path):
    (tmp_path / ".ci").mkdir()
    script = shutil.copy(ROOT / ".ci/release-notes", tmp_path / ".ci")
    (tmp_path / "CHANGELOG.md").write_text(
        "# Changelog\n\n## Unreleased\n\n- New.\n\n## 1.2.3 - May\n\n- Mended.\n\n## 1.2\n\n- Old.\n"
    )
    shown = subprocess.run([script, "1.2.3"], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "- Mended."
    missing = subprocess.run([script, "1.2.4"], capture_output=True, text=True)
    assert missing.returncode == 1
    assert '"## 1.2.4"' in missing.stderr
