"""Names that were given up for a standard term do not come back."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RETIRED = {
    "AskedSite": "FederatedSite",
    "BuildLibrary": "BuildCache",
    "PageKeys": "UrlIndex",
    "PassageReader": "PassageEmbedder",
    "Portal": "SiteRouter",
    "Quotable": "ScoredUnit",
    "Quotables": "UnitScorer",
    "Stance": "UnitRole",
    "asked_locale": "fallback_locale",
    "asked_scopes": "latest_scopes",
    "claim_folder": "lock_folder",
    "docs_speak": "corpus_matches_language",
    "looking_across": "federated_lookup",
    "passage_reader": "passage_embedder",
    "prompts_among": "select_prompts",
    "put_to_members": "question_to_members",
    "read_together": "expand_follow_up",
    "share_cut": "truncated_share",
    "spread_out": "systematic_sample",
    "stance_of": "role_of",
    "turns_round": "negation_differs",
    "visible_in_place": "mask_invisible",
    "visible_text": "strip_invisible",
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
