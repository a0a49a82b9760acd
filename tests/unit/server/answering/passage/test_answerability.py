"""Whether a passage answers a question, or only stands near it."""

from collections.abc import Sequence

import numpy as np
import pytest

from pincite_core.embedders import Embedder, Encode, Vectors, load_embedder
from pincite_core.types import Role
from pincite_server.answering.passage.passage import (
    answer_from_passage,
    expected_answer_type,
    has_answer_type,
)

pytestmark = pytest.mark.slow

PASSAGE = (
    "Harbor Queue was written by Ada Berg in 2015. Leases enable a worker to keep a job for 30 seconds. "
    "Workers in Norway are supported on request. Expired jobs are removed every night."
)


def near(texts: Sequence[str], role: Role = "passage") -> Vectors:
    """Return vectors by which all passages are as near to a question: what is left to decide by is the words."""
    return np.array([[1.0, 0.0] if role == "query" else [0.8, 0.6]] * len(texts), dtype=np.float32)


def answered(question: str, passage: str = PASSAGE, about: str = "", language: str = "en") -> bool:
    return bool(answer_from_passage(passage, question, near, language, about).units)


@pytest.mark.parametrize(
    "question",
    [
        "Who wrote Harbor Queue?",
        "When was Harbor Queue written?",
        "How long does a worker keep a job?",
        "Which workers are supported on request?",
        "What happens to expired jobs every night?",
    ],
)
def test_what_the_passage_says_is_answered(question: str) -> None:
    assert answered(question)


@pytest.mark.parametrize(
    "question",
    [
        "Which expired jobs are not removed every night?",
        "Do leases disable keeping a job?",
        "How long are 45 jobs kept by a worker?",
    ],
)
def test_a_lure_is_no_answer(question: str) -> None:
    assert not answered(question)


def test_a_question_of_another_kind_than_the_sentence_offers_is_not_answered() -> None:
    passage = "Leases keep jobs from being taken twice."
    assert answered("What do leases keep from being taken twice?", passage)
    assert not answered("In what year were leases to keep jobs from being taken twice?", passage)


def test_a_name_from_the_headings_above_the_passage_is_not_foreign() -> None:
    foreign = answer_from_passage("It keeps a job.", "What does a Lease keep?", near)
    known = answer_from_passage("It keeps a job.", "What does a Lease keep?", near, about="Harbor Queue Leases")
    assert known.score > foreign.score


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How many workers are there?", "number"),
        ("How long is a lease?", "number"),
        ("How do I rotate tokens?", "thing"),
        ("Who can rotate tokens?", "person"),
        ("When was it released?", "date"),
        ("When do pages expire?", "thing"),
        ("What year is it from?", "date"),
    ],
)
def test_a_question_asks_for_a_kind_of_thing(question: str, kind: str) -> None:
    assert expected_answer_type(question) == kind


@pytest.mark.parametrize(
    ("text", "question", "offered"),
    [
        ("Only administrators can rotate tokens.", "Who can rotate tokens?", True),
        ("It was written by Ada Berg.", "Who wrote it?", True),
        ("Tokens can be rotated.", "Who can rotate tokens?", False),
        ("It lasts thirty seconds.", "How long does it last?", True),
        ("It lasts.", "How long does it last?", False),
    ],
)
def test_a_text_offers_that_kind_or_not(text: str, question: str, offered: bool) -> None:
    assert has_answer_type(expected_answer_type(question), text, question) is offered


def test_no_more_than_a_bounded_number_of_units_is_encoded() -> None:
    encoded: list[str] = []

    def counting(texts: Sequence[str], role: Role = "passage") -> Vectors:
        encoded.extend(texts)
        return near(texts, role)

    passage = " ".join(f"Garden number {place} has roses." for place in range(200)) + " Expired jobs are removed."
    found = answer_from_passage(passage, "What happens to expired jobs?", counting)
    assert len(encoded) <= 25
    assert "Expired jobs are removed." in encoded
    assert passage[found.units[-1].start : found.units[-1].end] == "Expired jobs are removed."


@pytest.mark.parametrize(
    ("language", "passage", "question", "foreign"),
    [
        ("de", "Eine Lease dauert 30 Sekunden.", "Wie lange dauert eine Lease?", "Welche Lizenz hat Kubernetes?"),
        ("zh", "租约持续三十秒。过期的任务每晚会被删除。", "租约持续多久？", "Kubernetes 的许可证是什么？"),
        ("ja", "リースは30秒続きます。", "リースはどのくらい続きますか？", "Kubernetesのライセンスは何ですか？"),
    ],
)
def test_other_languages_are_decided_by_their_words(language: str, passage: str, question: str, foreign: str) -> None:
    assert answered(question, passage, language=language)
    assert not answered(foreign, passage, language=language)


@pytest.fixture(scope="module")
def encode() -> Encode:
    embedder: Embedder = load_embedder()
    return embedder.encode


@pytest.mark.model
def test_the_real_model_finds_the_sentence_and_misses_what_is_not_there(
    encode: Encode,
) -> None:
    found = answer_from_passage(PASSAGE, "How long may a worker hold on to a job?", encode)
    texts = [PASSAGE[unit.start : unit.end] for unit in found.units]
    assert "Leases enable a worker to keep a job for 30 seconds." in texts
    assert not answer_from_passage(PASSAGE, "Which licence does Kubernetes have?", encode).units
    assert not answer_from_passage(PASSAGE, "Which jobs are never removed?", encode).units
