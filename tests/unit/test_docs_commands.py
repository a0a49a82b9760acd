"""Commands that the documentation names are there."""

import re
from pathlib import Path

import pytest

from pincite_core.cli import COMMANDS

ROOT = Path(__file__).parents[2]
DOCS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
_BENCH = re.compile(r"\bbench\.([a-z_]+)")
_PINCITE = re.compile(r"^pincite ([a-z]+)", re.MULTILINE)
_MAKE = re.compile(r"`make ([a-z-]+)|^make ([a-z-]+)", re.MULTILINE)


@pytest.mark.parametrize("doc", DOCS, ids=lambda doc: doc.name)
def test_every_command_that_a_document_names_exists(doc: Path) -> None:
    text = doc.read_text(encoding="utf-8")
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    benches = {path.stem for path in (ROOT / "bench").iterdir()}
    assert set(_BENCH.findall(text)) <= benches
    assert set(_PINCITE.findall(text)) <= set(COMMANDS)
    assert {name or other for name, other in _MAKE.findall(text)} <= set(targets)


def test_the_documents_name_commands_at_all() -> None:
    everything = "\n".join(doc.read_text(encoding="utf-8") for doc in DOCS)
    assert all(len(set(pattern.findall(everything))) >= 2 for pattern in (_BENCH, _PINCITE, _MAKE))
