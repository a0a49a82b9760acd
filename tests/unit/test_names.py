"""Names that were given up for a standard term do not come back."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RETIRED = {
    "AskedSite": "FederatedSite",
    "AskedFor": "AnswerType",
    "BuildLibrary": "BuildCache",
    "PINCITE_ACROSS": "PINCITE_SITE_GROUPS",
    "PINCITE_PORTAL": "PINCITE_SITE_INDEXES",
    "PageKeys": "UrlIndex",
    "Portal": "SiteRouter",
    "Quotable": "ScoredUnit",
    "Quotables": "UnitScorer",
    "SharedBudget": "DailyBudget",
    "Stance": "UnitRole",
    "as_seen": "without_invisible",
    "asked_for": "expected_answer_type",
    "docs_speak": "corpus_matches_language",
    "has_locale": "match_locale",
    "locale_spoken": "locale_in_language",
    "looking_across": "federated_lookup",
    "portal": "site_indexes",
    "put_to_members": "question_to_members",
    "read_together": "expand_follow_up",
    "stance_of": "role_of",
    "turns_round": "negation_differs",
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
