"""Names that were given up for a standard term do not come back."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RETIRED = {
    "AgentDoor": "McpRoute",
    "AskedFor": "AnswerType",
    "AskedSite": "FederatedSite",
    "Asker": "SyncAnswerer",
    "BuildLibrary": "BuildCache",
    "ContentReader": "ContentCache",
    "CorpusMaterial": "CorpusContext",
    "LEAST_RARITY": "LEAST_IDF",
    "LanedQueue": "WeightedFairQueue",
    "LeftOut": "SkippedFile",
    "LiveReply": "ReplyBroadcast",
    "OutsideLink": "TextLink",
    "PINCITE_ACROSS": "PINCITE_SITE_GROUPS",
    "PINCITE_PORTAL": "PINCITE_SITE_INDEXES",
    "PageKeys": "UrlIndex",
    "PassageMaterial": "PassageContext",
    "PassageReader": "PassageEmbedder",
    "Portal": "SiteRouter",
    "PushedSql": "PostgresSql",
    "Quotable": "ScoredUnit",
    "Quotables": "UnitScorer",
    "ReaderPasses": "SessionTokens",
    "SearchableMaterial": "SearchableContext",
    "SecondLook": "LlmVerifier",
    "SentenceDraft": "UnitDraft",
    "SharedBudget": "DailyBudget",
    "SharedLimit": "RateLimit",
    "SiteQueue": "WeightedFairQueue",
    "Stance": "UnitRole",
    "UNTOLD": "DEFAULT_PROFILE",
    "as_seen": "without_invisible",
    "asked_for": "expected_answer_type",
    "asked_locale": "fallback_locale",
    "asked_scopes": "latest_scopes",
    "breathe": "yieldToMain",
    "chunks_counted": "corpus_size",
    "chunks_for_readers": "readable_units",
    "claim_folder": "lock_folder",
    "connected_sections": "linked_sections",
    "createRoom": "createPanelLayout",
    "docs_speak": "corpus_matches_language",
    "drawn_ids": "svg_ids",
    "give_back_memory": "return_free_memory",
    "has_locale": "match_locale",
    "held_as_words": "drop_chance_bigrams",
    "keepCornerClear": "avoidFixedElements",
    "known_pass": "valid_token",
    "locale_spoken": "locale_in_language",
    "looking_across": "federated_lookup",
    "near_spellings": "similar_terms",
    "ownMachine": "browserMode",
    "ownStrings": "customStrings",
    "passage_reader": "passage_embedder",
    "pointed_to": "follow_reference",
    "portal": "site_indexes",
    "prompts_among": "select_prompts",
    "put_to_members": "question_to_members",
    "put_together": "build_answer",
    "read_together": "expand_follow_up",
    "recognised_language": "detect_language",
    "says_no": "is_no",
    "sections_for_readers": "readable_sections",
    "sentence_bits": "unit_bits",
    "sentence_id": "unit_id",
    "sentences_of_chunks": "units_of_chunks",
    "share_cut": "truncated_share",
    "shown_letters": "visible_letters",
    "shown_words": "plain_text",
    "spoken_languages": "parse_profiles",
    "spread_out": "systematic_sample",
    "stance_of": "role_of",
    "static_search": "browser_bundle",
    "turns_round": "negation_differs",
    "useOwnMachine": "setUpBrowserMode",
    "visible_text": "strip_invisible",
    "without_compilations": "mark_compilations",
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
