"""Questions in other words than the docs', put to the real embedding model."""

import pytest
from tests.factories import build_index

from pincite_core.embedders import load_embedder
from pincite_core.search.evidence import DEFAULT_CALIBRATION
from pincite_server.answerer import Answerer
from pincite_server.answering.pipeline import answer, answer_selection, search_hits
from pincite_server.question.question import Question, Selection
from pincite_server.reply.records import Answer, Refusal

pytestmark = pytest.mark.model

PAGES = {
    "/docs/backup": """# Backups
## Restoring {#restoring}
To bring back a lost database, run the restore command with the snapshot's name. Restoring replaces all current data.

## Schedules {#schedules}
Snapshots are taken every night and kept for thirty days.
""",
    "/docs/billing": """# Billing
## Invoices {#invoices}
Invoices are sent by e-mail on the first day of each month. Change the recipient in the account settings.

## Cancelling {#cancelling}
You can end your subscription at any time. The remaining days are refunded.
""",
    "/docs/access": """# Access
## Two-factor sign-in {#two-factor}
Sign-in with a second factor protects accounts against stolen passwords.
""",
}


@pytest.fixture(scope="module")
def answerer(tmp_path_factory: pytest.TempPathFactory) -> Answerer:
    embedder = load_embedder()
    index = build_index(tmp_path_factory.mktemp("model"), PAGES, embedder=embedder)
    opened = Answerer.with_embedder(index, embedder)
    return Answerer(opened.index, opened.embedder, opened.policy, DEFAULT_CALIBRATION)


@pytest.mark.parametrize(
    ("query", "anchor"),
    [
        ("Can I get my money back when I quit?", "cancelling"),
        ("How often is my data saved?", "schedules"),
        ("My DB was deleted, how can I recover it?", "restoring"),
        ("Is there MFA?", "two-factor"),
    ],
)
def test_a_question_in_other_words_finds_its_section(answerer: Answerer, query: str, anchor: str) -> None:
    assert search_hits(answerer, query, k=1)[0].anchor == anchor


def test_an_answer_cites_the_section_it_quotes(answerer: Answerer) -> None:
    reply = answer(answerer, Question("How do I restore a lost database?"))
    assert isinstance(reply, Answer)
    assert "run the restore command with the snapshot's name." in reply.text
    assert reply.citations[0].url == "/docs/backup#restoring"


def test_a_foreign_question_is_refused(answerer: Answerer) -> None:
    assert isinstance(answer(answerer, Question("Which moon of Jupiter is the largest?")), Refusal)


def test_a_passage_answers_its_own_question_and_no_other(answerer: Answerer) -> None:
    passage = "ROS 2 is a robotics middleware."
    for query, answered in (("What is this?", True), ("What is ROS 2?", True), ("What is AI?", False)):
        question = Question(query, mode="selection", selection=Selection(passage))
        assert isinstance(answer_selection(answerer, question), Answer) is answered
