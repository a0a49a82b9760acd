"""Claims in the model's own reading, with the encoder that an index ships."""

import pytest

from pincite_core.embedders import DEFAULT_MODEL
from pincite_core.embedders.loading import model_folder
from pincite_indexer.vectors.encoder_export import export_files
from pincite_server.grounding.claims import judge_claim
from pincite_server.grounding.evidence import Evidence
from pincite_server.grounding.nearness import Nearness

pytestmark = pytest.mark.model

DOCS = Evidence.of(
    "Backups > Schedules",
    "To bring back a lost database, run the restore command with the snapshot's name. Restoring replaces all current "
    "data. Snapshots are taken every night and kept for thirty days. Backups run on the server with the database.",
)


@pytest.fixture(scope="module")
def nearness() -> Nearness:
    folder = model_folder(DEFAULT_MODEL)
    assert folder is not None
    found = Nearness.measured(export_files(folder, DEFAULT_MODEL).load(), "How often is my data saved?", "en")
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("claim", "by_words", "proof"),
    [
        ("Snapshots are taken every night and kept for thirty days.", "verified", "verified"),
        ("Snapshots are taken each evening and kept for thirty days.", "doubtful", "verified"),
        (
            "Each evening snapshots are taken, which stay encrypted and are kept for thirty days.",
            "doubtful",
            "doubtful",
        ),
        (
            "Snapshots are taken every night, kept for thirty days on the server with the database, and encrypted.",
            "verified",
            "doubtful",
        ),
    ],
)
def test_the_model_tells_what_nobody_wrote_from_other_words_for_what_the_docs_say(
    nearness: Nearness, claim: str, by_words: str, proof: str
) -> None:
    assert judge_claim(claim, DOCS, DOCS).proof == by_words
    assert judge_claim(claim, DOCS, DOCS, nearness=nearness).proof == proof
