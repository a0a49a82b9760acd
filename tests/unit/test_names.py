"""Names that were given up for a standard term do not come back."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RETIRED = {
    "AskedSite": "FederatedSite",
    "BuildLibrary": "BuildCache",
    "OutsideLink": "TextLink",
    "PageKeys": "UrlIndex",
    "Portal": "SiteRouter",
    "Quotable": "ScoredUnit",
    "Quotables": "UnitScorer",
    "SentenceDraft": "UnitDraft",
    "Stance": "UnitRole",
    "chunks_for_readers": "readable_units",
    "connected_sections": "linked_sections",
    "docs_speak": "corpus_matches_language",
    "looking_across": "federated_lookup",
    "pointed_to": "follow_reference",
    "put_to_members": "question_to_members",
    "read_together": "expand_follow_up",
    "sections_for_readers": "readable_sections",
    "sentence_bits": "unit_bits",
    "sentence_id": "unit_id",
    "sentences_of_chunks": "units_of_chunks",
    "shown_words": "plain_text",
    "stance_of": "role_of",
    "static_search": "browser_bundle",
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
