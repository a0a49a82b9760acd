"""Names that were given up for a standard term do not come back."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RETIRED = {
    "Asker": "SyncAnswerer",
    "AskedSite": "FederatedSite",
    "BuildLibrary": "BuildCache",
    "CorpusMaterial": "CorpusContext",
    "LiveReply": "ReplyBroadcast",
    "PageKeys": "UrlIndex",
    "PassageMaterial": "PassageContext",
    "PassageReader": "PassageEmbedder",
    "Portal": "SiteRouter",
    "Quotable": "ScoredUnit",
    "Quotables": "UnitScorer",
    "SearchableMaterial": "SearchableContext",
    "SecondLook": "LlmVerifier",
    "Stance": "UnitRole",
    "claim_folder": "lock_folder",
    "breathe": "yieldToMain",
    "createRoom": "createPanelLayout",
    "docs_speak": "corpus_matches_language",
    "keepCornerClear": "avoidFixedElements",
    "looking_across": "federated_lookup",
    "passage_reader": "passage_embedder",
    "prompts_among": "select_prompts",
    "ownMachine": "browserMode",
    "ownStrings": "customStrings",
    "put_to_members": "question_to_members",
    "put_together": "build_answer",
    "read_together": "expand_follow_up",
    "share_cut": "truncated_share",
    "spread_out": "systematic_sample",
    "stance_of": "role_of",
    "turns_round": "negation_differs",
    "useOwnMachine": "setUpBrowserMode",
    "worth_of": "dense_weight",
}
FILES = sorted(
    file
    for pattern in (
        *("indexer/**/*.py", "server/**/*.py", "bench/**/*.py", "docs/*.md", "*.md"),
        *("widget/src/*.js", "widget/src/[cefl]*/*.js", "docusaurus-plugin/src/*.js"),
    )
    for file in ROOT.glob(pattern)
    if ".venv" not in file.parts
)


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_no_file_uses_a_retired_name(file: Path) -> None:
    words = set(re.findall(r"\w+", file.read_text(encoding="utf-8")))
    found = {name: new for name, new in RETIRED.items() if name in words}
    assert not found, f"use the new names: {found}"
