"""Statements that the docs do not cover something."""

import pytest

from pincite_server.grounding.absence import absent_topic, said_beside_absence, states_absence, where_stated
from pincite_server.grounding.evidence import Evidence

ABSENT = [
    "The documentation does not describe how to rotate the logs.",
    "The excerpts don't mention a `--parallel` flag.",
    "These docs do not cover the migration from version 2.",
    "The documentation does not explicitly state a maximum.",
    "The docs give no example of a nested queue.",
    "The excerpts contain nothing about Windows.",
    "A default for the timeout is not documented in these pages.",
    "There is no mention of rate limits in the documentation.",
    "Nothing in the docs says whether the order is kept.",
    "Retries of webhooks are not described here.",
    "The reference is silent on the size of the buffer.",
]
PRESENT = [
    "The lease does not expire.",
    "The command has no `--parallel` flag.",
    "Windows is not supported.",
    "The documentation describes how to rotate the logs.",
    "Do not mention secrets in the pages of a public site.",
    "The sections are not numbered.",
    "No page is cached.",
    "A page that is not found is answered with the status 404.",
]


@pytest.mark.parametrize("text", ABSENT)
def test_a_sentence_that_says_what_the_docs_lack_is_told_by_its_form(text: str):
    assert states_absence(text)


@pytest.mark.parametrize("text", PRESENT)
def test_a_sentence_about_the_product_is_not_taken_for_one_about_the_docs(text: str):
    assert not states_absence(text)


def test_one_that_its_writer_marks_needs_only_a_negation():
    assert states_absence("I could not find this.", declared=True)
    assert states_absence("Die Dokumentation nennt keine Obergrenze.", "de", declared=True)
    assert not states_absence("The limit is ten.", declared=True)
    assert not states_absence("Die Dokumentation nennt keine Obergrenze.", "de"), "forms are told in English alone"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The docs do not name a limit, but each lease lasts 30 seconds.", "but each lease lasts 30 seconds."),
        ("The docs do not name a limit; each lease lasts 30 seconds.", "each lease lasts 30 seconds."),
        ("Each lease lasts 30 seconds, though the docs do not name a limit.", "Each lease lasts 30 seconds"),
        ("The documentation does not describe how to rotate the logs.", ""),
        ("Each lease lasts 30 seconds.", ""),
    ],
)
def test_what_is_said_beside_it_is_told_apart(text: str, said: str):
    assert said_beside_absence(text) == said


@pytest.mark.parametrize(
    ("text", "is_stated"),
    [
        ("The documentation does not describe how to rotate logs by size.", True),
        ("The documentation does not describe how to rotate logs by age.", False),
        ("The docs do not mention a `--parallel` flag.", False),
        ("The documentation does not describe `queue.pause()`.", False),
    ],
)
def test_what_one_sentence_of_the_docs_has_is_not_missing(text: str, is_stated: bool):
    evidence = Evidence.of("Logs", "Rotate logs by size with `--max-size`. Old logs are removed.")
    assert where_stated(absent_topic(text), evidence) is is_stated
