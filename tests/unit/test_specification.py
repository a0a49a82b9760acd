"""Comments cite the requirements of docs/specification.md by ids that exist."""

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SPECIFICATION = (ROOT / "docs/specification.md").read_text(encoding="utf-8")
IDS = re.findall(r"^\| ([A-Z]+-\d+) \|", SPECIFICATION, re.MULTILINE)
FAMILIES = sorted({identifier.partition("-")[0] for identifier in IDS})
CITED = re.compile(rf"\b(?:{'|'.join(FAMILIES)})-\d+\b")
ELSEWHERE = re.compile(r"chat specification|\bthe ADR\b|ADR-003 \(|confidence and fallback design|DESIGN(?:\.md)? \d")
SOURCES = sorted(
    file
    for pattern in ("indexer/**/*.py", "server/**/*.py", "widget/src/**/*.js", "docusaurus-plugin/src/**/*.js")
    for file in ROOT.glob(pattern)
    if ".venv" not in file.parts
)


def test_each_requirement_has_an_id_of_its_own() -> None:
    assert IDS
    assert not [identifier for identifier, times in Counter(IDS).items() if times > 1]


def test_requirements_of_a_family_are_numbered_without_gaps() -> None:
    for family in FAMILIES:
        numbers = [int(identifier.partition("-")[2]) for identifier in IDS if identifier.startswith(f"{family}-")]
        assert numbers == list(range(1, len(numbers) + 1)), family


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(file.relative_to(ROOT)))
def test_a_source_file_cites_requirements_that_exist(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert set(CITED.findall(text)) <= set(IDS)
    assert not ELSEWHERE.findall(text), "cite an id of docs/specification.md"


def test_the_sources_cite_the_specification() -> None:
    cited = {found for file in SOURCES for found in CITED.findall(file.read_text(encoding="utf-8"))}
    assert len(cited) >= 10
