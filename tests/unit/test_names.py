"""Names that were given up for a standard term do not come back."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RETIRED = {
    "AskedSite": "FederatedSite",
    "BuildLibrary": "BuildCache",
    "ContentReader": "ContentCache",
    "LeftOut": "SkippedFile",
    "PageKeys": "UrlIndex",
    "Portal": "SiteRouter",
    "Quotable": "ScoredUnit",
    "Quotables": "UnitScorer",
    "Stance": "UnitRole",
    "docs_speak": "corpus_matches_language",
    "drawn_ids": "svg_ids",
    "looking_across": "federated_lookup",
    "put_to_members": "question_to_members",
    "read_together": "expand_follow_up",
    "recognised_language": "detect_language",
    "says_no": "is_no",
    "shown_letters": "visible_letters",
    "stance_of": "role_of",
    "turns_round": "negation_differs",
    "without_compilations": "mark_compilations",
    "worth_of": "dense_weight",
}
FILES = sorted(
    file
    for pattern in ("indexer/**/*.py", "server/**/*.py", "bench/**/*.py", "docs/*.md", "*.md")
    for file in ROOT.glob(pattern)
    if ".venv" not in file.parts
)


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_no_file_uses_a_retired_name(file: Path) -> None:
    words = set(re.findall(r"\w+", file.read_text(encoding="utf-8")))
    found = {name: new for name, new in RETIRED.items() if name in words}
    assert not found, f"use the new names: {found}"
